"""Classical B: from a file to a model."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from secateur.lang.b.assemble import assemble
from secateur.lang.b.codes import UNKNOWN_COMPONENT
from secateur.lang.b.loader import SUFFIXES
from secateur.lang.b.refinements import refinements_of
from secateur.lang.b.resolve import resolve
from secateur.lang.b.typecheck import typecheck
from secateur.lang.integer_bounds import integer_bounds
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.lang.refinement import Refinement
from secateur.source import fail

_FIRST_WORD: Final = re.compile(
    r"(?:\s|/\*.*?\*/|//[^\n]*)*"
    r"(?:MACHINE|ABSTRACT_MACHINE|MODEL|SYSTEM|REFINEMENT|IMPLEMENTATION)\b",
    re.DOTALL,
)


def sniff(text: str) -> bool:
    """Whether `text` starts like a component of classical B."""
    return _FIRST_WORD.match(text) is not None


def load(path: Path, options: LoadOptions) -> Model:
    """Return the model in the file `path`; raise InputError where it is not one."""
    project = resolve(_component_file(path, options.component))
    model = assemble(project, typecheck(project), options)
    return replace(model, assumptions=(*model.assumptions, *integer_bounds(model)))


def refinements(path: Path, options: LoadOptions) -> list[Refinement]:
    """Return the steps of refinement that lead to what is in the file `path`."""
    return refinements_of(_component_file(path, options.component), options)


def _component_file(path: Path, component: str | None) -> Path:
    """Return the file to load: `path`, or its neighbour that holds `component`."""
    if component is None or path.stem == component:
        return path
    for suffix in SUFFIXES:
        candidate = path.parent / f"{component}{suffix}"
        if candidate.is_file():
            return candidate
    raise fail(UNKNOWN_COMPONENT, f"no component {component} beside {path}")
