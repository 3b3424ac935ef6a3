"""A naive oracle for Promela: programs run step by step, as Spin's verifier runs them.

Slow and plain on purpose, and written from what Spin does, not from how Secateur lowers a
program.  `stable` counts as Spin's depth-first search does: a state is one in which every
process may go on, an atomic sequence or a rendezvous leads from one to another.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from secateur.lang.promela import ast, automata
from secateur.lang.promela.automaton import (
    Automaton,
    Deterministic,
    Edge,
    Jump,
    Terminate,
)
from tests.naive.promela_values import Fault, Model, Process, Queue, State, World, truncated

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
    failed: bool = False
    """Whether it was an assertion that does not hold."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a step leads, with whom alone going on."""

    state: State
    control: int
    edge: Edge


def model_of(program: ast.Program) -> Model:
    """`program` with the graphs of its proctypes."""
    return Model(program, automata.automata(program))


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
    world.enabled = lambda other: _can_move(model, state, other)
    step = edge.step
    waiting, failed = -1, False
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
                failed = not world.value(condition)
            case Terminate():
                return _ended(world)
            case ast.Else() | ast.Print() | Jump():
                pass
    world.processes[pid] = replace(world.processes[pid], location=edge.target)
    return After(world.state(), waiting, failed)


def _receive(world: World, step: ast.Receive, offered: int) -> bool:
    place = world.queue(step.channel)
    rendezvous = world.queues[place].channel.capacity == 0
    if offered != (place if rendezvous else -1):
        return False
    found = world.matching(place, step.args, any_place=step.any_place)
    if found < 0:
        return False
    queue = world.queues[place]
    message = queue.messages[found]
    if not step.copy:
        left = queue.messages[:found] + queue.messages[found + 1 :]
        world.queues[place] = replace(queue, messages=left)
    for arg, value in zip(step.args, message, strict=False):
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
    given += [0] * (len(fields) - len(given))
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
    location, failed = graph.start, False
    for _ in range(LONGEST):
        if location == graph.end:
            process = replace(state.processes[pid], location=edge.target)
            processes = (*state.processes[:pid], process, *state.processes[pid + 1 :])
            return After(replace(state, processes=processes), -1, failed)
        for inner in graph.leaving[location]:
            after = attempt(model, state, pid, inner, offered=offered, timeout=timeout)
            if after is not None:
                state, location, failed = after.state, inner.target, failed or after.failed
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


def _allowed(model: Model, state: State, pid: int) -> bool:
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


def _groups(model: Model, process: Process) -> Iterator[list[Edge]]:
    """The statements of each escape, those that go first, first; then its own."""
    graph = model.graphs[process.proctype]
    for start in graph.at[process.location].escapes:
        yield graph.leaving[start]
    yield graph.leaving[process.location]


