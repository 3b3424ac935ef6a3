"""Making room for processes: a few walks to see who is created, and a model with room for these.

Expressions and statements whose variables have known values have known values themselves; so a
walk needs nothing but what makes the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from secateur.lang.model import Model
from secateur.lang.promela.ast import Program
from secateur.lang.promela.automaton import Automaton
from secateur.lang.promela.births import first_guess, grown
from secateur.lang.promela.companion import Provided
from secateur.lang.promela.expressions import PROCESSES
from secateur.lang.promela.lower import MOST_PROCESSES, Lowering
from secateur.lang.promela.paths import Leap
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Births, Site, edges_of, run_of

_WALKS: Final = 6
_STEPS: Final = 120
"""How many walks are taken to see which processes there are, and how long they are."""


def provided(
    program: Program, automata: Mapping[str, Automaton], limit: int = MOST_PROCESSES
) -> Model:
    """Return the model of a program, with room for the processes that a few walks meet."""
    births = first_guess(program, automata)
    creates = any(run_of(e) is not None for a in automata.values() for e in edges_of(a))
    while creates:
        met = _walk(Lowering(program, automata, births, limit))
        if met is None:
            break
        births = grown(births, *met)
    return _model(program, automata, births, limit)


def _model(
    program: Program, automata: Mapping[str, Automaton], births: Births, limit: int
) -> Model:
    model = Lowering(program, automata, births, limit).model()

    def larger() -> Model | None:
        companion = model.companion
        assert isinstance(companion, Provided)
        if not companion.met:
            return None
        more = births
        for site, pid in sorted(companion.met):
            more = grown(more, site, pid)
        return _model(program, automata, more, limit)

    return replace(model, larger=larger)


def _walk(lowering: Lowering) -> tuple[Site, int] | None:
    """Return a process that was created without room for it: where, and with which number."""
    random = Random(0)
    start = lowering.start()
    for _ in range(_WALKS):
        view = start
        for _ in range(_STEPS):
            leaps = _steps(lowering, view)
            for leap in leaps:
                if leap.unprovided is not None:
                    count = leap.course.view.scalars[PROCESSES].constant
                    assert count is not None
                    return leap.unprovided, count
            if not leaps:
                break
            view = random.choice(leaps).course.view
    return None


def _steps(lowering: Lowering, view: View) -> list[Leap]:
    found: list[Leap] = []
    for instance in lowering.world.instances:
        place = view.scalars[instance.place].constant
        if place:
            found += lowering.paths.steps(instance, place, view)
    return [leap for leap in found if leap.fault is None]
