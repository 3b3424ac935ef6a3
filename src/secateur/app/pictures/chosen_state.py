"""The state that a picture is about."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.app.codes import NO_INITIAL_STATE, NO_SUCH_STEP
from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.engine.limits import Limits
from secateur.report.text import show_step
from secateur.source import fail
from secateur.system.system import State, Transition
from secateur.system.trace import Trace


def counterexample_of(model: Model, limits: Limits) -> Trace | None:
    """Return the trace of the first violation that a check finds, within limits."""
    return model.check(
        max_states=limits.states, max_seconds=limits.seconds, max_memory=limits.memory
    ).trace


def first_walk(model: Model, steps: int | None) -> Trace:
    """Return a walk of so many steps that always takes the first transition.

    What sets up and initialises counts as steps; without a number, it ends when that is done.
    """
    system = model.system

    def first(taken: Sequence[Transition]) -> Transition | None:
        # One after the other: there may be very many ways to set up constants.
        items = system.successors(taken[-1].target) if taken else system.initial()
        return next((item for item in items if isinstance(item, Transition)), None)

    def work(_: object) -> Trace:
        taken: list[Transition] = []
        while True:
            done = bool(taken) and system.is_initialised(taken[-1].target)
            if len(taken) == steps or (steps is None and done):
                return Trace(system, tuple(taken))
            following = first(taken)
            if following is None and not done:
                message = f"{model.name} has no initial state to draw"
                raise fail(NO_INITIAL_STATE, message, help="`secateur check` says why")
            if following is None:
                message = f"there is no step {steps}: nothing is enabled after {len(taken)} steps"
                raise fail(NO_SUCH_STEP, message)
            taken.append(following)

    return run_deep(work)


def chosen_state(
    model: Model, trace: Trace | None, step: int | None
) -> tuple[State, tuple[str, ...]]:
    """Return the state after a step of a trace (the last one, unless said), and a line about it.

    Without a trace, it is the first initial state, or that of a walk from there.
    """
    if trace is None:
        trace = first_walk(model, step)
    number = len(trace) if step is None else step
    if not 0 < number <= len(trace):
        message = f"there is no step {number}: the trace has {len(trace)}"
        raise fail(NO_SUCH_STEP, message, help="steps are counted from 1")
    state = trace.states[number - 1]
    if not model.system.is_initialised(state):
        raise fail(NO_SUCH_STEP, f"after step {number}, nothing is initialised yet")
    return state, (f"{model.name} after step {number}: {show_step(trace.steps[number - 1])}",)
