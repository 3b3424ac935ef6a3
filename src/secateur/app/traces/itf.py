"""Traces in ITF: ours, which say what happens, and others, which have states alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from secateur.app.traces.protocol import Reading, TraceRow, WantedStep, WantedTrace
from secateur.app.traces.shape import mapping, not_a_trace, sequence, string
from secateur.app.traces.values import ItfValue
from secateur.system.replay import Claim
from secateur.system.system import INITIALISATION


def _recognise(content: Mapping[str, Any]) -> bool:
    return "states" in content and "vars" in content


def _read(reading: Reading) -> WantedTrace:
    content = reading.content
    states = sequence(reading, content["states"], "states")
    if not states:
        raise not_a_trace(reading, "there is no state in the trace")
    meta = mapping(reading, content.get("#meta"), "#meta")
    steps = [_step(reading, number, each) for number, each in enumerate(states, 1)]
    loop = 0
    at = content.get("loop")
    if at is not None:
        if not isinstance(at, int) or not 0 <= at < len(states):
            raise not_a_trace(reading, f"loop must be the index of a state, not {at!r}")
        loop = len(states) - at
        steps.append(_closing(reading, meta, len(states) + 1, states[at]))
    return WantedTrace(ITF.name, tuple(steps), loop, _claim(reading, meta))


def _step(reading: Reading, number: int, written: Any) -> WantedStep:
    what = f"state {number - 1}"
    state = mapping(reading, written, what)
    meta = mapping(reading, state.get("#meta"), f"#meta of {what}")
    operation = meta.get("operation")
    if operation is None and number == 1:
        operation = INITIALISATION
    return WantedStep(
        number,
        None if operation is None else string(reading, operation, f"the operation of {what}"),
        _values(reading, meta.get("arguments"), what),
        _values(reading, meta.get("results"), what),
        _values(reading, {n: v for n, v in state.items() if not n.startswith("#")}, what),
    )


def _closing(
    reading: Reading, meta: Mapping[str, Any], number: int, target: Mapping[str, Any]
) -> WantedStep:
    """Return the step from the last state back to where the loop begins."""
    state = {**target, "#meta": mapping(reading, meta.get("closing"), "closing")}
    return _step(reading, number, state)


def _values(reading: Reading, written: Any, what: str) -> dict[str, ItfValue]:
    return dict(_each_value(reading, mapping(reading, written, what), what))


def _each_value(
    reading: Reading, written: Mapping[str, Any], what: str
) -> Iterator[tuple[str, ItfValue]]:
    for name, value in written.items():
        try:
            wanted = ItfValue(value, reading.understanding)
        except (ValueError, TypeError) as error:
            raise not_a_trace(reading, f"{name} in {what}: {error}") from None
        yield name, wanted


def _claim(reading: Reading, meta: Mapping[str, Any]) -> Claim | None:
    told = meta.get("violation")
    if not isinstance(told, dict):
        return None
    formula = told.get("formula")
    return Claim(
        string(reading, told.get("kind"), "the kind of the violation"),
        string(reading, told.get("name"), "the name of the violation"),
        None if formula is None else string(reading, formula, "the formula"),
        open=told.get("open") is True,
    )


ITF: Final = TraceRow("itf", _recognise, _read)
