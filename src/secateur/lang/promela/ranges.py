"""Which values variables can have: sets that every step keeps.

A byte that only ever holds 0, 1 and 2 need not take eight bits, and an index that is always
within its array need not be looked at.  The sets begin with the initial values and grow until no
step leads out of them; the guard of a step says more of the variables that it reads.  Of a variable
that is written only by steps which know where a process is, there is a set for each place of that
process: a counter that is compared with its limit at one place may be increased at the next one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import reduce
from typing import Final

from secateur.lang.promela.known import Here, element, read_surely, values_of
from secateur.lang.promela.values import (
    COMPARISONS,
    Range,
    Values,
    between,
    listed,
    rounded,
    supposed,
    turned,
)
from secateur.maths.ast import Apply, Call, Expr, Name, Number, walk
from secateur.maths.operators import comparison, integers
from secateur.maths.operators.protocol import Operator
from secateur.source.records import dataclass

Written = tuple[str, Expr | None, Expr]
"""What is written: a variable, or an array and which of its elements, and what it gets."""

Step = tuple[Sequence[Expr], Sequence[Written]]
"""The conditions of a step, and what it writes."""

Part = tuple[str, int | None]
"""A variable or an array, or one of its elements."""

At = tuple[str, int]
"""The variable of a place, and its value."""

_EXACT: Final = 16
"""So often a set grows as little as it can; then to a range up to the next power of two."""


@dataclass(frozen=True, slots=True)
class Variables:
    """What is known of variables before any step."""

    initial: Mapping[str, Values]
    widest: Mapping[str, Range]
    """The ranges of their types."""
    places: Collection[str] = ()
    """Those that say where processes are."""
    arrays: Mapping[str, int] = field(default_factory=dict)
    """How many elements each of them has that is an array."""


@dataclass(frozen=True, slots=True)
class Found:
    """The values of variables: everywhere, and at each place that a process comes to."""

    everywhere: Mapping[str, Values]
    """By variable, or array."""
    at: Mapping[At, Mapping[Part, Values]]


def settled_values(variables: Variables, steps: Sequence[Step]) -> Found:
    """Return which values all variables can have."""
    moves = [_move(step, variables) for step in steps]
    return _Flow(variables, moves).settled()


_Subject = str | Expr
"""What is compared: a variable, an element that has a name (`element`), or a term."""

_Test = tuple[_Subject, Operator, Expr]

_Comparison = tuple[Expr, Operator, Expr]

_Lone = tuple[str, _Comparison]
"""A comparison in which one variable occurs, which has any of its values for itself."""


def _part(name: str) -> Part:
    """Return what a name means."""
    array, bracket, index = name.partition("[")
    return (array, int(index[:-1])) if bracket else (name, None)


@dataclass(frozen=True, slots=True)
class _Move:
    """A step: what it says of variables, where it begins, and what it writes."""

    tests: tuple[_Test, ...]
    """What is compared, how, and with what."""
    lone: tuple[_Lone, ...]
    sources: Mapping[str, int]
    targets: Mapping[str, int | None]
    """None where it is not known which place it is."""
    writes: Mapping[str, Sequence[tuple[Expr | None, Expr]]]

    @property
    def movers(self) -> Collection[str]:
        """The places that it looks at or goes to."""
        return self.sources.keys() | self.targets.keys()

    def terms(self) -> Iterator[Expr]:
        """Yield all terms that its result depends on."""
        for subject, _, other in self.tests:
            yield other
            if not isinstance(subject, str):
                yield subject
        for _, (left, _, right) in self.lone:
            yield left
            yield right
        for written in self.writes.values():
            for index, value in written:
                yield value
                if index is not None:
                    yield index


def _move(step: Step, variables: Variables) -> _Move:
    conditions, written = step
    compared = [*_comparisons(conditions), *_indices(step, variables.arrays)]
    tests = tuple(test for each in compared for test in _tests(each, variables.initial))
    lone = tuple(found for each in compared for found in _lone(each, variables))
    writes: dict[str, list[tuple[Expr | None, Expr]]] = {}
    for name, index, value in written:
        writes.setdefault(name, []).append((index, value))
    places = variables.places
    return _Move(
        tests,
        lone,
        {
            name: other.value
            for name, operator, other in tests
            if isinstance(name, str)
            and name in places
            and operator is comparison.EQUAL
            and isinstance(other, Number)
        },
        {
            name: values[0][1].value if isinstance(values[0][1], Number) else None
            for name, values in writes.items()
            if name in places
        },
        writes,
    )


def _comparisons(conditions: Iterable[Expr]) -> Iterator[_Comparison]:
    for condition in conditions:
        match condition:
            case Apply(operator, (left, right)) if operator in COMPARISONS:
                yield left, operator, right


def _indices(step: Step, sizes: Mapping[str, int]) -> Iterator[_Comparison]:
    """Yield what is so of indices if a step can be taken: outside of an array there is an error."""
    conditions, written = step
    found: dict[tuple[str, Expr], None] = {}
    for name, index, value in written:
        if index is not None:
            found[name, index] = None
            found.update(dict.fromkeys(read_surely(index)))
        found.update(dict.fromkeys(read_surely(value)))
    for condition in conditions:
        found.update(dict.fromkeys(read_surely(condition)))
    for array, index in found:
        if array in sizes and not isinstance(index, Number):
            yield index, integers.GREATER_EQUAL, Number(0)
            yield index, integers.LESS_EQUAL, Number(sizes[array] - 1)


def _tests(compared: _Comparison, known: Collection[str]) -> Iterator[_Test]:
    left, operator, right = compared
    for this, how, other in ((left, operator, right), (right, turned(operator), left)):
        match this:
            case Name(text) if text in known:
                yield text, how, other
            case Call(Name(text), (Number(index),)) if text in known:
                yield element(text, index), how, other
            case Call(Name(text), _) if text in known:
                yield this, how, other


def _lone(compared: _Comparison, variables: Variables) -> Iterator[_Lone]:
    left, _, right = compared
    parts = [*walk(left), *walk(right)]
    names = {p.text for p in parts if isinstance(p, Name)} & variables.initial.keys()
    scalars = names - variables.arrays.keys()
    if len(scalars) == 1 and not (isinstance(left, Name) or isinstance(right, Name)):
        yield scalars.pop(), compared


@dataclass()
class _Flow:
    """The values as they become more.

    What others write is added at every place of a process that looks at it: they may take such a
    step wherever it is (C. Flanagan, S. Freund, S. Qadeer: *Thread-Modular Verification for
    Shared-Memory Programs*, ESOP 2002).
    """

    variables: Variables
    moves: Sequence[_Move]
    known: dict[str, Values] = field(init=False)
    """What is so at all places."""

    def __post_init__(self) -> None:
        initial = self.variables.initial
        unsure = {p for m in self.moves for p, to in m.targets.items() if to is None}
        unsure |= {p for p in self.variables.places if initial[p].low != initial[p].high}
        self._places = [p for p in self.variables.places if p not in unsure]
        self._elements = self._named_elements()
        self.known = dict(initial)
        self._widest = dict(self.variables.widest)
        for array, indices in self._elements.items():
            for index in indices:
                self.known[element(array, index)] = initial[array]
                self._widest[element(array, index)] = self._widest[array]
        self._watched = self._told_at_places()
        self._at: dict[At, dict[str, Values]] = {
            (place, initial[place].low): {name: self.known[name] for name in self._watched[place]}
            for place in self._places
        }
        self._reached: dict[str, set[int]] = {p: {initial[p].low} for p in self._places}
        self._others: dict[tuple[str, str], Values] = {}
        """For a place, what others have written to a variable."""
        self._grown: dict[tuple[At | None, str], int] = {}

    def _named_elements(self) -> dict[str, list[int]]:
        """Return the elements of arrays that conditions are about."""
        found: dict[str, set[int]] = {}
        for move in self.moves:
            for subject, _, _ in move.tests:
                array, index = _part(subject) if isinstance(subject, str) else ("", None)
                if index is not None:
                    found.setdefault(array, set()).add(index)
        return {array: sorted(indices) for array, indices in found.items()}

    def _told_at_places(self) -> dict[str, list[str]]:
        """Return what there are sets of at the places of a process.

        What only its own steps write, and what it compares with something.
        """
        owners: dict[str, set[str]] = {}
        found: dict[str, dict[str, None]] = {place: {} for place in self._places}
        for move in self.moves:
            here = set(move.movers) & found.keys()
            for name in move.writes:
                owners[name] = owners[name] & here if name in owners else here
            for place in move.sources.keys() & found.keys():
                found[place].update(
                    (s, None) for s, _, _ in move.tests if isinstance(s, str) and s != place
                )
        for name, places in owners.items():
            if places:
                elements = (element(name, i) for i in self._elements.get(name, ()))
                found[min(places)].update(dict.fromkeys((name, *elements)))
        self._watchers: dict[str, list[str]] = {}
        for place, names in found.items():
            for name in names:
                self._watchers.setdefault(name, []).append(place)
        return {place: [n for n in names if n in self.known] for place, names in found.items()}

    def settled(self) -> Found:
        """Let the sets grow until no step leads out of them."""
        users: dict[str | At, list[int]] = {}
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
        everywhere = {name: self.known[name] for name in self.variables.initial}
        at = {
            place: {_part(name): values for name, values in here.items()}
            for place, here in self._at.items()
        }
        return Found(everywhere, at)

    def _looked_at(self, move: _Move) -> Iterator[str | At]:
        """Yield what the result of a step depends on."""
        names = {subject for subject, _, _ in move.tests if isinstance(subject, str)}
        for e in move.terms():
            names.update(part.text for part in walk(e) if isinstance(part, Name))
        names.update(move.writes)
        for name in list(names):
            names.update(element(name, i) for i in self._elements.get(name, ()))
        for place in self._places:
            if place in move.sources:
                yield place, move.sources[place]
            elif place in move.targets:
                names.update(self._watched[place])
        yield from names

    def _taken(self, move: _Move) -> set[str | At]:
        """Take a step; return whose values have become more."""
        here = Here(self.known)
        for place, value in move.sources.items():
            if place in self._watched:
                found = self._at.get((place, value))
                if found is None or not here.learn(found):
                    return set()  # no process has come there so far
        if not _suppose(move, here):
            return set()
        fresh: dict[str, Values] = {}
        written: dict[str, Values] = {}
        for name, values in move.writes.items():
            for part, new, sure in self._write(name, values, here):
                old = None if sure else here.get(part)
                fresh[part], written[part] = new, new if old is None else old.joined(new)
        grown: set[str | At] = {
            name for name, new in fresh.items() if self._joins(None, self.known, name, new)
        }
        grown.update(self._arrivals(move, here, written))
        grown.update(self._interference(move, fresh))
        return grown

    def _write(
        self, name: str, written: Sequence[tuple[Expr | None, Expr]], here: Here
    ) -> Iterator[tuple[str, Values, bool]]:
        """Yield what a variable or an array gets, and elements of it; and whether it surely does."""
        widest = self._widest[name]
        new = [
            (
                None if index is None else values_of(index, here),
                _within(values_of(value, here), widest),
            )
            for index, value in written
        ]
        yield name, reduce(Values.joined, (v for _, v in new)), name not in self.variables.arrays
        for i in self._elements.get(name, ()):
            at = [(index, v) for index, v in new if index is None or index.clipped(i, i)]
            if at:
                sure = any(index is not None and index.low == index.high for index, _ in at)
                yield element(name, i), reduce(Values.joined, (v for _, v in at)), sure

    def _arrivals(self, move: _Move, here: Here, written: Mapping[str, Values]) -> Iterator[At]:
        """Take down what is so where a step leads to; yield the places where that is news."""
        for place in self._places:
            to = move.targets.get(place, move.sources.get(place))
            if to is None:
                continue
            news = (place, to) not in self._at
            there = self._at.setdefault((place, to), {})
            self._reached[place].add(to)
            for name in self._watched[place]:
                arriving = written.get(name) or here.get(name)
                assert arriving is not None
                others = self._others.get((place, name))
                if others is not None:
                    arriving = arriving.joined(others)
                news |= self._joins((place, to), there, name, arriving)
            if news:
                yield place, to

    def _interference(self, move: _Move, written: Mapping[str, Values]) -> Iterator[At]:
        """Add what a step writes wherever others are; yield the places where that is news."""
        for name, new in written.items():
            for place in self._watchers.get(name, ()):
                if place in move.movers:
                    continue
                old = self._others.get((place, name))
                joined = new if old is None else old.joined(new)
                if joined == old:
                    continue
                self._others[place, name] = joined
                for value in self._reached[place]:
                    if self._joins((place, value), self._at[place, value], name, joined):
                        yield place, value

    def _joins(self, at: At | None, there: dict[str, Values], name: str, arriving: Values) -> bool:
        """Add values to those that there are; return whether some are new."""
        old = there.get(name)
        new = arriving if old is None else old.joined(arriving)
        if new == old:
            return False
        times = self._grown[at, name] = self._grown.get((at, name), 0) + 1
        if times > _EXACT:
            new = between(*rounded(new.range, self._widest[name]))
        there[name] = new
        return new != old


def _within(found: Values | None, widest: Range) -> Values:
    """Return values within the range of the type; what is not in that cannot be."""
    return (None if found is None else found.clipped(*widest)) or between(*widest)


def _suppose(move: _Move, here: Here) -> bool:
    """Take down what the conditions of a step say; return whether they can hold."""
    for subject, operator, other in move.tests:
        old = here.get(subject) if isinstance(subject, str) else values_of(subject, here)
        assert old is not None
        new = supposed(old, operator, values_of(other, here))
        if new is None:
            return False
        if isinstance(subject, str):
            here.own[subject] = new
        else:
            here.terms[subject] = new
    return all(_filter(name, compared, here) for name, compared in move.lone)


def _filter(name: str, compared: _Comparison, here: Here) -> bool:
    """Keep the values of a variable of which a comparison may hold; return whether there are any."""
    known = here.get(name)
    if known is None or known.listed is None:
        return True
    kept = [value for value in known.listed if _may_hold(name, value, compared, here)]
    if kept:
        here.own[name] = listed(kept)
    return bool(kept)


def _may_hold(name: str, value: int, compared: _Comparison, here: Here) -> bool:
    before = here.own.get(name)
    here.own[name] = listed((value,))
    left, operator, right = compared
    found = values_of(left, here)
    possible = found is None or supposed(found, operator, values_of(right, here)) is not None
    if before is None:
        del here.own[name]
    else:
        here.own[name] = before
    return possible
