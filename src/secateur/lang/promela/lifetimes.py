"""Processes come into being and go: what is written then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from secateur.lang.promela import ast, terms
from secateur.lang.promela.expressions import PROCESSES, Expressions, Here
from secateur.lang.promela.terms import BYTE, Term
from secateur.lang.promela.variants import Variant, Write
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance, World, elements
from secateur.maths.ast import Expr
from secateur.source.records import dataclass


@dataclass()
class Lifetimes:
    """The beginnings and ends of processes in one world."""

    world: World
    expressions: Expressions

    def expected(self, created: Instance, arguments: Sequence[Term]) -> Expr:
        """Return whether a process is given what it is supposed to be given each time."""
        constants = self.expressions.constants
        return terms.all_of(
            terms.equal(value, terms.number(constants[created, parameter]))
            for parameter, value in zip(created.proctype.parameters, arguments, strict=True)
            if (created, parameter) in constants
        )

    def created(self, created: Instance, arguments: Sequence[Term], view: View) -> Iterator[Write]:
        """Yield what is written when a process comes into being."""
        yield Write(created.place, terms.number(created.automaton.start))
        seen: dict[str, Term] = {}
        for parameter, value in zip(created.proctype.parameters, arguments, strict=True):
            if (created, parameter) in self.expressions.constants:
                continue
            name = created.local(parameter)
            seen[name] = value
            yield Write(name, value)
        inside = Here(created, View({**view.scalars, **seen}, view.arrays))
        for variable in created.proctype.variables:
            for write in self.initial(variable, inside):
                yield write
                if write.index is None:
                    scalars = {**inside.view.scalars, write.name: write.value}
                    inside = Here(created, View(scalars, inside.view.arrays))

    def initial(self, variable: ast.Variable, here: Here) -> Iterator[Write]:
        """Yield the initial values of a variable that is something other than 0."""
        here = replace(here, beginning=True)
        owner = here.instance if variable.owner is not None else None
        name = variable.name if owner is None else owner.local(variable)
        queues = self.world.made_by(variable, owner)
        if queues and variable not in self.world.assigned:
            return
        values = [terms.number(q.number) for q in queues]
        width = self.world.width(variable)
        if not queues:
            values = [terms.cut(self.expressions.number(e, here), width) for e in variable.initial]
        if not values:
            return
        count = elements(variable)
        values = (
            values * count
            if len(values) == 1
            else values + [terms.number(0)] * (count - len(values))
        )
        for place, value in enumerate(values):
            if value.constant != 0:
                yield Write(name, value, terms.number(place) if variable.dimensions else None)

    def over(self, instance: Instance, view: View) -> Variant:
        """Return what happens when a process is over: only the youngest can go."""
        pid = terms.number(instance.pid)
        youngest = terms.equal(view.read(PROCESSES, BYTE), terms.add(pid, terms.number(1)))
        writes = [Write(PROCESSES, pid), Write(instance.place, terms.number(0))]
        if self.world.priority(instance) is None:
            writes.append(Write(instance.rank, terms.number(0)))
        for variable in instance.variables:
            writes += self._cleared(variable, instance)
        return Variant((youngest,), tuple(writes))

    def _cleared(self, variable: ast.Variable, instance: Instance) -> Iterator[Write]:
        zero = terms.number(0)
        for queue in self.world.made_by(variable, instance):
            capacity = queue.channel.capacity
            if capacity:
                yield Write(queue.length, zero)
            for place in range(capacity):
                for j in range(len(queue.channel.fields)):
                    yield Write(queue.field(j), zero, terms.number(place) if capacity > 1 else None)
        if not self.is_stored(variable, instance):
            return
        for place in range(elements(variable)):
            index = terms.number(place) if variable.dimensions else None
            yield Write(instance.local(variable), zero, index)

    def is_stored(self, variable: ast.Variable, instance: Instance | None) -> bool:
        """Whether a variable is one of the model, and no constant."""
        if instance is not None and (instance, variable) in self.expressions.constants:
            return False
        made = self.world.made_by(variable, instance)
        return not made or variable in self.world.assigned
