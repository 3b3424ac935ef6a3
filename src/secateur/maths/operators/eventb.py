"""Operators that only Event-B has: `finite`, types given in the text, functions on whole types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from secateur.maths.operators import relations
from secateur.maths.operators.build import A, B, call, infix, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.types import PREDICATE, Power, Product, relation
from secateur.maths.values import SetValue, Value


def is_finite(s: SetValue) -> bool:
    """Whether the set has finitely many elements."""
    return isinstance(s, frozenset) or s.size() is not None


def _itself(value: Value, _: SetValue) -> Value:
    """Return the value, whose type the text states."""
    return value


def _whole(_: SetValue, carrier: SetValue) -> SetValue:
    """Return all values of the type of the set's elements."""
    return carrier


FINITE: Final = call("finite", "finite", signature(Power(A), PREDICATE), is_finite)
OF_TYPE: Final = infix("of type", "⦂ oftype", 240, signature(A, Power(A), A), _itself)
WHOLE_TYPE: Final = replace(
    call("whole type", "type", signature(Power(A), Power(A)), _whole), carriers=(A,)
)
"""All values of the type of a set's elements: what a theory's type parameter stands for."""
IDENTITY: Final = Operator(
    "identity on a type",
    ("id",),
    Fixity.CONSTANT,
    signature(relation(A, A)),
    apply=relations.identity,
    carriers=(A,),
)
FIRST_PROJECTION: Final = Operator(
    "first projection on a type",
    ("prj1",),
    Fixity.CONSTANT,
    signature(relation(Product(A, B), A)),
    apply=relations.first_projection,
    carriers=(A, B),
)
SECOND_PROJECTION: Final = Operator(
    "second projection on a type",
    ("prj2",),
    Fixity.CONSTANT,
    signature(relation(Product(A, B), B)),
    apply=relations.second_projection,
    carriers=(A, B),
)

OPERATORS: Final[tuple[Operator, ...]] = (
    FINITE,
    OF_TYPE,
    WHOLE_TYPE,
    IDENTITY,
    FIRST_PROJECTION,
    SECOND_PROJECTION,
)

WITH_OPERANDS: Final[Mapping[Operator, Operator]] = {
    IDENTITY: relations.IDENTITY,
    FIRST_PROJECTION: relations.FIRST_PROJECTION,
    SECOND_PROJECTION: relations.SECOND_PROJECTION,
}
"""What the functions on whole types are once the types are found and written as operands."""