def _can_move(model: Model, state: State, pid: int) -> bool:
    if not 0 <= pid < len(state.processes):
        return False
    return any(
        attempt(model, state, pid, edge) is not None
        for group in _groups(model, state.processes[pid])
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
        if not _allowed(self.model, state, pid):
            return []
        outcomes: list[Outcome] = []
        for group in _groups(self.model, state.processes[pid]):
            for edge in group:
                if not (isinstance(edge.step, ast.Else) and outcomes):
                    outcomes += self._completed(state, pid, edge, timeout=timeout)
            if outcomes:
                return outcomes
        return []

    def _completed(self, state: State, pid: int, edge: Edge, *, timeout: bool) -> list[Outcome]:
        after = self.tried(state, pid, edge, timeout=timeout)
        if after is None:
            return []
        if after.offered < 0:
            return [Outcome(after.state, pid if edge.keeps else NOBODY, edge)]
        return [
            outcome
            for other in range(len(after.state.processes))
            if other != pid and _allowed(self.model, after.state, other)
            for outcome in self._received(after.state, other, after.offered)
        ]

    def _received(self, state: State, pid: int, offered: int) -> list[Outcome]:
        for group in _groups(self.model, state.processes[pid]):
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
            self.found.errors["assertion violated"] += 1
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


class _Stable(Search):
    """As Spin's depth-first search counts."""

    def run(self) -> Found:
        self.seen: set[State] = set()
        self.todo: deque[State] = deque()
        self._arrive(initial(self.model))
        while self.todo and self.found.complete:
            self._expand(self.todo.popleft())
        self.found.complete = self.found.complete and not self.todo
        return self.found

    def _arrive(self, state: State) -> None:
        if state in self.seen:
            self.found.matched += 1
            return
        self.found.stored += 1
        self.found.complete = self.found.stored < self.most
        self.seen.add(state)
        self.visit(state)
        self.todo.append(state)

    def _expand(self, state: State) -> None:
        for timeout in (False, True):
            outcomes = [
                outcome
                for pid in reversed(range(len(state.processes)))
                for outcome in self.steps(state, pid, timeout=timeout)
            ]
            for outcome in outcomes:
                self._follow(outcome)
            if outcomes:
                return
        if state.processes and not self.valid_end(state):
            self.found.errors["invalid end state"] += 1

    def _follow(self, first: Outcome) -> None:
        """To the ends of atomic sequences; where one blocks, everybody may go on."""
        todo = [(first, 0)]
        while todo:
            outcome, length = todo.pop()
            if outcome.control == NOBODY:
                self._arrive(outcome.state)
                continue
            self.found.atomic += 1
            self.visit(outcome.state)
            further = self.steps(outcome.state, outcome.control)
            if not further:
                self._arrive(outcome.state)
            elif length > LONGEST:
                self.found.complete = False
                return
            todo += [(o, length + 1) for o in further]


@dataclass(eq=False, slots=True)
class _Frame:
    """A state in Spin's queue, with what led to it."""

    state: State
    offered: int = -1
    control: int = NOBODY
    mover: int = NOBODY
    before: _Frame | None = None
    succeeded: bool = False
    retried: bool = False


class _Halfway(Search):
    """As Spin's breadth-first search counts: every statement leads to a state that is stored.

    It takes a message that is offered on a rendezvous channel for a step even if nobody
    receives it, and so overlooks `else`, `timeout` and invalid end states there.
    """

    def run(self) -> Found:
        self.seen: set[State] = set()
        self.todo: deque[_Frame] = deque()
        self._arrive(_Frame(initial(self.model)), -1)
        while self.todo and self.found.complete:
            frame = self.todo.popleft()
            if not frame.succeeded:
                self._expand(frame)
        return self.found

    def _arrive(self, frame: _Frame, offered_before: int) -> None:
        if frame.state in self.seen:
            self.found.matched += 1
            return
        self.found.stored += 1
        self.found.complete = self.found.stored < self.most
        self.seen.add(frame.state)
        self.visit(frame.state)
        if frame.offered < 0 <= offered_before:
            origin = frame.before.before if frame.before is not None else None
            if origin is not None:
                origin.succeeded = True
        self.todo.append(frame)

    def _expand(self, frame: _Frame) -> None:
        control = NOBODY if frame.retried else frame.control
        if control != NOBODY:
            self.found.atomic += 1
            if self._move_all(frame, [control], timeout=False):
                return
            if frame.offered < 0:
                control = NOBODY
        pids = list(reversed(range(len(frame.state.processes))))
        if self._move_all(frame, pids, timeout=False):
            return
        if frame.offered >= 0:
            self._retry(frame)
            return
        moved = self._move_all(frame, pids, timeout=True)
        if frame.state.processes and not moved and not self.valid_end(frame.state):
            self.found.errors["invalid end state"] += 1

    def _retry(self, frame: _Frame) -> None:
        """Nobody receives: whoever offered it inside `atomic` loses control."""
        before = frame.before
        if before is not None and before.control != NOBODY:
            self.todo.append(replace(before, retried=True))

    def _move_all(self, frame: _Frame, pids: list[int], *, timeout: bool) -> bool:
        moved = False
        for pid in pids:
            if frame.offered >= 0 and frame.mover == pid:
                continue
            if _allowed(self.model, frame.state, pid):
                moved = self._move(frame, pid, timeout=timeout) or moved
        return moved

    def _move(self, frame: _Frame, pid: int, *, timeout: bool) -> bool:
        for group in _groups(self.model, frame.state.processes[pid]):
            moved = False
            for edge in group:
                if isinstance(edge.step, ast.Else) and moved:
                    continue
                after = self.tried(frame.state, pid, edge, offered=frame.offered, timeout=timeout)
                if after is None:
                    continue
                moved = True
                alone = pid if edge.keeps and after.offered < 0 else NOBODY
                to = _Frame(after.state, after.offered, alone, pid, frame)
                self._arrive(to, frame.offered)
            if moved:
                return True
        return False


def unreached(program: ast.Program, found: Found) -> set[tuple[str, int]]:
    """Where no process has been, of locations where something is done, by proctype.

    Where an escape begins nobody ever is, and what no path leads to is unreached too.
    """
    missed: set[tuple[str, int]] = set()
    for name, graph in automata.automata(program).items():
        escapes = {start for place in graph.locations for start in place.escapes}
        missed |= {
            (name, edge.source)
            for edge in (*graph.edges, *graph.unreachable)
            if edge.source not in escapes and not automata.does_nothing(edge.step)
        }
    return {place for place in missed if place not in found.reached}


def stable(program: ast.Program, *, states: int = 200_000) -> Found:
    """What Spin's depth-first search would find."""
    return _Stable(model_of(program), states=states).run()


def halfway(program: ast.Program, *, states: int = 200_000) -> Found:
    """What Spin's breadth-first search would find."""
    return _Halfway(model_of(program), states=states).run()


__all__ = ["Found", "Queue", "halfway", "initial", "model_of", "stable", "unreached"]
