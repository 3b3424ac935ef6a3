"""How the parts of a model are run."""

from __future__ import annotations

from dataclasses import asdict

from secateur.report.errors import Json
from secateur.report.style import PLAIN, Style
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class PartOverview:
    """An operation or a property; `reason` says why it is not compiled, None if it is."""

    name: str
    kind: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class CompiledOverview:
    """The parts of a model, and how a state is stored."""

    model: str
    bits: int
    variables: tuple[tuple[str, str], ...]
    """Each variable, and the form in which it is stored."""
    parts: tuple[PartOverview, ...]


def compiled_to_json(compiled: CompiledOverview) -> Json:
    """Return the overview as JSON."""
    return {
        "model": compiled.model,
        "bits": compiled.bits,
        "variables": dict(compiled.variables),
        "parts": [asdict(part) for part in compiled.parts],
    }


def render_compiled(compiled: CompiledOverview, style: Style = PLAIN) -> str:
    """Return the overview as text."""
    lines = [style.strong(compiled.model), "", f"a state takes {compiled.bits} bits"]
    width = max((len(name) for name, _ in compiled.variables), default=0)
    lines += [f"  {name:<{width}}  {form}" for name, form in compiled.variables]
    for kind in dict.fromkeys(part.kind for part in compiled.parts):
        parts = [part for part in compiled.parts if part.kind == kind]
        ready = sum(part.reason is None for part in parts)
        lines += ["", style.strong(f"{kind}: {ready} of {len(parts)} compiled")]
        for part in parts:
            how = "compiled" if part.reason is None else f"evaluated: {part.reason}"
            lines.append(f"  {part.name}  {how}")
    return "\n".join(lines)
