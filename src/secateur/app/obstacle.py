"""Why a step of a trace cannot be taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Final

from secateur.app.traces.matching import Difference, Matching
from secateur.app.traces.protocol import Wanted, WantedStep
from secateur.app.traces.understanding import NoValue
from secateur.lang.blocking import Blocking, blocking
from secateur.lang.model import Operation
from secateur.maths.types import Type
from secateur.report.text import show_step
from secateur.system.replay import Cause, Obstacle, Reason
from secateur.system.system import (
    INITIALISATION,
    SETUP_CONSTANTS,
    Breach,
    Fault,
    Gap,
    Outgoing,
    State,
    Transition,
)

MOST: Final = 10_000
"""So many ways on are looked at for the one that is most like what is wanted."""


def obstacle(step: WantedStep, state: State | None, matching: Matching) -> Obstacle:
    """Return why `step` cannot be taken from a state (None: from the root)."""
    cause, reasons = _Inquiry(step, state, matching).answer()
    return Obstacle(step.number, show_wanted(step), cause, tuple(reasons))


def show_wanted(step: WantedStep) -> str:
    """Return `op(x = 1) --> r = 2`, as far as the trace says."""
    if step.operation is None:
        return f"a step to {_bindings(step.state)}"
    arguments = f"({_bindings(step.arguments)})" if step.arguments else ""
    results = f" --> {_bindings(step.results)}" if step.results else ""
    return f"{step.operation}{arguments}{results}"


def _bindings(wanted: Mapping[str, Wanted]) -> str:
    return ", ".join(f"{name} = {each.shown}" for name, each in wanted.items())


Found = tuple[Cause, list[Reason]]


class _Inquiry:
    def __init__(self, step: WantedStep, state: State | None, matching: Matching) -> None:
        self.step = step
        self.state = state
        self.matching = matching
        self.system = matching.system

    def answer(self) -> Found:
        """Return the cause and what is known of it."""
        name = self.step.operation
        if name is None or name in (SETUP_CONSTANTS, INITIALISATION):
            return self._among(self._ways_on())
        known = self.matching.operations
        if name not in known:
            return Cause.NO_OPERATION, [_no_operation(name, list(known))]
        operation = known[name][1]
        wrong = list(self._wrong_arguments(operation))
        if wrong:
            return Cause.PARAMETERS, wrong
        if self.state is None or not self.system.is_initialised(self.state):
            return Cause.GUARD, [Reason("nothing is initialised yet")]
        items = self._ways_on()
        fitting = [t for t in items if isinstance(t, Transition) and self._same_arguments(t)]
        if fitting:
            return self._among(fitting)
        return self._disabled(operation, self.state, items)

    def _ways_on(self) -> list[Outgoing]:
        return list(islice(self.matching.offered(self.step, self.state), MOST))

    def _wrong_arguments(self, operation: Operation) -> Iterator[Reason]:
        """Yield what is wrong with the parameters whatever the state is."""
        types = self.matching.signature(operation.name)
        parameters = [b.name for b in operation.parameters]
        for name, wanted in self.step.arguments.items():
            if name not in parameters:
                has = ", ".join(parameters) or "none"
                text = f"{operation.name} has no parameter {name} (its parameters: {has})"
                yield Reason(text, operation.span)
            elif (why := _no_value(wanted, types[name])) is not None:
                yield Reason(f"{name} = {wanted.shown} is impossible: {why}", operation.span)

    def _same_arguments(self, transition: Transition) -> bool:
        found = self.matching.differences(self.step, self.state, transition)
        return all(each.cause is not Cause.PARAMETERS for each in found)

    def _disabled(self, operation: Operation, state: State, items: list[Outgoing]) -> Found:
        given = self.matching.given(self.step)
        failing = blocking(self.system, operation, state, given)
        if failing:
            return Cause.GUARD, [_blocked(each) for each in failing]
        troubles = list(_troubles(items))
        if troubles:
            return Cause.ACTION, troubles
        if len(items) == MOST:
            return Cause.UNKNOWN, [Reason(f"none of the first {MOST} ways to do it is like this")]
        text = "the guard holds, but there is no such outcome"
        return Cause.ACTION, [Reason(text, operation.span)]

    def _among(self, items: list[Outgoing] | list[Transition]) -> Found:
        """Return what differs from what is wanted where it differs least."""
        nearest: list[Difference] | None = None
        which: Transition | None = None
        for item in items:
            if isinstance(item, Transition):
                found = list(self.matching.differences(self.step, self.state, item))
                if nearest is None or len(found) < len(nearest):
                    nearest, which = found, item
        if nearest is None or which is None:
            return self._nothing_at_all(items)
        if not nearest:
            return Cause.UNKNOWN, [Reason("it can be taken, but what follows it cannot")]
        reasons = [Reason(each.text) for each in nearest]
        if self.step.operation is None:
            reasons.insert(0, Reason(f"{show_step(which.step)} comes nearest:"))
        reasons += self._impossible()
        return nearest[0].cause, [*reasons, *_troubles(items)]

    def _nothing_at_all(self, items: list[Outgoing] | list[Transition]) -> Found:
        troubles = list(_troubles(items))
        if self.step.operation is None:
            return Cause.GUARD, [Reason("no operation is enabled"), *troubles]
        return Cause.NO_INITIAL_STATE, troubles or [Reason(self.system.why_no_initial_state())]

    def _impossible(self) -> Iterator[Reason]:
        """Yield which values of the wanted state cannot be, whatever is done."""
        types = self.matching.types
        for name, wanted in self.step.state.items():
            why = _no_value(wanted, types[name]) if name in types else None
            if why is not None:
                yield Reason(f"{name} = {wanted.shown} is impossible: {why}")


def _no_value(wanted: Wanted, type_: Type) -> str | None:
    try:
        wanted.value(type_)
    except NoValue as error:
        return str(error)
    return None


def _no_operation(name: str, known: list[str]) -> Reason:
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"; did you mean {close[0]}?" if close else ""
    return Reason(f"there is no operation {name}{hint}")


def _blocked(each: Blocking) -> Reason:
    values = ", ".join(f"{name} = {value}" for name, value in each.values)
    where = f" ({values})" if values else ""
    return Reason(f"guard {each.condition} {each.problem}{where}", each.span)


def _troubles(items: list[Outgoing] | list[Transition]) -> Iterator[Reason]:
    for item in items:
        match item:
            case Fault(where, message, span):
                yield Reason(f"{where} is not well-defined: {message}", span)
            case Breach(kind, name, span):
                yield Reason(f"{kind.value}: {name}", span)
            case Gap(where, reason):
                yield Reason(f"{where}: {reason}")
