"""Traces of ProB 2, of any version of its format: what a step leaves out may be anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from secateur.app.traces.protocol import PostCondition, Reading, TraceRow, WantedStep, WantedTrace
from secateur.app.traces.shape import mapping, sequence, string
from secateur.app.traces.values import TextValue
from secateur.report.formats.prob2trace import SPECIAL

_OURS: Final = {theirs: ours for ours, theirs in SPECIAL.items()}


def _recognise(content: Mapping[str, Any]) -> bool:
    return "transitionList" in _inside(content)


def _inside(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return where the steps are: some versions have them one level deeper."""
    trace = content.get("trace")
    return trace if isinstance(trace, dict) else content


def _read(reading: Reading) -> WantedTrace:
    listed = sequence(reading, _inside(reading.content)["transitionList"], "transitionList")
    steps = [_step(reading, number, each) for number, each in enumerate(listed, 1)]
    return WantedTrace(PROB2TRACE.name, tuple(steps))


def _step(reading: Reading, number: int, written: Any) -> WantedStep:
    what = f"transition {number}"
    told = mapping(reading, written, what)
    name = string(reading, told.get("name"), f"the name of {what}")

    def values(key: str) -> dict[str, TextValue]:
        found = mapping(reading, told.get(key), f"{key} of {what}")
        return {
            each: TextValue(
                string(reading, text, f"{each} in {key} of {what}"), reading.understanding
            )
            for each, text in found.items()
        }

    def texts(key: str) -> list[str]:
        found = sequence(reading, told.get(key), f"{key} of {what}")
        return [string(reading, each, f"an entry in {key} of {what}") for each in found]

    after = sequence(reading, told.get("postconditions"), f"postconditions of {what}")
    return WantedStep(
        number,
        _OURS.get(name, name),
        values("params"),
        values("results"),
        values("destState"),
        frozenset(texts("destStateNotChanged")),
        predicates=tuple(texts("preds")),
        afterwards=tuple(_condition(reading, each, what) for each in after),
    )


def _condition(reading: Reading, written: Any, what: str) -> PostCondition:
    told = mapping(reading, written, f"a postcondition of {what}")
    kind = told.get("kind", "PREDICATE")
    predicate = string(reading, told.get("predicate") or "", f"a postcondition of {what}")
    if kind == "PREDICATE":
        return PostCondition(predicate)
    operation = string(
        reading, told.get("operation"), f"the operation of a postcondition of {what}"
    )
    return PostCondition(predicate, operation, enabled=kind == "ENABLEDNESS")


PROB2TRACE: Final = TraceRow("prob2trace", _recognise, _read)
