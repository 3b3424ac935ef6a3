"""Ample sets of processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from secateur.engine.reduce.closure import never_repairs
from secateur.engine.reduce.protocol import Choice, Here, Preserved, ReductionRow, Scene
from secateur.system.events import Action, Conjunct


def processes(actions: Sequence[Action]) -> tuple[tuple[int, ...], ...]:
    """Return the actions of each process, by their numbers.

    Where the language has none, a process is a value of the parameter that most actions have.
    The instances of an operation without it are a process by themselves.
    """
    shared = Counter(name for action in actions for name, _ in action.arguments)
    common = max(shared, key=lambda name: shared[name], default=None)
    groups: dict[Hashable, list[int]] = {}
    for number, action in enumerate(actions):
        values = [value for name, value in action.arguments if name == common]
        if action.process is not None:
            groups.setdefault(("process", action.process), []).append(number)
            continue
        key = ("value", values[0]) if values else ("operation", action.operation)
        groups.setdefault(key, []).append(number)
    return tuple(map(tuple, groups.values()))


class ProcessAmple:
    """All that one process can do in a state, if nobody interferes.

    J. Strejček: *IA159 Formal Verification Methods*, lecture on partial order reduction,
    functions ample, checkC1 and checkC2, after E. Clarke, O. Grumberg, D. Peled: *Model
    Checking*, 1999, section 10.6.  C3' is the proviso `stack`.

    Deviations from the source:

      D1  B has no program counters: pc_i are the slots that no other process writes, and
          current_i(s) are the actions of which no conjunct over such slots is false;
      D2  dep and pre are the relations between instances, not those of shared variables;
      D3  "visible" means "may repair what is wrong", and is not asked where only deadlocks are.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.processes = processes(scene.system.actions)
        self._foreign: list[int] = [
            self._written([a for q in self.processes if q is not p for a in q])
            for p in self.processes
        ]

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield T_i(s) of each process that passes the checks."""
        reach = self.scene.question.reach
        happening = frozenset(here.enabled)
        for number, process in enumerate(self.processes):
            t_i = tuple(a for a in process if a in happening)
            if not t_i or len(t_i) == len(here.enabled):
                continue
            if self.check_c1(number, t_i, here) and (not reach or self.check_c2(t_i)):
                yield Choice(t_i, "all that one process can do", reach)

    def check_c1(self, number: int, t_i: tuple[int, ...], here: Here) -> bool:
        """Whether no other process can do, or cause, anything that depends on `t_i`."""
        own = frozenset(self.processes[number])
        lookup = self.scene.lookup
        if any(b not in own for a in t_i for b in lookup.dependents(a)):  # dep(T_i(s)) & T_j
            return False
        waiting = [a for a in self.current(number, here) if a not in t_i]
        return all(b in own for a in waiting for b in self.pre(a))

    def belongings(self) -> list[tuple[int, int]]:
        """Return for each action its process, and the conjuncts that no other process changes."""
        actions = self.scene.system.actions
        found = [(0, 0)] * len(actions)
        for number, process in enumerate(self.processes):
            for a in process:
                own = sum(1 << i for i, c in enumerate(actions[a].guard) if self._own(c, number))
                found[a] = (number, own)
        return found

    def _own(self, conjunct: Conjunct, process: int) -> bool:
        return not conjunct.reads & self._foreign[process]

    def current(self, number: int, here: Here) -> list[int]:
        """Return the actions of a process that may happen in a state that is alike for it."""
        actions = self.scene.system.actions

        def stays(a: int) -> bool:
            action, false = actions[a], here.guards[a].false
            return any(
                false >> i & 1 and self._own(conjunct, number)
                for i, conjunct in enumerate(action.guard)
            )

        return [a for a in self.processes[number] if not stays(a)]

    def pre(self, action: int) -> Iterator[int]:
        """Yield what can make a conjunct of an action true."""
        for conjunct in range(self.scene.lookup.conjuncts(action)):
            yield from self.scene.lookup.enablers(action, conjunct)

    def check_c2(self, actions: tuple[int, ...]) -> bool:
        """Whether none of the actions is visible."""
        return never_repairs(actions, self.scene.lookup, self.scene.question)

    def _written(self, actions: Sequence[int]) -> int:
        written = 0
        for a in actions:
            written |= self.scene.system.actions[a].may_write
        return written


PROCESS_AMPLE = ReductionRow(
    "process-ample",
    "ample sets of processes",
    ProcessAmple,
    "ClarkeGrumbergPeled99, 10.6",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    cyclic=True,
)
