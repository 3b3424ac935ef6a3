"""The codes that slots can have, and that two of them can have together: a least fixpoint.

The states told by that contain the initial ones, and no step that is not at fault leaves them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import combinations

from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.space import Space
from secateur.source.records import dataclass

Outcome = tuple[int | None, ...]
"""What each of the written slots has after a step; None if that may be anything."""

_NOW_AND_THEN = 255


@dataclass(frozen=True, slots=True)
class Sketch:
    """What an action may do, as far as some slots tell.

    It happens only where the slots `known` have the codes of one of the rows, and then the
    slots `written` have those of one of its outcomes; all others are as they were.
    """

    known: tuple[int, ...]
    written: tuple[int, ...]
    rows: Sequence[tuple[tuple[int, ...], Sequence[Outcome]]]

    @property
    def vague(self) -> frozenset[int]:
        """The slots that may have any code after some step."""
        return frozenset(
            w
            for _, outcomes in self.rows
            for outcome in outcomes
            for w, code in zip(self.written, outcome, strict=True)
            if code is None
        )


class Relation:
    """Codes of slots and of pairs of them, by their places in the slots' lists; sets are bits."""

    def __init__(
        self, space: Space, slots: Sequence[int], pairs: Iterable[tuple[int, int]]
    ) -> None:
        self.bits = {n: space.slots[n].bits for n in slots}
        self.codes = {n: tuple(space.slots[n].codes or ()) for n in slots}
        self._place = {n: {c: i for i, c in enumerate(codes)} for n, codes in self.codes.items()}
        self.alone = dict.fromkeys(self.codes, 0)
        """The codes that each slot can have."""
        self.together: dict[int, dict[int, list[int]]] = {n: {} for n in self.codes}
        """For two slots and a code of the first, the codes of the second that go with it."""
        for x, y in pairs:
            self.together[x][y] = [0] * len(self.codes[x])
            self.together[y][x] = [0] * len(self.codes[y])
        self.changed = dict.fromkeys(self.codes, 0)
        """When something about a slot has changed last."""
        self.time = 0

    def set_of(self, slot: int, code: int | None) -> int:
        """Return a code as a set, or all of them; raise TooMuch if it is none of the slot's."""
        if code is None:
            return (1 << len(self.codes[slot])) - 1
        place = self._place[slot].get(code)
        if place is None:
            raise TooMuch
        return 1 << place

    def place(self, slot: int, code: int) -> int:
        """Return where a code is in the list of its slot."""
        return self._place[slot][code]

    def allow(self, slot: int, codes: int) -> None:
        """Let a slot have some codes."""
        if codes & ~self.alone[slot]:
            self.alone[slot] |= codes
            self._note(slot)

    def allow_both(self, x: int, xs: int, y: int, ys: int) -> None:
        """Let two slots have some codes, each of the first with each of the second."""
        if self._allow(x, xs, y, ys):
            self._allow(y, ys, x, xs)
            self._note(x)
            self._note(y)

    def _allow(self, x: int, xs: int, y: int, ys: int) -> bool:
        row, new = self.together[x][y], False
        while xs:
            place = (xs & -xs).bit_length() - 1
            xs &= xs - 1
            if ys & ~row[place]:
                row[place] |= ys
                new = True
        return new

    def _note(self, slot: int) -> None:
        self.time += 1
        self.changed[slot] = self.time


@dataclass(slots=True)
class _Beside:
    """Slots that an action does not look at, and what they mean for the pairs with written ones.

    `near` are the places of the slots in a row, and `far` those in an outcome, that each of them
    makes pairs with; `seen` has for these places what steps there are, slot by slot.
    """

    slots: tuple[int, ...]
    near: tuple[int, ...]
    far: tuple[int, ...]
    seen: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = field(default_factory=dict)


