"""The values that a model's definitions have in a state."""

from __future__ import annotations

from collections.abc import Collection

from secateur.app.codes import BAD_PICTURE, NO_PICTURE
from secateur.app.model import Model
from secateur.lang.query import Question, answer
from secateur.maths.values import SymbolicSet, Undecided, Value
from secateur.source import fail
from secateur.system.answer import Decided, Evaluated, Undefined, Unknown
from secateur.system.system import State


def value_of(model: Model, name: str, state: State) -> Value:
    """Return the value of a definition in a state; raise InputError if it has none there.

    A set is one whose elements are listed.
    """
    formula = model.typed.definitions[name]
    system = model.system
    question = Question(formula, is_predicate=False)  # a truth is a value, too
    found = answer(question, system.scope, lambda: system.environment(state))
    match found:
        case Evaluated(value):
            return listed(name, value)
        case Decided(truth):
            return truth
        case Undefined(message):
            raise fail(BAD_PICTURE, f"{name} is ill-defined here: {message}", formula.span)
        case Unknown(reason):
            raise fail(BAD_PICTURE, f"{name} cannot be evaluated here: {reason}", formula.span)


def listed(name: str, value: Value) -> Value:
    """Return a set with its elements, anything else as it is; raise InputError for an infinite one."""
    if not isinstance(value, SymbolicSet):
        return value
    try:
        return value.expand()
    except Undecided as error:
        raise fail(BAD_PICTURE, f"{name} is a set that cannot be listed: {error.what}") from None


def require(model: Model, names: Collection[str], prefix: str) -> None:
    """Raise InputError if a picture is not defined; it says so if the definition was not understood."""
    if names:
        return
    reasons = left_out(model, prefix)
    help_ = reasons[0] if reasons else f"define {prefix} in the DEFINITIONS of the model"
    raise fail(NO_PICTURE, f"{model.name} has no definition {prefix}", help=help_)


def left_out(model: Model, prefix: str) -> tuple[str, ...]:
    """Return what is said of definitions that were not understood."""
    return tuple(note for note in model.typed.notes if note.startswith(f"definition {prefix}"))
