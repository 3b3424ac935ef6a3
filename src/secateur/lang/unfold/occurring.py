"""What is known of the values of variables, as codes of slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from secateur.kernel.places import position
from secateur.lang.model import Settled
from secateur.lang.slots.cells import Cell, FunctionCell, NumberCell
from secateur.lang.slots.spaces import Range
from secateur.system.events import Occurring, Slot

_Part = tuple[str, int | None]
"""A variable, all elements of an array, or one of them."""
_Codes = dict[int, tuple[int, ...]]
"""The codes of slots, by their numbers."""


def occurring(settled: Settled, cells: Mapping[str, Cell], slots: Sequence[Slot]) -> Occurring:
    """Return which codes slots can have, as far as that follows from the values of variables."""
    numbers = {slot.bits: number for number, slot in enumerate(slots) if slot.bits}
    of = partial(_codes, cells, numbers)
    codes: _Codes = {}
    for name, values in settled.values.items():
        codes.update(of((name, None), values))
    places: dict[str, dict[int, Mapping[_Part, frozenset[int]]]] = {}
    for (name, value), here in settled.at.items():
        places.setdefault(name, {})[value] = here
    together: dict[tuple[int, int], frozenset[int]] = {}
    for name, by_value in places.items():
        # Only what is known at every place: where a process never comes, no code is left.
        parts = frozenset.intersection(*(frozenset(here) for here in by_value.values()))
        found: dict[tuple[int, int], set[int]] = {}
        for value, here in by_value.items():
            for slot, (at,) in of((name, None), (value,)).items():
                for other, some in _narrowest(of, parts, here).items():
                    pair = min(slot, other), max(slot, other)
                    found.setdefault(pair, set()).update(at | code for code in some)
        for pair, allowed in found.items():
            if len(allowed) < len(codes.get(pair[0], ())) * len(codes.get(pair[1], ())):
                together[pair] = frozenset(allowed)
    return Occurring(codes, together)


def _narrowest(
    of: partial[_Codes], parts: Collection[_Part], here: Mapping[_Part, frozenset[int]]
) -> _Codes:
    """Return the codes of slots at a place; what is known of one element goes before."""
    found: _Codes = {}
    for part in sorted(parts, key=lambda part: (part[1] is not None, part)):
        found.update(of(part, here[part]))
    return found


def _codes(
    cells: Mapping[str, Cell], numbers: Mapping[int, int], part: _Part, values: Collection[int]
) -> _Codes:
    """Return the codes of some values, for each of the slots that hold one."""
    name, index = part
    match cells.get(name):
        case NumberCell(field, Range() as space):
            places = range(1)
        case FunctionCell(domain, None, NumberCell(field, Range() as space)):
            places = range(domain.size) if index is None else range(index, index + 1)
            if not 0 <= places.start <= places.stop <= domain.size:
                return {}
        case _:
            return {}
    kept = sorted(v for v in values if space.low <= v <= space.high)
    found: _Codes = {}
    for i in places:
        at = position(field, i)
        number = numbers.get(((1 << field.width) - 1) << at)
        if number is not None:
            found[number] = tuple(space.index(v) << at for v in kept)
    return found
