"""Whether some fair path of a graph violates a formula, straight from the fixpoints.

Shares nothing with the product or the search of components: all operators are taken as they are
written, every step of the graph is paired with every guess which temporal parts of the formula
hold there, and what cannot go on is thrown away until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from secateur.ltl.atoms import Atom
from secateur.ltl.formula import Binary, Formula, Holds, One, Truth, Two, Unary, parts
from secateur.system.system import Transition

Happens = Callable[[Transition], bool]
Values = tuple[bool, ...]
"""Whether each part of a formula holds, inner ones first."""

FUTURE = frozenset(
    {
        Unary.NEXT,
        Unary.FINALLY,
        Unary.GLOBALLY,
        Binary.UNTIL,
        Binary.WEAK_UNTIL,
        Binary.RELEASE,
    }
)
PAST = frozenset({Unary.YESTERDAY, Unary.ONCE, Unary.HISTORICALLY, Binary.SINCE, Binary.TRIGGER})


@dataclass(eq=False)
class Place:
    """A step out of a state (None at the end), and what is guessed to hold there."""

    state: int
    taken: Transition | None
    values: Values
    following: list[Place] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """A part of a formula; its own arguments by their numbers."""

    number: int
    operator: Unary | Binary | None
    left: int
    right: int
    formula: Formula

    def beside(self, now: Values, other: Values | None) -> bool:
        """Return whether a temporal formula holds, given the position after it (or before it)."""
        left, right = now[self.left], now[self.right]
        more = other is not None and other[self.number]
        match self.operator:
            case Unary.NEXT | Unary.YESTERDAY:
                return other is not None and other[self.left]
            case Unary.FINALLY | Unary.ONCE:
                return left or more
            case Unary.GLOBALLY | Unary.HISTORICALLY:
                return left and (other is None or more)
            case Binary.UNTIL | Binary.SINCE:
                return right or (left and more)
            case Binary.WEAK_UNTIL:
                return right or (left and (other is None or more))
            case Binary.RELEASE | Binary.TRIGGER:
                return right and (left or other is None or more)
        raise AssertionError(self)

    def fulfilled(self, values: Values) -> bool:
        """Whether what is said to happen some time (that it fails, for some) happens now."""
        holds, left, right = values[self.number], values[self.left], values[self.right]
        match self.operator:
            case Unary.FINALLY:
                return not holds or left
            case Binary.UNTIL:
                return not holds or right
            case Unary.GLOBALLY:
                return holds or not left
            case Binary.RELEASE:
                return holds or not right
            case Binary.WEAK_UNTIL:
                return holds or not (left or right)
        return True


def taken_apart(formula: Formula) -> list[Part]:
    """Return the parts, the formula last."""
    place: dict[Formula, int] = {}
    found: list[Part] = []
    for f in parts(formula):
        if f in place:
            continue
        place[f] = len(found)
        match f:
            case One(operator, argument):
                part = Part(len(found), operator, place[argument], place[argument], f)
            case Two(link, left, right):
                part = Part(len(found), link, place[left], place[right], f)
            case _:
                part = Part(len(found), None, 0, 0, f)
        found.append(part)
    return found


@dataclass
class Naive:
    """A graph with atoms, and the events that paths are fair to."""

    starts: Sequence[int]
    edges: Mapping[int, Sequence[Transition]]
    truth: Callable[[Atom, int, Transition | None], bool]
    weak: Sequence[Happens] = ()
    strong: Sequence[Happens] = ()

    def violated(self, formula: Formula) -> bool:
        """Whether some fair path does not satisfy the formula."""
        listed = taken_apart(formula)
        places = self._reached(listed)
        if any(p.taken is None for p in places):
            return True
        fulfilled = [{p for p in places if f.fulfilled(p.values)} for f in listed]
        for choice in product((False, True), repeat=len(self.strong)):
            allowed, wanted = set(places), list(fulfilled)
            for event, happens in zip(self.strong, choice, strict=True):
                if happens:
                    wanted.append({p for p in places if _takes(p, event)})
                else:
                    allowed -= {p for p in places if self._enabled(p, event)}
            wanted += [
                {p for p in places if _takes(p, event) or not self._enabled(p, event)}
                for event in self.weak
            ]
            if _for_ever(allowed, wanted):
                return True
        return False

    def _enabled(self, place: Place, event: Happens) -> bool:
        return any(event(t) for t in self.edges[place.state])

    def _reached(self, listed: list[Part]) -> list[Place]:
        past = [p for p in listed if p.operator in PAST]
        future = [p for p in listed if p.operator in FUTURE]
        by_state = {s: list(self._places(s, listed)) for s in self.edges}
        todo = [
            p
            for s in self.starts
            for p in by_state[s]
            if not p.values[-1]
            and all(p.values[f.number] == f.beside(p.values, None) for f in past)
        ]
        seen = dict.fromkeys(todo)
        while todo:
            place = todo.pop()
            if place.taken is None:
                continue
            target = place.taken.target
            assert isinstance(target, int)
            now = place.values
            for following in by_state[target]:
                then = following.values
                if all(now[f.number] == f.beside(now, then) for f in future) and all(
                    then[f.number] == f.beside(then, now) for f in past
                ):
                    place.following.append(following)
                    if following not in seen:
                        seen[following] = None
                        todo.append(following)
        return list(seen)

    def _places(self, state: int, listed: list[Part]) -> Iterator[Place]:
        temporal = sum(p.operator in FUTURE | PAST for p in listed)
        for taken in self.edges[state] or (None,):
            for guess in product((False, True), repeat=temporal):
                values = self._values(listed, iter(guess), state, taken)
                if taken is None and not all(
                    values[f.number] == f.beside(values, None)
                    for f in listed
                    if f.operator in FUTURE
                ):
                    continue
                yield Place(state, taken, values)

    def _values(
        self, listed: list[Part], guess: Iterator[bool], state: int, taken: Transition | None
    ) -> Values:
        values: list[bool] = []
        for part in listed:
            if part.operator in FUTURE or part.operator in PAST:
                values.append(next(guess))
            else:
                values.append(self._now(part, values, state, taken))
        return tuple(values)

    def _now(self, part: Part, values: list[bool], state: int, taken: Transition | None) -> bool:
        match part.formula:
            case Truth(value):
                return value
            case Holds(atom):
                return self.truth(atom, state, taken)
        left, right = values[part.left], values[part.right]
        match part.operator:
            case Unary.NOT:
                return not left
            case Binary.AND:
                return left and right
            case Binary.OR:
                return left or right
            case Binary.IMPLIES:
                return not left or right
            case Binary.IFF:
                return left == right
        raise AssertionError(part)


def _takes(place: Place, event: Happens) -> bool:
    return place.taken is not None and event(place.taken)


def _for_ever(allowed: set[Place], wanted: list[set[Place]]) -> bool:
    """Whether one can go on for ever and meet all that is wanted again and again.

    The greatest Z such that from each place in it, after a step or more in Z, each wanted set
    is met in Z.
    """
    z = allowed
    while True:
        smaller = {p for p in z if any(n in z for n in p.following)}
        for goal in wanted:
            smaller = _leads_to(smaller, goal)
        if smaller == z:
            return bool(z)
        z = smaller


def _leads_to(z: set[Place], goal: set[Place]) -> set[Place]:
    before: dict[Place, list[Place]] = {p: [] for p in z}
    for p in z:
        for n in p.following:
            if n in z:
                before[n].append(p)
    todo = [p for p in z if p in goal]
    found: set[Place] = set()
    while todo:
        for p in before[todo.pop()]:
            if p not in found:
                found.add(p)
                todo.append(p)
    return found
