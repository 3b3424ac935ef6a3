"""Statements of Promela: where they can be executed, and what they change.

A statement has *variants*: one per queue that a channel may be, per message that a receive may
take, per process that answers a rendezvous, per number that a new process may get.  At most one
message can be taken by a receive, so that variants of one queue exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from secateur.lang.promela import ast, terms
from secateur.lang.promela.abilities import Abilities
from secateur.lang.promela.ast import Special
from secateur.lang.promela.automaton import Deterministic, Edge, Jump, Location, Terminate
from secateur.lang.promela.buffers import Buffers
from secateur.lang.promela.evaluated import where
from secateur.lang.promela.events import EventTrace
from secateur.lang.promela.expressions import PROCESSES, Expressions, Here, looked_at
from secateur.lang.promela.lifetimes import Lifetimes
from secateur.lang.promela.messages import as_sent, unfitting
from secateur.lang.promela.priorities import Priorities
from secateur.lang.promela.terms import BYTE, Term
from secateur.lang.promela.unanswered import Unanswered
from secateur.lang.promela.variants import Answer, Birth, Remembered, Variant, Write
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance, Queue, Site, World, edges_of, elements, run_of
from secateur.maths.ast import Expr
from secateur.maths.operators.channels import POLLED
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """An edge that may be taken at a place, and what must hold for that besides."""

    edge: Edge
    unless: tuple[Expr, ...] = ()
    """No escape sequence goes before."""
    before: tuple[Edge, ...] = ()
    """The statements that go before: in a rendezvous, those that receive the message as well."""


@dataclass()
class Statements:
    """Statements in one world."""

    world: World
    expressions: Expressions
    lifetimes: Lifetimes = field(init=False)
    priorities: Priorities = field(init=False)
    unanswered: Unanswered = field(init=False)
    buffers: Buffers = field(init=False)
    trace: EventTrace | None = None
    _numbers: dict[int, int] = field(default_factory=dict)
    """The places of edges that create processes among all of their proctype, by identity of `run`."""
    _created: dict[int, ast.Run] = field(default_factory=dict)
    """What statements create processes, by their identity."""
    _remembered: Remembered = field(default_factory=Remembered)

    def __post_init__(self) -> None:
        self.lifetimes = Lifetimes(self.world, self.expressions)
        self.abilities = Abilities(self.world.instances, self.expressions.processes, self.able)
        self.priorities = Priorities(self.expressions, self.abilities.of)
        self.unanswered = Unanswered(self.expressions)
        self.buffers = Buffers(self.expressions)
        for automaton in self.world.written.values():
            for number, edge in enumerate(edges_of(automaton)):
                run = run_of(edge)
                if run is not None:
                    self._numbers[id(run)] = number
                    self._created[id(edge.step)] = run
        self.expressions.executable = self.abilities.enabled
        self.expressions.timeout = self.abilities.of_nobody

    # -- who can do something -----------------------------------------------------------------------

    def options(self, instance: Instance, place: int, view: View) -> list[Option]:
        """Return the edges that may be taken at a place: those of escape sequences go first."""
        location: Location = instance.automaton.at[place]
        found: list[Option] = []
        unless: tuple[Expr, ...] = ()
        before: tuple[Edge, ...] = ()
        for escape in location.escapes:
            found += self._among(instance, escape.edges, view, unless, before)
            unless = (*unless, terms.negated(self._escapes(instance, escape.edges, view)))
            before = (*before, *escape.edges)
        found += self._among(instance, instance.automaton.leaving[place], view, unless, before)
        return found

    def _escapes(self, instance: Instance, edges: Sequence[Edge], view: View) -> Expr:
        """Return whether an escape sequence keeps what comes after it from being taken.

        It does if one of its statements can be executed.  But Spin forgets that when it offers a
        message in a rendezvous after that, and nobody receives it.
        """
        keeps: Expr = terms.FALSE
        for edge in edges:
            forgets = terms.all_of((keeps, terms.negated(self._offers(instance, edge, view))))
            keeps = terms.any_of((self.executable(instance, edge, view), forgets))
        return keeps

    def _offers(self, instance: Instance, edge: Edge, view: View) -> Expr:
        """Return whether a statement offers a message in a rendezvous, received or not."""
        if not isinstance(edge.step, ast.Send):
            return terms.FALSE
        queues = self.expressions.queues(edge.step.channel, Here(instance, view))
        return terms.any_of(c for c, queue in queues if queue.channel.capacity == 0)

    def _among(
        self,
        instance: Instance,
        edges: Sequence[Edge],
        view: View,
        unless: tuple[Expr, ...],
        before: tuple[Edge, ...],
    ) -> Iterator[Option]:
        """Yield the edges of one escape sequence, or of the place itself."""
        for edge in edges:
            first = self._first(instance, edge, view)
            if isinstance(edge.step, ast.Else) and before:
                first += tuple(terms.negated(self.executable(instance, e, view)) for e in before)
            yield Option(edge, (*unless, *first), (*before, *edge.rivals))

    def _first(self, instance: Instance, edge: Edge, view: View) -> tuple[Expr, ...]:
        """Return that none of the edges that go before can be taken."""
        return tuple(terms.negated(self.executable(instance, r, view)) for r in edge.rivals)

    def executable(self, instance: Instance, edge: Edge, view: View) -> Expr:
        """Return whether a process that is where an edge begins can take it."""
        step = edge.step
        if isinstance(step, Deterministic):
            first = step.graph.leaving[step.graph.start]
            return terms.any_of(self.executable(instance, e, view) for e in first)
        if id(step) in self._created:
            return terms.all_of(self.provided(instance, view))
        return terms.any_of(
            terms.all_of(variant.conditions)
            for variant in self.variants(instance, edge, view)
            if not variant.besides
        )

    def able(self, instance: Instance, place: int, view: View) -> Expr:
        """Return whether a process that is at a place can go on."""
        return terms.any_of(
            self.executable(instance, option.edge, view)
            for option in self.options(instance, place, view)
        )

    def provided(self, instance: Instance, view: View) -> tuple[Expr, ...]:
        """Return what must hold whenever a process does something."""
        if view.committed:
            return ()
        first = list(self.priorities.first(instance, view))
        clause = instance.proctype.provided
        if clause is not None:
            first.append(self.expressions.condition(clause, Here(instance, view)))
        return tuple(first)

    # -- what statements do -------------------------------------------------------------------------

    def variants(self, instance: Instance, edge: Edge, view: View) -> Sequence[Variant]:
        """Return the ways to execute the statement of an edge."""
        kind = self.abilities.without_timeout, self.priorities.asked
        if (found := self._remembered.recalled(view, instance, edge, kind)) is None:
            found = tuple(self._all_variants(instance, edge, view))
            self._remembered.keep(view, instance, edge, kind, found)
        return found

    def _all_variants(self, instance: Instance, edge: Edge, view: View) -> Iterator[Variant]:
        always = self.provided(instance, view)
        here = Here(instance, view)
        if not view.committed:
            first = tuple(self.priorities.first(instance, view))
            unclear = tuple(self.unanswered.faults(instance.proctype.provided, here))
            yield from (variant.where(*first) for variant in unclear)
            always += tuple(terms.negated(terms.all_of(v.conditions)) for v in unclear)
        faults = tuple(self.unanswered.faults(edge.step, here))
        yield from (variant.where(*always) for variant in faults)
        always += tuple(terms.negated(terms.all_of(v.conditions)) for v in faults)
        found = self._variants(instance, edge, view)
        for variant in found if self.trace is None else self.trace.followed(found, edge.step, view):
            if any(c is terms.FALSE for c in variant.conditions):
                continue
            kept = tuple(c for c in (*always, *variant.conditions) if c is not terms.TRUE)
            yield variant._replace(conditions=kept)

    def _variants(self, instance: Instance, edge: Edge, view: View) -> Iterator[Variant]:
        here = Here(instance, view)
        step = edge.step
        run = self._created.get(id(step))
        if run is None:
            yield from self._plain(instance, edge, here)
        else:
            yield from self._run(run, instance, edge, here)

    def _plain(self, instance: Instance, edge: Edge, here: Here) -> Iterator[Variant]:
        """Yield the ways to execute a statement, apart from the process that it creates."""
        step = edge.step
        match step:
            case ast.Condition(ast.Priority(value=value) as priority) if value is not None:
                yield from self.priorities.changed(priority, here)
            case ast.Condition(condition):
                yield Variant((self.expressions.condition(condition, here),))
            case ast.Else():
                yield Variant((self._otherwise(instance, edge, here.view),))
            case ast.Assign(target, value):
                yield Variant((), self.stored(target, self.expressions.number(value, here), here))
            case ast.Assert(condition):
                asserted = self.expressions.condition(condition, here)
                known = terms.as_number(asserted).expr  # where that has no value, nobody goes on
                yield Variant(asserted=((asserted, step),), computed=(known,))
            case ast.Print(args=args):
                values = (self.expressions.number(a, here) for a in args)
                yield Variant(computed=tuple(value.expr for value in values))
            case Jump():
                yield Variant()
            case Terminate():
                yield self.lifetimes.over(instance, here.view)
            case ast.Send():
                yield from self._send(step, here)
            case ast.Receive():
                yield from self._receive(step, here)
            case Deterministic():
                raise AssertionError("a d_step is a path of statements")

    def _otherwise(self, instance: Instance, edge: Edge, view: View) -> Expr:
        if edge.escaping:
            return terms.TRUE
        beside = self._beside(instance, edge)
        rivals = [e for e in beside if e is not edge and not isinstance(e.step, ast.Else)]
        return terms.negated(terms.any_of(self.executable(instance, e, view) for e in rivals))

    def _beside(self, instance: Instance, edge: Edge) -> Sequence[Edge]:
        """Return the edges that leave the same place; it may be inside of a d_step."""
        graphs = [instance.automaton]
        while graphs:
            graph = graphs.pop()
            leaving = graph.leaving.get(edge.source, [])
            if any(e is edge for e in leaving):
                return leaving
            graphs += [e.step.graph for e in graph.edges if isinstance(e.step, Deterministic)]
        raise AssertionError(edge)

    def stored(self, target: ast.Expr, value: Term, here: Here) -> tuple[Write, ...]:
        """Return what it is to assign a value."""
        if isinstance(target, ast.Known) and target.special is Special.SCRATCH:
            return ()
        assert isinstance(target, ast.Use), target
        variable = target.variable
        name = variable.name
        if variable.owner is not None:
            assert here.instance is not None
            name = here.instance.local(variable)
        index = self.expressions.index(target, here)
        stored = terms.cut(value, self.world.width(variable))
        if index is None:
            return (Write(name, stored),)
        # Outside of the array there is nothing to read either, so that this has no value.
        inside = terms.within(index, elements(variable))
        nothing = terms.variable(name, self.world.width(variable), index, target.span)
        kept = terms.choose(inside, stored, nothing)
        return (Write(name, kept, index, outside=inside is terms.FALSE),)

    # -- processes ----------------------------------------------------------------------------------

    def site(self, creator: Instance, run: ast.Run) -> Site:
        """Return where a process creates another."""
        return creator.pid, creator.proctype.name, self._numbers[id(run)]

    def _run(self, run: ast.Run, instance: Instance, edge: Edge, here: Here) -> Iterator[Variant]:
        """Yield the ways to execute a statement that creates a process, perhaps on conditions."""
        reached = where(edge.step, lambda e: terms.truth(e is run), self.expressions, here)
        passed = replace(here, created=terms.number(0))
        for variant in self._plain(instance, edge, passed):
            yield variant.where(terms.negated(reached))
        count = here.view.read(PROCESSES, BYTE)
        site = self.site(instance, run)
        unprovided = [reached]
        numbers = self.world.births.get(site, frozenset())
        if count.constant is not None:
            numbers &= {count.constant}
        for created in self.world.numbered(run.proctype, numbers):
            pid = terms.number(created.pid)
            here_it_is = terms.equal(count, pid)
            unprovided.append(terms.negated(here_it_is))
            arguments = tuple(
                terms.cut(self.expressions.number(arg, here), self.world.width(parameter))
                for parameter, arg in zip(created.proctype.parameters, run.args, strict=True)
            )
            expected = self.lifetimes.expected(created, arguments)
            born = (Birth(site, created, arguments),)
            if expected is not terms.TRUE:
                unexpected = reached, here_it_is, terms.negated(expected)
                yield Variant(unexpected, unprovided=site, born=born)
            writes = [Write(PROCESSES, terms.add(pid, terms.number(1)))]
            writes += self.lifetimes.created(created, arguments, here.view)
            writes += self.priorities.begun(created, run)
            absent = self.expressions.processes.at(created, 0, here.view)
            implied = () if absent is terms.TRUE else (absent,)
            for variant in self._plain(instance, edge, replace(here, created=pid)):
                more = variant._replace(writes=(*writes, *variant.writes), born=born)
                yield more._replace(implied=implied).where(reached, here_it_is, expected)
        yield Variant(tuple(unprovided), unprovided=site)

    # -- channels -----------------------------------------------------------------------------------

    def _send(self, step: ast.Send, here: Here) -> Iterator[Variant]:
        yield from self.unanswered.never_made(step.channel, here)
        given = [self.expressions.number(arg, here) for arg in step.args]
        for condition, queue in self.expressions.queues(step.channel, here):
            sent = as_sent(given, queue)
            values = tuple(
                terms.cut(value, self.world.field_width(queue, j)) for j, value in enumerate(sent)
            )
            if queue.channel.capacity == 0:
                # it is a mistake to offer such a message, be it received or not
                yield from unfitting(queue, step, condition)
                yield from self._rendezvous(condition, queue, values, here)
                continue
            length = self.expressions.length(queue, here.view)
            room = terms.compare("<", length, terms.number(queue.channel.capacity))
            yield from unfitting(queue, step, condition, room)
            put = self.buffers.appended(queue, values, here.view)
            if step.sorted:
                put = self.buffers.put_in_order(queue, sent, values, here.view)
            yield Variant((condition, room), tuple(put), message=(queue, values))

    def _receive(self, step: ast.Receive, here: Here) -> Iterator[Variant]:
        yield from self.unanswered.never_made(step.channel, here)
        for condition, queue in self.expressions.queues(step.channel, here):
            if step.copy and queue.channel.capacity == 0:
                yield Variant((condition,), fault=POLLED)
            found = self.expressions.matches(queue, step.args, here, any_place=step.any_place)
            wrong = tuple(unfitting(queue, step, condition, terms.any_of(found)))
            yield from wrong
            for place, match in enumerate(found):
                if match is terms.FALSE or not all(w.besides for w in wrong):
                    continue
                message = self.expressions.message(queue, place, here.view)
                writes = list(self._taken(step.args, message, here))
                if not step.copy:
                    writes += self.buffers.removed(queue, place, here.view)
                yield Variant((condition, match), tuple(writes), message=(queue, message))

    def _taken(
        self, args: Sequence[ast.Expr], message: Sequence[Term], here: Here
    ) -> Iterator[Write]:
        """Yield what a receive writes, from left to right: an index sees what was received before it."""
        view = here.view
        for arg, value in zip(args, looked_at(message, args), strict=True):
            if not isinstance(arg, ast.Use):
                continue
            for write in self.stored(arg, value, Here(here.instance, view)):
                yield write
                if write.index is None:
                    view = View({**view.scalars, write.name: write.value}, view.arrays)

    def _rendezvous(
        self, condition: Expr, queue: Queue, values: Sequence[Term], here: Here
    ) -> Iterator[Variant]:
        """Yield one variant per statement that may receive the message."""
        for receiver, place, edge, receiving in self.world.listeners[queue]:
            there = self.expressions.processes.at(receiver, place, here.view)
            if receiver is here.instance or there is terms.FALSE:
                continue
            for option in self.options(receiver, place, here.view):
                if option.edge is edge:
                    message = queue, tuple(values)
                    answer = Answer(receiver, edge, receiving, option.before)
                    yield from self._handshake((condition, there), answer, message, here.view)

    def _handshake(
        self,
        conditions: tuple[Expr, ...],
        answer: Answer,
        message: tuple[Queue, tuple[Term, ...]],
        view: View,
    ) -> Iterator[Variant]:
        there, step = Here(answer.instance, view), answer.receiving.step
        assert isinstance(step, ast.Receive)
        # what goes before is what receives the message, not what could be done without it
        earlier = (terms.negated(self._suits(e, message, there)) for e in answer.earlier)
        met = (
            *conditions,
            *self.provided(answer.instance, view),
            *earlier,
            self._suits(answer.receiving, message, there),
        )
        queue, values = message
        wrong = tuple(unfitting(queue, step, *met))
        yield from (w._replace(partner=answer) for w in wrong)
        if all(w.besides for w in wrong):
            yield Variant(
                met,
                tuple(self._taken(step.args, values, there)),
                partner=answer,
                message=message,
                computed=tuple(value.expr for value in values),
            )

    def _suits(self, edge: Edge, message: tuple[Queue, tuple[Term, ...]], there: Here) -> Expr:
        """Return whether a statement receives a message that is sent in a rendezvous."""
        if not isinstance(edge.step, ast.Receive) or edge.step.copy:
            return terms.FALSE
        queue, values = message
        known = self.expressions.queues(edge.step.channel, there)
        the_queue = terms.any_of(c for c, each in known if each is queue)
        return terms.all_of((the_queue, self.expressions.fitting(edge.step.args, values, there)))
