"""From expressions to a network: what is known is evaluated, the rest becomes terms."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, cast

from secateur.maths import ast
from secateur.maths.ast import Expr
from secateur.maths.operators import relations as operators
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve import (
    arithmetic,
    membership,
    quantify,
    relations,
    sequences,
    sets,
    spaces,
)
from secateur.maths.solve.choice import equals
from secateur.maths.solve.context import Context, MemberRule, T, TermRule, TruthRule
from secateur.maths.solve.equality import cells_of, components
from secateur.maths.solve.later import Evaluate
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import Bool, Conflict, Network, Scalar
from secateur.maths.solve.notes import Notes
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.select import apply, as_term, conditional
from secateur.maths.solve.terms import Couple, Env, Items, Known, Later, Row, Term
from secateur.maths.values import IllDefined, Undecided, Value

TERMS: Final[Mapping[Operator, TermRule]] = {
    **arithmetic.TERMS,
    **sets.TERMS,
    **relations.TERMS,
    **sequences.TERMS,
}
TRUTHS: Final[Mapping[Operator, TruthRule]] = {
    **arithmetic.TRUTHS,
    **membership.TRUTHS,
    **sets.TRUTHS,
}
MEMBERSHIPS: Final[Mapping[Operator, MemberRule]] = {**membership.RULES, **spaces.RULES}


class Translation(Context):
    """Builds a network for constraints; `unknowns` are the identifiers to be found."""

    def __init__(self, net: Network, evaluator: Evaluator, notes: Notes) -> None:
        self.net = net
        self.evaluator = evaluator
        self._notes = notes
        self._shared: dict[Hashable, Any] = {}
        self._kept: list[object] = []
        self._terms: dict[Hashable, Term] = {}
        self._vague: set[int] = set()
        """Terms, by id, with parts that only evaluation can find."""
        self._incomplete = False

    # -- what is known ------------------------------------------------------------------

    def names(self, e: Expr) -> frozenset[str]:
        """Return the free identifiers of `e`."""
        return self._notes.names(e)

    def derived(self, e: Expr, key: Hashable, make: Callable[[], Expr]) -> Expr:
        """Return what was made from `e` for `key`, or make it."""
        return self._notes.derived(e, key, make)

    def is_ground(self, e: Expr, env: Env) -> bool:
        """Whether everything that `e` depends on is known."""
        return all(isinstance(env.get(n, _KNOWN), Known) for n in self.names(e))

    def has_values(self, e: Expr, env: Env) -> bool:
        """Whether every identifier of `e` has a meaning."""
        return all(n in env or self.evaluator.knows(n) for n in self.names(e))

    def evaluate(self, e: Expr, env: Env) -> Value:
        """Return the value of `e`, of which everything is known."""
        bindings = {}
        for name in self.names(e):
            term = env.get(name)
            if term is not None:
                assert isinstance(term, Known)
                bindings[name] = term.value
        return self.evaluator.value(e, bindings)

    def known(self, e: Expr, env: Env) -> Value | None:
        """Return the value of `e` if that is known now, else None."""
        match e:
            case ast.Number(value):
                return value
            case ast.Name(text) if text in env:
                term = env[text]
                return term.value if isinstance(term, Known) else None
            case _:
                pass
        if not self.is_ground(e, env):
            return None
        try:
            return self.evaluate(e, env)
        except (IllDefined, Undecided):
            return None

    # -- truths -------------------------------------------------------------------------

    def unknown(self) -> Truth:
        """Return a truth that only evaluation can find."""
        self._incomplete = True
        return Bool()

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what was made earlier for `key`, or make it."""
        if key not in self._shared:
            self._shared[key] = make()
        return cast("T", self._shared[key])

    def indicator(self, p: Truth) -> Scalar:
        """Return the number that is 1 if `p` holds and else 0."""
        if not isinstance(p, Bool):
            return Scalar(int(p), int(p))
        number = Scalar(0, 1)
        truth = equals(self.net, number, 1)
        both = self.same(p, truth)
        assert isinstance(both, Bool)
        self.net.set(both, True)
        return number

    def require(self, e: Expr, env: Env) -> None:
        """Demand that `e` holds; raise Conflict if it cannot."""
        truth = self.truth(e, env)
        if isinstance(truth, Bool):
            self.net.set(truth, True)
        elif not truth:
            raise Conflict

    def require_later(self, e: Expr, env: Env) -> None:
        """Demand that `e` is not false, which is found out by evaluation alone."""
        truth = Bool()
        self._evaluate_later(truth, e, env)
        self.net.set(truth, True)

    def truth(self, e: Expr, env: Env) -> Truth:
        """Return what is known of the truth of `e`."""
        if self.is_ground(e, env):
            try:
                return bool(self.evaluate(e, env))
            except (IllDefined, Undecided):
                return Bool()
        return self.shared(self._key(e, env), lambda: self._complete_truth(e, env))

    def _complete_truth(self, e: Expr, env: Env) -> Truth:
        before, self._incomplete = self._incomplete, False
        truth = self._truth(e, env)
        if self._incomplete and isinstance(truth, Bool):
            self._evaluate_later(truth, e, env)
        self._incomplete = before
        return truth

    def _evaluate_later(self, result: Bool, e: Expr, env: Env) -> None:
        Evaluate(result, self.later(e, env), self.evaluator).attach(self.net)

    def later(self, e: Expr, env: Env) -> Later:
        """Return `e` with those identifiers that it depends on."""
        return Later(e, {n: env[n] for n in sorted(self.names(e)) if n in env})

    def _truth(self, e: Expr, env: Env) -> Truth:
        match e:
            case ast.Apply(operator, args) if operator in TRUTHS:
                return TRUTHS[operator](self, args, env)
            case ast.And(parts):
                return self._all(parts, env)
            case ast.Or(parts):
                return negation(self.all_of(*(negation(self.truth(p, env)) for p in parts)))
            case ast.Not(body):
                return negation(self.truth(body, env))
            case ast.Implies(left, right):
                premise = self.truth(left, env)
                return True if premise is False else self._implied(premise, right, env)
            case ast.Equivalent(left, right):
                return self.same(self.truth(left, env), self.truth(right, env))
            case ast.Forall():
                return quantify.forall(self, e, env)
            case ast.Exists():
                return quantify.exists(self, e, env)
            case ast.Labelled(_, body):
                return self.truth(body, env)
            case ast.If(condition, then, otherwise):
                p = self.truth(condition, env)
                return self.all_of(
                    self._implied(p, then, env), self._implied(negation(p), otherwise, env)
                )
            case ast.Let(_, _, body):
                inner = quantify.let(self, e, env)
                return self.unknown() if inner is None else self.truth(body, inner)
            case _:
                return self.unknown()

    def _all(self, parts: tuple[Expr, ...], env: Env) -> Truth:
        truths = []
        for part in parts:
            truth = self.truth(part, env)
            if truth is False:
                return False
            truths.append(truth)
        return self.all_of(*truths)

    def _implied(self, premise: Truth, e: Expr, env: Env) -> Truth:
        if premise is False:
            return True
        return self.any_of(negation(premise), self.truth(e, env))

    def membership(self, operator: Operator) -> MemberRule | None:
        """Return the rule for membership in what `operator` makes."""
        return MEMBERSHIPS.get(operator)

    # -- terms --------------------------------------------------------------------------

    def term(self, e: Expr, env: Env) -> Term:
        """Return what is known of the value of `e`."""
        match e:
            case ast.Number(value):
                return Known(value)
            case ast.Name(text) if text in env:
                return env[text]
            case _:
                pass
        if self.is_ground(e, env):
            try:
                return Known(self.evaluate(e, env))
            except (IllDefined, Undecided):
                return self.later(e, env)
        key = self._key(e, env)
        found = self._terms.get(key)
        if found is None:
            before, self._incomplete = self._incomplete, False
            made = self._term(e, env)
            found = self._terms[key] = self.later(e, env) if made is None else made
            if self._incomplete:
                self._vague.add(id(found))
            self._incomplete = before
        if id(found) in self._vague:
            self._incomplete = True
        return found

    def definition(self, e: Expr, env: Env) -> Term:
        """Return the value of `e` as one that an unknown can have: nothing in it stays vague."""
        term = self.term(e, env)
        return self.later(e, env) if id(term) in self._vague else term

    def _key(self, e: Expr, env: Env) -> Hashable:
        """Return what determines the translation of `e`."""
        alike = self._notes.alike(e)
        return (id(alike), *[self._mark(env.get(n, _KNOWN)) for n in sorted(self.names(e))])

    def _mark(self, term: Term) -> Hashable:
        self._kept.append(term)  # an id is only unique while its object lives
        if isinstance(term, Known):
            return term.value if type(term.value) is int else id(term.value)
        return id(term)

    def _term(self, e: Expr, env: Env) -> Term | None:
        match e:
            case ast.Apply(operator, args):
                rule = TERMS.get(operator)
                return None if rule is None else rule(self, args, env)
            case ast.Call(function, args):
                return self._call(function, args, env)
            case ast.SetDisplay(items):
                return self._display(items, env)
            case ast.SequenceDisplay(items):
                pairs = [
                    (True, Couple(Known(i), self.term(x, env))) for i, x in enumerate(items, 1)
                ]
                return cells_of(Items(tuple(pairs)))
            case ast.Bool(predicate):
                return as_term(self.truth(predicate, env))
            case ast.Comprehension():
                return quantify.comprehension(self, e, env)
            case ast.Lambda():
                return quantify.lambda_(self, e, env)
            case ast.Quantified():
                return quantify.quantified(self, e, env)
            case ast.If(condition, then, otherwise):
                p = self.truth(condition, env)
                return conditional(self, p, self.term(then, env), self.term(otherwise, env))
            case ast.Let(_, _, body):
                inner = quantify.let(self, e, env)
                return None if inner is None else self.term(body, inner)
            case ast.Record(fields):
                ordered = sorted(fields, key=lambda field: field[0])
                names = tuple(name for name, _ in ordered)
                return Row(names, tuple(self.term(value, env) for _, value in ordered))
            case ast.Field(record, name):
                return self._field(self.term(record, env), name)
            case _:
                return None

    def _call(self, function: Expr, args: tuple[Expr, ...], env: Env) -> Term | None:
        first, *others = (self.term(e, env) for e in args)
        argument = first
        for other in others:
            argument = Couple(argument, other)
        known = self._known_pair(argument)
        if known is None or not self.is_ground(function, env):
            applied = self._apply_rule(function, argument, env)
            if applied is not None:
                return applied
        return apply(self, self.term(function, env), argument if known is None else known)

    def _apply_rule(self, function: Expr, argument: Term, env: Env) -> Term | None:
        """Return the application of a lambda or projection without going through its pairs."""
        match function:
            case ast.Lambda(binders, _, value):
                inner = membership.bound(argument, [b.name for b in binders], env)
                return None if inner is None else self.term(value, inner)
            case ast.Apply(operator, _) if operator in _PROJECTIONS and isinstance(
                argument, Couple
            ):
                return (argument.left, argument.right)[_PROJECTIONS[operator]]
            case _:
                return None

    def _known_pair(self, term: Term) -> Known | None:
        if isinstance(term, Couple):
            left, right = self._known_pair(term.left), self._known_pair(term.right)
            return None if left is None or right is None else Known((left.value, right.value))
        return term if isinstance(term, Known) else None

    def _display(self, items: tuple[Expr, ...], env: Env) -> Term:
        whole = Items(tuple((True, self.term(e, env)) for e in items))
        cells = cells_of(whole) if items else None
        return whole if cells is None else cells

    def _field(self, record: Term, name: str) -> Term | None:
        if isinstance(record, Row):
            return record.fields[record.names.index(name)]
        parts = components(record)
        if parts is None or not isinstance(record, Known):
            return None
        return Known(record.value.field(name))


_KNOWN: Final = Known(None)
_PROJECTIONS: Final[Mapping[Operator, int]] = {
    operators.FIRST_PROJECTION: 0,
    operators.SECOND_PROJECTION: 1,
}