class _Actor:
    """An action that is performed wherever it may happen."""

    def __init__(self, sketch: Sketch, relation: Relation) -> None:
        self._sketch = sketch
        self._relation = relation
        together = relation.together
        known, written = sketch.known, sketch.written
        self._waiting = [
            (
                tuple(relation.place(n, c) for n, c in zip(known, codes, strict=True)),
                [
                    tuple(relation.set_of(w, c) for w, c in zip(written, outcome, strict=True))
                    for outcome in outcomes
                ],
            )
            for codes, outcomes in sketch.rows
        ]
        self._near = [
            (i, j, together[known[i]][known[j]])
            for i, j in combinations(range(len(known)), 2)
            if known[j] in together[known[i]]
        ]
        beside = {u for w in written for u in together[w]} - {*known, *written}
        alike: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
        for u in sorted(beside):
            near = tuple(i for i, n in enumerate(known) if u in together[n])
            far = tuple(i for i, w in enumerate(written) if u in together[w])
            alike.setdefault((near, far), []).append(u)
        self._beside = [_Beside(tuple(us), near, far) for (near, far), us in alike.items()]
        self._concerned = sorted({*known, *beside})
        self._time = -1

    @property
    def concerned(self) -> bool:
        """Whether something has changed since the action was performed last."""
        changed = self._relation.changed
        return self._time < 0 or any(changed[n] > self._time for n in self._concerned)

    def perform(self, meter: Meter) -> None:
        """Add what the action leads to."""
        self._time = self._relation.time
        waiting = []
        for row in self._waiting:
            meter.step()
            if self._possible(row[0]):
                for outcome in row[1]:
                    meter.step()
                    self._happen(row[0], outcome)
            else:
                waiting.append(row)
        self._waiting = waiting
        for beside in self._beside:
            self._spread(beside, meter)

    def _possible(self, places: tuple[int, ...]) -> bool:
        alone = self._relation.alone
        return all(
            alone[n] >> i & 1 for n, i in zip(self._sketch.known, places, strict=True)
        ) and all(row[places[i]] >> places[j] & 1 for i, j, row in self._near)

    def _happen(self, places: tuple[int, ...], outcome: tuple[int, ...]) -> None:
        """Add the codes of slots that are written, and their pairs with those that are known."""
        relation, written = self._relation, self._sketch.written
        for w, codes in zip(written, outcome, strict=True):
            relation.allow(w, codes)
        pairs = list(zip(written, outcome, strict=True))
        for (w, codes), (v, others) in combinations(pairs, 2):
            if v in relation.together[w]:
                relation.allow_both(w, codes, v, others)
        for n, place in zip(self._sketch.known, places, strict=True):
            if n not in written:
                for w, codes in pairs:
                    if n in relation.together[w]:
                        relation.allow_both(w, codes, n, 1 << place)
        for beside in self._beside:
            key = tuple(places[i] for i in beside.near), tuple(outcome[i] for i in beside.far)
            if key not in beside.seen:
                beside.seen[key] = [0] * len(beside.slots)

    def _spread(self, beside: _Beside, meter: Meter) -> None:
        """Add the pairs of written slots with those that stay as they were."""
        relation = self._relation
        written = [self._sketch.written[i] for i in beside.far]
        for number, u in enumerate(beside.slots):
            known = [relation.together[self._sketch.known[i]][u] for i in beside.near]
            for key, before in beside.seen.items():
                meter.step()
                codes = relation.alone[u]
                for row, place in zip(known, key[0], strict=True):
                    codes &= row[place]
                if codes != before[number]:
                    before[number] = codes
                    for w, new in zip(written, key[1], strict=True):
                        relation.allow_both(w, new, u, codes)


@dataclass(slots=True)
class Meter:
    """Counts steps, and looks at the clock now and then.

    With a `share`, no more than that part of all the time is spent.
    """

    most: int
    purse: Purse
    share: float = 1.0
    steps: int = 0
    _begun: float | None = None

    def step(self, count: int = 1) -> None:
        """Count; raise TooMuch if it is."""
        before = self.steps
        self.steps += count
        if self.steps > self.most:
            raise TooMuch
        if before // _NOW_AND_THEN != self.steps // _NOW_AND_THEN:
            self._look()

    def _look(self) -> None:
        self.purse.check()
        now = self.purse.clock()
        if self._begun is None:
            self._begun = now
        elif now - self._begun > self.share * self.purse.effort.seconds:
            raise TooMuch


def close(
    relation: Relation, initial: Iterable[int], sketches: Sequence[Sketch], meter: Meter
) -> None:
    """Add what initial states have, and what actions lead to, until nothing is new."""
    pairs = [(x, y) for x, row in relation.together.items() for y in row if x < y]
    for state in initial:
        meter.step(1 + len(pairs) // 8)
        _begin(relation, state, pairs)
    actors = [_Actor(sketch, relation) for sketch in sketches]
    while True:
        concerned = [actor for actor in actors if actor.concerned]
        if not concerned:
            return
        for actor in concerned:
            actor.perform(meter)


def _begin(relation: Relation, state: int, pairs: Sequence[tuple[int, int]]) -> None:
    sets: dict[int, int] = {}
    for n in relation.codes:
        sets[n] = relation.set_of(n, state & relation.bits[n])
        relation.allow(n, sets[n])
    for x, y in pairs:
        relation.allow_both(x, sets[x], y, sets[y])
