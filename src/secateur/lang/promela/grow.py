"""Making room for processes: a model, a few steps to see who is created, and a larger model."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from secateur.lang.lower import MachineSystem, lower
from secateur.lang.model import Model
from secateur.lang.promela.ast import Program
from secateur.lang.promela.automaton import Automaton
from secateur.lang.promela.births import first_guess, grown
from secateur.lang.promela.companion import Provided
from secateur.lang.promela.lower import MOST_PROCESSES, Lowering
from secateur.lang.promela.world import Births, edges_of, run_of
from secateur.system.system import Transition

_WALKS: Final = 4
_STEPS: Final = 40
"""How many walks are taken to see which processes there are, and how long they are."""


def provided(program: Program, automata: Mapping[str, Automaton], limit: int = MOST_PROCESSES) -> Model:
    """Return the model of a program, with room for the processes that a few walks meet."""
    births = first_guess(program, automata)
    while True:
        model = Lowering(program, automata, births, limit).model()
        if not _creates(automata):
            return model
        companion = model.companion
        assert isinstance(companion, Provided)
        _walk(lower(model))
        if not companion.met:
            return model
        births = with_room(births, companion)


def with_room(births: Births, companion: Provided) -> Births:
    """Return the processes that there are, with those that were met without room for them."""
    for site, pid in sorted(companion.met):
        births = grown(births, site, pid)
    return births


def _creates(automata: Mapping[str, Automaton]) -> bool:
    return any(run_of(e) is not None for a in automata.values() for e in edges_of(a))


def _walk(system: MachineSystem) -> None:
    random = Random(0)
    for _ in range(_WALKS):
        offered = [t for t in system.initial() if isinstance(t, Transition)]
        for _ in range(_STEPS):
            if not offered:
                break
            state = random.choice(offered).target
            offered = [t for t in system.successors(state) if isinstance(t, Transition)]
