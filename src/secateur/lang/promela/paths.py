"""Steps of processes: one statement, or as many as `atomic` and `d_step` make one of.

What is inside of an atomic sequence is no state: a step leads to where the sequence is over, or
to where it cannot go on.  Everything is told in terms of the state before the step.  A sequence
that goes round in a circle, or has too many branches, is cut: the process stops there, and the
variable `_atomic` keeps all others from going on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from random import Random
from typing import Final

from secateur.lang.promela import terms
from secateur.lang.promela.automaton import Automaton, Deterministic, Edge
from secateur.lang.promela.courses import Course, Fault, Leap, Taken
from secateur.lang.promela.expressions import LAST, Here
from secateur.lang.promela.lost import demanded, overwritten
from secateur.lang.promela.statements import Statements
from secateur.lang.promela.terms import Term
from secateur.lang.promela.variants import Answer, Variant, Write
from secateur.lang.promela.view import UNCHANGED, View
from secateur.lang.promela.world import Instance
from secateur.maths.ast import And, Apply, Expr, If, Number, Or, children, walk
from secateur.maths.operators.channels import OUTSIDE, REASONS, UNANSWERED
from secateur.source.records import dataclass

MOST_STATEMENTS: Final = 2000
"""A longer sequence is cut."""
MOST_ROUNDS: Final = 6
"""A sequence that comes to a place again is cut, if more is not known of how it goes on each time."""
MOST_PATHS: Final = 40
"""A sequence with more branches is cut."""
_EVERYWHERE: Final = 2
MOST_SIZE: Final = 3000
"""A value or a condition that would become larger is not put into another: the sequence is cut."""

_STUCK: Final = "a d_step cannot go on"
_OFFERED: Final = "a d_step waits for a rendezvous"


@dataclass()
class Paths:
    """Finds the steps of processes."""

    statements: Statements
    cuts: set[tuple[Instance, int]] = field(default_factory=set)
    """Where sequences were cut."""
    _settled: dict[tuple[Instance, int], dict[str, Term]] = field(default_factory=dict)
    """Variables of a process that have the same value whenever it is at a place.

    Only the process itself writes them, or who sends to it in a rendezvous.
    """
    _chance: Random | None = None
    """What decides about the order in which ways on are looked at, if it does not matter."""
    _joins: dict[tuple[int, int], int] = field(default_factory=dict)
    """For the beginnings of sequences with too many branches, by process and place, where these are
    cut: 1, where another process takes over; 2, also where branches meet again."""

    def steps(self, instance: Instance, place: int, view: View, chance: Random) -> Iterator[Leap]:
        """Yield the steps of a process in a state in which all values are known, in any order."""
        self._chance = chance
        yield from self._go_on(instance, place, Course(view._replace(inside=False)))

    def leaps(self) -> list[Leap]:
        """Return all steps of all processes, in the order of processes and places."""
        instances = self.statements.world.instances
        self._chance = None
        found: dict[tuple[Instance, int], list[Leap]] = {}
        todo = [(i, i.automaton.start) for i in instances]
        self._settled = {(i, i.automaton.start): self._at_birth(i) for i in instances}
        while todo:
            here = todo.pop()
            if here in found:
                continue
            found[here] = self._from(*here)
            for leap in found[here]:
                for each in instances:
                    there = _arrived(leap, each)
                    if there is None:
                        continue
                    if self._weakened(leap, each, there):
                        found.pop((each, there), None)
                    todo.append((each, there))
        order = {instance: number for number, instance in enumerate(instances)}
        begun = sorted(found, key=lambda key: (order[key[0]], key[1]))
        return [leap for key in begun for leap in found[key]]

    def _at_birth(self, instance: Instance) -> dict[str, Term]:
        """Return the variables of a process that always have the same value when it begins."""
        zero = terms.number(0)
        known = {instance.local(v): zero for v in instance.proctype.variables if not v.dimensions}
        for variable in instance.proctype.variables:
            for write in self.statements.lifetimes.initial(variable, Here(instance, UNCHANGED)):
                if write.index is None:
                    known[write.name] = write.value
        return {name: value for name, value in known.items() if value.constant is not None}

    def _weakened(self, leap: Leap, instance: Instance, place: int) -> bool:
        """Take down what is known of a process that a step brings to a place; say whether it is less."""
        names = [instance.local(v) for v in instance.variables if not v.dimensions]
        written = leap.course.view.scalars
        if any(birth.created is instance for birth in leap.course.born):
            # it may have received something since
            written = {**self._at_birth(instance), **written}
        arriving = {
            n: written[n] for n in names if n in written and written[n].constant is not None
        }
        before = self._settled.get((instance, place))
        kept = {n: v for n, v in arriving.items() if before is None or before.get(n) == v}
        self._settled[instance, place] = kept
        return before is not None and kept != before

    def _from(self, instance: Instance, place: int) -> list[Leap]:
        found: list[Leap] = []
        cut = self._joins.get((instance.pid, place), 0)
        for leap in self._begin(instance, place):
            found.append(leap)
            if len(found) > MOST_PATHS and cut < _EVERYWHERE:
                self._joins[instance.pid, place] = cut + 1
                return self._from(instance, place)
        return found

    def _begin(self, instance: Instance, place: int) -> Iterator[Leap]:
        settled = {**self._settled[instance, place], instance.place: terms.number(place)}
        for leap in self._go_on(instance, place, Course(View(settled))):
            yield replace(leap, instance=instance, place=place, settled=settled)

    def _go_on(self, instance: Instance, place: int, course: Course) -> Iterator[Leap]:
        """Yield the ways to take a statement of a process that is at a place."""
        options = list(self.statements.options(instance, place, course.view))
        if self._chance is not None:
            self._chance.shuffle(options)
        for option in options:
            ready = self._supposing(course, option.unless)
            if ready is not None:
                yield from self._take(instance, option.edge, ready)

    def _take(self, instance: Instance, edge: Edge, course: Course) -> Iterator[Leap]:
        if isinstance(edge.step, Deterministic):
            for after in self._inside(instance, edge.step.graph, edge.step.graph.start, course):
                if isinstance(after, Leap):
                    yield replace(after, place=edge.source)
                else:
                    yield from self._arrive(instance, edge, after, None)
            return
        for variant in self.statements.variants(instance, edge, course.view):
            supposed = self._supposing(course, variant.conditions)
            if supposed is None:
                continue
            failed = self._failed(instance, edge, variant, supposed, inside=edge.inside)
            if failed is not None:
                yield failed
                continue
            for executed in self._executed(instance, edge, variant, supposed):
                for after in self._answered(variant.partner, executed):
                    if isinstance(after, Leap):
                        yield replace(after, place=edge.source)
                    else:
                        yield from self._arrive(instance, edge, after, variant.partner)

    def _answered(self, partner: Answer | None, course: Course) -> Iterator[Course | Leap]:
        """Yield what is so after whoever receives has done the rest of its d_step, if it has one."""
        if partner is None or not isinstance(partner.edge.step, Deterministic):
            yield course
            return
        graph = partner.edge.step.graph
        yield from self._inside(partner.instance, graph, partner.receiving.target, course)

    def _failed(
        self, instance: Instance, edge: Edge, variant: Variant, course: Course, *, inside: bool
    ) -> Leap | None:
        """Return the step that cannot be taken, if a variant is one; also if it is part of a d_step."""
        fault = variant.fault
        if variant.partner is not None and inside:
            fault = _OFFERED
        if any(write.outside for write in variant.writes):
            fault = OUTSIDE
        if variant.unprovided is None and fault is None:
            return None
        last = Taken(instance, edge, variant.partner if fault == variant.fault else None)
        born = (*course.born, *variant.born)
        gone = course._replace(taken=(*course.taken, last), born=born)
        wrong = None if fault is None else Fault(fault, last.span)
        return Leap(instance, edge.source, gone, unprovided=variant.unprovided, fault=wrong)

    def _supposing(self, course: Course, conditions: tuple[Expr, ...]) -> Course | None:
        """Return the course where some conditions hold; None if they never do."""
        if any(c is terms.FALSE for c in conditions):
            return None
        new = tuple(c for c in conditions if c is not terms.TRUE and c not in course.conditions)
        if any(terms.negated(c) in course.conditions for c in new):
            return None
        if not new:
            return course
        large = course.large or any(_larger(c, MOST_SIZE) for c in new)
        undefined = course.undefined or next(filter(None, map(_undefined, new)), None)
        conditions = (*course.conditions, *new)
        return course._replace(conditions=conditions, large=large, undefined=undefined)

    def _executed(
        self, instance: Instance, edge: Edge, variant: Variant, course: Course
    ) -> Iterator[Course]:
        """Yield what is so after a statement was executed in one of its ways."""
        asserted = (*course.asserted, *variant.asserted)
        taken = (*course.taken, Taken(instance, edge, variant.partner, variant.message))
        born = (*course.born, *variant.born)
        implied = (*course.implied, *variant.implied)
        demands = (*course.demanded, *self._demanded(variant.computed, variant.writes))
        course = course._replace(
            asserted=asserted, taken=taken, born=born, implied=implied, demanded=demands
        )
        yield from self._written(course, variant.writes)

    def _demanded(self, lost: Iterable[Expr], writes: Iterable[Write]) -> tuple[Expr, ...]:
        kept = (write.value.expr for write in writes)
        return demanded(lost, kept)

    def _written(self, course: Course, writes: tuple[Write, ...]) -> Iterator[Course]:
        if not writes:
            yield course
            return
        view, done = course.view.surely(writes)
        large = course.large or any(_larger(w.value.expr, MOST_SIZE) for w in writes[: done + 1])
        course = self._replaced(course, view, writes, done)._replace(large=large)
        if done == len(writes):
            yield course
            return
        rest = writes[done:]
        first = rest[0]
        for condition, view in course.view.write(first.name, first.value, first.index):
            supposed = self._supposing(self._replaced(course, view, rest, 1), (condition,))
            if supposed is not None:
                yield from self._written(supposed, rest[1:])

    def _replaced(self, course: Course, view: View, writes: Sequence[Write], done: int) -> Course:
        """Return the course after the first of some values were written."""
        lost = overwritten(writes[:done], course.view, view)
        demands = (*course.demanded, *self._demanded(lost, writes))
        return course._replace(view=view, demanded=demands)

    # -- where a step goes on, and where it ends ------------------------------------------------------

    def _arrive(
        self,
        instance: Instance,
        edge: Edge,
        course: Course,
        partner: Answer | None,
    ) -> Iterator[Leap]:
        course = self._moved(course, instance, edge)
        if partner is not None:
            course = self._moved(course, partner.instance, partner.edge)
            # Control goes to who receives, and comes back to nobody.
            if partner.edge.keeps:
                yield from self._within(partner.instance, partner.edge.target, course)
                return
            yield Leap(instance, edge.source, course)
            return
        if edge.keeps:
            yield from self._within(instance, edge.target, course)
            return
        yield Leap(instance, edge.source, course)

    def _moved(self, course: Course, instance: Instance, edge: Edge) -> Course:
        scalars = {**course.view.scalars}
        if edge.target >= 0:  # otherwise the process is no more
            scalars[instance.place] = terms.number(edge.target)
        if self.statements.world.asks_last:
            scalars[LAST] = terms.number(instance.pid)
        return course._replace(view=course.view._replace(scalars=scalars))

    def _within(self, instance: Instance, place: int, course: Course) -> Iterator[Leap]:
        """Go on inside of an atomic sequence, or end where that cannot be."""
        if course.undefined is not None:
            yield Leap(instance, place, course, fault=course.undefined)
            return
        first = course.taken[0].instance, course.taken[0].edge.source
        course = course._replace(view=course.view._replace(inside=True))
        able = self.statements.able(instance, place, course.view)
        again = _come_to(course, instance.automaton, place)
        if again is None or self._is_join(first, instance, place) or self._too_much(course):
            holding = self._supposing(course, (able,))
            if holding is not None:
                self.cuts.add((instance, place))
                yield Leap(instance, place, holding, holder=instance)
        else:
            yield from self._go_on(instance, place, again)
        blocked = self._supposing(course, (terms.negated(able),))
        if blocked is not None:
            mistake = instance.automaton.at[place].inside
            fault = _stuck(instance.automaton, place) if mistake else None
            yield Leap(instance, place, blocked, fault=fault)

    def _is_join(self, first: tuple[Instance, int], instance: Instance, place: int) -> bool:
        """Whether branches meet at a place: several lead there, or another process has taken over."""
        cut = self._joins.get((first[0].pid, first[1]), 0)
        if instance is not first[0]:
            return cut > 0
        meeting = sum(e.target == place for e in instance.automaton.edges) > 1
        return meeting and cut == _EVERYWHERE

    def _too_much(self, course: Course) -> bool:
        return course.large or len(course.taken) >= MOST_STATEMENTS

    # -- d_step ---------------------------------------------------------------------------------------

    def _inside(
        self, instance: Instance, graph: Automaton, place: int, course: Course
    ) -> Iterator[Course | Leap]:
        """Yield the ways through a d_step; of several statements the first that can be executed."""
        if course.undefined is not None:
            yield Leap(instance, place, course, fault=course.undefined)
            return
        if place == graph.end:
            yield course._replace(view=course.view._replace(committed=False))
            return
        again = _come_to(course, graph, place)
        if again is None or self._too_much(course):
            raise TooLong(graph)
        course = again
        earlier: tuple[Expr, ...] = ()
        for edge in graph.leaving[place]:
            supposed = self._supposing(course, earlier)
            if supposed is None:
                return
            yield from self._one_inside(instance, graph, edge, supposed)
            able = self.statements.executable(instance, edge, course.view)
            earlier = (*earlier, terms.negated(able))
        stuck = self._supposing(course, earlier)
        if stuck is not None and place != graph.start:
            yield Leap(instance, place, stuck, fault=_stuck(graph, place))

    def _one_inside(
        self, instance: Instance, graph: Automaton, edge: Edge, course: Course
    ) -> Iterator[Course | Leap]:
        for variant in self.statements.variants(instance, edge, course.view):
            ready = self._supposing(course, variant.conditions)
            if ready is None:
                continue
            failed = self._failed(instance, edge, variant, ready, inside=True)
            if failed is not None:
                yield failed
                continue
            for after in self._executed(instance, edge, variant, ready):
                begun = after._replace(view=after.view._replace(committed=True))
                yield from self._inside(instance, graph, edge.target, begun)


def _come_to(course: Course, graph: Automaton, place: int) -> Course | None:
    """Return the course at a place of a sequence; None if it goes round in circles there."""
    count = len(course.conditions)
    known, rounds, view = course.seen.get((graph, place), (count, 0, None))
    rounds += count > known
    if rounds > MOST_ROUNDS or (count == known and course.view == view):
        return None
    return course._replace(seen={**course.seen, (graph, place): (count, rounds, course.view)})


def _stuck(graph: Automaton, place: int) -> Fault:
    """Return what is wrong where a d_step does not go on."""
    return Fault(_STUCK, graph.leaving[place][0].span)


def _arrived(leap: Leap, instance: Instance) -> int | None:
    """Return where a step brings a process, if it is alive after it."""
    if leap.fault is not None or leap.unprovided is not None:
        return None
    place = leap.course.view.scalars.get(instance.place)
    return None if place is None else place.constant or None


class TooLong(Exception):
    """A d_step goes round in a circle that is not known to end."""

    def __init__(self, graph: Automaton) -> None:
        super().__init__("a d_step without a known end")
        self.graph = graph


def _undefined(e: Expr) -> Fault | None:
    """Return why what is looked at in any case has no answer, if that is known."""
    match e:
        case And(parts) | Or(parts):
            return _undefined(parts[0])
        case If(condition, _, _):
            return _undefined(condition)
        case Apply(operator, (Number(reason),), span) if operator is UNANSWERED:
            return Fault(REASONS[reason], span)
        case _:
            return next(filter(None, map(_undefined, children(e))), None)


def _larger(e: Expr, limit: int) -> bool:
    return any(number > limit for number, _ in enumerate(walk(e)))
