"""What a statement does, and what a process can do: for the searches in `promela.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.automaton import (
    Automaton,
    Deterministic,
    Edge,
    Jump,
    Terminate,
)
from tests.naive.promela_values import Fault, Model, Process, State, World, truncated

NOBODY: Final = -1
"""No process alone may go on."""
LONGEST: Final = 20_000
"""How many steps an atomic sequence or a `d_step` may have."""


@dataclass
class Found:
    """What a search has found."""

    stored: int = 0
    matched: int = 0
    atomic: int = 0
    """Steps after which the process alone went on."""
    errors: Counter[str] = field(default_factory=Counter)
    reached: set[tuple[str, int]] = field(default_factory=set)
    """Proctypes with the locations in which they have been."""
    complete: bool = True

    @property
    def transitions(self) -> int:
        """Arrivals at states, the initial one among them, as Spin has it."""
        return self.stored + self.matched


@dataclass(frozen=True, slots=True)
class After:
    """Where a statement leads; the place of the channel on which it waits for a partner."""

    state: State
    offered: int = -1
    failed: int = 0
    """How many assertions did not hold."""
    wrong: tuple[str, ...] = ()
    """What was wrong with messages."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a step leads, with whom alone going on."""

    state: State
    control: int
    edge: Edge


def initial(model: Model) -> State:
    """Global variables and active processes, in the order written."""
    world = World(model, State((0,) * model.globals.size, (), (), ()), 0)
    for variable in model.program.globals:
        world.initialise(variable, model.globals.places[variable])
    for proctype in model.program.proctypes:
        for _ in range(proctype.active):
            world.start(proctype, [0] * len(proctype.parameters), max(proctype.priority, 1))
    return world.state()


# -- one statement -----------------------------------------------------------------------------------


def attempt(
    model: Model, state: State, pid: int, edge: Edge, *, offered: int = -1, timeout: bool = False
) -> After | None:
    """What the statement of `edge` does, or None if it cannot be executed.

    While a message is `offered` on a rendezvous channel, only its receipt can be executed.
    `else` is always executable here: who asks has to know what else is.
    """
    world = World(model, state, pid, timeout=timeout)
    world.enabled = lambda other: _can_move(model, state, other, timeout=timeout)
    step = edge.step
    waiting, failed = -1, 0
    if isinstance(step, Deterministic):
        return _at_once(model, state, pid, edge, step.graph, offered=offered, timeout=timeout)
    if isinstance(step, ast.Receive):
        if not _receive(world, step, offered):
            return None
    elif offered >= 0:
        return None
    else:
        match step:
            case ast.Condition(condition=condition):
                if not world.value(condition):
                    return None
            case ast.Assign(target=target, value=value):
                world.write(target, world.value(value))
            case ast.Send():
                if not _send(world, step):
                    return None
                place = world.queue(step.channel)
                waiting = place if world.queues[place].channel.capacity == 0 else -1
            case ast.Assert(condition=condition):
                failed = int(not world.value(condition))
            case Terminate():
                return _ended(world)
            case ast.Print(args=args):
                for arg in args:
                    world.value(arg)
            case ast.Else() | Jump():
                pass
    world.processes[pid] = replace(world.processes[pid], location=edge.target)
    return After(world.state(), waiting, failed, tuple(world.wrong))


def _receive(world: World, step: ast.Receive, offered: int) -> bool:
    place = world.queue(step.channel)
    rendezvous = world.queues[place].channel.capacity == 0
    if step.copy:
        world.look_into(place)
    if offered != (place if rendezvous else -1):
        return False
    found = world.matching(place, step.args, any_place=step.any_place)
    if found < 0:
        return False
    queue = world.queues[place]
    message = queue.messages[found]
    if len(step.args) > len(message) > 1:
        raise Fault("too many fields in recv")
    if len(step.args) != len(message) and not step.copy:
        world.wrong.append("missing pars in receive")
    if not step.copy:
        left = queue.messages[:found] + queue.messages[found + 1 :]
        world.queues[place] = replace(queue, messages=left)
    # Spin does not look which field of a message it is if there is only one
    for arg, value in zip(step.args, (*message, *[0] * len(step.args)), strict=False):
        if isinstance(arg, ast.Use | ast.Known):
            world.write(arg, value)
    return True


def _send(world: World, step: ast.Send) -> bool:
    place = world.queue(step.channel)
    if world.full(place):
        return False
    given = [world.value(arg) for arg in step.args]
    queue = world.queues[place]
    fields = queue.channel.fields
    if len(given) != len(fields):
        amount = "few" if len(given) < len(fields) else "many"
        world.wrong.append(f"too {amount} parameters in send stmnt")
    given = [*given, *[0] * len(fields)][: len(fields)]
    at = len(queue.messages)
    if step.sorted:
        larger = (i for i, message in enumerate(queue.messages) if tuple(given) < message)
        at = next(larger, at)
    message = tuple(truncated(v, f.type, f.width) for v, f in zip(given, fields, strict=True))
    messages = (*queue.messages[:at], message, *queue.messages[at:])
    world.queues[place] = replace(queue, messages=messages)
    return True


