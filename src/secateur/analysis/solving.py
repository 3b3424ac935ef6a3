"""Relations with a solver behind them, if there is one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from secateur.analysis.assumptions import NOTHING, Assumptions
from secateur.analysis.cache import Cache
from secateur.analysis.closing import Sketch
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.protocol import Coded
from secateur.analysis.questions import Question
from secateur.analysis.relations import EventRelations, Solver
from secateur.analysis.space import Space
from secateur.system.events import EventSystem


def relations_of(
    system: EventSystem,
    effort: Effort = USUAL,
    assumptions: Assumptions = NOTHING,
    cache: Cache | None = None,
) -> EventRelations:
    """Return the relations of a system; Z3 answers what enumeration leaves open."""
    relations = EventRelations(system, effort, assumptions)
    if isinstance(system, Coded) and effort.ticks > 0 and find_spec("z3") is not None:
        relations.solver = _Later(lambda: _solver(relations, cache))
    return relations


class _Later:
    """A solver that is made when the first question comes: importing Z3 takes a while."""

    def __init__(self, make: Callable[[], Solver]) -> None:
        self._make = make
        self._solver: Solver | None = None

    def answer(self, question: Question) -> tuple[bool, int | None] | None:
        """Return whether there is a witness, and perhaps one."""
        return self._made().answer(question)

    def sketch(self, action: int, slots: frozenset[int]) -> Sketch | None:
        """Return what some slots tell of an action."""
        return self._made().sketch(action, slots)

    def restrict(self, space: Space) -> None:
        """Ask about the states of a smaller space from now on."""
        if self._solver is not None:
            self._solver.restrict(space)

    def violated(
        self, action: int, checks: frozenset[int], assumed: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate, and what the others are proven with."""
        return self._made().violated(action, checks, assumed)

    def rely_on(self, checks: frozenset[int]) -> None:
        """Ask about states in which some checks hold from now on."""
        self._made().rely_on(checks)

    def _made(self) -> Solver:
        if self._solver is None:
            self._solver = self._make()
        return self._solver


def _solver(relations: EventRelations, cache: Cache | None) -> Solver:
    make: Callable[..., Solver] = import_module("secateur.analysis.smt.solver").SmtSolver
    return make(
        relations.system, relations.space, relations.purse.effort, relations.assumptions, cache
    )
