"""The codes that a few slots can have together, where pairs of them do not tell enough.

A counter is often bounded only by what another one counts, and only at some places of a
process: that takes three slots.  There are too many triples to look at all of them, so only
those are that may say why an action is not at fault: one of its counters, a slot that its
guard looks at, and a counter of whoever looks at the same slot.

For such a group, the least set of codes is found that contains those of the initial states
and is closed under all steps that are not at fault, whatever the other slots have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import Final

from secateur.analysis.closing import Meter, Sketch
from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.reachable import Reachable, Sketcher, initial_codes, sketched
from secateur.analysis.space import Space
from secateur.analysis.tables import Tables, Truths
from secateur.system.packing import Misfit

MOST_GROUPS: Final = 64
MOST_TOGETHER: Final = 1 << 10
"""Codes of the slots of a group."""
MOST_STEPS: Final = 1 << 16
"""For all groups."""

Group = tuple[int, ...]
_Effect = tuple[int, int]
"""The bits that are written, and what is written there."""


def grouped(
    tables: Tables,
    found: Reachable,
    suspects: Iterable[int],
    purse: Purse,
    sketcher: Sketcher | None = None,
) -> Reachable:
    """Return what is known, with what is proven of groups that may clear the suspects."""
    meter = Meter(MOST_STEPS, purse)
    try:
        initial = list(initial_codes(tables, purse))
        for group in groups(tables, suspects, sketcher)[:MOST_GROUPS]:
            sketches = _sketches(tables, group, sketcher)
            codes = closed(tables.space, group, initial, (sketches, found), meter)
            parts = [*combinations(group, 2), group]
            new = (_new(tables.space, part, codes, found) for part in parts)
            found = found.also(truths for truths in new if truths is not None)
    except (TooMuch, Misfit):
        pass  # what has been found is true
    return found


def _new(space: Space, slots: Group, codes: Iterable[int], known: Reachable) -> Truths | None:
    """Return what codes of a group say of some of its slots, if that was not known before."""
    mask = space.bits(slots)
    seen = {code & mask for code in codes}
    values: dict[int, bool | None] = {
        code: code in seen for code in space.codes(slots, MOST_TOGETHER)
    }
    occurs = known.within(mask)
    is_new = any(not value and occurs(code, mask) for code, value in values.items())
    return Truths(mask, values) if is_new else None


def groups(tables: Tables, suspects: Iterable[int], sketcher: Sketcher | None) -> list[Group]:
    """Return the groups that matter, those with few codes first."""
    space = tables.space
    looked = [_looked_at(tables, a) for a in range(len(tables.system.actions))]
    counted = cache(lambda a: _counters(tables, a, sketcher))
    found: dict[Group, int] = {}
    for a in suspects:
        for hub in sorted(looked[a]):
            near = frozenset().union(*(counted(b) for b, hubs in enumerate(looked) if hub in hubs))
            for x, y in product(sorted(counted(a)), sorted(near)):
                group = tuple(sorted({hub, x, y}))
                count = space.count(group)
                if len(group) > 2 and count is not None and count <= MOST_TOGETHER:
                    found[group] = count
    return sorted(found, key=lambda group: (found[group], group))


def _looked_at(tables: Tables, action: int) -> frozenset[int]:
    """Return the slots that conjuncts look at, one or two at a time."""
    touched = (tables.space.touching(c.reads) for c in tables.system.actions[action].guard)
    return frozenset(n for slots in touched if len(slots) <= 2 for n in slots)


def _counters(tables: Tables, action: int, sketcher: Sketcher | None) -> frozenset[int]:
    """Return the slots whose code an action changes to one that depends on nothing else."""
    known, found = tables.system.actions[action], set[int]()
    for slot in tables.space.touching(known.must_write & known.sees):
        rows = sketched(tables, action, frozenset({slot}), sketcher).rows
        changes = any(outcome != codes for codes, outcomes in rows for outcome in outcomes)
        if changes and all(len(outcomes) == 1 and None not in outcomes[0] for _, outcomes in rows):
            found.add(slot)
    return frozenset(found)


def _sketches(tables: Tables, group: Group, sketcher: Sketcher | None) -> list[Sketch]:
    slots = frozenset(group)
    return [sketched(tables, a, slots, sketcher) for a in range(len(tables.system.actions))]


def closed(
    space: Space,
    group: Group,
    initial: Iterable[int],
    known: tuple[Iterable[Sketch], Reachable],
    meter: Meter,
) -> frozenset[int]:
    """Return the codes that the slots of a group can have together."""
    mask = space.bits(group)
    sketches, reachable = known
    occurs = reachable.within(mask)
    moves = [_Moves(sketch, space) for sketch in sketches if sketch.written]
    waiting = list(dict.fromkeys(state & mask for state in initial))
    seen = set(waiting)
    while waiting:
        code = waiting.pop()
        for after in _after(code, moves, meter):
            if after not in seen and occurs(after, mask):
                seen.add(after)
                waiting.append(after)
    return frozenset(seen)


def _after(code: int, moves: Sequence[_Moves], meter: Meter) -> Iterator[int]:
    for move in moves:
        for bits, written in move.effects(code):
            meter.step()
            yield (code & ~bits) | written


class _Moves:
    """What an action may do to a group, by the codes of the slots that are known."""

    def __init__(self, sketch: Sketch, space: Space) -> None:
        self._mask = space.bits(sketch.known)
        self._effects: dict[int, dict[_Effect, None]] = {}
        bits = space.bits(sketch.written)
        for codes, outcomes in sketch.rows:
            effects = self._effects.setdefault(sum(codes), {})
            for outcome in outcomes:
                choices = (
                    (space.slots[w].codes or ()) if new is None else (new,)
                    for w, new in zip(sketch.written, outcome, strict=True)
                )
                effects.update(((bits, sum(new)), None) for new in product(*choices))

    def effects(self, code: int) -> Iterable[_Effect]:
        """Return what may be written in a state of the group."""
        return self._effects.get(code & self._mask, ())
