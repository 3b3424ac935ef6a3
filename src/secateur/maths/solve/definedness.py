"""When constraints are well-defined, as formulas that the solver can refute.

Propagation takes for granted that every term has a value: where it finds a contradiction, a term
without one may have been the reason.  Whether that was so is a question of its own: are there
values for which a constraint is ill-defined, and no other one is false?  `clauses` says for which
values a constraint has a value: it has if all clauses hold.  (The reverse need not be true.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from secateur.maths import ast
from secateur.maths.ast import Apply, Binder, Call, Expr, Name, Number, SetDisplay
from secateur.maths.operators import (
    comparison,
    function_spaces,
    integers,
    relations,
    sequences,
    sets,
)
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.lies_in import Spaces
from secateur.maths.solve.tree_demands import ON_TREES, tree_demands
from secateur.maths.types import INTEGER
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Clause:
    """What must hold where the premises do, for all values of the binders."""

    premises: tuple[Expr, ...]
    goal: Expr
    binders: tuple[Binder, ...] = ()

    def violated(self) -> Expr:
        """Return the predicate that it does not hold."""
        fails = ast.Not(self.goal, self.goal.span)
        body = ast.conjunction((*self.premises, fails), self.goal.span)
        return ast.Exists(self.binders, body, self.goal.span) if self.binders else body


class Definedness:
    """What is known of the unknowns of a problem from the form of its constraints."""

    def __init__(self, unknowns: frozenset[str], constraints: Sequence[Expr]) -> None:
        self._unknowns = unknowns
        self._spaces = Spaces(constraints)

    def clauses(self, e: Expr) -> list[Clause]:
        """Return clauses; where all of them hold, `e` has a value."""
        return list(self._all(e))

    def _all(self, e: Expr) -> Iterator[Clause]:
        match e:
            case ast.And(parts):
                yield from self._in_turn(parts, lambda part: part)
            case ast.Or(parts):
                yield from self._in_turn(parts, lambda part: ast.Not(part, part.span))
            case ast.Implies(left, right):
                yield from self._in_turn((left, right), lambda part: part)
            case ast.If(condition, then, otherwise):
                yield from self._all(condition)
                yield from _under((condition,), self._all(then))
                yield from _under((ast.Not(condition, condition.span),), self._all(otherwise))
            case ast.Forall() | ast.Exists() | ast.Comprehension():
                yield from self._bound(e)
            case ast.Lambda() | ast.Quantified() | ast.Let():
                yield from self._bound(e)
            case _:
                for child in ast.children(e):
                    yield from self._all(child)
                yield from self._own(e)

    def _in_turn(
        self, parts: Sequence[Expr], holds_before: Callable[[Expr], Expr]
    ) -> Iterator[Clause]:
        before: tuple[Expr, ...] = ()
        for part in parts:
            yield from _under(before, self._all(part))
            before = (*before, *ast.conjuncts(holds_before(part)))

    def _bound(
        self,
        e: ast.Forall | ast.Exists | ast.Comprehension | ast.Lambda | ast.Quantified | ast.Let,
    ) -> Iterator[Clause]:
        condition, value = _condition_and_value(e)
        known = self._without(frozenset(b.name for b in e.binders))
        inner = list(known._all(condition))
        if value is not None:
            inner.extend(_under(ast.conjuncts(condition), known._all(value)))
        loose = _without_bound(e.binders, condition)
        presupposed: tuple[Expr, ...] = ()
        for clause in inner:
            if not clause.binders and _is_membership_of(clause.goal, loose):
                presupposed = (*presupposed, clause.goal)  # it ranges over that domain
                loose -= ast.free_names(clause.goal)  # and over no other one
                continue
            for each in _under(presupposed, (clause,)):
                hidden = {b.name for b in each.binders}
                outer = tuple(b for b in e.binders if b.name not in hidden)
                yield Clause(each.premises, each.goal, (*outer, *each.binders))
        if isinstance(e, ast.Quantified) and e.quantifier is ast.Quantifier.INTER:
            yield Clause((), ast.Exists(e.binders, e.condition, e.span))

    def _without(self, names: frozenset[str]) -> Definedness:
        """Return what is known where `names` mean something else."""
        inner = Definedness(self._unknowns, ())
        inner._spaces = self._spaces.without(names)
        return inner

    def _own(self, e: Expr) -> Iterator[Clause]:
        """Yield what `e` demands of its parts."""
        match e:
            case Call(function, args):
                yield from (Clause((), goal) for goal in self._application(function, args))
            case Apply(operator, args) if operator in _DEMANDS:
                yield from (Clause((), goal) for goal in _DEMANDS[operator](*args))
            case Apply(operator, args) if operator in sequences.ON_SEQUENCES:
                yield from self._on_sequences(operator, args)
            case Apply(operator, args) if operator in ON_TREES:
                yield from self._on_trees(operator, args)
            case Apply(operator, _) if operator.partial and operator is not sets.CARD:
                yield Clause((), NEVER)  # what it demands is not known here

    def _application(self, function: Expr, args: Sequence[Expr]) -> Iterator[Expr]:
        argument = args[0]
        for each in args[1:]:
            argument = Apply(relations.PAIR, (argument, each), each.span)
        certain = self._spaces.is_function(function)
        if not certain and ast.free_names(function) & self._unknowns:
            alone = SetDisplay((argument,), argument.span)
            image = Apply(relations.IMAGE, (function, alone), function.span)
            yield Apply(comparison.EQUAL, (Apply(sets.CARD, (image,), image.span), Number(1)))
            return
        domain = self._spaces.domain(function)
        if not self._spaces.has(argument, domain):
            yield Apply(comparison.MEMBER, (argument, domain), argument.span)
        if not certain:  # it has a value already, which says at once whether it is a function
            all_of_it = Apply(relations.DOMAIN, (function,), function.span)
            values = Apply(relations.RANGE, (function,), function.span)
            space = Apply(function_spaces.PARTIAL_FUNCTIONS, (all_of_it, values), function.span)
            yield Apply(comparison.MEMBER, (function, space), function.span)

    def _on_sequences(self, operator: Operator, args: Sequence[Expr]) -> Iterator[Clause]:
        for number in sequences.ON_SEQUENCES[operator]:
            of = args[number]
            if not self._spaces.is_sequence(of):
                own = Apply(sequences.SEQUENCES, (Apply(relations.RANGE, (of,), of.span),), of.span)
                yield Clause((), Apply(comparison.MEMBER, (of, own), of.span))
        if operator in sequences.ON_NONEMPTY:
            yield Clause((), _not_empty(args[0]))
        elif operator in _WITH_LENGTH:
            length = Apply(sets.CARD, (args[0],), args[0].span)
            interval = Apply(sets.INTERVAL, (Number(0), length), args[1].span)
            yield Clause((), Apply(comparison.MEMBER, (args[1], interval), args[1].span))

    def _on_trees(self, operator: Operator, args: Sequence[Expr]) -> Iterator[Clause]:
        before: tuple[Expr, ...] = ()
        for goal in tree_demands(operator, args, self._spaces):
            yield Clause(before, goal or NEVER)
            if goal is not None:
                before = (*before, goal)


def _condition_and_value(
    e: ast.Forall | ast.Exists | ast.Comprehension | ast.Lambda | ast.Quantified | ast.Let,
) -> tuple[Expr, Expr | None]:
    """Return what says which values are meant, and what is evaluated for each of them."""
    if isinstance(e, ast.Forall | ast.Exists):
        return e.body, None
    return e.condition, e.body if isinstance(e, ast.Let) else e.value


NEVER: Final = Apply(comparison.EQUAL, (Number(0), Number(1)))
"""The goal where it is not known what is demanded."""


def _without_bound(binders: Sequence[Binder], condition: Expr) -> frozenset[str]:
    """Return the integers that have no bound other than the domains of functions."""
    while isinstance(condition, ast.Labelled):
        condition = condition.body
    premises: tuple[Expr, ...] = ()
    while isinstance(condition, ast.Implies):
        premises = (*premises, *ast.conjuncts(condition.left))
        condition = condition.right
    told: set[str] = set()
    ends: dict[str, set[bool]] = {}
    for e in premises or ast.conjuncts(condition):
        match e:
            case Apply(comparison.MEMBER | comparison.EQUAL, (left, right)):
                told |= ast.free_names(left) if _is_tuple(left) else frozenset()
                if e.operator is comparison.EQUAL and _is_tuple(right):
                    told |= ast.free_names(right)
            case Apply(operator, (left, right)) if operator in _ORDER:
                for side, upper in ((left, _ORDER[operator]), (right, not _ORDER[operator])):
                    if isinstance(side, Name):
                        ends.setdefault(side.text, set()).add(upper)
    told.update(name for name, seen in ends.items() if len(seen) == 2)
    return frozenset(b.name for b in binders if b.type is INTEGER) - told


def _is_tuple(e: Expr) -> bool:
    """Whether `e` is an identifier, or pairs of these."""
    match e:
        case Name():
            return True
        case Apply(relations.PAIR, parts):
            return all(map(_is_tuple, parts))
        case _:
            return False


def _is_membership_of(goal: Expr, names: frozenset[str]) -> bool:
    """Whether `goal` says of one of `names`, perhaps with others, in which set it is."""
    match goal:
        case Apply(comparison.MEMBER, (element, _)):
            return _is_tuple(element) and bool(ast.free_names(element) & names)
        case _:
            return False


def _under(premises: tuple[Expr, ...], clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Yield `clauses` with further premises; those that follow from them are left out."""
    for clause in clauses:
        bound = {b.name for b in clause.binders}
        # What a premise says of a name is not said of another one that is written the same.
        before = tuple(e for e in premises if not ast.free_names(e) & bound)
        if clause.goal not in before:
            yield Clause((*before, *clause.premises), clause.goal, clause.binders)


