"""What a program consists of when it runs: processes, channels, and what they are called.

A process is an *instance*: a number (`_pid`) with a proctype.  Which instances there can be
is a guess at first (`births.py`); a process that is created without being provided for is
noticed.  Each declaration of a channel makes one *queue* per instance (and element, if it is
an array).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Final

from secateur.lang.promela.ast import (
    Assign,
    Basic,
    Binary,
    Channel,
    Conditional,
    Expr,
    Known,
    Number,
    Priority,
    Proctype,
    Program,
    Receive,
    RemoteVariable,
    Run,
    Send,
    Special,
    Unary,
    Use,
    Variable,
)
from secateur.lang.promela.automaton import Automaton, Deterministic, Edge
from secateur.lang.promela.codes import UNSUPPORTED
from secateur.lang.promela.constants import value_of
from secateur.lang.promela.creation import run_in
from secateur.lang.promela.siblings import siblings
from secateur.lang.promela.terms import Width, width_of
from secateur.lang.promela.walk import nodes
from secateur.source import fail
from secateur.source.records import dataclass


@dataclass(frozen=True, eq=False)
class Instance:
    """A process, alive or not."""

    pid: int
    proctype: Proctype = field(repr=False)
    automaton: Automaton = field(repr=False)
    place: str
    """The variable that tells where it is; 0 if it is not alive."""

    @property
    def name(self) -> str:
        """What users know it by."""
        return self.place

    @property
    def rank(self) -> str:
        """The variable that tells its priority, if that may change."""
        return f"{self.place}._priority"

    def local(self, variable: Variable) -> str:
        """Return the name of one of its variables."""
        return f"{self.place}.{variable.name}"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Its parameters and variables."""
        return (*self.proctype.parameters, *self.proctype.variables)


@dataclass(frozen=True, slots=True)
class Queue:
    """A channel; `number` is its value, from 1 on."""

    number: int
    name: str
    channel: Channel
    owner: Instance | None

    @property
    def length(self) -> str:
        """The variable that tells how many messages are in it."""
        return f"{self.name}.len"

    def field(self, number: int) -> str:
        """Return the variable with the numbers of one field, a message after the other."""
        return f"{self.name}.{number + 1}"


Site = tuple[int, str, int]
"""Where processes are created: pid and proctype of the creator, and the number of the edge."""

Births = Mapping[Site, frozenset[int]]
"""The numbers that processes get which are created at a site."""


