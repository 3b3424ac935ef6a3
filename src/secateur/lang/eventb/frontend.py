"""Event-B: from a file, a directory or an archive to a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from secateur.lang.eventb.assemble import assemble
from secateur.lang.eventb.copies import without_copies
from secateur.lang.eventb.fixpoints import closures_in
from secateur.lang.eventb.quantifiers import merged
from secateur.lang.eventb.read import read_project, sniff
from secateur.lang.eventb.resolve import Chain, resolve
from secateur.lang.eventb.rewriting import chain_with
from secateur.lang.eventb.sequences import sequences_in
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions

__all__ = ["load", "sniff"]


def load(path: Path, options: LoadOptions) -> Model:
    """Return the model at `path`; raise InputError where there is none."""
    project = read_project(path)
    chain = _normalised(resolve(project, options.component))
    chain, typed = without_copies(chain, options.set_sizes.keys())
    found = assemble(chain, typed, options, project.notes)
    parts = [*(m.name for m in chain.machines), *(c.name for c in chain.contexts)]
    left_out = (project.left_out[name] for name in parts if name in project.left_out)
    return replace(found, unchecked=(*found.unchecked, *left_out))


def _normalised(chain: Chain) -> Chain:
    """Return `chain` with what is written out at length as what it means."""
    sets = frozenset(s.text for context in chain.contexts for s in context.sets)
    return chain_with(chain, lambda e: merged(sequences_in(closures_in(e), sets)))
