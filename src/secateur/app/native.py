"""The native engine at work on a machine; importing this loads the compiler."""

from __future__ import annotations

from secateur.engine.native.explore import explore
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.system.result import Result


def explore_machine(task: Task, system: MachineSystem, planned: Plan) -> Result:
    """Return what the native engine finds."""
    return explore(
        task,
        lambda: CompiledMachine(system, system.solutions),
        search=planned.search.name,
        threads=planned.threads,
    )