@dataclass(frozen=True, eq=False)
class World:
    """All instances and queues of a program."""

    program: Program
    automata: Mapping[str, Automaton]
    births: Births
    defaults: Sequence[tuple[int, str]]
    """The processes that there are to begin with: pid and proctype."""
    written: Mapping[str, Automaton]
    """The graphs with every `d_step` as one edge: by these, sites are numbered."""

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """All processes, by their numbers."""
        pairs = {*self.defaults}
        proctypes = {p.name: p for p in self.program.proctypes}
        runs = dict(self._sites())
        for site, pids in self.births.items():
            pairs |= {(pid, runs[site].proctype) for pid in pids if site in runs}
        taken = {v.name for v in self.program.globals}
        return tuple(
            Instance(pid, proctypes[name], self.automata[name], _place(name, pid, taken))
            for pid, name in sorted(pairs)
        )

    def _sites(self) -> Iterator[tuple[Site, Run]]:
        """Yield the places where processes may be created, whoever is the creator."""
        for site in self.births:
            _, proctype, number = site
            edge = edges_of(self.written[proctype])[number]
            run = run_of(edge)
            if run is not None:
                yield site, run

    @cached_property
    def siblings(self) -> dict[Instance, tuple[Instance, ...]]:
        """For processes, others of which none is ever alive if they are."""
        created = {
            site: (
                edges_of(self.written[site[1]])[site[2]],
                frozenset((pid, run.proctype) for pid in self.births[site]),
            )
            for site, run in self._sites()
        }
        found = siblings(created, self.defaults, self.written)
        named = {(i.pid, i.proctype.name): i for i in self.instances}
        return {
            named[one]: tuple(named[o] for o in sorted(others)) for one, others in found.items()
        }

    def creating(self, pid: int, proctype: str) -> list[Run]:
        """Return the statements that may create a process."""
        return [
            run
            for site, run in self._sites()
            if run.proctype == proctype and pid in self.births[site]
        ]

    @cached_property
    def by_pid(self) -> dict[int, list[Instance]]:
        """The instances that may have a number."""
        found: dict[int, list[Instance]] = {}
        for instance in self.instances:
            found.setdefault(instance.pid, []).append(instance)
        return found

    def numbered(self, proctype: str, numbers: Iterable[int]) -> list[Instance]:
        """Return the instances of a proctype that have some numbers."""
        alike = (i for number in sorted(numbers) for i in self.by_pid.get(number, ()))
        return [i for i in alike if i.proctype.name == proctype]

    def of_type(self, proctype: str) -> list[Instance]:
        """Return the instances of a proctype."""
        return [i for i in self.instances if i.proctype.name == proctype]

    # -- channels -----------------------------------------------------------------------------------

    @cached_property
    def queues(self) -> tuple[Queue, ...]:
        """All channels; the first has the number 1."""
        return tuple(queue for queues in self._made.values() for queue in queues)

    @cached_property
    def _made(self) -> dict[tuple[Variable, Instance | None], tuple[Queue, ...]]:
        """The queues that a declaration makes, one per element."""
        found: dict[tuple[Variable, Instance | None], tuple[Queue, ...]] = {}
        next_number = 1
        owners: list[Instance | None] = [None, *self.instances]
        for owner in owners:
            variables = self.program.globals if owner is None else owner.variables
            for variable in variables:
                if variable.channel is None:
                    continue
                base = variable.name if owner is None else owner.local(variable)
                count = elements(variable)
                names = [base] if not variable.dimensions else [f"{base}_{i}" for i in range(count)]
                found[variable, owner] = tuple(
                    Queue(next_number + i, name, variable.channel, owner)
                    for i, name in enumerate(names)
                )
                next_number += count
        return found

    def made_by(self, variable: Variable, owner: Instance | None) -> tuple[Queue, ...]:
        """Return the queues that a declaration makes."""
        return self._made.get((variable, owner), ())

    def width(self, variable: Variable) -> Width:
        """Return how a variable is stored; one that stands for nothing but channels needs less."""
        if variable.type is Basic.CHAN and not self._values.is_any_number(variable):
            return self._numbers_of_queues
        return width_of(variable.type, variable.width)

    def field_width(self, queue: Queue, place: int) -> Width:
        """Return how a field of messages is stored."""
        kind = queue.channel.fields[place]
        if kind.type is Basic.CHAN and OTHER not in self._values.fields.get(
            (queue.number, place), ()
        ):
            return self._numbers_of_queues
        return width_of(kind.type, kind.width)

    @property
    def _numbers_of_queues(self) -> Width:
        return Width(max(1, len(self.queues).bit_length()))

    @cached_property
    def assigned(self) -> frozenset[Variable]:
        """The variables that a statement writes."""
        found: set[Variable] = set()
        for automaton in self.automata.values():
            for edge in edges_of(automaton):
                found |= {u.variable for u in targets_of(edge)}
        return frozenset(found)

    @cached_property
    def _values(self) -> _Values:
        return _Values(self)

    def possible(self, channel: Expr, instance: Instance | None) -> list[Queue]:
        """Return the queues that an expression may stand for."""
        numbers = sorted(self._values.of(channel, instance) - {OTHER})
        return [self.queues[number - 1] for number in numbers]

    @cached_property
    def listeners(self) -> dict[Queue, list[tuple[Instance, int, Edge, Edge]]]:
        """The statements that receive from each queue: whose, from which place, and which edge.

        The receiving edge itself may be the first one inside of a d_step.
        """
        found: dict[Queue, list[tuple[Instance, int, Edge, Edge]]] = {q: [] for q in self.queues}
        for instance in self.instances:
            for place in instance.automaton.locations:
                for edge in instance.automaton.tried(place.number):
                    for receiving in beginning_of(edge):
                        if isinstance(receiving.step, Receive) and not receiving.step.copy:
                            for queue in self.possible(receiving.step.channel, instance):
                                found[queue].append((instance, place.number, edge, receiving))
        return found

    def priority(self, instance: Instance) -> int | None:
        """Return the priority of a process, if it is always the same."""
        return self._priorities[instance.pid, instance.proctype.name]

    @cached_property
    def _priorities(self) -> dict[tuple[int, str], int | None]:
        """The priorities: of those that are there to begin with, and as `run` says."""
        for _, run in self._sites():
            if run.priority is not None and value_of(run.priority) is None:
                raise fail(UNSUPPORTED, "the priority of a process is a number", run.span)
        if self._changes_priorities:
            return {(i.pid, i.proctype.name): None for i in self.instances}
        declared = {p.name: p.priority for p in self.program.proctypes}
        found: dict[tuple[int, str], int | None] = {
            key: max(1, declared[key[1]]) for key in self.defaults
        }
        for site, run in self._sites():
            given = 1 if run.priority is None else value_of(run.priority)
            for pid in self.births[site]:
                key = pid, run.proctype
                if found.setdefault(key, given) != given:
                    found[key] = None
        return found

    @cached_property
    def _changes_priorities(self) -> bool:
        everything = nodes([p.body for p in self.program.proctypes])
        return any(isinstance(n, Priority) and n.value is not None for n in everything)

    @cached_property
    def asks_last(self) -> bool:
        """Whether anybody asks who moved last."""
        return self._ask_for(Special.LAST, self.program.nevers)

    @cached_property
    def awaits_timeout(self) -> bool:
        """Whether a process or a formula asks for a `timeout`."""
        return self._ask_for(Special.TIMEOUT)

    def _ask_for(self, special: Special, claims: Sequence[Proctype] = ()) -> bool:
        """Return whether a special name is used by processes, formulas, or some claims."""
        proctypes = self.program.proctypes
        bodies = [p.body for p in (*proctypes, *claims)]
        everything = nodes([*bodies, *(p.provided for p in proctypes), *self.program.ltl])
        return any(isinstance(n, Known) and n.special is special for n in everything)


