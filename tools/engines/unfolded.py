"""Instances against operations: both must lead to the same states."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.system.events import disabled
from secateur.system.packing import Misfit
from secateur.system.system import State, Transition


@dataclass(slots=True)
class Comparison:
    """What was seen: states compared, those in which an action could not tell, differences."""

    states: int = 0
    traps: int = 0
    differences: list[str] = field(default_factory=list)


def compare_instances(system: MachineSystem, most_states: int) -> Comparison:
    """Compare the actions with the evaluator in the first states of a breadth-first search."""
    initial = _initial(system, most_states)
    if not initial:
        return Comparison()
    machine = CompiledMachine(system, system.solutions)
    while True:
        unfolded = UnfoldedMachine(machine)
        try:
            return _compare(unfolded, initial, most_states)
        except Misfit as misfit:
            machine.widen(misfit)


def _initial(system: MachineSystem, most: int) -> list[State]:
    found: list[State] = []
    todo = deque(i.target for i in system.initial() if isinstance(i, Transition))
    while todo and len(found) < most:
        state = todo.popleft()
        if system.is_initialised(state):
            found.append(state)
        else:
            todo.extend(i.target for i in system.successors(state) if isinstance(i, Transition))
    return found


def _compare(system: UnfoldedMachine, initial: list[State], most: int) -> Comparison:
    seen = {system.pack(state): None for state in initial}
    todo = deque(seen)
    result = Comparison()
    while todo and result.states < most:
        state = todo.popleft()
        assert isinstance(state, int)
        result.states += 1
        found = _by_actions(system, state, result)
        outgoing = list(system.successors(state))
        wanted = {(i.step.operation, i.target) for i in outgoing if isinstance(i, Transition)}
        whole = found is not None
        if found is None:
            result.traps += 1
        elif found != wanted or len(wanted) == 0 != len(outgoing):
            odd = ", ".join(sorted({name for name, _ in found ^ wanted}))
            result.differences.append(f"{odd or 'a fault'}: {system.values(state)}")
        if whole and any(not isinstance(i, Transition) for i in outgoing):
            result.differences.append(f"a fault is not noticed: {system.values(state)}")
        for _, target in wanted:
            if target not in seen:
                seen[target] = None
                todo.append(target)
    return result


def _by_actions(
    system: UnfoldedMachine, state: int, result: Comparison
) -> set[tuple[str, State]] | None:
    """Return what the actions lead to; None if one of them cannot tell."""
    found: set[tuple[str, State]] = set()
    for number, action in enumerate(system.actions):
        guard = system.guard(number, state)
        if not guard.holds:
            if not disabled(action, guard):
                return None
            continue
        targets = system.results(number, state)
        if targets is None:
            return None
        if action.deterministic and len(targets) > 1:
            result.differences.append(f"{action.operation} has several results")
        for target in targets:
            if (target ^ state) & ~action.may_write:
                result.differences.append(f"{action.operation} writes what it does not say")
            found.add((action.operation, target))
    return found
