"""JUnit's XML, which dashboards read: a test case for each property.

A property that fails is a failure.  One that was not decided is skipped, for a reason; so that
an incomplete run is red nevertheless, a test case of its own (`exploration`) is then an error.
No time of day is written: the same run gives the same file, durations aside.
"""

from __future__ import annotations

import re
import shlex
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from secateur.report.errors import place_to_json
from secateur.report.formats.findings import Finding, findings, why_undecided
from secateur.report.formats.protocol import Evidence, FormatRow, Subject
from secateur.report.formats.told import details, headline
from secateur.system.verdict import Incomplete
from secateur.version import __version__

EXPLORATION: Final = "exploration"

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _write(evidence: Evidence) -> str:
    suite = Element("testsuite")
    properties = SubElement(suite, "properties")
    for name, value in _properties(evidence).items():
        SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for finding in findings(evidence):
        _case(suite, finding, evidence)
    if evidence.task == "check":
        _exploration(suite, evidence)
    counts = {
        "tests": len(suite.findall("testcase")),
        "failures": len(suite.findall("testcase/failure/..")),
        "errors": len(suite.findall("testcase/error/..")),
        "skipped": len(suite.findall("testcase/skipped/..")),
    }
    numbers = {name: str(count) for name, count in counts.items()}
    seconds = evidence.result.seconds + sum(f.seconds for f in evidence.result.temporal)
    attributes = {**numbers, "time": f"{seconds:.3f}"}
    suite.attrib = {"name": _clean(evidence.model), **attributes}
    suites = Element("testsuites", {"name": f"secateur {evidence.task}", **attributes})
    suites.append(suite)
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suites, encoding="unicode") + "\n"


def _properties(evidence: Evidence) -> dict[str, str]:
    counted = evidence.result.statistics
    return {
        "version": __version__,
        "command": shlex.join(evidence.words),
        "file": evidence.path,
        "sha256": evidence.digest or "",
        "states": str(counted.states),
        "transitions": str(counted.transitions),
        "assumptions": "; ".join(evidence.result.assumptions),
    }


def _case(suite: Element, finding: Finding, evidence: Evidence) -> None:
    asked = finding.asked
    named = f"{asked.kind}: {asked.name}" if asked.name else asked.kind
    case = _new_case(suite, named, evidence, finding.seconds or 0.0)
    place = place_to_json(asked.span)
    if place is not None and "part" not in place:
        case.set("file", _clean(place["file"]))
        case.set("line", str(place["line"]))
    if finding.wrong is not None:
        SubElement(case, "error", {"type": "error", "message": _clean(finding.wrong)})
    elif finding.fails:
        _failure(case, finding)
    elif finding.undecided is not None:
        reason = f"not decided: {finding.undecided}"
        SubElement(case, "skipped", {"message": _clean(reason)})


def _failure(case: Element, finding: Finding) -> None:
    """Add one failure, whatever the number of violations: some readers take no more."""
    stories = finding.violations
    lines = headline(stories[0]) if stories else "violated; no path shows it"
    failure = SubElement(case, "failure", {"type": finding.asked.kind, "message": _clean(lines)})
    told = ["\n".join([headline(story), *details(story)]) for story in stories]
    failure.text = _clean("\n\n".join(told))


def _exploration(suite: Element, evidence: Evidence) -> None:
    case = _new_case(suite, EXPLORATION, evidence, evidence.result.seconds)
    why = why_undecided(evidence)
    if why is None:
        return
    if isinstance(evidence.result.verdict, Incomplete):
        SubElement(case, "error", {"type": "incomplete", "message": _clean(why)})
    else:
        SubElement(case, "skipped", {"message": _clean(why)})


def _new_case(suite: Element, name: str, evidence: Evidence, seconds: float) -> Element:
    return SubElement(
        suite,
        "testcase",
        {
            "classname": _clean(evidence.model),
            "name": _clean(name),
            "file": _clean(evidence.path),
            "time": f"{seconds:.3f}",
        },
    )


def _clean(text: str) -> str:
    """Return the text with what XML cannot hold replaced."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


JUNIT: Final = FormatRow(
    "junit",
    "JUnit XML for dashboards, a test case for each property",
    (".xml",),
    Subject.VERDICT,
    _write,
)
