"""Small random graphs and formulas, and all lassos of such a graph up to a length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.formula import FALSE, TRUE, Binary, Formula, Holds, One, Two, Unary
from secateur.system.system import PropertyKind, State, Step, Transition

EVENTS = ("a", "b", "c")
PREDICATES = ("p", "q")


@dataclass
class Toy:
    """States are numbers; `truths` says which predicates hold in them."""

    edges: dict[int, tuple[Transition, ...]]
    truths: dict[int, frozenset[str]]
    starts: tuple[int, ...] = (0,)
    name: str = "toy"
    operations: Sequence[str] = field(default=EVENTS)

    def initial(self) -> Iterator[Transition]:
        return (Transition(Step("INITIALISATION"), s) for s in self.starts)

    def successors(self, state: State) -> tuple[Transition, ...]:
        assert isinstance(state, int)
        return self.edges[state]

    def is_initialised(self, _state: State) -> bool:
        return True

    def may_end(self, state: State) -> bool:  # noqa: ARG002
        return False

    def breaches(self, _state: State, _kinds: frozenset[PropertyKind]) -> Iterator[object]:
        return iter(())

    def values(self, state: State) -> Sequence[tuple[str, object]]:
        return [("s", state)]

    def shown(self, state: State) -> Sequence[tuple[str, object]]:
        return self.values(state)

    def why_no_initial_state(self) -> str:
        return ""

    def truth(self, atom: Atom, state: int, taken: Transition | None) -> bool:
        """Say whether an atom holds; the definition."""
        names = [t.step.operation for t in self.edges[state]]
        match atom.kind:
            case Kind.PREDICATE:
                return atom.text in self.truths[state]
            case Kind.EVENT:
                return taken is not None and taken.step.operation == atom.events[0].name
            case Kind.ENABLED:
                return atom.events[0].name in names
            case Kind.DEADLOCK:
                return not names
        raise AssertionError(atom)


def toys(rng: Random) -> Toy:
    """Return a graph with one to four states."""
    size = rng.randint(1, 4)
    edges: dict[int, tuple[Transition, ...]] = {}
    for s in range(size):
        count = rng.choice((0, 1, 1, 2, 2, 3))
        found = {(rng.choice(EVENTS), rng.randrange(size)) for _ in range(count)}
        edges[s] = tuple(Transition(Step(e), t) for e, t in sorted(found))
    truths = {s: frozenset(p for p in PREDICATES if rng.random() < 0.5) for s in range(size)}
    return Toy(edges, truths, (0,) if rng.random() < 0.8 else tuple(range(min(2, size))))


def formulas(rng: Random, depth: int, *, past: bool) -> Formula:
    """Return a formula at most so deep."""
    if depth == 0 or rng.random() < 0.15:
        return _leaf(rng)
    if rng.random() < 0.5:
        ones = [u for u in Unary if past or u not in _PAST_ONES]
        return One(rng.choice(ones), formulas(rng, depth - 1, past=past))
    twos = [b for b in Binary if past or b not in _PAST_TWOS]
    left = formulas(rng, depth - 1, past=past)
    return Two(rng.choice(twos), left, formulas(rng, depth - 1, past=past))


_PAST_ONES = (Unary.YESTERDAY, Unary.ONCE, Unary.HISTORICALLY)
_PAST_TWOS = (Binary.SINCE, Binary.TRIGGER)


def _leaf(rng: Random) -> Formula:
    kind = rng.choice(
        (Kind.PREDICATE, Kind.PREDICATE, Kind.EVENT, Kind.ENABLED, Kind.DEADLOCK, None)
    )
    if kind is None:
        return rng.choice((TRUE, FALSE))
    if kind is Kind.PREDICATE:
        return Holds(Atom(kind, rng.choice(PREDICATES)))
    if kind is Kind.DEADLOCK:
        return Holds(Atom(kind))
    return Holds(Atom(kind, events=(Event(rng.choice(EVENTS)),)))


def lassos(toy: Toy, most: int) -> Iterator[tuple[int, tuple[Transition, ...], int | None]]:
    """Yield all paths with at most so many steps that end in a deadlock or where they have been.

    The last is the position that comes after the last step, None for a deadlock.
    """
    todo: list[tuple[int, tuple[Transition, ...], tuple[int, ...]]] = [
        (s, (), (s,)) for s in toy.starts
    ]
    while todo:
        start, path, states = todo.pop()
        if not toy.edges[states[-1]]:
            yield start, path, None
        for i, state in enumerate(states[:-1]):
            if state == states[-1]:
                yield start, path, i
        if len(path) < most:
            for t in toy.edges[states[-1]]:
                assert isinstance(t.target, int)
                todo.append((start, (*path, t), (*states, t.target)))