def _not_empty(s: Expr) -> Expr:
    return Apply(comparison.NOT_EQUAL, (s, SetDisplay((), s.span)), s.span)


def _less(left: Expr, right: Expr) -> Expr:
    return Apply(integers.LESS, (left, right), left.span)


def _divides(_: Expr, divisor: Expr) -> tuple[Expr, ...]:
    if isinstance(divisor, Number) and divisor.value:
        return ()
    return (Apply(comparison.NOT_EQUAL, (divisor, Number(0)), divisor.span),)


def _has_remainder(dividend: Expr, divisor: Expr) -> tuple[Expr, ...]:
    return (_less(Number(-1), dividend), _less(Number(0), divisor))


_ORDER: Final[Mapping[Operator, bool]] = {
    integers.LESS: True,
    integers.LESS_EQUAL: True,
    integers.GREATER: False,
    integers.GREATER_EQUAL: False,
}
"""Comparisons, and whether the left side is bounded from above."""
_DEMANDS: Final[Mapping[Operator, Callable[..., tuple[Expr, ...]]]] = {
    integers.DIVIDE: _divides,
    integers.MODULO: _has_remainder,
    integers.POWER: lambda _, exponent: (_less(Number(-1), exponent),),
    integers.MIN: lambda s: (_not_empty(s),),
    integers.MAX: lambda s: (_not_empty(s),),
    sets.GENERALIZED_INTERSECTION: lambda s: (_not_empty(s),),
    relations.ITERATE: lambda _, times, *_carrier: (_less(Number(-1), times),),
}
"""What operators demand.  That sets are finite need not be said: the solver knows no others."""
_WITH_LENGTH: Final = frozenset({sequences.TAKE, sequences.DROP})
