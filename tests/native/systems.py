"""Small systems, explored by the native explorer and by thirty lines of Python."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import pytest

native = pytest.importorskip(
    "secateur._native", reason="NOT TESTED: the native module is not built (make native)"
)

State = tuple[int, ...]
Record = tuple[State, tuple[int, ...]]
"""A successor and its labels."""


class Trap(Exception):
    """The compiled action cannot do this step."""


@dataclass(frozen=True)
class Act:
    """One action: `steps` yields successors with labels, compiled or not.

    With `traps`, the compiled code gives up where that is true.
    """

    steps: Callable[[State], Iterable[Record]]
    read: State | None = None
    write: State | None = None
    compiled: bool = True
    distinct: bool = True
    traps: Callable[[State], bool] = lambda s: False
    notes: Callable[[State], Sequence[int]] = lambda s: ()
    affected: Sequence[int] | None = None


@dataclass(frozen=True)
class Prop:
    """One property."""

    holds: Callable[[State], bool]
    read: State | None = None
    compiled: bool = True
    traps: Callable[[State], bool] = lambda s: False
    notes: Callable[[State], Sequence[int]] = lambda s: ()


@dataclass
class Sys:
    """A system with states of `len(bits)` words."""

    bits: Sequence[int]
    initial: Sequence[State]
    actions: Sequence[Act]
    properties: Sequence[Prop] = ()
    label_words: int = 0
    notes: Sequence[bool] = ()
    stop_at: tuple[Sequence[int], bool] = ((), False)


@dataclass
class Expected:
    """What the Python search found."""

    depth: dict[State, int] = field(default_factory=dict)
    transitions: Counter[int] = field(default_factory=Counter)
    violations: dict[int, set[State]] = field(default_factory=dict)
    notes: dict[int, set[State]] = field(default_factory=dict)
    deadlocks: set[State] = field(default_factory=set)


def expected(system: Sys) -> Expected:
    """Explore breadth-first, in Python."""
    found = Expected(depth=dict.fromkeys(system.initial, 0))
    queue = list(found.depth)
    for state in queue:
        for p, prop in enumerate(system.properties):
            if not prop.holds(state):
                found.violations.setdefault(p, set()).add(state)
            for note in prop.notes(state):
                found.notes.setdefault(note, set()).add(state)
        stuck = True
        for a, act in enumerate(system.actions):
            for target, _ in dict.fromkeys(act.steps(state)):
                stuck = False
                found.transitions[a] += 1
                if target not in found.depth:
                    found.depth[target] = found.depth[state] + 1
                    queue.append(target)
            for note in act.notes(state):
                stuck = False
                found.notes.setdefault(note, set()).add(state)
        if stuck:
            found.deadlocks.add(state)
    return found


_U64: Final = ctypes.POINTER(ctypes.c_uint64)
_U32: Final = ctypes.POINTER(ctypes.c_uint32)
_U8: Final = ctypes.POINTER(ctypes.c_uint8)
GROUP: Final = ctypes.CFUNCTYPE(ctypes.c_int64, _U64, _U64, ctypes.c_int64, _U32, _U32)
CHECK: Final = ctypes.CFUNCTYPE(None, _U64, _U8)
FULL = -2


def group_function(system: Sys, actions: Sequence[int]) -> Any:
    """Return what compiled code for these actions would do, as native/ABI.md says."""
    words, stride = len(system.bits), len(system.bits) + system.label_words

    def run(state: Any, records: Any, capacity: int, by: Any, trapped: Any) -> int:
        s = tuple(state[i] for i in range(words))
        end = 0
        for j, a in enumerate(actions):
            act = system.actions[a]
            if act.traps(s):
                trapped[0] += 1
                trapped[trapped[0]] = j
                continue
            for target, labels in act.steps(s):
                if end == capacity:
                    return FULL
                for i, word in enumerate((*target, *labels)):
                    records[end * stride + i] = word
                by[end] = j
                end += 1
        return end

    return GROUP(run)


def check_function(system: Sys, properties: Sequence[int]) -> Any:
    """Return what compiled code for these properties would do."""
    words = len(system.bits)

    def run(state: Any, holds: Any) -> None:
        s = tuple(state[i] for i in range(words))
        for j, p in enumerate(properties):
            prop = system.properties[p]
            holds[j] = 2 if prop.traps(s) else int(prop.holds(s))

    return CHECK(run)


class Run:
    """The explorer, set up for a system."""

    def __init__(self, system: Sys, group_size: int = 3) -> None:
        self.system = system
        self.shortest = True
        self.sparing = False
        self.asked: list[tuple[str, int, State]] = []
        n_actions, n_properties = len(system.actions), len(system.properties)
        self.explorer = native.Explorer(system.bits, system.label_words, n_actions, n_properties)
        self._alive: list[Any] = []
        compiled = [a for a, act in enumerate(system.actions) if act.compiled]
        for start in range(0, len(compiled), group_size):
            some = compiled[start : start + group_size]
            distinct = [system.actions[a].distinct for a in some]
            self.explorer.add_group(self._address(group_function(system, some)), some, distinct)
        checks = [p for p, prop in enumerate(system.properties) if prop.compiled]
        if checks:
            self.explorer.add_checks(self._address(check_function(system, checks)), checks)
        self._describe()

    def _address(self, function: Any) -> int:
        self._alive.append(function)
        return ctypes.cast(function, ctypes.c_void_p).value or 0

    def _describe(self) -> None:
        every = tuple(2**64 - 1 for _ in self.system.bits)
        for a, act in enumerate(self.system.actions):
            self.explorer.set_masks(a, act.read or every, act.write or every)
            if act.affected is not None:
                self.explorer.set_affected(a, act.affected)
        for p, prop in enumerate(self.system.properties):
            self.explorer.set_check_mask(p, prop.read or every)
        for stops in self.system.notes:
            self.explorer.add_note(stops)
        self.explorer.stop_at(*self.system.stop_at)
        for state in self.system.initial:
            self.explorer.add_initial(state)

    def step(self, action: int, state: State) -> tuple[list[State], Sequence[int]]:
        self.asked.append(("step", action, state))
        act = self.system.actions[action]
        return [target for target, _ in dict.fromkeys(act.steps(state))], act.notes(state)

    def check(self, property_: int, state: State) -> tuple[bool, Sequence[int]]:
        self.asked.append(("check", property_, state))
        prop = self.system.properties[property_]
        return prop.holds(state), prop.notes(state)

    def search(self, name: str) -> None:
        self.explorer.search = name
        self.shortest = name == "bf"

    def run(self) -> str:
        ending = str(self.explorer.run(self.step, self.check))
        assert self.explorer.retrace(self.step, self.check, self.sparing)
        return ending

    def state(self, index: int) -> State:
        return tuple(self.explorer.state(index))


def assert_agrees(run: Run) -> None:
    """Check everything that a complete run says."""
    want = expected(run.system)
    x = run.explorer
    assert x.states == len(want.depth)
    assert x.transitions_by_action == [want.transitions[a] for a in range(len(run.system.actions))]
    assert x.transitions == want.transitions.total()
    assert x.waiting == 0
    _assert_seen(run, x.violations, want.violations, want.depth)
    _assert_seen(run, x.notes, want.notes, want.depth)
    _assert_seen(run, [x.deadlocks], {0: want.deadlocks}, want.depth)


def _assert_seen(run: Run, got: Any, want: dict[int, set[State]], depth: dict[State, int]) -> None:
    for i, (count, first) in enumerate(got):
        states = want.get(i, set())
        assert count == len(states)
        assert (first is None) == (not states)
        if first is not None:
            assert run.state(first) in states
            assert_is_path(run, first)
            if run.shortest:
                assert depth[run.state(first)] == min(depth[s] for s in states)
                assert len(run.explorer.path(first)) == depth[run.state(first)] + 1


def assert_is_path(run: Run, index: int) -> None:
    """Check that the path to a state is one."""
    path = [run.state(i) for i in run.explorer.path(index)]
    assert path[0] in run.system.initial
    assert path[-1] == run.state(index)
    for source, target in pairwise(path):
        assert any(target == t for act in run.system.actions for t, _ in act.steps(source))


def counter(word: int, shift: int, most: int, width: int = 4, **more: Any) -> Act:
    """Return an action that counts up."""
    mask = (2**width - 1) << shift

    def steps(state: State) -> list[Record]:
        if (state[word] & mask) >> shift >= most:
            return []
        new = list(state)
        new[word] += 1 << shift
        return [(tuple(new), ())]

    return Act(steps, **more)


def only(word: int, mask: int, words: int) -> State:
    """Return a mask with bits in one word."""
    return tuple(mask if i == word else 0 for i in range(words))
