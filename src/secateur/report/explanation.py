"""Why something fails, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from secateur.maths.print_value import show_value
from secateur.report.errors import Json, place_to_json
from secateur.system.explanation import Blocked, Cause, Explanation, Stuck
from secateur.system.system import Step
from secateur.system.trace import Trace

_MOST: Final = 120
"""A value of more characters is cut short; the trace shows all of it."""


def render_explanation(explanation: Explanation, trace: Trace) -> list[str]:
    """Return the lines that say why a property fails at the end of a trace."""
    telling = _Telling(trace.steps)
    lines: list[str] = []
    for number, cause in enumerate(explanation.causes):
        lines += telling.cause(cause, "because" if number == 0 else "and")
    for blocked in explanation.blocked:
        lines += telling.blocked(blocked)
    for stuck in explanation.stuck:
        lines += telling.stuck(stuck)
    return lines


class _Telling:
    """The words; steps are told with their numbers."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps

    def since(self, number: int | None) -> str:
        if number is None:
            return ""
        return f" since step {number} ({_brief_step(self._steps[number - 1])})"

    def cause(self, cause: Cause, begin: str) -> Iterator[str]:
        bindings = f", for {_bound(cause.bindings)}" if cause.bindings else ""
        truth = "holds" if cause.holds else "is false"
        yield f"{begin} {cause.text} {truth}{self.since(cause.since)}{bindings}"
        if cause.remark is not None:
            yield f"  {cause.remark}"
        yield from (f"  {text}" for text in self._terms(cause))

    def _terms(self, cause: Cause) -> Iterator[str]:
        """Yield values; since when is not told again where it is the same."""
        for term in cause.terms:
            text = f"{term.text} = {_brief(term.value)}"
            if text != cause.text:
                yield text + (self.since(term.since) if term.since != cause.since else "")

    def stuck(self, stuck: Stuck) -> Iterator[str]:
        rest = ", where it may stay" if stuck.may_stay else ""
        yield f"{stuck.process} is{_where(stuck)}{rest}"
        for each in stuck.blocked:
            yield from (f"  {line}" for line in self.blocked(each))

    def blocked(self, blocked: Blocked) -> Iterator[str]:
        cause = blocked.cause
        if cause is None:
            yield f"{blocked.operation}: {blocked.remark}"
            return
        if blocked.remark is not None:
            rest = f", for {_bound(blocked.bindings)}" if blocked.bindings else ""
            yield f"{blocked.operation}: {blocked.remark} {cause.text}{rest}"
            return
        parameters = f"({_bound(blocked.bindings)})" if blocked.bindings else ""
        names = {name for name, _ in blocked.bindings}
        others = [(name, value) for name, value in cause.bindings if name not in names]
        rest = f", for {_bound(others)}" if others else ""
        since = self.since(cause.since)
        yield f"{blocked.operation}{parameters} needs {cause.text}, which is false{since}{rest}"
        if cause.remark is not None:
            yield f"  {cause.remark}"
        yield from (f"  {text}" for text in self._terms(cause))


def _where(stuck: Stuck) -> str:
    place = place_to_json(stuck.span)
    return "" if place is None else f" at {place['file']}:{place['line']}"


def _bound(bindings: Sequence[tuple[str, Any]]) -> str:
    return ", ".join(f"{name} = {_brief(value)}" for name, value in bindings)


def _brief(value: Any) -> str:
    text = show_value(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 4]} ..."


def _brief_step(step: Step) -> str:
    arguments = ", ".join(_brief(value) for _, value in step.arguments)
    return f"{step.operation}({arguments})" if arguments else step.operation


def explanation_to_json(explanation: Explanation) -> Json:
    """Return the same for programs; steps by their numbers."""
    return {
        "causes": [_cause(cause) for cause in explanation.causes],
        "blocked": [_blocked(b) for b in explanation.blocked],
        "processes": [
            {
                "process": s.process,
                "place": place_to_json(s.span),
                "may_stay": s.may_stay,
                "blocked": [_blocked(b) for b in s.blocked],
            }
            for s in explanation.stuck
        ],
    }


def _blocked(blocked: Blocked) -> Json:
    return {
        "operation": blocked.operation,
        "bindings": _values(blocked.bindings),
        "remark": blocked.remark,
        "cause": None if blocked.cause is None else _cause(blocked.cause),
    }


def _cause(cause: Cause) -> Json:
    return {
        "text": cause.text,
        "holds": cause.holds,
        "place": place_to_json(cause.span),
        "bindings": _values(cause.bindings),
        "terms": [
            {"text": t.text, "value": show_value(t.value), "since": t.since} for t in cause.terms
        ],
        "remark": cause.remark,
        "since": cause.since,
    }


def _values(bindings: Sequence[tuple[str, Any]]) -> dict[str, str]:
    return {name: show_value(value) for name, value in bindings}
