"""Priorities: a process goes on only while none of a higher priority can.

Where every process has one priority for all its life, that is a number.  Others have a variable
for it, which is 0 while there is no such process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from secateur.lang.promela import ast, terms
from secateur.lang.promela.codes import UNSUPPORTED
from secateur.lang.promela.constants import value_of
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.terms import BYTE, Term
from secateur.lang.promela.variants import Variant, Write
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance
from secateur.maths.ast import Expr
from secateur.source import fail
from secateur.source.records import dataclass


@dataclass()
class Priorities:
    """The priorities of processes in one world."""

    expressions: Expressions
    able: Callable[[Instance, View], Expr]
    """Whether a process can do something; asked by this, it asks for no priorities."""
    asked: bool = False
    """Whether that is being asked."""

    def __post_init__(self) -> None:
        world = self.expressions.world
        ranks = {world.priority(i) for i in world.instances}
        if (len(ranks) > 1 or None in ranks) and any(not q.channel.capacity for q in world.queues):
            text = "priorities are not supported, nor are they by Spin, where there is a rendezvous"
            raise fail(UNSUPPORTED, text, world.program.proctypes[0].span)
        self._equal = len(ranks) <= 1 and None not in ranks

    def first(self, instance: Instance, view: View) -> Iterator[Expr]:
        """Yield that nobody of a higher priority can do anything."""
        if self.asked or self._equal:
            return
        world = self.expressions.world
        mine = self.expressions.processes.priority(instance, view)
        for other in world.instances:
            higher = terms.compare(">", self.expressions.processes.priority(other, view), mine)
            if other is not instance and higher is not terms.FALSE:
                yield terms.negated(terms.all_of((higher, self._could(other, view))))

    def _could(self, instance: Instance, view: View) -> Expr:
        """Return whether a process can do something, priorities aside."""
        before, self.asked = self.asked, True
        try:
            return self.able(instance, view)
        finally:
            self.asked = before

    def begun(self, instance: Instance, run: ast.Run | None) -> Iterator[Write]:
        """Yield what is written when a process comes into being; `run` is None at the beginning."""
        world = self.expressions.world
        if world.priority(instance) is not None:
            return
        given: int | None = max(1, instance.proctype.priority)
        if run is not None:
            given = 1 if run.priority is None else value_of(run.priority)
        assert given is not None
        yield Write(instance.rank, terms.cut(terms.number(given), BYTE))

    def changed(self, e: ast.Priority, here: Here) -> Iterator[Variant]:
        """Yield the ways to execute `set_priority`; where there is no such process it does nothing."""
        assert e.value is not None
        pid = self.expressions.number(e.pid, here)
        value = self.expressions.number(e.value, here)
        lawful = terms.within(terms.subtract(value, terms.number(1)), 255)
        nobody: list[Expr] = []
        for instance in self.expressions.world.instances:
            meant = terms.all_of(self._alive(instance, pid, here.view))
            if meant is terms.FALSE:
                continue
            nobody.append(terms.negated(meant))
            yield Variant((meant, lawful), (Write(instance.rank, _byte(value)),))
            yield Variant((meant, terms.negated(lawful)), fault="the priority is out of range")
        yield Variant(tuple(nobody))

    def _alive(self, instance: Instance, pid: Term, view: View) -> Iterator[Expr]:
        yield terms.equal(pid, terms.number(instance.pid))
        yield terms.negated(self.expressions.processes.at(instance, 0, view))


def _byte(value: Term) -> Term:
    return terms.cut(value, BYTE)
