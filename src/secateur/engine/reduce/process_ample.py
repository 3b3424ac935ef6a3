"""Ample sets of processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence

from secateur.engine.reduce.closure import never_repairs
from secateur.engine.reduce.protocol import Choice, Here, Preserved, ReductionRow, Scene
from secateur.system.events import Action


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

      D1  B has no program counters, and in Promela others write them, too: who starts a process,
          and its partner in a rendezvous.  So instead of current_i(s) all of its actions are
          looked at that do not happen.  One of their conjuncts that is not true must stay so:
          only the process itself can make it true, or somebody who cannot happen as long as one
          of T_i(s) can (such as who starts a process that is there already).  What is in T_i(s)
          goes on to happen, as nobody else depends on it;
      D2  dep and pre are the relations between instances, not those of shared variables;
      D3  "visible" means "may repair what is wrong", and is not asked where only deadlocks are.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.processes = processes(scene.system.actions)

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
        waiting = [a for a in self.processes[number] if a not in t_i]
        return all(self.stays(a, own, t_i, here) for a in waiting)

    def stays(self, a: int, own: frozenset[int], t_i: tuple[int, ...], here: Here) -> bool:
        """Whether nobody else can let an action happen before one of `t_i` does."""
        excluded = self.scene.lookup.excluded
        untrue = here.guards[a].false | here.guards[a].undefined
        return any(
            untrue >> conjunct & 1
            and all(
                b in own or any(b in excluded(alpha) for alpha in t_i)
                for b in self.pre(a, conjunct)
            )
            for conjunct in range(self.scene.lookup.conjuncts(a))
        )

    def belongings(self) -> list[int]:
        """Return for each action the number of its process."""
        found = [0] * len(self.scene.system.actions)
        for number, process in enumerate(self.processes):
            for a in process:
                found[a] = number
        return found

    def pre(self, action: int, conjunct: int) -> Iterable[int]:
        """Return what can make a conjunct of an action true."""
        return self.scene.lookup.enablers(action, conjunct)

    def check_c2(self, actions: tuple[int, ...]) -> bool:
        """Whether none of the actions is visible."""
        return never_repairs(actions, self.scene.lookup, self.scene.question)


PROCESS_AMPLE = ReductionRow(
    "process-ample",
    "ample sets of processes",
    ProcessAmple,
    "ClarkeGrumbergPeled99, 10.6",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    cyclic=True,
)
