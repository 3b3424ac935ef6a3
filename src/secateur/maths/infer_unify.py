"""Unification: a growing table that says what each type variable stands for.

J. A. Robinson: *A Machine-Oriented Logic Based on the Resolution Principle*,
J. ACM 12(1), 1965, with a trail so that a failed or tentative step leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import count
from typing import assert_never

from secateur.maths.types import (
    PREDICATE,
    Base,
    DataType,
    Given,
    Power,
    Product,
    Struct,
    Type,
    Variable,
)
from secateur.source import Span


class Unifier:
    """What the type variables stand for, and which text told us so."""

    def __init__(self) -> None:
        self._bound: dict[str, Type] = {}
        self._because: dict[str, Span] = {}
        self._trail: list[str] = []
        self._numbers = count(1)
        self._settled: dict[int, Type] = {}
        """Types without variables, by identity and so kept alive: deep ones are walked once."""

    def fresh(self) -> Variable:
        """Return a type variable that is used nowhere else."""
        return Variable(str(next(self._numbers)))

    def prune(self, type_: Type) -> Type:
        """Return `type_`, its outermost constructor known if it can be."""
        while isinstance(type_, Variable):
            bound = self._bound.get(type_.name)
            if bound is None:
                return type_
            type_ = bound
        return type_

    def resolve(self, type_: Type) -> Type:
        """Return `type_` with all that is known filled in."""
        type_ = self.prune(type_)
        match type_:
            case Power(element):
                return Power(self.resolve(element))
            case Product(left, right):
                return Product(self.resolve(left), self.resolve(right))
            case Struct(fields):
                return Struct(tuple((name, self.resolve(inner)) for name, inner in fields))
            case DataType(declaration, arguments):
                return DataType(declaration, tuple(map(self.resolve, arguments)))
            case Base() | Given() | Variable():
                return type_
            case _:
                assert_never(type_)

    def why(self, type_: Type) -> Span | None:
        """Return the text that first said what the variable `type_` is, if one did."""
        while isinstance(type_, Variable):
            if type_.name in self._because:
                return self._because[type_.name]
            bound = self._bound.get(type_.name)
            if bound is None:
                return None
            type_ = bound
        return None

    def unify(self, left: Type, right: Type, at: Span) -> bool:
        """Make both types equal, if they can be; otherwise change nothing."""
        mark = len(self._trail)
        if self._unify(left, right, at):
            return True
        self._undo(mark)
        return False

    def could_unify(self, pairs: Iterable[tuple[Type, Type]], at: Span) -> bool:
        """Whether all `pairs` could be made equal at once; nothing is changed."""
        mark = len(self._trail)
        possible = all(self._unify(left, right, at) for left, right in pairs)
        self._undo(mark)
        return possible

    def _undo(self, mark: int) -> None:
        if len(self._trail) > mark:
            self._settled.clear()
        for name in self._trail[mark:]:
            del self._bound[name]
            self._because.pop(name, None)
        del self._trail[mark:]

    def _unify(self, left: Type, right: Type, at: Span) -> bool:
        left, right = self.prune(left), self.prune(right)
        if left is right:
            return True
        match left, right:
            case Variable(), _:
                return self._bind(left, right, at)
            case _, Variable():
                return self._bind(right, left, at)
            case Power(a), Power(b):
                return self._unify(a, b, at)
            case Product(a, b), Product(c, d):
                return self._unify(a, c, at) and self._unify(b, d, at)
            case Struct(fields), Struct(others):
                return [name for name, _ in fields] == [name for name, _ in others] and all(
                    self._unify(a, b, at) for (_, a), (_, b) in zip(fields, others, strict=True)
                )
            case DataType(declaration, these), DataType(other, those):
                return declaration is other and all(
                    self._unify(a, b, at) for a, b in zip(these, those, strict=True)
                )
            case _:
                return left == right

    def _bind(self, variable: Variable, type_: Type, at: Span) -> bool:
        if variable == type_:
            return True
        # A predicate is no value: nothing of an unknown type may turn out to be one.
        if type_ is PREDICATE or self._occurs(variable, type_):
            return False
        self._bound[variable.name] = type_
        if not isinstance(type_, Variable):
            self._because[variable.name] = at
        self._trail.append(variable.name)
        return True

    def _occurs(self, variable: Variable, type_: Type) -> bool:
        type_ = self.prune(type_)
        if isinstance(type_, Variable):
            return type_ == variable
        if self._is_settled(type_):
            return False
        parts = _parts(type_)
        if any(self._occurs(variable, part) for part in parts):
            return True
        if all(self._is_settled(self.prune(part)) for part in parts):
            self._settled[id(type_)] = type_
        return False

    def _is_settled(self, type_: Type) -> bool:
        return isinstance(type_, Base | Given) or id(type_) in self._settled


def _parts(type_: Type) -> tuple[Type, ...]:
    match type_:
        case Power(element):
            return (element,)
        case Product(left, right):
            return (left, right)
        case Struct(fields):
            return tuple(inner for _, inner in fields)
        case DataType(_, arguments):
            return arguments
        case Base() | Given() | Variable():
            return ()
        case _:
            assert_never(type_)


def variables(type_: Type) -> Iterable[Variable]:
    """Yield the type variables in `type_`."""
    waiting = [type_]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Variable):
            yield current
        waiting.extend(reversed(_parts(current)))


def is_ground(type_: Type) -> bool:
    """Whether nothing in `type_` is left to be found."""
    return next(iter(variables(type_)), None) is None


def product(types: Iterable[Type]) -> Type:
    """Return the type of the tuples of `types`, nested to the left as B reads them."""
    return reduce(Product, types)


def show(type_: Type) -> str:
    """Return `type_` for a message: what is unknown is a question mark."""
    match type_:
        case Variable():
            return "?"
        case Power(element):
            return f"POW({show(element)})"
        case Product(left, right):
            inner = f"({show(right)})" if isinstance(right, Product) else show(right)
            return f"{show(left)}*{inner}"
        case Struct(fields):
            return "struct(" + ", ".join(f"{name}:{show(t)}" for name, t in fields) + ")"
        case DataType(declaration, arguments):
            inner = ", ".join(map(show, arguments))
            return f"{declaration.name}({inner})" if inner else declaration.name
        case Base() | Given():
            return str(type_)
        case _:
            assert_never(type_)
