"""What is plainly finite, whatever its identifiers stand for."""

from __future__ import annotations

from collections.abc import Iterable

from secateur.maths.ast import Apply, Binder, Expr, Name, RecordSet, SequenceDisplay, SetDisplay
from secateur.maths.evaluate.costs import LARGE
from secateur.maths.evaluate.environment import Scope
from secateur.maths.operators import comparison, sequences, sets
from secateur.maths.types import Base, Given, Power, Product, Struct, Type
from secateur.maths.values import cardinality

_ENDLESS = frozenset({sequences.SEQUENCES, sequences.SEQUENCES1})
_MADE_OF_ALL = (LARGE - _ENDLESS) | {sets.PRODUCT, sets.UNION}


def finitely_many(scope: Scope, binder: Binder, conjuncts: Iterable[Expr]) -> bool:
    """Whether the type of `binder` or a conjunct shows that it has finitely many values."""
    assert binder.type is not None
    if has_finite_carrier(scope, binder.type):
        return True
    for conjunct in conjuncts:
        match conjunct:
            case Apply(operator, (Name(text), whole)) if text == binder.name:
                if operator in (comparison.MEMBER, comparison.SUBSET) and is_finite(scope, whole):
                    return True
            case _:
                pass
    return False


def has_finite_carrier(scope: Scope, type_: Type) -> bool:
    """Whether the type has finitely many values."""
    match type_:
        case Base.BOOL:
            return True
        case Given(name):
            return isinstance(scope.universe.sets[name], frozenset)
        case Power(element):
            return has_finite_carrier(scope, element)
        case Product(left, right):
            return has_finite_carrier(scope, left) and has_finite_carrier(scope, right)
        case Struct(fields):
            return all(has_finite_carrier(scope, t) for _, t in fields)
        case _:
            return False


def is_finite(scope: Scope, e: Expr) -> bool:
    """Whether the set `e` is finite by its form."""
    match e:
        case SetDisplay() | SequenceDisplay():
            return True
        case Apply(operator, ()) if operator.constant is not None:
            return cardinality(operator.constant(scope.universe.settings)) is not None
        case Apply(operator, _) if operator is sets.INTERVAL:
            return True
        case Apply(operator, args) if operator in _MADE_OF_ALL:
            return all(is_finite(scope, a) for a in args)
        case Apply(operator, args) if operator is sets.INTERSECTION:
            return any(is_finite(scope, a) for a in args)
        case Apply(operator, (left, _)) if operator is sets.DIFFERENCE:
            return is_finite(scope, left)
        case Name(text):
            return isinstance(scope.universe.sets.get(text), frozenset) and not scope.varies(text)
        case RecordSet(fields):
            return all(is_finite(scope, value) for _, value in fields)
        case _:
            return False
