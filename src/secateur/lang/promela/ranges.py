"""How large the values of variables can become: ranges that every step keeps.

A byte that only ever holds 0, 1 and 2 need not take eight bits.  Ranges begin with the initial
values and grow until no step leads out of them; the guard of a step says more of the variables
that it reads.  Of a variable that is written only by steps which know where a process is, there is
a range for each place of that process: a counter that is compared with its limit at one place may
be increased at the next one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from secateur.maths.ast import Apply, Call, Expr, If, Name, Number, walk
from secateur.maths.operators import comparison, integers, machine_integers
from secateur.maths.operators.protocol import Operator
from secateur.source.records import dataclass

Range = tuple[int, int]
"""The least and the greatest value."""

Step = tuple[Sequence[Expr], Sequence[tuple[str, Expr]]]
"""The conditions of a step, and what variables (or elements of arrays) get."""

_At = tuple[str, int]
"""The variable of a place, and its value."""

_EXACT: Final = 3
"""So often a range at a place grows as little as it can; then to the next power of two."""


@dataclass(frozen=True, slots=True)
class Variables:
    """What is known of variables before any step."""

    initial: Mapping[str, Range]
    widest: Mapping[str, Range]
    """The ranges of their types."""
    places: Collection[str] = ()
    """Those that say where processes are."""
    arrays: Collection[str] = ()


def settled_ranges(variables: Variables, steps: Sequence[Step]) -> dict[str, Range]:
    """Return the ranges of all variables."""
    moves = [_move(step, variables) for step in steps]
    return _Flow(variables, moves).settled()


@dataclass(frozen=True, slots=True)
class _Move:
    """A step: what it says of variables, where it begins, and what it writes."""

    tests: tuple[tuple[str, Operator, Expr, bool], ...]
    """A variable, a comparison, with what; and whether that stands on the left."""
    sources: Mapping[str, int]
    targets: Mapping[str, int | None]
    """None where it is not known which place it is."""
    writes: Mapping[str, Sequence[Expr]]


def _move(step: Step, variables: Variables) -> _Move:
    conditions, written = step
    tests = tuple(test for each in conditions for test in _tests(each, variables.initial))
    writes: dict[str, list[Expr]] = {}
    for name, value in written:
        writes.setdefault(name, []).append(value)
    places = variables.places
    return _Move(
        tests,
        {
            name: other.value
            for name, operator, other, _ in tests
            if name in places and operator is comparison.EQUAL and isinstance(other, Number)
        },
        {
            name: values[0].value if isinstance(values[0], Number) else None
            for name, values in writes.items()
            if name in places
        },
        writes,
    )


def _tests(condition: Expr, known: Collection[str]) -> Iterator[tuple[str, Operator, Expr, bool]]:
    if not isinstance(condition, Apply) or len(condition.args) != 2:
        return
    if condition.operator not in _COMPARISONS:
        return
    left, right = condition.args
    for this, other, turned in ((left, right, False), (right, left, True)):
        if isinstance(this, Name) and this.text in known:
            yield this.text, condition.operator, other, turned


class _Here:
    """The ranges in one state of affairs: those of a place first."""

    def __init__(self, known: Mapping[str, Range]) -> None:
        self.own: dict[str, Range] = {}
        self._known = known

    def get(self, name: str) -> Range | None:
        """Return the range of a variable."""
        found = self.own.get(name)
        return self._known.get(name) if found is None else found


@dataclass()
class _Flow:
    """The ranges as they grow."""

    variables: Variables
    moves: Sequence[_Move]
    known: dict[str, Range] = field(init=False)
    """What is so at all places."""

    def __post_init__(self) -> None:
        initial, widest = self.variables.initial, self.variables.widest
        self.known = {name: _rounded(found, widest[name]) for name, found in initial.items()}
        unsure = {p for m in self.moves for p, to in m.targets.items() if to is None}
        unsure |= {p for p in self.variables.places if initial[p][0] != initial[p][1]}
        self._places = [p for p in self.variables.places if p not in unsure]
        self._own = self._owned()
        self._at: dict[_At, dict[str, Range]] = {
            (place, initial[place][0]): {name: initial[name] for name in self._own[place]}
            for place in self._places
        }
        self._grown: dict[tuple[_At, str], int] = {}

    def _owned(self) -> dict[str, list[str]]:
        """Return what variables have ranges of their own at the places of a process."""
        owners: dict[str, set[str]] = {}
        for move in self.moves:
            here = (move.sources.keys() | move.targets.keys()) & set(self._places)
            for name in move.writes:
                owners[name] = owners[name] & here if name in owners else here
        own: dict[str, list[str]] = {place: [] for place in self._places}
        for name, places in owners.items():
            if places:
                own[min(places)].append(name)
        return own

    def settled(self) -> dict[str, Range]:
        """Let ranges grow until no step leads out of them."""
        users: dict[str | _At, list[int]] = {}
        for number, move in enumerate(self.moves):
            for key in self._looked_at(move):
                users.setdefault(key, []).append(number)
        pending = deque(range(len(self.moves)))
        waiting = [True] * len(self.moves)
        while pending:
            number = pending.popleft()
            waiting[number] = False
            for key in self._taken(self.moves[number]):
                for user in users.get(key, ()):
                    if not waiting[user]:
                        waiting[user] = True
                        pending.append(user)
        return self.known

    def _looked_at(self, move: _Move) -> Iterator[str | _At]:
        """Yield what the result of a step depends on."""
        names = {name for name, _, _, _ in move.tests}
        for e in (*(t[2] for t in move.tests), *(v for vs in move.writes.values() for v in vs)):
            names.update(part.text for part in walk(e) if isinstance(part, Name))
        for place in self._places:
            if place in move.sources:
                yield place, move.sources[place]
                names.difference_update(self._own[place])
            elif place in move.targets:
                names.update(self._own[place])
        yield from names

    def _taken(self, move: _Move) -> set[str | _At]:
        """Take a step; return whose ranges have grown."""
        here = _Here(self.known)
        for place, value in move.sources.items():
            if place in self._own:
                found = self._at.get((place, value))
                if found is None:
                    return set()  # no process has come there so far
                here.own.update(found)
        if not _suppose(move, here):
            return set()
        grown: set[str | _At] = set()
        written: dict[str, Range] = {}
        for name, values in move.writes.items():
            widest = self.variables.widest[name]
            ranges = [_within(_range(value, here), widest) for value in values]
            if name in self.variables.arrays:
                ranges.append(here.get(name) or widest)
            written[name] = min(r[0] for r in ranges), max(r[1] for r in ranges)
            old = self.known[name]
            self.known[name] = _rounded(_joined(old, written[name]), widest)
            if self.known[name] != old:
                grown.add(name)
        grown.update(self._arrivals(move, here, written))
        return grown

    def _arrivals(self, move: _Move, here: _Here, written: Mapping[str, Range]) -> Iterator[_At]:
        """Take down what is so where a step leads to; yield the places where that is news."""
        for place in self._places:
            to = move.targets.get(place, move.sources.get(place))
            if to is None:
                continue
            news = (place, to) not in self._at
            there = self._at.setdefault((place, to), {})
            for name in self._own[place]:
                arriving = written.get(name) or here.get(name)
                assert arriving is not None
                news |= self._joins((place, to), there, name, arriving)
            if news:
                yield place, to

    def _joins(self, at: _At, there: dict[str, Range], name: str, arriving: Range) -> bool:
        old = there.get(name)
        new = arriving if old is None else _joined(old, arriving)
        if new == old:
            return False
        times = self._grown[at, name] = self._grown.get((at, name), 0) + 1
        there[name] = new if times <= _EXACT else _rounded(new, self.variables.widest[name])
        return there[name] != old


def _joined(a: Range, b: Range) -> Range:
    return min(a[0], b[0]), max(a[1], b[1])


def _within(found: Range | None, widest: Range) -> Range:
    """Return a range within that of the type; what is not in that cannot be."""
    if found is None or found[1] < widest[0] or widest[1] < found[0]:
        return widest
    return max(found[0], widest[0]), min(found[1], widest[1])


def _rounded(found: Range, widest: Range) -> Range:
    """Return the least range of a whole number of bits around another, within that of the type."""
    low, high = found
    high = (1 << max(high, 0).bit_length()) - 1
    low = -(1 << (-low - 1).bit_length()) if low < 0 else 0
    return max(low, widest[0]), min(high, widest[1])


_UNBOUNDED: Final = (-(1 << 40), 1 << 40)

_COMPARISONS: Final = (
    comparison.EQUAL,
    integers.LESS,
    integers.LESS_EQUAL,
    integers.GREATER,
    integers.GREATER_EQUAL,
)


def _suppose(move: _Move, here: _Here) -> bool:
    """Take down what the conditions of a step say; return whether they can hold."""
    for name, operator, other, turned in move.tests:
        low, high = _range(other, here) or _UNBOUNDED
        if operator in (integers.LESS_EQUAL, integers.LESS):
            low, high = _bounded(low, high, below=not turned, strict=operator is integers.LESS)
        elif operator in (integers.GREATER_EQUAL, integers.GREATER):
            low, high = _bounded(low, high, below=turned, strict=operator is integers.GREATER)
        old = here.get(name)
        assert old is not None
        new = max(low, old[0]), min(high, old[1])
        if new[0] > new[1]:
            return False
        here.own[name] = new
    return True


def _bounded(low: int, high: int, *, below: bool, strict: bool) -> Range:
    """Return what is below (or above) something in a range."""
    if below:
        return _UNBOUNDED[0], high - strict
    return low + strict, _UNBOUNDED[1]


def _range(e: Expr, here: _Here) -> Range | None:
    """Return the range of a number; None if nothing is known of it."""
    match e:
        case Number(value):
            return value, value
        case Name(text) | Call(Name(text), _):
            return here.get(text)
        case If(_, then, otherwise):
            first, second = _range(then, here), _range(otherwise, here)
            if first is None or second is None:
                return None
            return min(first[0], second[0]), max(first[1], second[1])
        case Apply(integers.NEGATE, (operand,)):
            found = _range(operand, here)
            return None if found is None else (-found[1], -found[0])
        case Apply(machine_integers.WRAP_SIGNED | machine_integers.WRAP_UNSIGNED, args):
            return _wrapped(e, args, here)
        case Apply(_, (left, right)):
            first, second = _range(left, here), _range(right, here)
            if first is None or second is None:
                return None
            return _computed(e, first, second)
        case _:
            return None


def _wrapped(e: Apply, args: tuple[Expr, ...], here: _Here) -> Range:
    value, bits = args
    assert isinstance(bits, Number)
    low, high = 0, (1 << bits.value) - 1
    if e.operator is machine_integers.WRAP_SIGNED:
        low, high = -(1 << (bits.value - 1)), (1 << (bits.value - 1)) - 1
    found = _range(value, here)
    if found is not None and low <= found[0] and found[1] <= high:
        return found
    return low, high


def _computed(e: Apply, a: Range, b: Range) -> Range | None:
    match e.operator:
        case integers.ADD:
            return a[0] + b[0], a[1] + b[1]
        case integers.SUBTRACT:
            return a[0] - b[1], a[1] - b[0]
        case integers.MULTIPLY:
            corners = [x * y for x in a for y in b]
            return min(corners), max(corners)
        case integers.DIVIDE if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case machine_integers.REMAINDER if a[0] >= 0:
            return 0, min(a[1], max(abs(b[0]), abs(b[1])) - 1) if b != (0, 0) else a[1]
        case machine_integers.BIT_AND if a[0] >= 0 and b[0] >= 0:
            return 0, min(a[1], b[1])
        case machine_integers.BIT_OR | machine_integers.BIT_XOR if a[0] >= 0 and b[0] >= 0:
            return 0, (1 << max(a[1], b[1]).bit_length()) - 1
        case machine_integers.SHIFT_RIGHT if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case _:
            return None
