"""Where the values of parameters can be: finite spaces that follow from types and conditions.

A space may be too large, never too small: whether a value is lawful is still tested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from secateur.kernel.builder import Builder
from secateur.kernel.language import INT, Local
from secateur.kernel.ranges import Bounds, bounds
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.known import Known
from secateur.lang.compile.scope import Constants, Scope
from secateur.lang.compile.sets import IntervalView
from secateur.lang.compile.values import NotCompiled, Num, SetV, V, at, space_of
from secateur.lang.slots.spaces import (
    LARGEST_SPACE,
    Pairs,
    Range,
    Space,
    space_of_type,
    subsets,
)
from secateur.maths.ast import Apply, Binder, Labelled, Name, free_names
from secateur.maths.ast import Expr as Formula
from secateur.maths.operators import comparison, integers
from secateur.maths.operators.relations import PAIR

_LESS: Final = frozenset({integers.LESS, integers.LESS_EQUAL})
_GREATER: Final = frozenset({integers.GREATER, integers.GREATER_EQUAL})


def place(name: str) -> Local:
    """Return the kernel parameter that is the number of an identifier's value in its space."""
    return Local(f"{name}#", INT)


class Domains:
    """Finds spaces for the identifiers of one alternative."""

    def __init__(self, known: Known, constants: Constants, scope: Scope) -> None:
        self.known = known
        self.constants = constants
        self.scope = scope
        self._bounds: dict[str, Bounds] = {}

    def find(self, binders: Sequence[Binder], conditions: Sequence[Formula]) -> dict[str, Space]:
        """Return a space for each identifier for which one is known."""
        plain = [_plain(c) for c in conditions]
        names = frozenset(b.name for b in binders)
        found: dict[str, Space] = {}
        progress = True
        while progress:
            progress = False
            for binder in binders:
                if binder.name in found:
                    continue
                space = self._space(binder, plain, names - found.keys(), found)
                if space is not None:
                    found[binder.name] = space
                    progress = True
        for binder in binders:
            if binder.name not in found and binder.type is not None:
                space = space_of_type(binder.type, self.known.carriers)
                if space is not None:
                    found[binder.name] = space
        return found

    def _space(
        self,
        binder: Binder,
        conditions: Sequence[Formula],
        unknown: frozenset[str],
        found: Mapping[str, Space],
    ) -> Space | None:
        """Return the smallest space that one of the conditions gives."""
        scope = self.scope.bind({n: at(s, place(n)) for n, s in found.items()})
        self._bounds = {place(n).name: (0, s.size - 1) for n, s in found.items()}
        spaces: list[Space] = []
        low: int | None = None
        high: int | None = None
        for condition in conditions:
            try:
                space = self._by(condition, binder.name, unknown, scope)
                limits = self._limits(condition, binder.name, unknown, scope)
            except NotCompiled:
                continue
            if space is not None:
                spaces.append(space)
            if limits is not None:
                least, greatest = limits
                low = low if least is None else least if low is None else max(low, least)
                high = (
                    high if greatest is None else greatest if high is None else min(high, greatest)
                )
        if low is not None and high is not None and 0 <= high - low < LARGEST_SPACE:
            spaces.append(Range(low, high))
        return min(spaces, key=lambda s: s.size, default=None)

    def _by(
        self, condition: Formula, name: str, unknown: frozenset[str], scope: Scope
    ) -> Space | None:
        match condition:
            case Apply(comparison.MEMBER, (Name(text), set_)) if text == name:
                return None if free_names(set_) & unknown else self._elements(set_, scope)
            case Apply(comparison.SUBSET, (Name(text), set_)) if text == name:
                return None if free_names(set_) & unknown else subsets(self._elements(set_, scope))
            case Apply(comparison.EQUAL, (Name(text), other) | (other, Name(text))) if text == name:
                if free_names(other) & unknown:
                    return None
                return space_of(self._lowering().value(other, scope))
            case Apply(comparison.MEMBER, (Apply(operator, _) as pattern, set_)) if (
                operator is PAIR and not free_names(set_) & unknown
            ):
                return _within(pattern, name, self._elements(set_, scope))
        return None

    def _limits(
        self, condition: Formula, name: str, unknown: frozenset[str], scope: Scope
    ) -> tuple[int | None, int | None] | None:
        """Return what an inequality says of the least and the greatest value of a number."""
        match condition:
            case Apply(operator, (Name(text), other)) if text == name:
                less, greater = operator in _LESS, operator in _GREATER
            case Apply(operator, (other, Name(text))) if text == name:
                less, greater = operator in _GREATER, operator in _LESS
            case Apply(comparison.MEMBER, (Name(text), set_)) if text == name:
                found = (
                    self._lowering().set(set_, scope) if not free_names(set_) & unknown else None
                )
                if not isinstance(found, IntervalView):
                    return None
                return (
                    None if found.low is None else bounds(found.low, self._bounds)[0],
                    None if found.high is None else bounds(found.high, self._bounds)[1],
                )
            case _:
                return None
        if not (less or greater) or free_names(other) & unknown:
            return None
        value: V = self._lowering().value(other, scope)
        if not isinstance(value, Num):
            return None
        least, greatest = bounds(value.expr, self._bounds)
        return (None, greatest) if less else (least, None)

    def _elements(self, set_: Formula, scope: Scope) -> Space | None:
        found: SetV = self._lowering().set(set_, scope)
        return found.space

    def _lowering(self) -> Lowering:
        # the code is not wanted, only what it says about bounds
        return Lowering(Builder(), self.known, self.constants)


def _plain(e: Formula) -> Formula:
    while isinstance(e, Labelled):
        e = e.body
    return e


def _within(pattern: Formula, name: str, space: Space | None) -> Space | None:
    """Return the part of a space of pairs at which an identifier stands."""
    match pattern, space:
        case (Name(text), _):
            return space if text == name else None
        case (Apply(operator, (left, right)), Pairs()) if operator is PAIR:
            assert isinstance(space, Pairs)
            return _within(left, name, space.left) or _within(right, name, space.right)
        case _:
            return None
