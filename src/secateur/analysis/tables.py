"""What conjuncts, checks and actions do, for all codes of the slots that they look at.

Relations between two actions are found by joining their tables: the system is asked only
about one of them at a time, and only over its own slots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Final

from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.protocol import Coded
from secateur.analysis.space import Space
from secateur.source.records import dataclass
from secateur.system.events import Action, EventSystem
from secateur.system.packing import Misfit

Results = tuple[int, ...] | None
"""The bits that an action writes, for each of its results; None if it is at fault."""

Within = Callable[[int], Callable[[int, int], bool]]
"""For a mask, what tells of a code and the bits that are known of it whether that can occur."""

_NOW_AND_THEN = 255


def _anything(_: int) -> Callable[[int, int], bool]:
    return lambda code, known: True


@dataclass(frozen=True, slots=True)
class Truths:
    """The value of a condition for each code over the slots of `mask`: None where it has none."""

    mask: int
    values: dict[int, bool | None]


@dataclass(frozen=True, slots=True)
class Member:
    """Rows of a table that differ only in what another action does not touch.

    `rest` is that part, of one of them.  A result is the part that the other action may
    see, and a number for the part that it does not.
    """

    rest: int
    rows: dict[int, tuple[tuple[int, int], ...] | None]


@dataclass(slots=True)
class Table:
    """An action: its results for each code over the slots of `mask` in which it may happen.

    In codes that are neither in `rows` nor match one of the `troubles` (the code of some
    slots in which the guard has no value) it surely does not happen; nor does it where it
    has no result.
    """

    mask: int
    writes: int
    rows: dict[int, Results] = field(default_factory=dict)
    troubles: list[tuple[int, int]] = field(default_factory=list)
    _members: dict[int, list[Member]] = field(default_factory=dict)

    @property
    def faults(self) -> Iterator[tuple[int, int]]:
        """Yield where the action is at fault, as masks with codes."""
        yield from self.troubles
        for code, results in self.rows.items():
            if results is None:
                yield self.mask, code

    def at_fault(self, code: int) -> bool:
        """Whether the action is at fault in a state."""
        results = self.rows.get(code & self.mask, ())
        return results is None or any(code & m == c for m, c in self.troubles)

    @property
    def possible(self) -> Iterator[tuple[int, int]]:
        """Yield where the action may happen, at fault or not."""
        yield from self.troubles
        for code, results in self.rows.items():
            if results is None or results:
                yield self.mask, code

    def restricted(self, space: Space, within: Within) -> Table:
        """Return the table less what cannot occur."""
        occurs = within(self.mask)
        stays = Arrival(self, space)
        rows = {
            code: self.rows[code]
            for code in space.lawful_ones(self.rows, self.mask)
            if occurs(code, self.mask) and stays(code, self.rows[code])
        }
        troubles = [(m, c) for m, c in self.troubles if space.lawful(c, m) and occurs(c, m)]
        return Table(self.mask, self.writes, rows, troubles)

    def members(self, touched: int) -> list[Member]:
        """Return the rows, those of them as one that look the same to whom `touched` is all."""
        found = self._members.get(touched)
        if found is None:
            found = self._members[touched] = list(_members(self, touched))
        return found


class Arrival:
    """Whether steps lead to codes that slots can have.

    From a state that occurs they do.  So a row from which one does not is none that occurs: more
    may be known of the reachable states than which codes slots have.
    """

    def __init__(self, table: Table, space: Space) -> None:
        self._writes = table.writes
        self._space = space
        known = table.mask | table.writes
        slots = space.touching(table.writes)
        # of a slot that is written in part, the rest must be known
        self._mask = space.bits([n for n in slots if not space.slots[n].bits & ~known])

    def __call__(self, code: int, results: Results) -> bool:
        """Whether all results are lawful; where the action is at fault nobody knows."""
        if not results:
            return True
        kept = code & ~self._writes
        return all(self._space.lawful(kept | result, self._mask) for result in results)


def _less(truths: Truths, space: Space, same: int) -> Truths:
    """Return what is true of the codes of a smaller space, which differs outside of some bits."""
    mask = truths.mask
    if not mask & ~same:
        return truths
    lawful = space.lawful_ones(truths.values, mask & ~same)
    return Truths(mask, {code: truths.values[code] for code in lawful})


def _members(table: Table, touched: int) -> Iterator[Member]:
    groups: dict[int, list[tuple[int, Results]]] = {}
    for code, results in table.rows.items():
        groups.setdefault(code & ~touched, []).append((code & touched, results))
    seen: set[tuple[object, ...]] = set()
    for rest, entries in groups.items():
        numbers: dict[int, int] = {}
        rows: dict[int, tuple[tuple[int, int], ...] | None] = {}
        for code, results in sorted(entries, key=lambda entry: entry[0]):
            if results is None:
                rows[code] = None
            else:
                rows[code] = tuple(
                    (r & touched, numbers.setdefault(r & ~touched, len(numbers))) for r in results
                )
        key = tuple(rows.items())
        if key not in seen:
            seen.add(key)
            yield Member(rest, rows)


@dataclass(slots=True)
class Tables:
    """All tables of a system, made when they are asked for.

    What takes more than `most` combinations is None.
    """

    system: EventSystem
    space: Space
    purse: Purse
    coarse: frozenset[int] = frozenset()
    """The actions that only the evaluator can perform, which takes long."""
    most: int = 0
    within: Within = _anything
    """What is known about the states that matter."""
    _actions: dict[int, Table] = field(default_factory=dict)
    _truths: dict[tuple[object, ...], Truths] = field(default_factory=dict)
    _tried: dict[tuple[object, ...], int] = field(default_factory=dict)
    """With how many combinations something was too much."""
    _alike: dict[tuple[object, ...], tuple[int, int]] = field(default_factory=dict)
    """The first conjunct, as action and number, that has a code."""

    def restricted(self, space: Space, within: Within) -> Tables:
        """Return the tables for the states of a smaller space in which something is known.

        Conditions have their values for all codes of that space: what they are asked about
        after a step need not be known to occur.
        """
        tables = Tables(self.system, space, self.purse, self.coarse, self.most, within)
        for number, table in self._actions.items():
            tables._actions[number] = table.restricted(space, within)
        tables._alike = self._alike
        same = self.space.common(space)
        smaller: dict[int, Truths] = {}
        for key, truths in self._truths.items():
            if key[0] in ("conjunct", "check"):
                found = smaller.get(id(truths))
                if found is None:
                    found = smaller[id(truths)] = _less(truths, space, same)
                tables._truths[key] = found
        return tables

    def action(self, number: int) -> Table | None:
        """Return the table of an action."""
        found = self._actions.get(number)
        if found is None and self._worth("action", number):
            try:
                found = self._actions[number] = self._make(number)
            except TooMuch:
                return None
        return found

    def _worth(self, *key: object) -> bool:
        """Whether something was not yet too much with what is allowed now; it is tried then."""
        if self._tried.get(key, -1) >= self.most:
            return False
        self._tried[key] = self.most
        return True

    def conjunct(self, action: int, conjunct: int) -> Truths | None:
        """Return the values of a conjunct, or of "it has a result" for the one after the last."""
        guard = self.system.actions[action].guard
        if conjunct == len(guard):
            return self._outcome(action, "results")
        found = self._truths.get(("conjunct", action, conjunct))
        if found is None and self._worth("conjunct", action, conjunct):
            numbers = self.space.touching(guard[conjunct].reads)
            alike = [
                j for j, c in enumerate(guard) if self.space.touching(c.reads) == numbers
            ]  # one look at the guard tells about all of them
            for j in alike:
                known = self._known_by(action, j)
                if known is not None:
                    self._truths["conjunct", action, j] = known
            found = self._truths.get(("conjunct", action, conjunct))
            if found is not None:
                return found
            try:
                truths = self._look(action, alike, numbers)
            except TooMuch:
                return None
            for j, each in zip(alike, truths, strict=True):
                self._truths.setdefault(("conjunct", action, j), each)
            found = self._truths["conjunct", action, conjunct]
        return found

    def _known_by(self, action: int, conjunct: int) -> Truths | None:
        """Return the values of the same code elsewhere: many actions ask for the same place."""
        code = self.system.code(action) if isinstance(self.system, Coded) else None
        if code is None:
            return None
        part = code.guard[conjunct]
        first = self._alike.setdefault((part.body, part.result), (action, conjunct))
        return self._truths.get(("conjunct", *first))

    def needs(self, action: int) -> Iterator[Truths]:
        """Yield conjuncts that, where they are false, surely keep an action from happening.

        After one of the `ordered` ones that may have no value, the others do not.
        """
        known = self.system.actions[action]
        for j in range(len(known.guard)):
            truths = self.conjunct(action, j)
            if truths is not None:
                yield truths
            if j < known.ordered and (truths is None or None in truths.values.values()):
                return

    def check(self, number: int) -> Truths | None:
        """Return the values of a check."""
        found = self._truths.get(("check", number))
        if found is None and self._worth("check", number):
            numbers = self.space.touching(self.system.checks[number].reads)
            mask = self.space.bits(numbers)
            try:
                values: dict[int, bool | None] = {
                    code: self.system.holds(number, self.space.state(code, mask))
                    for code in self._watched(self.space.codes(numbers, self._most(None)))
                }
                found = self._truths["check", number] = Truths(mask, values)
            except TooMuch:
                return None
        return found

    def innocence(self, action: int) -> Truths | None:
        """Return where an action is not at fault."""
        return self._outcome(action, "faults")

    def possibility(self, action: int) -> Truths | None:
        """Return where an action may happen."""
        return self._outcome(action, "possible")

    # -- making -----------------------------------------------------------------------------------

    def _most(self, action: int | None) -> int:
        return min(self.most, self.purse.effort.evaluated) if action in self.coarse else self.most

    def _watched(self, codes: Iterator[int]) -> Iterator[int]:
        for place, code in enumerate(codes):
            if place & _NOW_AND_THEN == _NOW_AND_THEN:
                self.purse.check()
            yield code

    def _look(self, action: int, conjuncts: Sequence[int], numbers: Sequence[int]) -> list[Truths]:
        mask = self.space.bits(numbers)
        values: list[dict[int, bool | None]] = [{} for _ in conjuncts]
        for code in self._watched(self.space.codes(numbers, self._most(action))):
            found = self.system.guard(action, self.space.state(code, mask))
            for j, into in zip(conjuncts, values, strict=True):
                undefined = found.undefined >> j & 1
                into[code] = None if undefined else not found.false >> j & 1
        return [Truths(mask, each) for each in values]

    def _outcome(self, action: int, kind: str) -> Truths | None:
        """Return something that the table of an action tells, for all codes."""
        found = self._truths.get((kind, action))
        if found is None and self._worth(kind, action):
            table = self.action(action)
            if table is None:
                return None
            value = _OUTCOMES[kind]
            try:
                codes = self.space.codes(self.space.touching(table.mask), self._most(action))
                values = {code: value(table, code) for code in self._watched(codes)}
            except TooMuch:
                return None
            found = self._truths[kind, action] = Truths(table.mask, values)
        return found

    def _make(self, number: int) -> Table:
        """Return the table of an action, which takes shape conjunct by conjunct."""
        action, space = self.system.actions[number], self.space
        table = Table(space.whole(action.sees), action.may_write)
        most = self._most(number)
        guarded = {n for c in action.guard for n in space.touching(c.reads)}
        rest = [n for n in space.touching(table.mask) if n not in guarded]
        count = space.count(rest)
        if count is None or count > most:  # before anything is tried
            raise TooMuch
        alive = self._guarded(number, action, table)
        if len(alive) * count > most:
            raise TooMuch
        written = action.may_write
        codes = (code | more for code in alive for more in space.codes(rest, most))
        occurs, stays = self.within(table.mask), Arrival(table, space)
        for code in self._watched(codes):
            if not occurs(code, table.mask):
                continue
            try:
                results = self.system.results(number, space.state(code, table.mask))
            except Misfit:  # a result has no code
                results = None
            row = None if results is None else tuple(dict.fromkeys(r & written for r in results))
            if stays(code, row):
                table.rows[code] = row
        return table

    def _guarded(self, number: int, action: Action, table: Table) -> list[int]:
        """Return the codes in which all conjuncts hold, over the slots that they look at.

        Conjuncts that are evaluated in order come first, up to the first one that is false;
        where one of them has no value, whatever follows is not looked at.
        """
        known = 0
        occurs = self.within(table.mask)
        alive, doubtful = [0], list[int]()
        sizes = [self.space.count(self.space.touching(c.reads)) for c in action.guard]
        if any(size is None or size > self._most(number) for size in sizes):
            raise TooMuch
        later = range(action.ordered, len(action.guard))
        for j in (*range(action.ordered), *sorted(later, key=lambda j: sizes[j] or 0)):
            truths = self.conjunct(number, j)
            if truths is None:
                raise TooMuch
            join = _Join(truths, known, self._most(number))
            good, bad = join.extended(alive)
            if j < action.ordered:
                mask = known | truths.mask
                table.troubles += [(mask, code) for code in bad if occurs(code, mask)]
            else:
                still, more = join.extended(doubtful)
                doubtful = [*still, *more, *bad]
            known |= truths.mask
            alive = [code for code in good if occurs(code, known)]
        table.troubles += [(known, code) for code in doubtful if occurs(code, known)]
        return alive


class _Join:
    """Codes over some slots, extended by those in which a condition may hold."""

    def __init__(self, truths: Truths, known: int, most: int) -> None:
        self._common = truths.mask & known
        self._most = most
        self._by_common: dict[int, list[tuple[int, bool | None]]] = {}
        for code, value in truths.values.items():
            if value is not False:
                self._by_common.setdefault(code & self._common, []).append((code, value))

    def extended(self, codes: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the codes where the condition holds, and those where it has no value."""
        good: list[int] = []
        bad: list[int] = []
        for code in codes:
            for more, value in self._by_common.get(code & self._common, ()):
                (good if value else bad).append(code | more)
            if len(good) + len(bad) > self._most:
                raise TooMuch
        return good, bad


def _has_result(table: Table, code: int) -> bool | None:
    """Whether it is not so that only a result is missing; None if that is not known."""
    results = table.rows.get(code, (0,))
    return None if results is None else bool(results)


def _is_innocent(table: Table, code: int) -> bool:
    return not table.at_fault(code)


def _is_possible(table: Table, code: int) -> bool:
    return bool(table.rows.get(code)) or table.at_fault(code)


_OUTCOMES: Final[dict[str, Callable[[Table, int], bool | None]]] = {
    "results": _has_result,
    "faults": _is_innocent,
    "possible": _is_possible,
}
