"""What is proven of the reachable states, slot by slot and pair by pair.

For each slot the codes that can occur, and for pairs of slots those that can occur together:
the least such sets that contain the initial states and are closed under all steps that are
not at fault (`closing.py`); for three of them, where that matters (`groups.py`).  So a state that is not among them is not reachable, unless a
fault is passed on the way: nobody knows where an action leads that is at fault.

A reduced search preserves faults as it does errors, and the paths up to the first fault are
all that this takes.  So if one can be reached, it comes to a state with a fault; if it has
met none, what is said here holds of all reachable states, and so does every relation that
was found out over them.  A search that has met a fault, and is not content with it, has to
be repeated without all this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from math import prod
from typing import Final

from secateur.analysis.assumptions import Admitted
from secateur.analysis.closing import Meter, Outcome, Relation, Sketch, close
from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.protocol import Informed
from secateur.analysis.space import Space, initial_states
from secateur.analysis.tables import Table, Tables, Truths
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.packing import Misfit

MOST_CODES: Final = 64
"""A slot that has more is left alone."""
MOST_INITIAL: Final = 1 << 12
MOST_PAIRS: Final = (1 << 11, 1 << 8, 0)
"""If all these pairs take too many steps, some of them are tried, and none at last."""
MOST_STEPS: Final = 1 << 18
SHARE: Final = 0.125
"""Of all the time for an analysis, for each such trial: what is asked later needs some, too."""

Sketcher = Callable[[int, frozenset[int]], Sketch | None]
"""Whoever knows more of an action that has no table than which slots it writes."""


@dataclass(frozen=True, slots=True)
class Reachable:
    """The codes of some slots by the slots' numbers, and what of these does not occur together.

    Each of `together` says of a few slots which of their codes occur at once.
    """

    codes: dict[int, tuple[int, ...]] = field(default_factory=dict)
    together: tuple[Truths, ...] = ()
    _found: dict[tuple[int, ...], Admitted] = field(default_factory=dict)

    def within(self, mask: int) -> Admitted:
        """Return what is known of slots that all belong to a mask."""
        return self.beyond(mask)

    def beyond(self, mask: int, *apart: int) -> Admitted:
        """Return what is known of the slots of a mask, less what is known of parts of it."""
        found = self._found.get((mask, *apart))
        if found is None:
            found = self._found[mask, *apart] = Admitted(
                few
                for few in self.together
                if not few.mask & ~mask and all(few.mask & ~part for part in apart)
            )
        return found

    def restricted(self, space: Space) -> Space:
        """Return a space without what does not occur."""
        together = {
            few.mask: frozenset(c for c, v in few.values.items() if v) for few in self.together
        }
        return space.restricted(self.codes, together)

    def both(self, other: Reachable) -> Reachable:
        """Return what is known by this and another one, which says more of codes."""
        together = {few.mask: few for few in self.together}
        for few in other.together:
            old = together.get(few.mask)
            values = few.values
            if old is not None:
                values = {c: v and old.values.get(c) is not False for c, v in values.items()}
            together[few.mask] = Truths(few.mask, values)
        return Reachable({**self.codes, **other.codes}, tuple(together.values()))

    def also(self, more: Iterable[Truths]) -> Reachable:
        """Return what is known with this, too; it says more than what is known of the same slots."""
        new = {few.mask: few for few in more}
        if not new:
            return self
        together = {**{few.mask: few for few in self.together}, **new}
        return Reachable(self.codes, tuple(together.values()))


def informed(system: EventSystem, space: Space) -> Reachable | None:
    """Return what the language of a system has proven; None if that is nothing."""
    if not isinstance(system, Informed):
        return None
    known = system.occurring
    together: list[Truths] = []
    for (x, y), allowed in known.together.items():
        values: dict[int, bool | None] = {
            c | d: c | d in allowed
            for c in known.codes.get(x, space.slots[x].codes or ())
            for d in known.codes.get(y, space.slots[y].codes or ())
        }
        together.append(Truths(space.bits((x, y)), values))
    if not known.codes and not together:
        return None
    return Reachable(dict(known.codes), tuple(together))


def together(known: Reachable | None, found: Reachable | None) -> Reachable | None:
    """Return what is known by both, the second of which was found out with the first."""
    if known is None or found is None:
        return known or found
    return known.both(found)


def reachable(tables: Tables, purse: Purse, sketcher: Sketcher | None = None) -> Reachable | None:
    """Return what is proven; None if that takes too much."""
    system, space = tables.system, tables.space
    slots = sorted(few_codes(space))
    try:
        initial = list(initial_codes(tables, purse))
        sketches = [
            sketched(tables, number, frozenset(slots), sketcher)
            for number in range(len(system.actions))
        ]
    except (TooMuch, Misfit):
        return None
    vague = frozenset(n for sketch in sketches for n in sketch.vague)
    pairs = _pairs(tables, [n for n in slots if n not in vague])
    for most in MOST_PAIRS:
        relation = Relation(space, slots, pairs[:most])
        try:
            close(relation, initial, sketches, Meter(MOST_STEPS, purse, SHARE))
        except TooMuch:
            continue
        return _told(relation, space)
    return None


def few_codes(space: Space) -> frozenset[int]:
    """Return the slots that are not left alone."""
    numbered = enumerate(space.slots)
    return frozenset(n for n, slot in numbered if slot.codes and len(slot.codes) <= MOST_CODES)


def initial_codes(tables: Tables, purse: Purse) -> Iterator[int]:
    """Yield the states in which the system may begin; raise TooMuch if they are too many."""
    for state in initial_states(tables.system, MOST_INITIAL):
        purse.check()
        yield state


def _told(relation: Relation, space: Space) -> Reachable:
    codes = {
        n: tuple(c for i, c in enumerate(all_codes) if relation.alone[n] >> i & 1)
        for n, all_codes in relation.codes.items()
    }
    pairs: list[Truths] = []
    for x, row in relation.together.items():
        for y, sets in row.items():
            if x < y:
                values: dict[int, bool | None] = {
                    c | d: bool(sets[relation.place(x, c)] >> relation.place(y, d) & 1)
                    for c in codes[x]
                    for d in codes[y]
                }
                if False in values.values():
                    pairs.append(Truths(space.bits((x, y)), values))
    return Reachable(codes, tuple(pairs))


# -- actions --------------------------------------------------------------------------------------


def sketched(
    tables: Tables, number: int, slots: frozenset[int], sketcher: Sketcher | None
) -> Sketch:
    """Return what is known of an action; of one without a table, that it may write anything."""
    space, action = tables.space, tables.system.actions[number]
    written = tuple(n for n in space.touching(action.may_write) if n in slots)
    if not written:
        return Sketch((), (), ())
    table = tables.action(number)
    if table is not None:
        return _from_table(table, space, written, slots)
    found = None if sketcher is None else sketcher(number, slots)
    return found or Sketch((), written, [((), [(None,) * len(written)])])


def _from_table(
    table: Table, space: Space, written: tuple[int, ...], slots: frozenset[int]
) -> Sketch:
    """Return a table less the slots that are left alone, and less what is at fault."""
    known = tuple(n for n in space.touching(table.mask) if n in slots)
    parts = [space.slots[n].bits for n in known]
    targets = [space.slots[w].bits for w in written]
    # of a slot that is written in part, the rest must be known
    whole = [not bits & ~(table.writes | table.mask) for bits in targets]
    rows: dict[tuple[int, ...], dict[Outcome, None]] = {}
    for code, results in table.rows.items():
        if not results:
            continue
        outcomes = rows.setdefault(tuple(code & bits for bits in parts), {})
        for result in results:
            after = (code & ~table.writes) | result
            outcomes[
                tuple(after & b if sure else None for b, sure in zip(targets, whole, strict=True))
            ] = None
    return Sketch(known, written, [(codes, tuple(outcomes)) for codes, outcomes in rows.items()])


# -- pairs ----------------------------------------------------------------------------------------


def _pairs(tables: Tables, slots: Iterable[int]) -> Sequence[tuple[int, int]]:
    """Return the pairs that matter: of slots near to each other, those with few codes first.

    Slots are near that an action or a check touches both, or two of them that share one.
    """
    space, system = tables.space, tables.system
    chosen = frozenset(slots)
    masks = [a.sees | a.may_write for a in system.actions] + [c.reads for c in system.checks]
    groups = [[n for n in space.touching(mask) if n in chosen] for mask in dict.fromkeys(masks)]
    near: dict[int, set[int]] = {n: set() for n in chosen}
    first: dict[tuple[int, int], None] = {}
    for group in sorted(groups, key=lambda g: (len(g), g)):
        for x in group:
            near[x].update(group)
            if len(first) < MOST_PAIRS[0]:
                first.update(((x, y), None) for y in group if x < y)
    if len(first) < MOST_PAIRS[0]:
        more = sorted(_further(near), key=lambda pair: (_product(space, pair), pair))
        first.update(dict.fromkeys(more))
    return list(first)


def _further(near: dict[int, set[int]]) -> Iterator[tuple[int, int]]:
    for x, others in near.items():
        for y in sorted(set().union(*(near[n] for n in others))):
            if x < y:
                yield x, y


def _product(space: Space, pair: tuple[int, int]) -> int:
    return prod(len(space.slots[n].codes or ()) for n in pair)
