"""What the value of an expression is bound to be in, found without trying all arguments.

`%(x, y).(x : 0..255 & y : 0..255 | (x + y) mod 256)` has its values in 0..255: that follows from
where x and y are.  A set is only given if the expression is well-defined for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Final

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.environment import Code, Env, Scope, widen
from secateur.maths.function_tables import function_table
from secateur.maths.operators import comparison, integers, machine_integers, relations
from secateur.maths.operators.protocol import Operator
from secateur.maths.symbolic import Cartesian, FunctionSpace, Integers, SymbolicRelation, union
from secateur.maths.symbolic import integers as integers_between
from secateur.maths.symbolic.kinds import TOTAL_FUNCTION
from secateur.maths.symbolic.products import plainly_within
from secateur.maths.symbolic.relation import domain_of
from secateur.maths.symbolic.space import is_small
from secateur.maths.values import (
    IllDefined,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
)

MANY_FUNCTIONS: Final = 1_000
"""Of more functions than this, a set that is listed is not asked what they have in common."""

Where = Mapping[str, SetValue]
"""The sets that identifiers are in."""


class Unknown(Exception):
    """Nothing is known about an expression, or not that it is well-defined."""


def range_of_lambda(
    scope: Scope, inner: Scope, sides: Sequence[tuple[Binder, Code]], value: Expr
) -> Code:
    """Return code that finds a set with all values of a lambda; its result may be None.

    `sides` are the binders, bound in `inner`, and the sets that they are in.
    """
    ranges = Ranges(scope, inner)

    def find(env: Env) -> SetValue | None:
        where = {binder.name: side(env) for binder, side in sides}
        try:
            return ranges.bound(value, where, env)
        except (Unknown, IllDefined, Undecided):
            return None

    return find


class Ranges:
    """Finds sets that the values of expressions are in."""

    def __init__(self, scope: Scope, inner: Scope) -> None:
        self.scope = scope
        """Knows what does not depend on the bound identifiers."""
        self.inner = inner

    def bound(self, e: Expr, where: Where, env: Env) -> SetValue:
        """Return a set with all values of `e`; raise Unknown if there is none to be found."""
        if not self.inner.free(e) & where.keys():
            return _only(self._value(e, env))
        match e:
            case ast.Name(text):
                return where[text]
            case ast.Apply(operator, args) if operator in _RULES:
                return _RULES[operator](*[self.bound(a, where, env) for a in args])
            case ast.Call(function, args):
                argument = reduce(Cartesian, [self.bound(a, where, env) for a in args])
                return self._image(function, argument, where, env)
            case ast.Bool(predicate):
                self._demand_sense(predicate, where, env)
                return frozenset({False, True})
            case ast.If(condition, then, otherwise):
                self._demand_sense(condition, where, env)
                return union(self.bound(then, where, env), self.bound(otherwise, where, env))
            case ast.Lambda((binder,), condition, value):
                return self._function(binder, condition, value, (where, env))
            case ast.SetDisplay(items):
                return self._table(items, where, env)
            case ast.SequenceDisplay(items):
                keys = frozenset(range(1, len(items) + 1))
                images = [self.bound(item, where, env) for item in items]
                return FunctionSpace(TOTAL_FUNCTION, keys, reduce(union, images))
            case _:
                raise Unknown

    def _value(self, e: Expr, env: Env) -> Value:
        """Return the value of what does not depend on the bound identifiers."""
        code = self.scope.code(e)
        widen(env, self.scope)
        return code(env)

    def _demand_sense(self, predicate: Expr, where: Where, env: Env) -> None:
        """Raise Unknown unless `predicate` is well-defined wherever it is asked."""
        match predicate:
            case ast.And() | ast.Or() | ast.Not() | ast.Implies() | ast.Equivalent():
                for part in ast.children(predicate):
                    self._demand_sense(part, where, env)
            case ast.Apply(operator, args) if operator in _COMPARISONS:
                for arg in args:
                    self.bound(arg, where, env)
            case _:
                raise Unknown

    def _image(self, function: Expr, argument: SetValue, where: Where, env: Env) -> SetValue:
        """Return a set with all values of a function that is defined for all of `argument`."""
        if isinstance(function, ast.Name) and function.text in where:
            domain, images = _common(where[function.text])
        elif self.inner.free(function) & where.keys():
            raise Unknown
        else:
            domain, images = _sides(self._value(function, env))
        if not plainly_within(argument, domain):
            raise Unknown
        return images

    def _function(
        self, binder: Binder, condition: Expr, value: Expr, context: tuple[Where, Env]
    ) -> SetValue:
        """Return the functions from the set of `binder` to that of `value`."""
        where, env = context
        match condition:
            case ast.Apply(operator, (ast.Name(name), whole)) if (
                operator is comparison.MEMBER and name == binder.name
            ):
                if self.inner.free(whole) & {*where, name}:
                    raise Unknown
                source: SetValue = self._value(whole, env)
            case _:
                raise Unknown
        inside = Ranges(self.scope, self.inner.bind([binder]))
        images = inside.bound(value, {**where, name: source}, env)
        return FunctionSpace(TOTAL_FUNCTION, source, images)

    def _table(self, items: Sequence[Expr], where: Where, env: Env) -> SetValue:
        """Return the functions from the keys of `{a |-> x, b |-> y}` to the values."""
        keys: set[Value] = set()
        images: list[SetValue] = []
        for item in items:
            match item:
                case ast.Apply(operator, (key, value)) if operator is relations.PAIR:
                    if self.inner.free(key) & where.keys():
                        raise Unknown
                    keys.add(self._value(key, env))
                    images.append(self.bound(value, where, env))
                case _:
                    raise Unknown
        if len(keys) < len(items):
            raise Unknown  # perhaps no function
        return FunctionSpace(TOTAL_FUNCTION, frozenset(keys), reduce(union, images))


def _only(value: Value) -> SetValue:
    if isinstance(value, SymbolicSet):
        raise Unknown  # it would have to be hashed
    return frozenset({value})


def _common(functions: SetValue) -> tuple[SetValue, SetValue]:
    """Return where all of `functions` are defined, and a set with all of their values."""
    if isinstance(functions, FunctionSpace):
        if functions.kind.functional and functions.kind.total:
            return functions.source, functions.target
        raise Unknown
    if not is_small(functions, MANY_FUNCTIONS):
        raise Unknown
    sides = [_sides(function) for function in functions]
    if not sides or any(domain != sides[0][0] for domain, _ in sides):
        raise Unknown
    return sides[0][0], reduce(union, [images for _, images in sides])


def _sides(function: SetValue) -> tuple[SetValue, SetValue]:
    """Return the arguments of a function and a set with all of its values."""
    if isinstance(function, frozenset):
        table = function_table(function)
        return frozenset(table), frozenset(table.values())
    if not isinstance(function, SymbolicRelation) or function.is_function() is not True:
        raise Unknown
    images = function.range_bound()
    if images is None:
        raise Unknown
    return domain_of(function), images


# -- arithmetic ---------------------------------------------------------------------------


def _ends(s: SetValue) -> tuple[int, int]:
    """Return the least and the greatest of the numbers in `s`."""
    if isinstance(s, frozenset) and s:
        return min(s), max(s)
    if isinstance(s, Integers) and s.low is not None and s.high is not None and s.low <= s.high:
        return s.low, s.high
    raise Unknown


def _from_corners(operation: Callable[[int, int], int], a: SetValue, b: SetValue) -> SetValue:
    """Return the interval of a result that is extreme where both operands are."""
    corners = [operation(x, y) for x in _ends(a) for y in _ends(b)]
    return integers_between(min(corners), max(corners))


def _remainder(a: SetValue, b: SetValue) -> SetValue:
    (least, greatest), (low, high) = _ends(a), _ends(b)
    if least < 0 or low <= 0:
        raise Unknown
    return integers_between(0, min(greatest, high - 1))


def _quotient(a: SetValue, b: SetValue) -> SetValue:
    if _ends(b)[0] <= 0:
        raise Unknown
    return _from_corners(integers.divide, a, b)


def _negative(a: SetValue) -> SetValue:
    low, high = _ends(a)
    return integers_between(-high, -low)


def _of_machine(*operands: SetValue) -> SetValue:
    """Return the numbers of 32 bits; the operands have values."""
    for each in operands:
        _ends(each)
    half = 1 << (machine_integers.WIDTH - 1)
    return integers_between(-half, half - 1)


def _common_bits(a: SetValue, b: SetValue) -> SetValue:
    """Return the numbers with no more bits than an operand that is not negative."""
    half = 1 << (machine_integers.WIDTH - 1)
    bounds = [high for low, high in map(_ends, (a, b)) if 0 <= low <= high < half]
    return integers_between(0, min(bounds)) if bounds else _of_machine(a, b)


def _remainder_of_c(a: SetValue, b: SetValue) -> SetValue:
    (least, greatest), (low, high) = _ends(a), _ends(b)
    if low <= 0 <= high:
        raise Unknown
    most = max(abs(low), abs(high)) - 1
    return integers_between(max(min(least, 0), -most), min(max(greatest, 0), most))


def _wrapped(a: SetValue, width: SetValue, *, signed: bool) -> SetValue:
    (least, greatest), (bits, most) = _ends(a), _ends(width)
    if bits != most:
        raise Unknown
    low = -(1 << (bits - 1)) if signed else 0
    high = low + (1 << bits) - 1
    if low <= least and greatest <= high:
        return a
    return integers_between(low, high)


_RULES: Final[Mapping[Operator, Callable[..., SetValue]]] = {
    integers.ADD: partial(_from_corners, int.__add__),
    integers.SUBTRACT: partial(_from_corners, int.__sub__),
    integers.MULTIPLY: partial(_from_corners, int.__mul__),
    integers.MODULO: _remainder,
    integers.DIVIDE: _quotient,
    integers.NEGATE: _negative,
    relations.PAIR: Cartesian,
    machine_integers.REMAINDER: _remainder_of_c,
    machine_integers.BIT_AND: _common_bits,
    machine_integers.BIT_OR: _of_machine,
    machine_integers.BIT_XOR: _of_machine,
    machine_integers.BIT_NOT: _of_machine,
    machine_integers.SHIFT_LEFT: _of_machine,
    machine_integers.SHIFT_RIGHT: _of_machine,
    machine_integers.WRAP_SIGNED: partial(_wrapped, signed=True),
    machine_integers.WRAP_UNSIGNED: partial(_wrapped, signed=False),
}

_COMPARISONS: Final = frozenset(
    {
        comparison.EQUAL,
        comparison.NOT_EQUAL,
        integers.LESS,
        integers.LESS_EQUAL,
        integers.GREATER,
        integers.GREATER_EQUAL,
    }
)
