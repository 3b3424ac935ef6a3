"""The native product on random graphs and automata, against the definition of emptiness."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product as pairs
from random import Random
from typing import Any

import pytest

from tests.native.systems import native

Node = tuple[int, int]
"""A state and a place."""


@dataclass
class World:
    """A graph whose steps are some events, an automaton over two atoms, and fairness.

    The first atom is about states, the second says that event 0 happens next.
    """

    steps: list[list[tuple[int, int]]]
    """For each state, targets with the events that happen."""
    holds: list[bool]
    initial: Sequence[int]
    ways_: dict[tuple[int, int], list[tuple[int, int]]]
    ends_: set[tuple[int, int]]
    done_: set[int]
    untils: int
    weak: Sequence[int] = ()
    strong: Sequence[int] = ()
    doubtful: set[int] = field(default_factory=set)

    # What the product asks.

    def ways(self, place: int, letter: int) -> list[tuple[int, int]]:
        return self.ways_.get((place, letter), [])

    def ends(self, place: int, letter: int) -> bool:
        return (place, letter) in self.ends_

    def done(self, place: int) -> bool:
        return place in self.done_

    def step(self, action: int, words: tuple[int, ...]) -> tuple[list[list[int]], list[int]]:
        found = self.steps[words[0]][action::2]  # two actions share the steps
        return [[target, events] for target, events in found], []

    def check(self, _: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        state = words[0]
        return self.holds[state], [0] if state in self.doubtful else []

    # The definition.

    def letter(self, state: int, events: int) -> int:
        return int(self.holds[state]) | (events & 1) << 1

    def enabled(self, state: int) -> int:
        return _union(events for _, events in self.steps[state])

    def edges(self, node: Node) -> Iterator[tuple[Node, int, int]]:
        """Yield targets with marks and the events that happen."""
        state, place = node
        if state in self.doubtful:
            return
        for target, events in self.steps[state]:
            fair = (events | ~self.enabled(state)) & _union(1 << e for e in self.weak)
            shifted = sum(1 << i for i, e in enumerate(self.weak) if fair >> e & 1)
            for following, kept in self.ways(place, self.letter(state, events)):
                yield (target, following), kept | shifted << self.untils, events

    def finishes(self, node: Node) -> bool:
        state, place = node
        if not (self.weak or self.strong) and self.done(place):
            return True
        stuck = state not in self.doubtful and not self.steps[state]
        return stuck and self.ends(place, self.letter(state, 0))

    def reachable(self) -> set[Node]:
        seen = {(s, 0) for s in self.initial}
        todo = list(seen)
        while todo:
            node = todo.pop()
            for target, _, _ in () if self.finishes(node) else self.edges(node):
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return seen

    def has_path(self) -> bool:
        """Whether there is a path; which strongly fair events are never enabled is guessed."""
        seen = self.reachable()
        if any(map(self.finishes, seen)):
            return True
        marks = range(self.untils + len(self.weak))
        for guess in pairs((False, True), repeat=len(self.strong)):
            never = _union(1 << e for e, yes in zip(self.strong, guess, strict=True) if yes)
            often = [e for e, yes in zip(self.strong, guess, strict=True) if not yes]
            inside = {n for n in seen if not self.enabled(n[0]) & never}
            if self._goes_round(inside, marks, often):
                return True
        return False

    def _goes_round(self, inside: set[Node], marks: range, often: list[int]) -> bool:
        """Whether a path within some nodes has all marks and events again and again."""
        while True:
            rest = set(inside)
            conditions = [(0, m) for m in marks] + [(1, e) for e in often] or [(2, 0)]
            for which, bit in conditions:
                good = {
                    n
                    for n in rest
                    for target, kept, events in self.edges(n)
                    if target in rest and (kept, events, 1)[which] >> bit & 1
                }
                rest = self._leading_to(good, rest)
            if rest == inside:
                return bool(rest)
            inside = rest

    def _leading_to(self, good: set[Node], within: set[Node]) -> set[Node]:
        found = set(good)
        while True:
            more = {
                n
                for n in within - found
                if any(t in found for t, _, _ in self.edges(n) if t in within)
            }
            if not more:
                return found
            found |= more


def _union(masks: Any) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def searched(world: World) -> Any:
    """Return a product that has been searched, and how that ended."""
    it = prepared(world)
    return it, it.run(world.step, world.check, world)


def prepared(world: World) -> Any:
    it = native.Product([8], 1, 2, 1)
    it.add_note(stops=False)
    for action in range(2):
        it.set_events(action, 0, 7)
    it.add_property(0)
    it.add_event(0)
    it.assume(world.untils, world.weak, world.strong)
    for state in world.initial:
        it.add_initial([state])
    return it


def random_world(random: Random) -> World:
    size, places, untils = random.randint(1, 8), random.randint(1, 3), random.randint(0, 2)
    density = random.choice((0.3, 0.8, 1.5, 2.5))
    steps = [
        list({(random.randrange(size), random.randrange(8)) for _ in range(size) if random.random() * size < density})
        for _ in range(size)
    ]  # fmt: skip
    every = list(pairs(range(places), range(4)))
    width = random.choice((0.5, 1.0, 1.5))
    events = [0, 1, 2]
    return World(
        steps,
        [random.random() < 0.5 for _ in range(size)],
        random.sample(range(size), random.randint(1, min(2, size))),
        {
            key: list({(random.randrange(places), random.randrange(1 << untils)) for _ in range(2) if random.random() < width / 1.5})
            for key in every
        },
        {key for key in every if random.random() < 0.15},
        {place for place in range(places) if random.random() < 0.05},
        untils,
        random.sample(events, random.choice((0, 0, 1, 2))),
        random.sample(events, random.choice((0, 0, 1, 2, 3))),
        {s for s in range(size) if random.random() < 0.03},
    )  # fmt: skip


def assert_path(world: World, it: Any) -> None:
    """The path that was found is one, by definition."""
    start, steps, loop, open_ = it.lasso
    assert it.state(start)[0] in world.initial
    states = [it.state(start)[0], *(it.state(s[0])[0] for s in steps)]
    assert not set(states) & world.doubtful or open_
    first = len(steps) - loop
    assert not loop or states[first] == states[-1]
    # The nodes that the path may be at; on the loop with the marks that were seen since its begin.
    here: set[tuple[Node, Node | None, int]] = {((states[0], 0), None, 0)}
    strong = [_union(1 << i for i in range(len(world.strong)))]
    taken = enabled = 0
    for number, (_, letter, fair, happened) in enumerate(steps):
        if loop and number == first:
            here = {(node, node, 0) for node, _, _ in here}
        state, target = states[number], states[number + 1]
        following = set()
        for node, begin, marks in here:
            for after, kept, events in world.edges(node):
                wanted = sum(1 << i for i, e in enumerate(world.strong) if events >> e & 1)
                same = world.letter(state, events) == letter and kept >> world.untils == fair
                if after[0] == target and same and wanted == happened:
                    following.add((after, begin, marks | kept))
        assert following
        here = following
        if loop and number >= first:
            taken |= happened
            could = world.enabled(state)
            enabled |= sum(1 << i for i, e in enumerate(world.strong) if could >> e & 1)
    if loop:
        every = (1 << world.untils + len(world.weak)) - 1
        assert any(node == begin and marks == every for node, begin, marks in here)
        assert not enabled & ~taken & strong[0]
    else:
        assert any(world.finishes(node) for node, _, _ in here)


@pytest.mark.parametrize("seed", range(40))
def test_random_products(seed: int) -> None:
    random = Random(seed)
    for _ in range(50):
        world = random_world(random)
        it, ending = searched(world)
        assert ending == ("violation" if world.has_path() else "complete"), world
        if it.lasso is not None:
            assert_path(world, it)
        else:
            reachable = world.reachable()
            assert it.nodes == len(reachable)
            assert it.states == len({state for state, _ in reachable})


def chain(length: int) -> World:
    """A long path that ends, and an automaton that wants it to go on for ever."""
    steps = [[(s + 1, 0)] for s in range(length - 1)] + [[]]
    ways = {(0, letter): [(0, 1)] for letter in range(4)}
    return World(steps, [True] * length, [0], ways, set(), set(), 1)


class Endless:
    """Goes on until it is told to stop."""

    def step(self, action: int, words: tuple[int, ...]) -> tuple[list[list[int]], list[int]]:
        time.sleep(0.0001)
        return [[words[0] + 1, 0]] if action == 0 else [], []

    def check(self, _: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        return bool(words), []


def endless() -> tuple[Any, Endless, World]:
    it = native.Product([40], 1, 2, 1)
    it.set_events(0, 0, 1)
    it.add_property(0)
    it.assume(1, [], [])
    it.add_initial([0])
    return it, Endless(), chain(1)


def test_the_limit_of_states_is_exact() -> None:
    world = chain(100)
    for limit in (1, 2, 50, 99):
        it = prepared(world)
        it.max_states = limit
        assert it.run(world.step, world.check, world) == "states"
        assert it.states == limit
    it = prepared(world)
    it.max_states = 100
    assert it.run(world.step, world.check, world) == "complete"


def test_limits_of_time_and_memory() -> None:
    it, model, automaton = endless()
    it.max_seconds = 0.2
    assert it.run(model.step, model.check, automaton) == "seconds"
    it, model, automaton = endless()
    it.max_memory = 1 << 20
    assert it.run(model.step, model.check, automaton) == "memory"
    assert it.memory > 1 << 19


def test_another_thread_may_interrupt() -> None:
    it, model, automaton = endless()
    timer = threading.Timer(0.2, it.interrupt)
    timer.start()
    assert it.run(model.step, model.check, automaton) == "interrupted"
    timer.join()
    assert it.states > 0
    assert it.lasso is None


def test_what_a_callback_raises_is_raised() -> None:
    world = chain(10)

    class Broken(World):
        def ways(self, place: int, letter: int) -> list[tuple[int, int]]:
            raise ZeroDivisionError(place, letter)

    it = prepared(world)
    with pytest.raises(ZeroDivisionError):
        it.run(world.step, world.check, Broken(**vars(world)))


def test_mistakes_are_refused() -> None:
    it = native.Product([8], 0, 1, 1)
    with pytest.raises(ValueError, match="no room for marks"):
        it.set_events(0, 0, 1)
    with pytest.raises(ValueError, match="64"):
        it.assume(60, [0] * 5, [])
    with pytest.raises(ValueError, match="words"):
        it.add_initial([1, 2])
    with pytest.raises(IndexError):
        it.add_property(1)
