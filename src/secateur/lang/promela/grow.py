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
from secateur.lang.promela.births import Met, Room, first_guess, first_processes
from secateur.lang.promela.companion import MOST_PROCESSES, Provided
from secateur.lang.promela.courses import Leap
from secateur.lang.promela.expressions import PROCESSES
from secateur.lang.promela.lower import Lowering
from secateur.lang.promela.paths import TooLong
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
        known, met = room, Met()
        room = _walked(Lowering(program, automata, room), room, met)
        if room == known:
            room = room.trimmed(met, first_processes(program), automata)
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
        if _grown(room, automata, met) == room:
            return None  # all was tried; the verdict says what there is no room for
        met = (*met, *room.expected(met, automata))
        return _model(program, automata, _grown(room, automata, met), (*made, *met))

    return replace(model, larger=larger, room=made)


def _walked(lowering: Lowering, room: Room, met: Met) -> Room:
    while True:
        try:
            return _walk(lowering, room, met)
        except TooLong as found:
            lowering.take_apart(found.graph)


def _walk(lowering: Lowering, room: Room, met: Met) -> Room:
    """Return room for the processes that are created on some walks, and note which these are."""
    random = Random(0)
    start = lowering.start()
    creating = {i: _creating(i.automaton) for i in lowering.world.instances}
    for _ in range(_WALKS):
        view = start
        for _ in range(_STEPS):
            if not any(view.scalars[i.place].constant in places for i, places in creating.items()):
                break  # nobody will be created any more
            leaps = _steps(lowering, view, random)
            for leap in leaps:
                known = room
                room = room.with_arguments(leap.course.born)
                _note(leap, met)
                if leap.unprovided is not None:
                    if room != known:
                        return room  # other arguments than were expected
                    count = leap.course.view.scalars[PROCESSES].constant
                    assert count is not None
                    if count < MOST_PROCESSES:
                        return room.grown(leap.unprovided, count, lowering.world.automata)
            if not leaps:
                break
            view = random.choice(leaps).course.view
        count = view.scalars[PROCESSES].constant
        if count is not None and count < MOST_PROCESSES:
            met.after.add(count)
    return room


def _note(leap: Leap, met: Met) -> None:
    """Take down who has created whom in a step."""
    for birth in leap.course.born:
        met.born.setdefault(birth.site, set()).add(birth.created.pid)


def _creating(automaton: Automaton) -> frozenset[int]:
    """Return the places from which a process may come to where it creates another."""
    before: dict[int, set[int]] = {}
    todo: list[int] = []
    for place in automaton.locations:
        for edge in automaton.tried(place.number):
            before.setdefault(edge.target, set()).add(place.number)
            if _creates(edge):
                todo.append(place.number)
    found: set[int] = set()
    while todo:
        place_number = todo.pop()
        if place_number not in found:
            found.add(place_number)
            todo += before.get(place_number, ())
    return frozenset(found)


def _creates(edge: Edge) -> bool:
    inner = edges_of(edge.step.graph) if isinstance(edge.step, Deterministic) else ()
    return any(run_of(each) is not None for each in (edge, *inner))


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
