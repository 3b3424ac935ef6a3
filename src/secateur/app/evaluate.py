"""Evaluating what a user types, in a state of a model or in none."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.app.codes import BAD_PREFERENCE, NO_INITIAL_STATE, NOT_A_PREDICATE
from secateur.app.deep import run_deep
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import answer, scope_of, understand
from secateur.maths.ast import Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.universe import Universe
from secateur.maths.operators.protocol import Settings
from secateur.source import fail
from secateur.system.answer import Answer
from secateur.system.system import State, Transition


def evaluate(text: str, model: Model, system: MachineSystem, state: State | None) -> Answer:
    """Evaluate `text` in `state`, or in the first initial state; raise InputError if it is no formula."""
    if state is None:
        state = first_initial_state(system)
    variables = model.variables if system.is_initialised(state) else ()
    question = understand(text, scope_of(model, (*model.constants, *variables)), model)
    return answer(question, system.scope, lambda: system.environment(state))


def evaluate_closed(text: str, preferences: Mapping[str, str]) -> Answer:
    """Evaluate `text` without a model; only MAXINT and MININT are of interest then."""
    default = Settings()
    settings = Settings(
        _number("MAXINT", preferences, default.maxint),
        _number("MININT", preferences, default.minint),
    )

    def work(_: object) -> Answer:
        compiler = Compiler(Universe(settings=settings))
        return answer(understand(text, {}), compiler, lambda: compiler.environment(None))

    return run_deep(work)


def _number(name: str, preferences: Mapping[str, str], default: int) -> int:
    text = preferences.get(name, str(default))
    try:
        return int(text)
    except ValueError:
        message = f"preference {name} must be a number, not '{text}'"
        raise fail(BAD_PREFERENCE, message) from None


def goal_of(text: str, model: Model) -> Expr:
    """Return the predicate that a user gives as a goal; raise InputError if it is none."""
    return _predicate(text, model, "goal")


def scope_of_check(text: str, model: Model) -> Expr:
    """Return the predicate that a user gives as a scope; raise InputError if it is none."""
    return _predicate(text, model, "scope")


def _predicate(text: str, model: Model, what: str) -> Expr:
    question = understand(text, scope_of(model, (*model.constants, *model.variables)), model)
    if question.unknowns:
        names = ", ".join(b.name for b in question.unknowns)
        span = question.unknowns[0].span
        raise fail(NOT_A_PREDICATE, f"the {what} uses {names}, unknown in {model.name}", span)
    if not question.is_predicate:
        raise fail(NOT_A_PREDICATE, f"the {what} must be a predicate", question.formula.span)
    return question.formula


def first_initial_state(system: MachineSystem) -> State:
    """Return the first state that is initialised; raise InputError if there is none."""
    for setup in system.initial():
        if not isinstance(setup, Transition):
            continue
        if system.is_initialised(setup.target):
            return setup.target
        for start in system.successors(setup.target):
            if isinstance(start, Transition):
                return start.target
    raise fail(
        NO_INITIAL_STATE,
        f"{system.name} has no initial state to evaluate in",
        help="`secateur check` says why",
    )
