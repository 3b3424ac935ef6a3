"""Heuristics about processes: those that can go on, and how far each is from where it may wait."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.engine.heuristics.active import active_processes
from secateur.engine.heuristics.control import Control
from secateur.engine.heuristics.local import local_distance
from secateur.engine.heuristics.protocol import Heuristic
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.system.system import PropertyKind, Transition
from secateur.system.verdict import Violated

CROSSED = """
bool left, right; byte idle;
active proctype one() {
  idle++; idle++; d_step { !left -> left = true }; d_step { !right -> right = true }
}
active proctype two() { d_step { !right -> right = true }; d_step { !left -> left = true } }
"""


def _model(path: Path) -> Path:
    file = path / "crossed.pml"
    file.write_text(CROSSED)
    return file


def _system(path: Path) -> UnfoldedMachine:
    system = secateur.load(_model(path)).system
    list(system.initial())
    machine = CompiledMachine(system, system.solutions)
    return UnfoldedMachine(machine, frozenset({PropertyKind.DEADLOCK}))


def _along(system: UnfoldedMachine, guide: Heuristic, operations: list[str]) -> list[float]:
    """Return what a heuristic says on a way, step by step."""
    state = next(t.target for t in system.initial() if isinstance(t, Transition))
    found = [guide(state)]
    for operation in operations:
        steps = [t for t in system.successors(state) if isinstance(t, Transition)]
        state = next(t.target for t in steps if t.step.operation.startswith(operation))
        found.append(guide(state))
    return found


def test_places_of_processes_are_control_slots(tmp_path: Path) -> None:
    system = _system(tmp_path)
    control = Control(system)
    names = {system.slots[n].name for n in control.moves}
    assert {"one_0", "two_1"} <= names


def test_the_local_distance_falls_on_the_way_to_where_a_process_may_wait(tmp_path: Path) -> None:
    system = _system(tmp_path)
    said = _along(system, local_distance(system), ["one_0", "one_0"])
    assert said == sorted(said, reverse=True)
    assert said[0] - said[-1] == 2


def test_blocked_processes_are_not_active(tmp_path: Path) -> None:
    system = _system(tmp_path)
    said = _along(system, active_processes(system), ["one_0", "one_0", "one_0", "two_1"])
    assert said == [2, 2, 2, 2, 0]


@pytest.mark.parametrize("heuristic", ["active", "local"])
@pytest.mark.parametrize("search", ["best", "astar"])
def test_they_find_a_deadlock(tmp_path: Path, search: str, heuristic: str) -> None:
    result = secateur.load(_model(tmp_path)).check(search=search, heuristic=heuristic, por="none")
    assert isinstance(result.verdict, Violated)
    assert result.violations[0].kind is PropertyKind.DEADLOCK
