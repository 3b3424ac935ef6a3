"""Decisions of type inference that wait until more is known.

`-` may be subtraction or set difference, and `r'a` says little as long as `r` is
unknown.  Such a node is asked again until its operands' types decide.
"""

from __future__ import annotations

from enum import Enum

from secateur.maths.ast import Apply, Field
from secateur.maths.infer_unify import Unifier
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import DataType, Power, Product, Struct, Type, Variable
from secateur.source import Span
from secateur.source.records import dataclass


class Verdict(Enum):
    """How an attempt to decide ended."""

    DECIDED = "decided"
    OPEN = "open"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class Use:
    """The types of one use of an operator; `carriers` are those it wants to be told."""

    operands: tuple[Type, ...]
    result: Type
    carriers: tuple[Type, ...]


def instantiate(operator: Operator, arity: int, types: Unifier) -> Use:
    """Return the types of a new use of `operator`."""
    signature = operator.signature
    assert signature is not None, operator.name
    operands = signature.operands
    if operator.variadic:
        operands = operands[:1] * arity
    names: dict[str, Variable] = {}
    return Use(
        tuple(_renamed(t, names, types) for t in operands),
        _renamed(signature.result, names, types),
        tuple(_renamed(t, names, types) for t in operator.carriers),
    )


def _renamed(type_: Type, names: dict[str, Variable], types: Unifier) -> Type:
    match type_:
        case Variable(name):
            if name not in names:
                names[name] = types.fresh()
            return names[name]
        case Power(element):
            return Power(_renamed(element, names, types))
        case Product(left, right):
            return Product(_renamed(left, names, types), _renamed(right, names, types))
        case Struct(fields):
            return Struct(tuple((n, _renamed(t, names, types)) for n, t in fields))
        case DataType(declaration, arguments):
            return DataType(declaration, tuple(_renamed(t, names, types) for t in arguments))
        case _:
            return type_


@dataclass(frozen=True, slots=True)
class Overload:
    """An operator of several meanings."""

    node: Apply
    operands: tuple[Type, ...]
    result: Type

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.node.span

    def attempt(self, types: Unifier) -> Operator | Verdict:
        """Return the meaning if only one fits."""
        fitting = [o for o in self.node.operator.overloads if self._fits(o, types)]
        if len(fitting) > 1:
            return Verdict.OPEN
        if not fitting:
            return Verdict.IMPOSSIBLE
        return self._choose(fitting[0], types)

    def default(self, types: Unifier) -> Operator:
        """Return the first meaning that fits; the registry lists integers first."""
        return self._choose(
            next(o for o in self.node.operator.overloads if self._fits(o, types)), types
        )

    def _equations(self, operator: Operator, types: Unifier) -> list[tuple[Type, Type]]:
        use = instantiate(operator, len(self.operands), types)
        return [*zip(self.operands, use.operands, strict=True), (self.result, use.result)]

    def _fits(self, operator: Operator, types: Unifier) -> bool:
        wanted = operator.signature
        if wanted is None or (len(wanted.operands) != len(self.operands) and not operator.variadic):
            return False
        return types.could_unify(self._equations(operator, types), self.span)

    def _choose(self, operator: Operator, types: Unifier) -> Operator:
        for left, right in self._equations(operator, types):
            types.unify(left, right, self.span)
        return operator


@dataclass(frozen=True, slots=True)
class Access:
    """`r'a`, to be decided when the record's type is known."""

    node: Field
    record: Type
    result: Variable

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.node.span

    def attempt(self, types: Unifier) -> Verdict:
        """Find the field's type."""
        record = types.prune(self.record)
        if isinstance(record, Variable):
            return Verdict.OPEN
        field = dict(record.fields).get(self.node.name) if isinstance(record, Struct) else None
        if field is None or not types.unify(self.result, field, self.span):
            return Verdict.IMPOSSIBLE
        return Verdict.DECIDED


Pending = Overload | Access
