"""Message sequence charts of traces."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.explain.point import Point
from secateur.lang.lower import MachineSystem
from secateur.lang.processes import Execution, Message
from secateur.report.chart import Act, Chart, Event
from secateur.report.formats.protocol import Story
from secateur.system.system import State
from secateur.system.trace import Trace


def chart_of(story: Story) -> Chart | None:
    """Return what the processes of a model do on a path; None if it has none."""
    system = story.trace.system
    if not isinstance(system, MachineSystem) or not system.model.processes:
        return None
    again = story.closes_at + 1 if story.loop else None
    return Chart(_alive(system, story.trace), tuple(_Telling(system).events(story.trace)), again)


def _alive(system: MachineSystem, trace: Trace) -> tuple[str, ...]:
    """Return the processes that are alive at some time."""
    values = [dict(system.values(state)) for state in trace.states]
    return tuple(
        process.name
        for process in system.model.processes
        if any(v.get(process.variable) in process.places for v in values)
    )


class _Telling:
    def __init__(self, system: MachineSystem) -> None:
        self._system = system
        self._operations = {o.name: o for o in system.model.operations}
        self._under_way: list[tuple[int, str]] = []
        """The messages that were sent and not received yet: by which event, and what."""

    def events(self, trace: Trace) -> Iterator[Event]:
        count = 0
        before: State | None = None
        for number, transition in enumerate(trace.transitions, 1):
            operation = self._operations.get(transition.step.operation)
            if operation is not None and before is not None:
                point = Point(self._system.scope, self._system.environment(before))
                for execution in operation.executions:
                    if not execution.statement.silent:
                        yield self._event(number, count, execution, point)
                        count += 1
            before = transition.target

    def _event(self, step: int, number: int, execution: Execution, point: Point) -> Event:
        text, process = execution.statement.text, execution.process
        message = execution.message
        if message is None:
            return Event(step, process, Act.LOCAL, text)
        shown = _shown(message, point)
        if message.sender is None:
            return Event(
                step, process, Act.RECEIVES, text, shown, origin=self._origin(message, shown)
            )
        if message.receiver is not None:
            return Event(step, process, Act.HANDS_OVER, text, shown, message.receiver)
        self._under_way.append((number, shown))
        return Event(step, process, Act.SENDS, text, shown)

    def _origin(self, message: Message, shown: str) -> int | None:
        """Return which event sent a message: the oldest that sent the same and is still there."""
        for each in self._under_way:
            if each[1] == shown:
                if not message.stays:
                    self._under_way.remove(each)
                return each[0]
        return None


def _shown(message: Message, point: Point) -> str:
    values = [point.known(value) for value in message.values]
    words = [
        "?" if value is None else names.get(value, str(value))
        for value, names in zip(values, message.names, strict=True)
    ]
    return f"{message.channel}: {', '.join(words)}"