def _place(proctype: str, pid: int, taken: set[str]) -> str:
    name = f"{proctype}_{pid}"
    while name in taken:
        name += "_"
    return name


def elements(variable: Variable) -> int:
    """Return how many elements a variable has; 1 if it is no array."""
    count = 1
    for size in variable.dimensions:
        count *= size
    return count


def edges_of(automaton: Automaton) -> list[Edge]:
    """Return all edges, those inside of `d_step`s after the one that they belong to."""
    found: list[Edge] = []
    for edge in automaton.edges:
        found.append(edge)
        if isinstance(edge.step, Deterministic):
            found += edges_of(edge.step.graph)
    return found


def beginning_of(edge: Edge) -> Sequence[Edge]:
    """Return the statements that an edge may begin with."""
    if isinstance(edge.step, Deterministic):
        return edge.step.graph.leaving[edge.step.graph.start]
    return (edge,)


def run_of(edge: Edge) -> Run | None:
    """Return the process that the statement of an edge creates, if it does."""
    return run_in(edge.step)


def targets_of(edge: Edge) -> Iterator[Use]:
    """Yield what a statement may write."""
    match edge.step:
        case Assign(Use() as target, _):
            yield target
        case Receive(_, args):
            yield from (a for a in args if isinstance(a, Use))


OTHER: Final = -1
"""Stands for all numbers that are no channels."""


class _Values:
    """Which queues a variable or a field of a message may stand for: a fixpoint over all statements.

    Whatever its type, a variable may hold the number of a channel, and one for channels any number.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.variables: dict[tuple[Variable, Instance | None], set[int]] = {}
        self.fields: dict[tuple[int, int], set[int]] = {}
        self._all = {OTHER, *(q.number for q in world.queues)}
        self._changed = True
        while self._changed:
            self._changed = False
            for variable in world.program.globals:
                self._begin(variable, None)
            for instance in world.instances:
                for variable in instance.variables:
                    self._begin(variable, instance)
                for edge in edges_of(instance.automaton):
                    self._flow(edge, instance)

    def of(self, e: Expr, instance: Instance | None) -> set[int]:
        """Return the numbers of the queues that an expression may stand for, and `OTHER`; never 0."""
        match e:
            case Use(variable):
                owner = None if variable.owner is None else instance
                own = {q.number for q in self.world.made_by(variable, owner)}
                if variable.type is not Basic.CHAN:
                    own.add(OTHER)
                return own | self.variables.get((variable, owner), set())
            case Number(value):
                return {OTHER} if value else set()
            case Conditional(_, then, otherwise):
                return self.of(then, instance) | self.of(otherwise, instance)
            case Unary(_, operand):
                return self._all if self.of(operand, instance) - {OTHER} else {OTHER}
            case Binary(_, left, right):
                operands = self.of(left, instance) | self.of(right, instance)
                return self._all if operands - {OTHER} else {OTHER}
            case RemoteVariable():
                return self._all
            case _:
                return {OTHER}

    def is_any_number(self, variable: Variable) -> bool:
        """Whether a variable, whosever it is, may stand for something other than a channel."""
        return any(
            OTHER in numbers for (each, _), numbers in self.variables.items() if each is variable
        )

    def _begin(self, variable: Variable, owner: Instance | None) -> None:
        for e in variable.initial:
            self._add(self.variables.setdefault((variable, owner), set()), self.of(e, owner))

    def _flow(self, edge: Edge, instance: Instance) -> None:
        run = run_of(edge)
        if run is not None:
            self._create(run, instance)
        match edge.step:
            case Assign(Use(variable), value):
                self._add(self._known(variable, instance), self.of(value, instance))
            case Send(channel, args):
                for number in self.of(channel, instance):
                    for place, arg in enumerate(args):
                        known = self.fields.setdefault((number, place), set())
                        self._add(known, self.of(arg, instance))
            case Receive(channel, args):
                for number in self.of(channel, instance):
                    for place, arg in enumerate(args):
                        if isinstance(arg, Use):
                            values = self.fields.get((number, place), set())
                            self._add(self._known(arg.variable, instance), values)

    def _create(self, run: Run, creator: Instance) -> None:
        for created in self.world.of_type(run.proctype):
            for parameter, arg in zip(created.proctype.parameters, run.args, strict=True):
                self._add(self._known(parameter, created), self.of(arg, creator))

    def _known(self, variable: Variable, instance: Instance) -> set[int]:
        owner = None if variable.owner is None else instance
        return self.variables.setdefault((variable, owner), set())

    def _add(self, known: set[int], more: set[int]) -> None:
        if not more <= known:
            known |= more
            self._changed = True
