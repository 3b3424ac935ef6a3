"""SARIF 2.1.0 (OASIS), which code hosts and editors show beside the text.

A rule for each kind of violation, a result for each violation where its property is written, the
trace as a code flow.  What keeps a run from being complete is a notification of the
invocation.  A file in an archive is called `model.zip!/M.bum`.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from secateur.maths.print_value import show_value
from secateur.report.errors import Json, place_to_json
from secateur.report.formats.findings import Finding, findings
from secateur.report.formats.protocol import Evidence, FormatRow, Story, Subject
from secateur.report.formats.told import details, headline, title_of
from secateur.report.text import show_step
from secateur.source import Span
from secateur.source.text import readable
from secateur.system.system import PropertyKind
from secateur.version import __version__

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"

_DEADLOCK: Final = PropertyKind.DEADLOCK.value

_MEANINGS: Final = {
    "deadlock": "A state can be reached in which no operation is enabled.",
    "invariant": "A state can be reached in which an invariant does not hold.",
    "assertion": "A state can be reached in which an assertion does not hold.",
    "goal": "A state can be reached in which the goal holds.",
    "welldefinedness": "Something is evaluated that has no value, such as a division by zero.",
    "refinement": "A step has no counterpart in the component that is refined.",
    "variant": "A step does not decrease the variant as it promises to.",
    "ltl": "A path can be taken that violates a formula of linear temporal logic.",
    "ctl": "A formula of branching temporal logic does not hold.",
}


def _write(evidence: Evidence) -> str:
    failing = [each for each in findings(evidence) if each.fails]
    kinds = list(dict.fromkeys(each.asked.kind for each in failing))
    run = {
        "tool": {
            "driver": {
                "name": "Secateur",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(kind) for kind in kinds],
            }
        },
        "automationDetails": {"id": f"secateur/{evidence.task}/{evidence.model}/"},
        "invocations": [_invocation(evidence)],
        "artifacts": [_artifact(evidence)],
        "columnKind": "unicodeCodePoints",
        "results": [r for each in failing for r in _results(each, kinds, evidence)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(kind: str) -> Json:
    meaning = _MEANINGS.get(kind, title_of(kind))
    return {
        "id": kind,
        "name": title_of(kind).title().replace(" ", "").replace("-", ""),
        "shortDescription": {"text": meaning},
        "defaultConfiguration": {"level": "error"},
    }


def _invocation(evidence: Evidence) -> Json:
    """Return how it was run; a run that could not look at everything says so."""
    result = evidence.result
    reasons = [
        *((reason, "warning") for reason in result.reasons),
        *((r, "warning") for formula in result.temporal for r in formula.reasons),
        *((d.message, "error") for formula in result.temporal for d in formula.errors),
    ]
    return {
        "commandLine": shlex.join(evidence.words),
        "executionSuccessful": not any(formula.errors for formula in result.temporal),
        "toolExecutionNotifications": [
            {"level": level, "message": {"text": f"not everything was explored: {text}"}}
            if level == "warning"
            else {"level": level, "message": {"text": text}}
            for text, level in dict.fromkeys(reasons)
        ],
        "properties": {"verdict": evidence.result.outcome, "exhaustive": result.exhaustive},
    }


def _artifact(evidence: Evidence) -> Json:
    hashes = {"hashes": {"sha-256": evidence.digest}} if evidence.digest else {}
    return {"location": _file(evidence.path), **hashes}


def _results(finding: Finding, kinds: list[str], evidence: Evidence) -> Iterator[Json]:
    kind = finding.asked.kind
    common = {"ruleId": kind, "ruleIndex": kinds.index(kind), "level": "error"}
    if not finding.violations:
        text = f"{title_of(kind)}: {finding.asked.name}"
        yield {
            **common,
            "message": {"text": text},
            "locations": [_location(finding.asked.span, evidence)],
            "partialFingerprints": _fingerprint(kind, finding.asked.name, evidence),
        }
    for story in finding.violations:
        told = [headline(story), *details(story)]
        result: Json = {
            **common,
            "message": {"text": "\n".join(told)},
            "locations": [_location(story.span or finding.asked.span, evidence)],
            "partialFingerprints": _fingerprint(kind, story.name, evidence),
            "properties": {"name": story.name, "count": story.count},
        }
        if story.trace.transitions:
            result["codeFlows"] = [_flow(story, evidence)]
        yield result


def _fingerprint(kind: str, name: str, evidence: Evidence) -> Json:
    """Return what stays the same while lines move, so that a host knows a violation again."""
    text = "\0".join((kind, "" if kind == _DEADLOCK else name, evidence.model))
    return {"property/v1": hashlib.sha256(text.encode()).hexdigest()}


def _flow(story: Story, evidence: Evidence) -> Json:
    steps = []
    told = zip(story.trace.steps, story.trace.changes(), strict=True)
    for number, (step, changed) in enumerate(told, 1):
        again = number > story.closes_at
        signature = evidence.signatures.get(step.operation)
        place = _location(None if signature is None else signature.span, evidence)
        text = f"{number}. {show_step(step)}" + (" (repeated for ever)" if again else "")
        steps.append(
            {
                "location": {**place, "message": {"text": text}},
                "state": {name: {"text": show_value(value)} for name, value in changed},
                "executionOrder": number,
                "nestingLevel": 1 if again else 0,
            }
        )
    return {"message": {"text": headline(story)}, "threadFlows": [{"locations": steps}]}


def _location(span: Span | None, evidence: Evidence) -> Json:
    """Return a place; that of the file if there is none.

    The lines of a formula in a file that nobody writes by hand are not lines of the file: then its
    element is named, and the place is the file's beginning.
    """
    place = place_to_json(span)
    if place is None:
        return {"physicalLocation": {"artifactLocation": _file(evidence.path), "region": _START}}
    file = {"artifactLocation": _file(place["file"])}
    if "part" in place:
        logical = {"fullyQualifiedName": place["part"], "kind": "element"}
        return {
            "physicalLocation": {**file, "region": _START},
            "logicalLocations": [logical],
        }
    region = {
        "startLine": place["line"],
        "startColumn": place["column"],
        "endLine": place["end_line"],
        "endColumn": place["end_column"],
    }
    return {"physicalLocation": {**file, "region": region}}


_START: Final[dict[str, Any]] = {"startLine": 1}


def _file(name: str) -> Json:
    """Return where a file is: relative to where the command was run, or absolute."""
    path = PurePath(readable(name))
    if path.is_absolute():
        return {"uri": path.as_uri().replace("%21/", "!/")}
    return {"uri": quote(path.as_posix(), safe="/!"), "uriBaseId": "%SRCROOT%"}


SARIF: Final = FormatRow(
    "sarif", "SARIF 2.1.0 for code hosts and editors", (".sarif",), Subject.VERDICT, _write
)
