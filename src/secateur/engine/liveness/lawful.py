"""Which reductions may be used for temporal formulas, and how one is set up."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from secateur.engine.codes import UNKNOWN_PROVISO, UNKNOWN_REDUCTION, UNSOUND_PLAN
from secateur.engine.liveness.visible import Watched, visible_actions
from secateur.engine.provisos.protocol import ProvisoRow
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.pruning import AUTO, NO_REDUCTION
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.protocol import Preserved, Question, ReductionRow, Scene
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.source import Diagnostic, InputError
from secateur.system.events import EventSystem
from secateur.system.relations import Relations

DEFAULT: Final = "stubborn"
DEFAULT_PROVISO: Final = "open-liveness"


class Lawful(NamedTuple):
    """A reduction and a proviso that together preserve LTL without X."""

    reduction: ReductionRow
    proviso: ProvisoRow

    def applied(self, system: EventSystem, relations: Relations, watched: Watched) -> Reduction:
        """Return the reduction for a formula that looks at so much of a system.

        Each action that can be ill-defined is something to be found, as in any other search.
        """
        lookup = Lookup(system, relations)
        faults = tuple(a for a in range(len(system.actions)) if lookup.faults(a))
        question = Question(deadlocks=True, faults=faults, visible=visible_actions(lookup, watched))
        scene = Scene(system, lookup, question)
        reduction = Reduction(scene, self.reduction.build(scene), self.proviso.build(system))
        reduction.names = self.reduction.name, self.proviso.name
        return reduction


def for_formulas() -> list[ReductionRow]:
    """Return the reductions that preserve LTL without X; the one that leaves out nothing, too."""
    return [row for row in REDUCTIONS if Preserved.LTL in row.preserves]


def provisos_for_formulas() -> list[ProvisoRow]:
    """Return the provisos that do, whatever the order in which states are expanded."""
    return [row for row in PROVISOS if Preserved.LTL in row.preserves and not row.needs_stack]


def usable(por: str) -> str:
    """Return a reduction's name if it is one for formulas, or else the choice that is ours."""
    return por if any(row.name == por for row in for_formulas()) else AUTO


def lawful(por: str = AUTO, proviso: str = AUTO) -> Lawful | None:
    """Return what was asked for, None for no reduction; raise InputError if it is not lawful."""
    objections = [*_to_reduction(por), *_to_proviso(proviso)]
    if objections:
        raise InputError(*objections)
    if por == NO_REDUCTION:
        return None
    row = _named(for_formulas(), DEFAULT if por == AUTO else por)
    return Lawful(
        row, _named(provisos_for_formulas(), DEFAULT_PROVISO if proviso == AUTO else proviso)
    )


Row = TypeVar("Row", ReductionRow, ProvisoRow)


def _named(rows: list[Row], name: str) -> Row:
    return next(row for row in rows if row.name == name)


def _to_reduction(por: str) -> list[Diagnostic]:
    able = ", ".join([AUTO, *(row.name for row in for_formulas())])
    if por == AUTO or any(row.name == por for row in for_formulas()):
        return []
    if all(row.name != por for row in REDUCTIONS):
        message = f"there is no reduction called '{por}'"
        return [Diagnostic(UNKNOWN_REDUCTION, message, help=f"there are {able}")]
    message = (
        f"reduction '{por}' leaves out whatever leads to no violation of a state, and with it "
        "paths that violate a temporal formula"
    )
    return [Diagnostic(UNSOUND_PLAN, message, help=f"use --por {able}")]


def _to_proviso(proviso: str) -> list[Diagnostic]:
    able = ", ".join([AUTO, *(row.name for row in provisos_for_formulas())])
    if proviso == AUTO or any(row.name == proviso for row in provisos_for_formulas()):
        return []
    found = next((row for row in PROVISOS if row.name == proviso), None)
    if found is None:
        message = f"there is no proviso called '{proviso}'"
        return [Diagnostic(UNKNOWN_PROVISO, message, help=f"there are {able}")]
    message = (
        f"proviso '{proviso}' asks what is on the path of a depth-first search of the model, and "
        "a search of a product has none"
        if found.needs_stack
        else f"with proviso '{proviso}' an action can be left out for ever on some of the cycles"
    )
    return [Diagnostic(UNSOUND_PLAN, message, help=f"use --proviso {able}")]
