"""What happens along with steps of Promela: assertions, and processes that there is no room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Final

from secateur.lang.model import Operation
from secateur.lang.promela.courses import Fault
from secateur.lang.promela.expressions import PROCESSES
from secateur.lang.promela.world import Site
from secateur.lang.simulation import Refining
from secateur.maths.evaluate.environment import Env
from secateur.maths.execute.executor import Executor
from secateur.maths.execute.updates import Action, Updates, nondeterministic
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass

MOST_PROCESSES: Final = 255
"""As many as Spin allows at a time."""


@dataclass(frozen=True)
class Provided(Refining):
    """Asserts what steps promise; some operations stand for processes without room."""

    unprovided: Mapping[str, tuple[Site, int | None]] = field(default_factory=dict)
    """Where they are created, and their numbers, if others are created in the same step before."""
    faults: Mapping[str, Fault] = field(default_factory=dict)
    """What is wrong with operations that cannot be executed, and where."""
    met: set[tuple[Site, int]] = field(default_factory=set, compare=False)
    """The processes that were created nevertheless: where, and with which number."""

    def also_called(self, names: Mapping[str, str]) -> Provided:
        """Return the same for operations that have other names, by those that they have here."""
        unprovided = {n: self.unprovided[o] for n, o in names.items() if o in self.unprovided}
        faults = {n: self.faults[o] for n, o in names.items() if o in self.faults}
        return Provided(unprovided, faults, self.met)

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:
        """Return `action` with what it promises."""
        if operation.name in self.faults:
            fault = IllDefined(*self.faults[operation.name])
            return nondeterministic(lambda _: _raise(fault))
        found = self.unprovided.get(operation.name)
        if found is None:
            return super().operation(operation, action, executor)
        site, number = found
        place = executor.scope.place(PROCESSES)

        def no_room(env: Env) -> Iterator[Updates]:
            pid = int(env[place]) if number is None else number
            if pid >= MOST_PROCESSES:
                raise Undecided(f"there are more than {MOST_PROCESSES} processes")
            self.met.add((site, pid))
            raise Undecided("a process is created for which there is no room")

        return nondeterministic(no_room)


def _raise(fault: IllDefined) -> Iterator[Updates]:
    raise fault
