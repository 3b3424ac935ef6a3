"""Judging the predicates of a model one by one, in one state."""

from __future__ import annotations

from secateur.app.deep import run_deep
from secateur.lang.lower import MachineSystem
from secateur.lang.query import Question, answer
from secateur.maths.ast import Expr
from secateur.system.answer import Answer
from secateur.system.system import State


def judge(predicate: Expr, system: MachineSystem, state: State) -> Answer:
    """Return whether a typed predicate of the model holds in `state`."""
    question = Question(predicate, is_predicate=True)
    return run_deep(lambda _: answer(question, system.scope, lambda: system.environment(state)))
