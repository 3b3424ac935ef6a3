"""Paths through a system, from its root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from secateur.source.records import dataclass
from secateur.system.system import State, Step, System, Transition


class BrokenTrace(AssertionError):
    """A trace is not a path of its system: our bug, never the user's."""


class Change(NamedTuple):
    """A name whose value is not as `before`; there was none if it is `new`."""

    name: str
    value: Any
    new: bool
    before: Any = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A path of `system` that starts at its root; empty for the root itself."""

    system: System
    transitions: tuple[Transition, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """What happens, in order."""
        return tuple(t.step for t in self.transitions)

    @property
    def states(self) -> tuple[State, ...]:
        """The states passed through, without the root."""
        return tuple(t.target for t in self.transitions)

    def __len__(self) -> int:
        return len(self.transitions)

    def changes(self) -> list[Sequence[tuple[str, Any]]]:
        """Return, per step, the names whose value differs from the state before, with the new value, as people read it."""
        return [[(c.name, c.value) for c in changes] for changes in self.told()]

    def differences(self) -> list[list[Change]]:
        """Return, per step, what is not as it was in the state before."""
        return self._differences(self.system.values)

    def told(self) -> list[list[Change]]:
        """Return the same as people read it."""
        return self._differences(self.system.shown)

    def _differences(
        self, values: Callable[[State], Sequence[tuple[str, Any]]]
    ) -> list[list[Change]]:
        before: dict[str, Any] = {}
        result: list[list[Change]] = []
        for transition in self.transitions:
            after = values(transition.target)
            result.append(
                [
                    Change(name, value, name not in before, before.get(name))
                    for name, value in after
                    if name not in before or differ(before[name], value)
                ]
            )
            before = dict(after)
        return result

    def replay(self) -> None:
        """Execute every step again; raise BrokenTrace where the system does not allow one."""
        offered = self.system.initial()
        for number, transition in enumerate(self.transitions, 1):
            if not any(item == transition for item in offered):
                raise BrokenTrace(
                    f"step {number} ({transition.step.operation}) of a trace cannot be executed again; "
                    "System.successors must answer alike each time it is asked"
                )
            offered = self.system.successors(transition.target)


def differ(old: Any, new: Any) -> bool:
    """Whether two values differ; the same object never does, even if equality is hard to decide."""
    return old is not new and bool(old != new)
