"""Event-B: from a file, a directory or an archive to a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from secateur.lang.codes import NOTHING_REFINED
from secateur.lang.eventb.assemble import assemble
from secateur.lang.eventb.ast import Project
from secateur.lang.eventb.copies import without_copies
from secateur.lang.eventb.fixpoints import closures_in
from secateur.lang.eventb.quantifiers import merged
from secateur.lang.eventb.read import read_project, sniff
from secateur.lang.eventb.refinements import refinement
from secateur.lang.eventb.resolve import Chain, resolve
from secateur.lang.eventb.rewriting import chain_with
from secateur.lang.eventb.sequences import sequences_in
from secateur.lang.eventb.typecheck import Typed
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.lang.refinement import Refinement
from secateur.source import fail

__all__ = ["load", "refinements", "sniff"]


def load(path: Path, options: LoadOptions) -> Model:
    """Return the model at `path`; raise InputError where there is none."""
    project = read_project(path)
    return _model(project, resolve(project, options.component), options)[0]


def refinements(path: Path, options: LoadOptions) -> list[Refinement]:
    """Return the steps of refinement that lead to the machine at `path`."""
    project = read_project(path)
    chain = resolve(project, options.component)
    if len(chain.machines) < 2:
        raise fail(
            NOTHING_REFINED,
            f"{chain.name} refines nothing",
            chain.machines[0].span if chain.machines else None,
            "give a machine that REFINES another one; -m chooses it",
        )
    names = [machine.name for machine in chain.machines]
    chosen = names[1:] if options.component is None else names[-1:]
    chains = [resolve(project, name) for name in chosen]
    return [refinement(*_model(project, each, options)) for each in chains]


def _model(project: Project, chain: Chain, options: LoadOptions) -> tuple[Model, Typed]:
    chain, typed = without_copies(_normalised(chain), options.set_sizes.keys())
    found = assemble(chain, typed, options, project.notes)
    parts = [*(m.name for m in chain.machines), *(c.name for c in chain.contexts)]
    left_out = (project.left_out[name] for name in parts if name in project.left_out)
    return replace(found, unchecked=(*found.unchecked, *left_out)), typed


def _normalised(chain: Chain) -> Chain:
    """Return `chain` with what is written out at length as what it means."""
    sets = frozenset(s.text for context in chain.contexts for s in context.sets)
    return chain_with(chain, lambda e: merged(sequences_in(closures_in(e), sets)))
