"""Executing a recorded trace on a model again.

What a trace does not say is looked for: the first way on that fits is taken, and another one where
that leads nowhere.  A state from which the rest of a trace did not work is not tried again, so
that this takes at most as many states as there are, for each step; and no more than a limit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.app.obstacle import obstacle
from secateur.app.replayed import closes, trouble_at, whether_still
from secateur.app.room import with_room
from secateur.app.traces.matching import Matching
from secateur.app.traces.protocol import WantedStep, WantedTrace
from secateur.app.traces.registry import read_trace
from secateur.app.traces.understanding import Understanding
from secateur.engine.limits import Stop
from secateur.system.replay import Replay
from secateur.system.system import INITIALISATION, SETUP_CONSTANTS, State, Transition
from secateur.system.trace import Trace

MOST: Final = 100_000
"""So many ways on are looked at before it is given up."""


def replay(model: Model, path: Path, violation: int | None = None, most: int = MOST) -> Replay:
    """Execute the trace in a file, or that of one of its violations; raise InputError if it is none."""

    def work(stop: Stop) -> Replay:
        understanding = Understanding(model.typed, model.system)
        wanted = read_trace(path, understanding, violation)
        return _Search(model, Matching(understanding), wanted, (most, stop)).run()

    return with_room(lambda _: run_deep(work), model.grown)


Way = tuple[Transition, ...]
"""From the root, one transition for each step."""


class _Search:
    def __init__(
        self, model: Model, matching: Matching, wanted: WantedTrace, bounds: tuple[int, Stop]
    ) -> None:
        self.model = model
        self.system = model.system
        self.matching = matching
        self.wanted = wanted
        self.most, self.stop = bounds
        self.notes = dict.fromkeys(wanted.notes)
        self.steps = self._complete(list(wanted.steps))
        self.looked_at = 0
        self.gave_up: str | None = None
        self.deepest: Way = ()
        """As far as the steps could be taken, at first."""
        self.open_ended: Way | None = None
        """All steps, if only those that are to be repeated cannot be."""

    def _complete(self, steps: list[WantedStep]) -> list[WantedStep]:
        """Return the steps with those that the model demands and the trace may leave out."""
        typed = self.model.typed
        sets_up = bool(typed.constants or typed.properties)
        first = steps[0].operation if steps else None
        if first == SETUP_CONSTANTS and not sets_up:
            self.notes["the model has no constants any more: SETUP_CONSTANTS is left out"] = None
            steps = steps[1:]
        begun = steps[1:] if steps and steps[0].operation == SETUP_CONSTANTS else steps
        if not steps or (begun and begun[0].operation not in (INITIALISATION, None)):
            begun = [WantedStep(0, INITIALISATION), *begun]
        if sets_up:
            told = steps and steps[0].operation == SETUP_CONSTANTS
            begun = [steps[0] if told else WantedStep(0, SETUP_CONSTANTS), *begun]
        for step in begun:
            for name in self.matching.strangers(step):
                self.notes[f"{name} is unknown in the model: its values are not compared"] = None
        return begun

    def run(self) -> Replay:
        """Return how far the trace can be executed, and what is to be said of its end."""
        path = self._path()
        told = Replay(
            format=self.wanted.format,
            trace=Trace(self.system, path if path is not None else self.deepest),
            wanted=len(self.wanted.steps),
            claim=self.wanted.claim,
            loop=self.wanted.loop,
            notes=tuple(self.notes | self.matching.understanding.notes),
            gave_up=self.gave_up,
        )
        if path is None and self.open_ended is not None:
            told = replace(told, trace=Trace(self.system, self.open_ended), closes=False)
        elif path is None:
            if self.gave_up is None:
                state = self.deepest[-1].target if self.deepest else None
                if state is not None and self.model.typed.processes:
                    # A process that there is no room for may be what is wanted: so it is noticed.
                    deque(self.system.successors(state), maxlen=0)
                why = obstacle(self.steps[len(self.deepest)], state, self.matching)
                told = replace(told, obstacle=why)
            return told
        elif self.wanted.loop:
            told = replace(told, closes=True)
        told = replace(told, trouble=trouble_at(told.trace))
        return replace(told, still=whether_still(told, self.model))

    def _path(self) -> Way | None:
        """Return transitions that are the steps; None if there are none, or none were found."""
        path: list[Transition] = []
        ways = [self._ways(0, None)]
        failed: set[tuple[int, State]] = set()
        while ways:
            depth = len(ways) - 1
            taken = next(ways[-1], None)
            if self.gave_up is not None:
                return None
            if taken is None:
                ways.pop()
                if path:
                    failed.add((depth, path.pop().target))
                continue
            if (depth + 1, taken.target) in failed:
                continue
            path.append(taken)
            if len(path) > len(self.deepest):
                self.deepest = tuple(path)
            if len(path) < len(self.steps):
                ways.append(self._ways(len(path), taken.target))
                continue
            if not self.wanted.loop or closes(path, self.wanted.loop):
                return tuple(path)
            self.open_ended = self.open_ended or tuple(path)
            path.pop()
        return None

    def _ways(self, number: int, state: State | None) -> Iterator[Transition]:
        step = self.steps[number]
        for item in self.matching.offered(step, state):
            self.looked_at += 1
            if self.stop.reason is not None or self.looked_at > self.most:
                self.gave_up = self.stop.reason or f"{self.most} ways on were looked at"
                return
            if isinstance(item, Transition) and self.matching.fits(step, state, item):
                yield item
