"""What a model consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from secateur.report.errors import Json
from secateur.report.style import PLAIN, Style
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class SetOverview:
    """A given set with its elements."""

    name: str
    elements: tuple[str, ...]
    enumerated: bool
    interchangeable: int = 0
    """How many of the elements nothing tells apart."""
    told_apart: tuple[str, ...] = ()
    """Why it is not all of them."""


@dataclass(frozen=True, slots=True)
class NameOverview:
    """A constant or variable with its type and the invariants (or properties) that mention it."""

    name: str
    type: str
    constrained_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OperationOverview:
    """An operation with its typed parameters and results, and what it reads and may write."""

    name: str
    parameters: tuple[NameOverview, ...]
    results: tuple[NameOverview, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole model at a glance."""

    model: str
    components: tuple[str, ...]
    sets: tuple[SetOverview, ...]
    constants: tuple[NameOverview, ...]
    variables: tuple[NameOverview, ...]
    operations: tuple[OperationOverview, ...]
    invariants: tuple[str, ...]
    assertions: tuple[str, ...]
    assumptions: tuple[str, ...]
    notes: tuple[str, ...]


def overview_to_json(overview: Overview) -> Json:
    """Return the overview as JSON."""
    return asdict(overview)


def render_overview(overview: Overview, style: Style = PLAIN) -> str:
    """Return the overview as text, one section per clause."""
    sections = (
        ("components", list(overview.components)),
        ("sets", [_set(s) for s in overview.sets]),
        ("constants", [_constrained(c, "properties") for c in overview.constants]),
        (
            "variables",
            [
                _constrained(v, "invariants") if overview.invariants else _name(v)
                for v in overview.variables
            ],
        ),
        ("invariants", list(overview.invariants)),
        ("assertions", list(overview.assertions)),
        ("operations", [line for o in overview.operations for line in _operation(o)]),
        ("assumptions", list(overview.assumptions)),
        ("symmetry", [_symmetry(s) for s in overview.sets if len(s.elements) > 1]),
        ("notes", list(overview.notes)),
    )
    lines = [style.strong(overview.model)]
    for title, entries in sections:
        if entries:
            lines += ["", style.strong(title), *(f"  {entry}" for entry in entries)]
    return "\n".join(lines)


def _set(given: SetOverview) -> str:
    kind = "" if given.enumerated else "  (deferred)"
    return f"{given.name} = {{{', '.join(given.elements)}}}{kind}"


def _symmetry(given: SetOverview) -> str:
    free, size = given.interchangeable, len(given.elements)
    reasons = "; ".join(given.told_apart)
    if free < 2:
        return f"{given.name}: every element is told apart ({reasons})"
    if free == size:
        return f"{given.name}: all {size} elements may be exchanged"
    return f"{given.name}: {free} of {size} elements may be exchanged ({reasons})"


def _constrained(name: NameOverview, clause: str) -> str:
    return f"{_name(name)}  (mentioned in {len(name.constrained_by)} {clause})"


def _name(name: NameOverview) -> str:
    return f"{name.name} : {name.type}"


def _operation(operation: OperationOverview) -> Iterator[str]:
    results = ", ".join(r.name for r in operation.results)
    arguments = ", ".join(_name(p) for p in operation.parameters)
    signature = f"{operation.name}({arguments})" if arguments else operation.name
    yield f"{results} <-- {signature}" if results else signature
    yield f"    reads {_names(operation.reads)}; writes {_names(operation.writes)}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "nothing"
