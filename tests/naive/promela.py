"""A naive oracle for Promela: programs run step by step, as Spin's verifier runs them.

Slow and plain on purpose, and written from what Spin does, not from how Secateur lowers a
program.  `stable` counts as Spin's depth-first search does: a state is one in which every
process may go on, an atomic sequence or a rendezvous leads from one to another.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from secateur.lang.promela import ast, automata
from tests.naive.promela_steps import (
    LONGEST,
    NOBODY,
    Found,
    Outcome,
    Search,
    allowed,
    groups,
    initial,
)
from tests.naive.promela_values import Model, State


def model_of(program: ast.Program) -> Model:
    """`program` with the graphs of its proctypes."""
    if program.trace is not None:
        raise NotImplementedError("trace and notrace")
    return Model(program, automata.automata(program))


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
            if allowed(self.model, frame.state, pid):
                moved = self._move(frame, pid, timeout=timeout) or moved
        return moved

    def _move(self, frame: _Frame, pid: int, *, timeout: bool) -> bool:
        for group in groups(self.model, frame.state.processes[pid]):
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
        escapes = {e.source for place in graph.locations for x in place.escapes for e in x.edges}
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


__all__ = ["Found", "halfway", "initial", "model_of", "stable", "unreached"]
