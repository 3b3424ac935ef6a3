"""Type inference for expressions and predicates.

R. Milner: *A Theory of Type Polymorphism in Programming*, J. Comput. Syst. Sci. 17, 1978,
algorithm J.  Only built-in operators are generic: a B identifier has one type, so nothing
is generalised.

Two passes.  `infer` finds the types and records, per node, what the text leaves open:
the types of bound identifiers and which meaning of `-` or `*` is meant.  When everything
was seen, `settle` decides what is still open, and `elaborate` (see `infer_elaborate.py`)
rebuilds the tree.  Complaints are gathered, not raised: one run finds several mistakes.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import assert_never

from secateur.maths.ast import (
    And,
    Apply,
    Before,
    Binder,
    Binding,
    Bool,
    Call,
    Comprehension,
    Equivalent,
    Exists,
    Expr,
    Field,
    Forall,
    If,
    Implies,
    Labelled,
    Lambda,
    Let,
    Name,
    Not,
    Number,
    Or,
    Quantified,
    Quantifier,
    RealNumber,
    Record,
    RecordSet,
    SequenceDisplay,
    SetDisplay,
    Text,
)
from secateur.maths.codes import (
    BOUND_TWICE,
    NO_FIELD,
    NO_OLD_VALUE,
    NO_OVERLOAD,
    NOT_A_FUNCTION,
    NOT_A_LET,
    TYPE_MISMATCH,
    UNTYPED,
    WRONG_ARITY,
)
from secateur.maths.infer_findings import Findings, Scope, excerpt
from secateur.maths.infer_let import defines_all
from secateur.maths.infer_pending import Access, Overload, Pending, Verdict, instantiate
from secateur.maths.infer_unify import product, show
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.relations import PAIR
from secateur.maths.types import (
    BOOL,
    INTEGER,
    PREDICATE,
    REAL,
    STRING,
    Power,
    Product,
    Struct,
    Type,
    Variable,
    relation,
    sequence,
)
from secateur.source import Span

__all__ = ["Inference", "Scope"]


class Inference(Findings):
    """One run of type inference, over any number of formulas."""

    def __init__(self) -> None:
        super().__init__()
        self.bound: dict[int, tuple[Binder, Type]] = {}
        """Per binder (by identity; the binder is kept alive) its type."""
        self.chosen: dict[int, tuple[Expr, Operator]] = {}
        """Per overloaded node its meaning."""
        self.carriers: dict[int, tuple[Expr, tuple[Type, ...]]] = {}
        """Per node of an operator with carriers, their types."""
        self._pending: list[Pending] = []

    def expect(self, e: Expr, wanted: Type, scope: Scope, who: str) -> Type:
        """Infer `e` and demand that it is of type `wanted`, as `who` does."""
        found = self.infer(e, scope)
        self.demand(e, found, wanted, scope, who)
        return wanted

    # Expressions

    def infer(self, e: Expr, scope: Scope) -> Type:
        """Return the type of `e`, complaining about what does not fit."""
        match e:
            case Name(text):
                return self.lookup(text, e.span, scope)
            case Before(text):
                return self._before(e, scope)
            case Apply():
                return self._apply(e, scope)
            case Number():
                return INTEGER
            case Call():
                return self._call(e, scope)
            case Text():
                return STRING
            case RealNumber():
                return REAL
            case SetDisplay(items):
                return Power(self._common(items, scope, "a set"))
            case SequenceDisplay(items):
                return sequence(self._common(items, scope, "a sequence"))
            case Record(fields):
                self._refuse_twice([name for name, _ in fields], e.span)
                return _struct({name: self.infer(value, scope) for name, value in fields})
            case RecordSet(fields):
                self._refuse_twice([name for name, _ in fields], e.span)
                return Power(_struct({n: self._element(v, scope) for n, v in fields}))
            case Field():
                return self._field(e, scope)
            case If():
                return self._if(e, scope)
            case Labelled(_, body):
                return self.infer(body, scope)
            case Bool(predicate):
                self.predicate(predicate, scope, "bool")
                return BOOL
            case And(parts) | Or(parts):
                for part in parts:
                    self.predicate(part, scope, "&" if isinstance(e, And) else "or")
                return PREDICATE
            case Not(body):
                return self.predicate(body, scope, "not")
            case Implies(left, right) | Equivalent(left, right):
                self.predicate(left, scope, "=>" if isinstance(e, Implies) else "<=>")
                return self.predicate(right, scope, "=>" if isinstance(e, Implies) else "<=>")
            case Forall() | Exists() | Comprehension() | Lambda() | Quantified() | Let():
                return self._binding(e, scope)
            case _:
                assert_never(e)

    def predicate(self, e: Expr, scope: Scope, who: str) -> Type:
        """Demand that `e` is a predicate."""
        found = self.infer(e, scope)
        pruned = self.types.prune(found)
        if found is not PREDICATE and not (self.diagnostics and isinstance(pruned, Variable)):
            hint = f"write '{excerpt(e)} = TRUE'" if pruned is BOOL else None
            self.complain(
                TYPE_MISMATCH,
                f"'{who}' expects a predicate, but {excerpt(e)} is {self.show(found)}",
                e.span,
                hint,
            )
        return PREDICATE

    def _before(self, e: Before, scope: Scope) -> Type:
        found = scope.get(f"{e.text}$0")
        if found is None:
            where = "only in the condition of 'x :(...)' and in the invariant of a loop"
            self.complain(NO_OLD_VALUE, f"{e.text}$0 is allowed {where}", e.span)
            return self.types.fresh()
        return found

    def _refuse_twice(self, fields: Sequence[str], span: Span) -> None:
        for name in {name for name in fields if fields.count(name) > 1}:
            self.complain(BOUND_TWICE, f"field {name} is given twice", span)

    def _common(self, items: Sequence[Expr], scope: Scope, what: str) -> Type:
        element = self.types.fresh()
        for item in items:
            found = self.infer(item, scope)
            if not self.types.unify(found, element, item.span):
                self.complain(
                    TYPE_MISMATCH,
                    f"the elements of {what} must have one type: {excerpt(item)} is "
                    f"{self.show(found)}, those before it are {self.show(element)}",
                    item.span,
                    self.since(item, scope),
                )
        return element

    def _element(self, e: Expr, scope: Scope) -> Type:
        """Demand that `e` is a set and return the type of its elements."""
        element = self.types.fresh()
        self.expect(e, Power(element), scope, "struct")
        return element

    def _if(self, e: If, scope: Scope) -> Type:
        self.predicate(e.condition, scope, "IF")
        then = self.infer(e.then, scope)
        return self.expect(e.otherwise, then, scope, "ELSE, like THEN,")

    # Operators and application

    def _apply(self, e: Apply, scope: Scope) -> Type:
        found = [self.infer(arg, scope) for arg in e.args]
        if e.operator is PAIR:  # short work of what data consist of
            return Product(found[0], found[1])
        if e.operator.overloads:
            return self._overloaded(e, found)
        use = instantiate(e.operator, len(e.args), self.types)
        if len(use.operands) != len(e.args):
            self.complain(
                WRONG_ARITY,
                f"'{e.operator}' takes {len(use.operands)} operands, not {len(e.args)}",
                e.span,
            )
            return use.result
        if use.carriers:
            self.carriers[id(e)] = (e, use.carriers)
        for arg, actual, wanted in zip(e.args, found, use.operands, strict=True):
            if not self.types.unify(actual, wanted, e.span):
                self.demand(arg, actual, wanted, scope, f"'{e.operator}'")
        return use.result

    def _overloaded(self, e: Apply, found: Sequence[Type]) -> Type:
        relational = all(
            o.signature is not None and o.signature.result is PREDICATE
            for o in e.operator.overloads
        )
        pending = Overload(e, tuple(found), PREDICATE if relational else self.types.fresh())
        if not self._attempt(pending):
            self._pending.append(pending)
        return pending.result

    def _call(self, e: Call, scope: Scope) -> Type:
        function = self.infer(e.function, scope)
        found = product(self.infer(arg, scope) for arg in e.args)
        argument, result = self.types.fresh(), self.types.fresh()
        if not self.types.unify(function, relation(argument, result), e.function.span):
            self.complain(
                NOT_A_FUNCTION,
                f"{excerpt(e.function)} is applied but is no function: it is {self.show(function)}",
                e.span,
                self.since(e.function, scope),
            )
        elif not self.types.unify(found, argument, e.span):
            self.complain(
                TYPE_MISMATCH,
                f"{excerpt(e.function)} expects {self.show(argument)}, "
                f"but its argument is {self.show(found)}",
                e.span,
                self.since(e.function, scope),
            )
        return result

    def _field(self, e: Field, scope: Scope) -> Type:
        pending = Access(e, self.infer(e.record, scope), self.types.fresh())
        if not self._attempt(pending):
            self._pending.append(pending)
        return pending.result

    # Binders

    def bind(self, binders: Sequence[Binder], scope: Scope) -> Scope:
        """Return `scope` with `binders` added, their types to be found."""
        inner: dict[str, Type] = {}
        for binder in binders:
            if binder.name in inner:
                self.complain(BOUND_TWICE, f"{binder.name} is bound twice", binder.span)
            inner[binder.name] = binder.type or self.types.fresh()
            self.bound[id(binder)] = (binder, inner[binder.name])
        return ChainMap(inner, scope)  # type: ignore[arg-type]  # only ever read

    def _binding(self, e: Binding, scope: Scope) -> Type:
        inner = self.bind(e.binders, scope)
        types = product(inner[b.name] for b in e.binders)
        match e:
            case Forall(_, body) | Exists(_, body):
                return self.predicate(body, inner, "!" if isinstance(e, Forall) else "#")
            case Comprehension(_, condition, value):
                self.predicate(condition, inner, "{...|...}")
                return Power(types if value is None else self.infer(value, inner))
            case Lambda(_, condition, value):
                self.predicate(condition, inner, "%")
                return relation(types, self.infer(value, inner))
            case Quantified(quantifier, _, condition, value):
                self.predicate(condition, inner, quantifier.value)
                return self._gathered(quantifier, value, inner)
            case Let(binders, condition, body):
                self.let(binders, condition, inner)
                return self.infer(body, inner)
            case _:
                assert_never(e)

    def let(self, binders: Sequence[Binder], condition: Expr, scope: Scope) -> None:
        """Demand that `condition` consists of one equation for each of the `binders`."""
        self.predicate(condition, scope, "LET")
        if not defines_all(binders, condition):
            message = "LET needs one equation 'x = E' for each identifier, none in terms of itself"
            self.complain(NOT_A_LET, message, condition.span, "ANY allows any condition")

    def _gathered(self, quantifier: Quantifier, value: Expr, scope: Scope) -> Type:
        found = self.infer(value, scope)
        if quantifier in (Quantifier.UNION, Quantifier.INTER):
            wanted: Type = Power(self.types.fresh())
        else:
            self._retry()
            wanted = REAL if self.types.prune(found) is REAL else INTEGER
        self.demand(value, found, wanted, scope, quantifier.value)
        return wanted

    # What is decided later

    def settle(self) -> None:
        """Decide everything that was left open; integers where nothing else is said."""
        self._retry()
        while self._pending:
            pending = self._pending.pop(0)
            if isinstance(pending, Access):
                message = f"cannot tell which record '{pending.node.name} belongs to"
                self.complain(UNTYPED, message, pending.span)
            else:
                self._note_choice(pending, pending.default(self.types))
            self._retry()

    def _retry(self) -> None:
        progress = True
        while progress and self._pending:
            waiting = [p for p in self._pending if not self._attempt(p)]
            progress = len(waiting) < len(self._pending)
            self._pending = waiting

    def _attempt(self, pending: Pending) -> bool:
        """Whether `pending` needs no further thought: it is decided, or it was complained about."""
        outcome = pending.attempt(self.types)
        if outcome is Verdict.IMPOSSIBLE:
            self._refuse(pending)
        elif isinstance(outcome, Operator):
            self._note_choice(pending, outcome)
        return outcome is not Verdict.OPEN

    def _note_choice(self, pending: Pending, operator: Operator) -> None:
        self.chosen[id(pending.node)] = (pending.node, operator)

    def _refuse(self, pending: Pending) -> None:
        if isinstance(pending, Access):
            message = f"{excerpt(pending.node.record)} is {self.show(pending.record)}"
            self.complain(NO_FIELD, f"{message}: it has no field {pending.node.name}", pending.span)
            return
        operands = " and ".join(map(self.show, pending.operands))
        result = self.types.resolve(pending.result)
        is_open = isinstance(result, Variable) or result is PREDICATE
        suffix = "" if is_open else f" where {show(result)} is wanted"
        self.complain(
            NO_OVERLOAD, f"'{pending.node.operator}' cannot take {operands}{suffix}", pending.span
        )


def _struct(fields: Mapping[str, Type]) -> Struct:
    return Struct(tuple(sorted(fields.items())))
