"""What a run is compared by with an earlier one of the same model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from secateur.report.errors import Json
from secateur.report.expectation import VERDICTS

_KEYS: Final = ("model", "verdict", "exhaustive", "states", "transitions")


def summary(report: Mapping[str, Any]) -> Json:
    """Return the part of a report that is compared: no times, no traces.

    Raise KeyError, TypeError, ValueError or AttributeError if `report` is no report on a check.
    """
    if report["verdict"] not in VERDICTS:
        raise ValueError(f"the verdict is {report['verdict']}")
    statistics = report["statistics"]
    symmetry = report.get("symmetry")
    return {
        **{key: report[key] for key in _KEYS},
        "reasons": list(report["reasons"]),
        "violations": [{"kind": v["kind"], "name": v["name"]} for v in report["violations"]],
        "properties": [{"kind": p["kind"], "name": p["name"]} for p in report["properties"]],
        "coverage": _vacuous(report["coverage"]),
        "reductions": [{"name": r["name"]} for r in report["reductions"]],
        "symmetry": None if symmetry is None else {"name": symmetry["name"]},
        "statistics": {
            "operations": dict(statistics["operations"]),
            "never_enabled": list(statistics["never_enabled"]),
            "coverage": {n: dict(values) for n, values in statistics["coverage"].items()},
        },
        "formulas": [
            {"name": f["name"], "verdict": f["verdict"]} for f in report.get("formulas", ())
        ],
    }


def outdated(report: object) -> list[str]:
    """Return the keys that a baseline of an earlier version lacks."""
    if not isinstance(report, dict) or not all(key in report for key in _KEYS):
        return []
    return [key for key in ("properties", "coverage") if key not in report]


def _vacuous(coverage: Mapping[str, Any] | None) -> Json | None:
    if coverage is None:
        return None
    keys = ("where", "text", "what")
    return {
        "vacuous": [{key: each[key] for key in keys} for each in coverage["vacuous"]],
        "constant": list(coverage["constant"]),
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what differs between two summaries, a line each."""
    parts = (_verdicts, _properties, _extent, _numbers, _coverage, _no_difference)
    return [line for part in parts for line in part(before, after)]


def _verdicts(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    if before["verdict"] != after["verdict"]:
        yield f"verdict {before['verdict']} -> {after['verdict']}"
    for word, more, less in (("now", after, before), ("no longer", before, after)):
        known = [(v["kind"], v["name"]) for v in less["violations"]]
        for violation in more["violations"]:
            if (violation["kind"], violation["name"]) not in known:
                yield f"{word} violated: {violation['kind']} {violation['name']}"
    old = {f["name"]: f["verdict"] for f in before["formulas"]}
    new = {f["name"]: f["verdict"] for f in after["formulas"]}
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield f"formula {name}: {old.get(name, 'absent')} -> {new.get(name, 'absent')}"
    if _how(before) != _how(after):
        yield f"reductions {_how(before)} -> {_how(after)}"


def _properties(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is looked at no more, or now: who looks at less finds less."""
    old, new = (
        Counter((p["kind"], p["name"]) for p in each["properties"]) for each in (before, after)
    )
    for word, more in (("no longer", old - new), ("now", new - old)):
        for kind, name in more:
            yield f"{word} checked: {kind} {name}".rstrip()


def _extent(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    if before["exhaustive"] != after["exhaustive"]:
        yield f"exhaustive {_yes(before['exhaustive'])} -> {_yes(after['exhaustive'])}"
    for word, more, less in (("now", after, before), ("no longer", before, after)):
        for reason in more["reasons"]:
            if reason not in less["reasons"]:
                yield f"{word} incomplete because of: {reason}"


def _yes(truth: object) -> str:
    return "yes" if truth else "no"


def _how(report: Mapping[str, Any]) -> str:
    """Return what made the search smaller: without that, numbers cannot be compared."""
    names = [r["name"] for r in report["reductions"]]
    names += [report["symmetry"]["name"]] if report["symmetry"] else []
    return ", ".join(names) or "none"


def _numbers(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for key in ("states", "transitions"):
        if before[key] != after[key]:
            yield f"{key} {_shown(before[key])} -> {_shown(after[key])}"
    old, new = before["statistics"]["operations"], after["statistics"]["operations"]
    for name in dict.fromkeys((*old, *new)):
        if name not in new:
            yield f"event {name} is gone"
        elif name not in old:
            yield f"event {name} is new, {_shown(new[name])} transitions"
        elif old[name] != new[name]:
            yield f"transitions of {name} {_shown(old[name])} -> {_shown(new[name])}"


def _coverage(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    old, new = before["statistics"], after["statistics"]
    for name in new["never_enabled"]:
        if name not in old["never_enabled"]:
            yield f"event {name} is never enabled any more"
    for name in old["never_enabled"]:
        if name not in new["never_enabled"] and name in new["operations"]:
            yield f"event {name} is enabled now"
    for name in dict.fromkeys((*old["coverage"], *new["coverage"])):
        one, other = (_values(each["coverage"].get(name)) for each in (old, new))
        if one != other:
            yield f"values of {name}: {one} -> {other}"


def _no_difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield what makes no difference any more, or now, where both runs looked at that."""
    old, new = before["coverage"], after["coverage"]
    if old is None or new is None:
        if old is not new:
            yield f"--coverage was {'not ' if old is None else ''}given then, and is {'not ' if new is None else ''}now"
        return
    for word, more, less in (("now", new, old), ("no longer", old, new)):
        for each in more["vacuous"]:
            if each not in less["vacuous"]:
                yield f"{word} without effect: {each['where']}: {each['text']} is {each['what']}"
        for name in more["constant"]:
            if name not in less["constant"]:
                yield f"{word} constant: {name}"


def _values(coverage: Mapping[str, Any] | None) -> str:
    if coverage is None:
        return "none"
    count = f"{'more than ' if coverage['more'] else ''}{_shown(coverage['distinct'])}"
    low, high = coverage["min"], coverage["max"]
    return count if low is None else f"{count} ({_shown(low)} .. {_shown(high)})"


def _shown(number: object) -> str:
    return f"{number:,}" if isinstance(number, int | float) else str(number)
