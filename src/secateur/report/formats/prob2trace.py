"""Traces of ProB 2, `.prob2trace`: version 6 of its format.

Only what ProB knows is in it: a reader there may refuse other keys.  A value that cannot be
written down (an infinite set) is left out, which means that it may be any.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from secateur.maths.types import Type
from secateur.report.formats.b_text import b_text, type_text
from secateur.report.formats.protocol import Evidence, FormatRow, Story, Subject
from secateur.report.overview import OperationOverview
from secateur.system.system import INITIALISATION, SETUP_CONSTANTS, Step
from secateur.system.trace import differ
from secateur.version import __version__

FORMAT_VERSION: Final = 6

SPECIAL: Final = {SETUP_CONSTANTS: "$setup_constants", INITIALISATION: "$initialise_machine"}
"""What ProB calls the steps that no operation is."""

_KINDS: Final = {"classical B": "CLASSICAL_B", "Event-B": "EVENTB"}


def _write(evidence: Evidence) -> str | None:
    story = evidence.story
    if story is None or not story.trace.transitions:
        return None
    shown = evidence.overview
    variables = [each.name for each in shown.variables]
    constants = [each.name for each in shown.constants]
    trace = {
        "description": _description(story),
        "transitionList": _transitions(story, constants, variables),
        "variableNames": sorted(variables),
        "constantNames": sorted(constants),
        "setNames": sorted(each.name for each in shown.sets),
        "machineOperationInfos": {
            each.name: _operation(each, evidence, variables) for each in shown.operations
        },
        "globalIdentifierTypes": _types(evidence.types, (*constants, *variables)),
        "metadata": {
            "fileType": "Trace",
            "formatVersion": FORMAT_VERSION,
            "savedAt": None,  # the same run writes the same file
            "creator": f"Secateur {__version__}",
            "proB2KernelVersion": None,
            "proBCliVersion": None,
            "modelName": evidence.model,
        },
    }
    return json.dumps(trace, indent=2) + "\n"


def _description(story: Story) -> str:
    again = f"; from step {story.closes_at + 1} on for ever" if story.loop else ""
    return f"{story.kind}: {story.name}{again}"


def _transitions(story: Story, constants: list[str], variables: list[str]) -> list[dict[str, Any]]:
    before: dict[str, Any] = {}
    found = []
    for transition in story.trace.transitions:
        after = dict(story.trace.system.values(transition.target))
        setup = transition.step.operation == SETUP_CONSTANTS
        told = [name for name in (constants if setup else variables) if name in after]
        same = [n for n in told if n in before and not differ(before[n], after[n])]
        changed = ((n, after[n]) for n in told if n not in same)
        found.append(_transition(transition.step, changed, same))
        before = after
    return found


def _transition(step: Step, changed: Iterable[tuple[str, Any]], same: list[str]) -> dict[str, Any]:
    return {
        "name": SPECIAL.get(step.operation, step.operation),
        "params": _values(step.arguments),
        "results": _values(step.results),
        "destState": _values(changed),
        "destStateNotChanged": same,
        "preds": [],
        "postconditions": [],
        "description": "",
    }


def _values(values: Iterable[tuple[str, Any]]) -> dict[str, str]:
    texts = ((name, b_text(value)) for name, value in values)
    return {name: text for name, text in texts if text is not None}


def _operation(
    operation: OperationOverview, evidence: Evidence, variables: list[str]
) -> dict[str, Any]:
    parameters = [each.name for each in operation.parameters]
    results = [each.name for each in operation.results]
    signature = evidence.signatures.get(operation.name)
    types = {} if signature is None else signature.types
    return {
        "operationName": operation.name,
        "parameterNames": parameters,
        "outputParameterNames": results,
        "topLevel": True,
        "type": _KINDS.get(evidence.language, "CLASSICAL_B"),
        "readVariables": sorted(set(operation.reads) & set(variables)),
        "writtenVariables": sorted(set(operation.writes) & set(variables)),
        "nonDetWrittenVariables": [],
        "typeMap": _types(types, (*parameters, *results)),
    }


def _types(types: Mapping[str, Type], names: Iterable[str]) -> dict[str, str]:
    return {name: type_text(types[name]) for name in names if name in types}


PROB2TRACE: Final = FormatRow(
    "prob2trace", "a trace of ProB 2 (format version 6)", (".prob2trace",), Subject.TRACE, _write
)
