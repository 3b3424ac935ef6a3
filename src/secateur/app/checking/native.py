"""The native engine at work on a machine; importing this loads the compiler."""

from __future__ import annotations

from collections.abc import Callable

from secateur.engine.native.explore import Manner, explore
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.system.engine import Engine
from secateur.system.result import Result


def explore_machine(
    task: Task,
    system: MachineSystem,
    planned: Plan,
    aside: Callable[[Engine], None] | None = None,
) -> Result:
    """Return what the native engine finds; all steps of its traces have been executed twice."""

    def evaluated(task: Task) -> Result:
        result = planned.search.search(task)
        for violation in result.violations:
            violation.trace.replay()
        return result

    manner = Manner(
        planned.search.name,
        planned.threads,
        planned.compress,
        planned.fingerprint,
        # Fingerprints are asked for: no other engine will do.
        evaluated if planned.native is None and not planned.fingerprint else None,
        aside=aside,
    )
    return explore(task, lambda: CompiledMachine(system, system.solutions), manner)
