"""The part of a plan that leaves something out: reduction, proviso, heuristic.

What is lawful is decided here once for all; which lawful reduction is the best depends on
what can be violated in the system at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from secateur.engine.codes import (
    OPTION_OUT_OF_RANGE,
    OPTION_WITHOUT_EFFECT,
    UNKNOWN_HEURISTIC,
    UNKNOWN_PROVISO,
    UNKNOWN_REDUCTION,
    UNSOUND_PLAN,
)
from secateur.engine.heuristics.own import Guided
from secateur.engine.heuristics.protocol import Heuristic, HeuristicRow
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.provisos.protocol import ProvisoRow
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.protocol import Preserved, Question, ReductionRow, Scene
from secateur.engine.reduce.reduction import Reduction, question_about
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.protocol import SearchRow
from secateur.source import Diagnostic
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.relations import Relations
from secateur.system.system import PropertyKind

AUTO: Final = "auto"
NO_REDUCTION: Final = "none"
SMALLEST: Final = "smallest"
RANDOM: Final = "random"

CAVEAT: Final = "nothing kept actions from being ignored for ever (--experiment)"


class Asked(Protocol):
    """The part of a wish that is judged here."""

    @property
    def por(self) -> str:
        """The reduction."""

    @property
    def proviso(self) -> str:
        """The proviso."""

    @property
    def choice(self) -> str:
        """Which of several sets."""

    @property
    def heuristic(self) -> str:
        """The heuristic."""

    @property
    def experiment(self) -> bool:
        """Whether errors may be missed."""

    @property
    def seed(self) -> int:
        """What random choices begin with."""

    @property
    def fingerprint(self) -> bool:
        """Whether states may be taken for one another."""

    @property
    def compress(self) -> bool:
        """Whether less is kept of each state."""

    @property
    def threads(self) -> int:
        """How many explore at once."""


@dataclass(frozen=True, slots=True)
class Pruning:
    """What was found lawful; None where the choice is ours."""

    search: SearchRow
    reduction: ReductionRow | None
    proviso: ProvisoRow | None
    heuristic: HeuristicRow | None
    random: bool
    seed: int
    fingerprint: bool
    scattered: bool = False
    """Whether nobody can be asked what was found: it is kept in parts, or others go on meanwhile."""

    @property
    def asked(self) -> bool:
        """Whether a reduction was asked for by name, or a search that needs actions."""
        named = self.reduction is not None and self.reduction.name != "none"
        return named or self.search.directed

    @property
    def automatic(self) -> bool:
        """Whether it is left to us what to reduce."""
        return self.reduction is None and not self.search.directed

    def rows_for(self, question: Question) -> tuple[ReductionRow, ProvisoRow | None]:
        """Return the reduction and, if it needs one here, the proviso."""
        row = self.reduction or _reduction(self._automatic(question))
        if not (row.cyclic and question.reach):
            return row, None
        if self.proviso is not None:
            return row, self.proviso
        return row, self._usual_proviso()

    def _usual_proviso(self) -> ProvisoRow:
        """Return the first that misses nothing, whatever the search and however states are kept."""
        blind = self.fingerprint or self.scattered
        return next(
            row
            for row in PROVISOS
            if Preserved.REACH in row.preserves
            and not row.needs_stack
            and not (blind and row.needs_states)
        )

    def _automatic(self, question: Question) -> str:
        """Return the name of the reduction for a question.

        Up-sets, which keep the shortest traces that the search promises and leave a deadlock
        no more ways than stubborn sets do; or the smaller of both where more is asked and no
        such promise is made.
        """
        if not question.reach:
            return "upset" if question.deadlocks else "none"
        if self.proviso is not None:
            return "best"
        keeps = self.search.shortest or self.search.directed or self.fingerprint
        return "upset" if keeps else "best"

    def applied(
        self, system: EventSystem, relations: Relations, kinds: frozenset[PropertyKind]
    ) -> Reduction | None:
        """Return the reduction for one run on a system; None if nothing is to be reduced."""
        return self.applied_with(Lookup(system, relations), kinds)

    def applied_with(self, lookup: Lookup, kinds: frozenset[PropertyKind]) -> Reduction | None:
        """Return the same where what was looked up may be kept from run to run."""
        system = lookup.system
        question = question_about(system, lookup, kinds)
        row, proviso = self.rows_for(question)
        if row.name == "none":
            return None
        scene = Scene(system, lookup, question, self.random, self.seed)
        holds = None if proviso is None else proviso.build(system)
        reduction = Reduction(scene, row.build(scene), holds)
        reduction.names = (row.name, proviso.name if proviso else None)
        reduction.needs_stack = proviso is not None and proviso.needs_stack
        if proviso is not None and Preserved.REACH not in proviso.preserves:
            reduction.caveat = CAVEAT
        return reduction

    def keeps_shortest(self, question: Question) -> bool:
        """Whether a first trace is as short as any, as far as the reduction is concerned."""
        row, _ = self.rows_for(question)
        return Preserved.SHORTEST in row.preserves or not question.reach

    def guide(self, system: EventSystem, kinds: frozenset[PropertyKind]) -> Heuristic | None:
        """Return the heuristic for a system; None if the search does not ask for one.

        A model's own goes before all others.
        """
        if not self.search.directed:
            return None
        if self.heuristic is not None:
            return self.heuristic.build(system)
        asked = {check.kind for check in system.checks} & kinds
        if isinstance(system, Guided) and system.estimate is not None:
            name = "model"
        elif PropertyKind.GOAL in asked:
            name = "goal"
        elif asked & {PropertyKind.INVARIANT, PropertyKind.ASSERTION}:
            name = "invariant"
        else:
            name = "deadlock"
        return next(row for row in HEURISTICS if row.name == name).build(system)


def _reduction(name: str) -> ReductionRow:
    return next(row for row in REDUCTIONS if row.name == name)


def pruning_of(asked: Asked, search: SearchRow) -> Pruning:
    """Return what a wish without objections says."""
    return Pruning(
        search,
        next((r for r in REDUCTIONS if r.name == asked.por), None),
        next((r for r in PROVISOS if r.name == asked.proviso), None),
        next((r for r in HEURISTICS if r.name == asked.heuristic), None),
        asked.choice == RANDOM,
        asked.seed,
        asked.fingerprint,
        asked.compress or asked.threads > 1,
    )


def objections_to_pruning(asked: Asked, search: SearchRow | None) -> list[Diagnostic]:
    """Return all that is wrong with a wish."""
    unknown = list(_unknown(asked))
    if unknown or search is None:
        return unknown
    pruning = pruning_of(asked, search)
    return [*_idle(pruning), *_unsound(asked, pruning)]


def _unknown(asked: Asked) -> Iterator[Diagnostic]:
    families = (
        (UNKNOWN_REDUCTION, "reduction", asked.por, REDUCTIONS),
        (UNKNOWN_PROVISO, "proviso", asked.proviso, PROVISOS),
        (UNKNOWN_HEURISTIC, "heuristic", asked.heuristic, HEURISTICS),
    )
    for code, what, name, rows in families:
        known = [AUTO, *(row.name for row in rows)]
        if name not in known:
            message = f"there is no {what} called '{name}'"
            yield Diagnostic(code, message, help=f"there are {', '.join(known)}")
    if asked.choice not in (SMALLEST, RANDOM):
        message = f"'{asked.choice}' is no way to choose among several sets"
        yield Diagnostic(OPTION_OUT_OF_RANGE, message, help=f"use {SMALLEST} or {RANDOM}")


def _idle(pruning: Pruning) -> Iterator[Diagnostic]:
    """Yield the options that mean nothing beside others."""
    row = pruning.reduction
    if row is not None and not row.cyclic and pruning.proviso is not None:
        message = f"reduction '{row.name}' has no use for a proviso"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help="leave --proviso out")
    if row is not None and not row.chooses and pruning.random:
        message = f"reduction '{row.name}' has nothing to choose at random"
        able = ", ".join(r.name for r in REDUCTIONS if r.chooses)
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=f"use --por {able}")
    if pruning.scattered and pruning.proviso is not None and pruning.proviso.needs_states:
        message = (
            f"proviso '{pruning.proviso.name}' asks which states were found, which cannot be told "
            "with --compress or --threads"
        )
        yield Diagnostic(
            OPTION_WITHOUT_EFFECT, message, help="use --proviso static, or --por upset"
        )
    if pruning.heuristic is not None and not pruning.search.directed:
        message = f"search '{pruning.search.name}' does not ask a heuristic"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help="use --search best or astar")


def _unsound(asked: Asked, pruning: Pruning) -> Iterator[Diagnostic]:
    """Yield what would miss errors, with the trap that it falls into."""
    proviso = pruning.proviso
    if proviso is None:
        return
    if proviso.needs_stack and not pruning.search.stack:
        message = (
            f"proviso '{proviso.name}' asks what is on the path of a depth-first search, and "
            f"'{pruning.search.name}' has none: a cycle could close unseen, and its states would "
            "each leave the same actions to the others"
        )
        yield Diagnostic(UNSOUND_PLAN, message, help="use --search df, or --proviso reliance")
    if Preserved.REACH not in proviso.preserves and not asked.experiment:
        message = (
            f"with proviso '{proviso.name}', actions can be ignored for ever on a cycle of others, "
            "so that violations are missed"
        )
        yield Diagnostic(
            UNSOUND_PLAN, message, help="use --proviso reliance, or --experiment as well"
        )
    if pruning.fingerprint and proviso.needs_states:
        message = (
            f"proviso '{proviso.name}' relies on states that wait to be expanded; where a "
            "fingerprint takes one state for another, that one never will be"
        )
        yield Diagnostic(UNSOUND_PLAN, message, help="use --proviso static, or --por upset")
