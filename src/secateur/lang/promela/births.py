"""Which processes there will be: a first guess, and what follows from it.

A new process gets the least number that is free, and only the youngest process can go; so which
number it gets depends on who is alive.  The guess is that processes are created in the order
written and live on.  Whoever gets another number is noticed (`Variant.unprovided`), and the
model is made anew with room for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from secateur.lang.promela.ast import Program, Variable
from secateur.lang.promela.automaton import Automaton
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.statements import Statements
from secateur.lang.promela.terms import cut
from secateur.lang.promela.view import UNCHANGED
from secateur.lang.promela.world import Births, Instance, Site, World, edges_of, run_of


def first_processes(program: Program) -> list[tuple[int, str]]:
    """Return the processes that there are to begin with."""
    names = [p.name for p in program.proctypes for _ in range(p.active)]
    return list(enumerate(names))


def first_guess(program: Program, automata: Mapping[str, Automaton]) -> Births:
    """Return the numbers of processes if they are created in the order written."""
    births: dict[Site, frozenset[int]] = {}
    todo = first_processes(program)
    next_pid = len(todo)
    created: set[str] = set()
    while todo:
        pid, name = todo.pop(0)
        for number, edge in enumerate(edges_of(automata[name])):
            run = run_of(edge)
            if run is None or (name in created and run.proctype in created):
                continue
            births[pid, name, number] = frozenset({next_pid})
            todo.append((next_pid, run.proctype))
            next_pid += 1
        created.add(name)
    return births


def grown(births: Births, site: Site, pid: int) -> Births:
    """Return the same with one more process."""
    return {**births, site: births.get(site, frozenset()) | {pid}}


def constants_of(world: World, limit: int) -> dict[tuple[Instance, Variable], int]:
    """Return the parameters that have one value for as long as their process lives.

    They are never written, and whoever creates the process passes the same known number.
    """
    known: dict[tuple[Instance, Variable], int] = {}
    while True:
        found = _constants(world, known, limit)
        if found == known:
            return known
        known = found


def _constants(
    world: World, known: dict[tuple[Instance, Variable], int], limit: int
) -> dict[tuple[Instance, Variable], int]:
    expressions = Expressions(world, known)
    Statements(world, expressions, limit)
    passed: dict[tuple[Instance, Variable], set[int | None]] = {}
    first = {pid: name for pid, name in world.defaults}
    for created in world.instances:
        for parameter in created.proctype.parameters:
            if first.get(created.pid) == created.proctype.name:
                passed.setdefault((created, parameter), set()).add(0)
    for creator in world.instances:
        for number, edge in enumerate(edges_of(creator.automaton)):
            run = run_of(edge)
            if run is None:
                continue
            site = creator.pid, creator.proctype.name, number
            here = Here(creator, UNCHANGED)
            for created in world.of_type(run.proctype):
                if created.pid not in world.births.get(site, frozenset()):
                    continue
                for parameter, arg in zip(created.proctype.parameters, run.args, strict=True):
                    value = cut(expressions.number(arg, here), world.width(parameter)).constant
                    passed.setdefault((created, parameter), set()).add(value)
    return {
        key: value
        for key, values in passed.items()
        if key[1] not in world.assigned and len(values) == 1 and (value := next(iter(values))) is not None
    }
