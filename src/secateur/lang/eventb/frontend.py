"""Event-B: from a file, a directory or an archive to a model."""

from __future__ import annotations

from pathlib import Path

from secateur.lang.eventb.assemble import assemble
from secateur.lang.eventb.copies import without_copies
from secateur.lang.eventb.fixpoints import with_closures
from secateur.lang.eventb.read import read_project, sniff
from secateur.lang.eventb.resolve import resolve
from secateur.lang.eventb.sequences import with_sequences
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions

__all__ = ["load", "sniff"]


def load(path: Path, options: LoadOptions) -> Model:
    """Return the model at `path`; raise InputError where there is none."""
    project = read_project(path)
    chain = with_sequences(with_closures(resolve(project, options.component)))
    chain, typed = without_copies(chain, options.set_sizes.keys())
    return assemble(chain, typed, options, project.notes)
