"""Faults, gaps and breaches under numbers, and where the explorer has seen them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from secateur.engine.native.protocol import Packed
from secateur.engine.search.findings import Findings, key_of
from secateur.engine.search.protocol import Task
from secateur.source.records import dataclass
from secateur.system.system import Breach, Fault, Gap, PropertyKind

if TYPE_CHECKING:
    from secateur._native import Explorer

Item = Breach | Fault | Gap


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something seen: in how many states, and first in which.

    Exactly one of `item` (a note), `property` (which fails) and neither (a deadlock).
    """

    first: int
    count: int
    item: Item | None = None
    property: int | None = None

    def tell(self, found: Findings, packed: Packed, words: Sequence[int]) -> None:
        """Tell the findings; the evaluator looks at a property again, for a witness."""
        state = packed.decode(words)
        if self.item is not None:
            found.note(state, self.item, self.count)
        elif self.property is None:
            found.check_deadlock(state, self.count)
        else:
            for item in packed.check(self.property, words):
                found.note(state, item, self.count)


class Notes:
    """Numbers for what the evaluator has to say besides transitions."""

    def __init__(self, task: Task, explorer: Explorer) -> None:
        self._task = task
        self._explorer = explorer
        self._numbers: dict[object, int] = {}
        self._items: dict[int, Item] = {}

    def number(self, item: Item) -> int:
        """Return the number of an item; those with one name and place are one."""
        key = key_of(item)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = self._explorer.add_note(self._stops(item))
            self._items[known] = item
        return known

    def _stops(self, item: Item) -> bool:
        match item:
            case Breach(kind):
                return kind in self._task.ends & self._task.kinds
            case Fault():
                return PropertyKind.WELL_DEFINEDNESS in self._task.ends
            case Gap():
                return False

    def of_property(self, items: Sequence[Item]) -> tuple[bool, list[int]]:
        """Return whether a property holds, and the notes about it."""
        fails = any(isinstance(item, Breach) for item in items)
        return not fails, [self.number(i) for i in items if not isinstance(i, Breach)]

    def seen(self) -> Iterator[Sighting]:
        """Yield what the explorer has seen, as far as it is looked for."""
        for number, (count, first) in enumerate(self._explorer.violations):
            if first is not None:
                yield Sighting(first, count, property=number)
        for number, (count, first) in enumerate(self._explorer.notes):
            if first is not None:
                yield Sighting(first, count, self._items[number])
        count, first = self._explorer.deadlocks
        if first is not None and PropertyKind.DEADLOCK in self._task.kinds:
            yield Sighting(first, count)

    def sightings(self) -> list[Sighting]:
        """Return what the explorer has seen, that which is nearest to the beginning first."""
        seen = list(self.seen())
        depth = {s.first: len(self._explorer.path(s.first)) for s in seen}
        return sorted(seen, key=lambda s: (depth[s.first], s.first))
