"""Relations with a solver behind them, if there is one."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import ArgumentError
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar

from secateur.analysis.assumptions import NOTHING, Assumptions
from secateur.analysis.cache import Cache
from secateur.analysis.closing import Sketch
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.protocol import Coded, Solver
from secateur.analysis.questions import Question
from secateur.analysis.relations import EventRelations
from secateur.analysis.space import Space
from secateur.system.collecting import SOLVING
from secateur.system.events import EventSystem

_T = TypeVar("_T")


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


def _unless_interrupted(ask: Callable[[], _T], unknown: _T) -> _T:
    """Return an answer, or that it is not known if a request to end came in between.

    Such a request is an exception that is raised from outside.  Where arguments are handed to
    Z3 just then, another one takes its place, and the request is lost; it is repeated soon.
    """
    try:
        with SOLVING:
            return ask()
    except ArgumentError as error:
        if "Interrupted" not in str(error):
            raise
        return unknown


class _Later:
    """A solver that is made when the first question comes: importing Z3 takes a while."""

    def __init__(self, make: Callable[[], Solver]) -> None:
        self._make = make
        self._solver: Solver | None = None

    def answer(self, question: Question) -> tuple[bool, int | None] | None:
        """Return whether there is a witness, and perhaps one."""
        return _unless_interrupted(lambda: self._made().answer(question), None)

    def sketch(self, action: int, slots: frozenset[int]) -> Sketch | None:
        """Return what some slots tell of an action."""
        return _unless_interrupted(lambda: self._made().sketch(action, slots), None)

    def restrict(self, space: Space) -> None:
        """Ask about the states of a smaller space from now on."""
        with SOLVING:
            if self._solver is not None:
                self._solver.restrict(space)

    def violated(
        self, action: int, checks: frozenset[int], assumed: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate, and what the others are proven with."""
        nothing: frozenset[int] = frozenset()
        return _unless_interrupted(
            lambda: self._made().violated(action, checks, assumed), (checks, nothing)
        )

    def rely_on(self, checks: frozenset[int]) -> None:
        """Ask about states in which some checks hold from now on."""
        with SOLVING:
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
