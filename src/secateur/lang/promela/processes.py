"""What can be asked of the processes of a model: where they are, which priority they have, which are meant."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.promela import ast, terms
from secateur.lang.promela.terms import BYTE, Term, Width
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance, World
from secateur.maths.ast import Expr
from secateur.source import Span


class Processes:
    """The processes of one world, as expressions see them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._asked: dict[tuple[Span, str], bool] = {}
        """Of which processes something is asked by their numbers, and whether there may be such."""

    def at(self, instance: Instance, place: int, view: View) -> Expr:
        """Return whether a process is at a place; 0 if it is not alive."""
        if place and any(_is_there(view, s) for s in self._world.siblings.get(instance, ())):
            return terms.FALSE
        return terms.equal(self.place(instance, view), terms.number(place))

    def place(self, instance: Instance, view: View) -> Term:
        """Return where a process is."""
        most = max(p.number for p in instance.automaton.locations)
        return view.read(instance.place, Width(most.bit_length()))

    def progress(self, view: View) -> Expr:
        """Return whether a process is where it makes progress."""
        return terms.any_of(
            self.at(i, place.number, view)
            for i in self._world.instances
            for place in i.automaton.locations
            if place.progress
        )

    def place_of(self, pid: Term, view: View) -> Term:
        """Return where the process with a number is; 0 if there is none."""
        value = terms.number(0)
        for i in self._world.instances:
            value = terms.choose(self._alive(i, pid, view), self.place(i, view), value)
        return known_of(pid, value)

    def priority(self, instance: Instance, view: View) -> Term:
        """Return the priority of a process; one that may change is 0 while it is not alive."""
        known = self._world.priority(instance)
        return view.read(instance.rank, BYTE) if known is None else terms.number(known)

    def priority_of(self, pid: Term, view: View) -> Term:
        """Return the priority of the process with a number; 0 if there is none."""
        value = terms.number(0)
        for i in self._world.instances:
            value = terms.choose(self._alive(i, pid, view), self.priority(i, view), value)
        return known_of(pid, value)

    def _alive(self, instance: Instance, pid: Term, view: View) -> Expr:
        """Return whether a process is alive and has a number."""
        has_it = terms.equal(pid, terms.number(instance.pid))
        return terms.all_of((has_it, terms.negated(self.at(instance, 0, view))))

    def meant(
        self, e: ast.RemoteLabel | ast.RemoteVariable, pid: Term | None, view: View
    ) -> list[tuple[Expr, Instance]]:
        """Return the processes that a reference may mean, and under which conditions.

        Without a number, it is the first one that is alive.
        """
        found = self._world.of_type(e.proctype)
        if pid is None:
            gone = [self.at(i, 0, view) for i in found]
            return [(terms.all_of(gone[:j]), i) for j, i in enumerate(found)]
        conditions = [(terms.equal(pid, terms.number(i.pid)), i) for i in found]
        meant = [(c, i) for c, i in conditions if c is not terms.FALSE]
        question = (e.span, e.proctype)
        self._asked[question] = self._asked.get(question, False) or bool(meant)
        return meant

    @property
    def notes(self) -> Iterator[str]:
        """What is worth knowing about what was asked so far."""
        for (span, proctype), meant in self._asked.items():
            if not meant:
                text = f"{span}: no process {proctype} is known to get this number"
                yield f"{text}: what is asked of it is 0"


def asked_of(pid: Term, found: Expr) -> Expr:
    """Return what is said of a process; nothing where its number has no value."""
    return terms.both(terms.equal(pid, pid), found) if terms.may_fail(pid.expr) else found


def known_of(pid: Term, value: Term) -> Term:
    """Likewise for a number."""
    return terms.choose(terms.equal(pid, pid), value, value) if terms.may_fail(pid.expr) else value


def _is_there(view: View, instance: Instance) -> bool:
    """Whether a process is known to be alive."""
    place = view.scalars.get(instance.place)
    return place is not None and bool(place.constant)
