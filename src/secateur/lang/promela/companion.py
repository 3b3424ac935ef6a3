"""What happens along with steps of Promela: assertions, and processes that there is no room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from secateur.lang.model import Operation
from secateur.lang.promela.expressions import PROCESSES
from secateur.lang.promela.world import Site
from secateur.lang.simulation import Refining
from secateur.maths.evaluate.environment import Env
from secateur.maths.execute.executor import Executor
from secateur.maths.execute.updates import Action, Updates, nondeterministic
from secateur.maths.values import Undecided


@dataclass(frozen=True)
class Provided(Refining):
    """Asserts what steps promise; some operations stand for processes without room."""

    unprovided: Mapping[str, Site] = field(default_factory=dict)
    met: set[tuple[Site, int]] = field(default_factory=set, compare=False)
    """The processes that were created nevertheless: where, and with which number."""

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:
        """Return `action` with what it promises."""
        site = self.unprovided.get(operation.name)
        if site is None:
            return super().operation(operation, action, executor)
        place = executor.scope.place(PROCESSES)

        def no_room(env: Env) -> Iterator[Updates]:
            self.met.add((site, int(env[place])))
            raise Undecided("a process is created for which there is no room")
            yield {}

        return nondeterministic(no_room)
