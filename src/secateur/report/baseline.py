"""What a run is compared by with an earlier one of the same model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from secateur.report.errors import Json

_KEYS: Final = ("model", "verdict", "exhaustive", "states", "transitions")


def summary(report: Mapping[str, Any]) -> Json:
    """Return the part of a report that is compared: no times, no traces.

    Raise KeyError, TypeError or AttributeError if `report` is no report on a check.
    """
    statistics = report["statistics"]
    symmetry = report.get("symmetry")
    return {
        **{key: report[key] for key in _KEYS},
        "reasons": list(report["reasons"]),
        "violations": [{"kind": v["kind"], "name": v["name"]} for v in report["violations"]],
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


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what differs between two summaries, a line each."""
    return [*_verdicts(before, after), *_numbers(before, after), *_coverage(before, after)]


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


def _values(coverage: Mapping[str, Any] | None) -> str:
    if coverage is None:
        return "none"
    count = f"{'more than ' if coverage['more'] else ''}{_shown(coverage['distinct'])}"
    low, high = coverage["min"], coverage["max"]
    return count if low is None else f"{count} ({_shown(low)} .. {_shown(high)})"


def _shown(number: object) -> str:
    return f"{number:,}" if isinstance(number, int | float) else str(number)
