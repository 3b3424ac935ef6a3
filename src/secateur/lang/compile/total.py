"""Whether a formula has a value in every state: applications of functions that are defined everywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from secateur.lang.compile.patterns import bare, beside_equation, tuple_names
from secateur.lang.compile.scope import Scope
from secateur.maths import ast
from secateur.maths.evaluate.context import is_partial_node
from secateur.maths.operators import comparison, constants, function_spaces, relations, sets
from secateur.maths.values import IllDefined, Undecided

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering


def has_value(lowering: Lowering, e: ast.Expr, scope: Scope) -> bool:
    """Whether evaluating `e` is never ill-defined, as far as its form shows."""
    return _HasValue(lowering, scope).test(e, frozenset())


class _HasValue:
    def __init__(self, lowering: Lowering, scope: Scope) -> None:
        self._lowering = lowering
        self._scope = scope

    def test(self, e: ast.Expr, bound: frozenset[str]) -> bool:
        """Whether `e` has a value; `bound` are identifiers that a formula around it binds."""
        if is_partial_node(e) and not (
            isinstance(e, ast.Call) and self._is_total(bare(e.function), bound)
        ):
            return False
        inner = bound.union(b.name for b in getattr(e, "binders", ()))
        return all(self.test(child, inner) for child in ast.children(e))

    def _is_total(self, function: ast.Expr, bound: frozenset[str]) -> bool:
        """Whether a function has one value for each argument of its type."""
        if not isinstance(function, ast.Lambda | ast.Comprehension):
            return False
        names = [binder.name for binder in function.binders]
        told = list(ast.conjuncts(function.condition))
        if isinstance(function, ast.Comprehension) and not _is_argument(names, function.value):
            order = names if function.value is None else tuple_names(function.value)
            if len(order) < 2 or sorted(order) != sorted(names):
                return False
            found = beside_equation(told, order[-1])
            if found is None:
                return False
            told = found
        return all(self._is_typing(each, bound.union(names)) for each in told)

    def _is_typing(self, e: ast.Expr, bound: frozenset[str]) -> bool:
        """Whether a condition only repeats the type of an identifier."""
        match bare(e):
            case ast.Apply(comparison.MEMBER, (ast.Name(), set_)):
                return self._is_whole_type(set_, bound)
        return False

    def _is_whole_type(self, e: ast.Expr, bound: frozenset[str]) -> bool:
        match bare(e):
            case ast.Apply(operator, ()):
                return operator is constants.BOOLEANS
            case ast.Apply(sets.POWER_SET, (of,)):
                return self._is_whole_type(of, bound)
            case ast.Apply(sets.PRODUCT | function_spaces.RELATIONS, (left, right)):
                return self._is_whole_type(left, bound) and self._is_whole_type(right, bound)
            case ast.Name(text) as name if text not in bound:
                return self._is_carrier(name)
        return False

    def _is_carrier(self, name: ast.Name) -> bool:
        carrier = self._lowering.known.carriers.get(name.text)
        if carrier is None or not self._lowering.closed(name, self._scope):
            return False
        try:
            values = self._lowering.constants.evaluate(name)
        except (IllDefined, Undecided):
            return False
        return all(isinstance(v, frozenset) and len(v) == carrier.size for v in values)


def _is_argument(names: list[str], value: ast.Expr | None) -> bool:
    """Whether `{x . P | value}` gives something for each `x`: `value` is `x |-> E`."""
    match value:
        case ast.Apply(operator, (argument, _)) if operator is relations.PAIR:
            return sorted(tuple_names(argument)) == sorted(names)
    return False