def _ended(world: World) -> After | None:
    """Only the youngest process can go; its channels go with it."""
    if world.pid != len(world.processes) - 1:
        return None
    world.processes.pop()
    while world.owners and world.owners[-1] == world.pid:
        world.owners.pop()
        world.queues.pop()
    return After(world.state())


def _at_once(
    model: Model,
    state: State,
    pid: int,
    edge: Edge,
    graph: Automaton,
    *,
    offered: int,
    timeout: bool,
) -> After | None:
    """A `d_step`: always the first statement that can be executed."""
    location, failed = graph.start, 0
    wrong: tuple[str, ...] = ()
    for _ in range(LONGEST):
        if location == graph.end:
            process = replace(state.processes[pid], location=edge.target)
            processes = (*state.processes[:pid], process, *state.processes[pid + 1 :])
            return After(replace(state, processes=processes), -1, failed, wrong)
        for inner in graph.leaving[location]:
            after = attempt(model, state, pid, inner, offered=offered, timeout=timeout)
            if after is not None:
                state, location, failed = after.state, inner.target, failed + after.failed
                wrong += after.wrong
                offered = -1
                if after.offered >= 0:
                    raise Fault("rendezvous in d_step")
                break
        else:
            if location == graph.start:
                return None
            raise Fault("block in d_step")
    raise Fault("endless d_step")


# -- one step of a process ---------------------------------------------------------------------------


def allowed(model: Model, state: State, pid: int) -> bool:
    """Whether its `provided` clause holds and nobody of a higher priority can move."""
    if not _provided(model, state, pid):
        return False
    return not model.priorities or not any(
        process.priority > state.processes[pid].priority
        and _provided(model, state, other)
        and _can_move(model, state, other)
        for other, process in enumerate(state.processes)
    )


def _provided(model: Model, state: State, pid: int) -> bool:
    provided = model.proctypes[state.processes[pid].proctype].provided
    return provided is None or World(model, state, pid).value(provided) != 0


def groups(model: Model, process: Process) -> Iterator[list[Edge]]:
    """The statements of each escape, those that go first, first; then its own."""
    graph = model.graphs[process.proctype]
    for escape in graph.at[process.location].escapes:
        yield list(escape.edges)
    yield graph.leaving[process.location]


def _can_move(model: Model, state: State, pid: int, *, timeout: bool = False) -> bool:
    if not 0 <= pid < len(state.processes):
        return False
    return any(
        isinstance(edge.step, ast.Assign | ast.Assert | ast.Print)  # what is computed is not
        or attempt(model, state, pid, edge, timeout=timeout) is not None
        for group in groups(model, state.processes[pid])
        for edge in group
    )


class Search:
    """Counts as it goes."""

    def __init__(self, model: Model, *, states: int = 200_000) -> None:
        self.model = model
        self.found = Found()
        self.most = states

    def steps(self, state: State, pid: int, *, timeout: bool = False) -> list[Outcome]:
        """All that process `pid` can do; a rendezvous as one step."""
        if not allowed(self.model, state, pid):
            return []
        outcomes: list[Outcome] = []
        for group in groups(self.model, state.processes[pid]):
            escaped = False
            for edge in group:
                if isinstance(edge.step, ast.Else) and outcomes:
                    continue
                after = self.tried(state, pid, edge, timeout=timeout)
                if after is not None:
                    found = self._completed(after, pid, edge)
                    outcomes += found
                    # A message that nobody receives makes Spin forget that there was an escape.
                    escaped = bool(found)
            if escaped:
                break
        return outcomes

    def _completed(self, after: After, pid: int, edge: Edge) -> list[Outcome]:
        if after.offered < 0:
            return [Outcome(after.state, pid if edge.keeps else NOBODY, edge)]
        return [
            outcome
            for other in range(len(after.state.processes))
            if other != pid and allowed(self.model, after.state, other)
            for outcome in self._received(after.state, other, after.offered)
        ]

    def _received(self, state: State, pid: int, offered: int) -> list[Outcome]:
        for group in groups(self.model, state.processes[pid]):
            outcomes: list[Outcome] = []
            for edge in group:
                after = self.tried(state, pid, edge, offered=offered)
                if after is not None:
                    outcomes.append(Outcome(after.state, pid if edge.keeps else NOBODY, edge))
            if outcomes:
                return outcomes
        return []

    def tried(
        self, state: State, pid: int, edge: Edge, *, offered: int = -1, timeout: bool = False
    ) -> After | None:
        """`attempt`, with errors counted."""
        try:
            after = attempt(self.model, state, pid, edge, offered=offered, timeout=timeout)
        except Fault as fault:
            self.found.errors[str(fault)] += 1
            return None
        if after is None:
            return None
        if after.failed:
            self.found.errors["assertion violated"] += after.failed
        self.found.errors.update(after.wrong)
        if self.model.asks_last:
            return replace(after, state=replace(after.state, last=pid))
        return after

    def visit(self, state: State) -> None:
        """Remember where processes have been."""
        for process in state.processes:
            self.found.reached.add((process.proctype, process.location))

    def valid_end(self, state: State) -> bool:
        """Whether every process is where it may be for good."""
        return all(self.model.graphs[p.proctype].at[p.location].end for p in state.processes)
