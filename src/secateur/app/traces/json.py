"""What `--json` prints, or `-o result.json` writes: the trace of one of its violations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from secateur.app.codes import NO_SUCH_TRACE
from secateur.app.traces.protocol import Reading, TraceRow, WantedStep, WantedTrace
from secateur.app.traces.shape import mapping, not_a_trace, sequence, string
from secateur.app.traces.values import TextValue
from secateur.source import Span, fail
from secateur.system.replay import Claim

_COMMANDS: Final = ("check", "ltl", "replay")


def _recognise(content: Mapping[str, Any]) -> bool:
    return "schema" in content and "command" in content


def _read(reading: Reading) -> WantedTrace:
    command = reading.content["command"]
    if command not in _COMMANDS:
        message = f"this is what `secateur {command}` printed; traces are those of check and ltl"
        raise not_a_trace(reading, message)
    found = list(_traces(reading))
    number = reading.violation or 1
    if number > len(found):
        some = f"there are {len(found)}" if len(found) > 1 else "there is one"
        message = f"there is no trace number {number}: {some if found else 'nothing was violated'}"
        raise fail(NO_SUCH_TRACE, message, Span(reading.source, 0, 0))
    told, evidence, claim = found[number - 1]
    listed = sequence(reading, told, "the trace")
    if not listed:
        message = "the trace is empty: it happens before any state is reached"
        raise fail(NO_SUCH_TRACE, message, Span(reading.source, 0, 0))
    steps = [_step(reading, at, each) for at, each in enumerate(listed, 1)]
    loop = evidence.get("loop", 0)
    if not isinstance(loop, int) or not 0 <= loop < max(1, len(steps)):
        raise not_a_trace(reading, f"loop must be a number of steps, not {loop!r}")
    return WantedTrace(JSON.name, tuple(steps), loop, claim)


def _traces(reading: Reading) -> Iterator[tuple[Any, Mapping[str, Any], Claim | None]]:
    """Yield traces in the order of the violations, then of formulas that are none."""
    content = reading.content
    formulas = [
        mapping(reading, each, "a formula")
        for each in sequence(reading, content.get("formulas"), "formulas")
    ]
    if content["command"] == "replay":
        claim = mapping(reading, content.get("claim"), "claim")
        yield content.get("trace"), content, _claim(reading, claim) if claim else None
        return
    if content["command"] == "ltl":
        for each in formulas:
            evidence = mapping(reading, each.get("evidence"), "evidence")
            if evidence:
                claim = {**each, "kind": each.get("logic"), "open": evidence.get("open")}
                failing = each.get("verdict") == "violated"
                yield evidence.get("trace"), evidence, _claim(reading, claim) if failing else None
        return
    shown = {(each.get("logic"), each.get("name")): each for each in formulas}
    for number, each in enumerate(sequence(reading, content.get("violations"), "violations"), 1):
        violation = mapping(reading, each, f"violation {number}")
        formula = shown.get((violation.get("kind"), violation.get("name")), {})
        evidence = mapping(reading, formula.get("evidence"), "evidence")
        claim = {**violation, "formula": formula.get("formula"), "open": evidence.get("open")}
        yield violation.get("trace"), evidence, _claim(reading, claim)


def _claim(reading: Reading, told: Mapping[str, Any]) -> Claim:
    formula = told.get("formula")
    return Claim(
        string(reading, told.get("kind"), "the kind of a violation"),
        string(reading, told.get("name"), "the name of a violation"),
        None if formula is None else string(reading, formula, "a formula"),
        open=told.get("open") is True,
    )


def _step(reading: Reading, number: int, written: Any) -> WantedStep:
    what = f"step {number}"
    told = mapping(reading, written, what)

    def values(key: str) -> dict[str, TextValue]:
        found = mapping(reading, told.get(key), f"{key} of {what}")
        return {
            name: TextValue(string(reading, text, f"{name} in {what}"), reading.understanding)
            for name, text in found.items()
        }

    operation = string(reading, told.get("operation"), f"the operation of {what}")
    results, state = values("results"), values("changed")
    return WantedStep(number, operation, values("arguments"), results, state, others_same=True)


JSON: Final = TraceRow("json", _recognise, _read)
