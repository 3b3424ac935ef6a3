"""Making room for processes: a few walks to see who is created, and a model with room for these.

Expressions and statements whose variables have known values have known values themselves; so a
walk needs nothing but what makes the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final

from secateur.lang.model import Model
from secateur.lang.options import Creation
from secateur.lang.promela.ast import Program
from secateur.lang.promela.automaton import Automaton, Deterministic, Edge
from secateur.lang.promela.births import Room, first_guess
from secateur.lang.promela.companion import MOST_PROCESSES, Provided
from secateur.lang.promela.expressions import PROCESSES
from secateur.lang.promela.lower import Lowering
from secateur.lang.promela.paths import Leap
from secateur.lang.promela.view import View
from secateur.lang.promela.world import edges_of, run_of

_WALKS: Final = 4
_STEPS: Final = 60
"""How many walks are taken to see which processes there are, and how long they are."""
_BRANCHES: Final = 5
_TIMES: Final = 4
"""So many ways on of each process are looked at in each state, and if there are more, so many times:
those that are found one after the other are much alike."""
_GROWTHS: Final = 100
"""So often room is made before anything is asked of the model: processes may create others for ever."""


def provided(
    program: Program, automata: Mapping[str, Automaton], more: Sequence[Creation] = ()
) -> Model:
    """Return the model of a program, with room for the processes that a few walks meet, and for more."""
    room = first_guess(program, automata)
    creates = any(run_of(e) is not None for a in automata.values() for e in edges_of(a))
    for _ in range(_GROWTHS if creates else 0):
        known = room
        room = _walk(Lowering(program, automata, room), room)
        if room == known:
            break
    return _model(program, automata, _grown(room, automata, more), tuple(more))


def _grown(room: Room, automata: Mapping[str, Automaton], more: Sequence[Creation]) -> Room:
    for creator, proctype, statement, pid in more:
        room = room.grown((creator, proctype, statement), pid, automata)
    return room


def _model(
    program: Program, automata: Mapping[str, Automaton], room: Room, made: tuple[Creation, ...]
) -> Model:
    model = Lowering(program, automata, room).model()

    def larger() -> Model | None:
        companion = model.companion
        assert isinstance(companion, Provided)
        if not companion.met:
            return None
        met = tuple((*site, pid) for site, pid in sorted(companion.met))
        more = _grown(room, automata, met)
        if more == room:
            return None  # all was tried; the verdict says what there is no room for
        return _model(program, automata, more, (*made, *met))

    return replace(model, larger=larger, room=made)


def _walk(lowering: Lowering, room: Room) -> Room:
    """Return room for the processes that are created on some walks."""
    random = Random(0)
    start = lowering.start()
    creating = {name: _creating(a) for name, a in lowering.world.automata.items()}
    for _ in range(_WALKS):
        view = start
        for _ in range(_STEPS):
            if not _may_create(lowering, view, creating):
                break
            leaps = _steps(lowering, view, random)
            for leap in leaps:
                room = room.with_arguments(leap.course.born)
                if leap.unprovided is not None:
                    count = leap.course.view.scalars[PROCESSES].constant
                    assert count is not None
                    if count < MOST_PROCESSES:
                        return room.grown(leap.unprovided, count, lowering.world.automata)
            if not leaps:
                break
            view = random.choice(leaps).course.view
    return room


def _creating(automaton: Automaton) -> frozenset[int]:
    """Return the places from which a process may come to one where it creates another."""
    found: set[int] = set()
    before: dict[int, list[int]] = {}
    waiting: list[int] = []
    for place in automaton.locations:
        for edge in automaton.tried(place.number):
            before.setdefault(edge.target, []).append(place.number)
            if any(run_of(e) is not None for e in _within(edge)):
                waiting.append(place.number)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += before.get(number, ())
    return frozenset(found)


def _within(edge: Edge) -> Sequence[Edge]:
    """Return the statements of an edge, of which a `d_step` has several."""
    return edges_of(edge.step.graph) if isinstance(edge.step, Deterministic) else (edge,)


def _may_create(lowering: Lowering, view: View, creating: Mapping[str, frozenset[int]]) -> bool:
    """Whether somebody may still create a process: if not, a walk has nothing more to show."""
    return any(
        view.scalars[each.place].constant in creating[each.automaton.name]
        for each in lowering.world.instances
    )


def _steps(lowering: Lowering, view: View, random: Random) -> list[Leap]:
    found: list[Leap] = []
    for instance in lowering.world.instances:
        place = view.scalars[instance.place].constant
        if not place:
            continue
        for _ in range(_TIMES):
            some = list(islice(lowering.paths.steps(instance, place, view, random), _BRANCHES))
            found += some
            if len(some) < _BRANCHES:
                break
    return [leap for leap in found if leap.fault is None]
