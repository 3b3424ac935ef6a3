"""The code of applications, made to measure for their operands.

Most operands are at hand: a value that is known, or an identifier, whose value is in the
environment.  To call a function for each of them would take longer than what is done with them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from secateur.maths.evaluate.environment import Code
from secateur.maths.function_tables import indexed
from secateur.maths.operators.application import apply_function
from secateur.maths.operators.comparison import member, not_member
from secateur.maths.operators.relations import pair
from secateur.maths.values import IllDefined, Value
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """How to come by a value: `form` says it of `parts`, which stand for themselves in it."""

    form: str
    parts: tuple[Any, ...]


def known(value: Value) -> Operand:
    """Return the operand whose value is known."""
    return Operand("{}", (value,))


def at(place: int) -> Operand:
    """Return the operand whose value is at a place of the environment."""
    return Operand("env[{}]", (place,))


def computed(code: Code) -> Operand:
    """Return the operand whose value must be computed."""
    return Operand("{}(env)", (code,))


def joined(apply: Callable[..., Value], operands: Sequence[Operand]) -> Operand | None:
    """Return an application that is always defined as an operand; None if it needs a call."""
    if apply not in _INFIX or sum(len(o.parts) for o in operands) > _MOST_PARTS:
        return None
    return Operand(f"({_applied(apply, operands)})", _parts(operands))


def application(apply: Callable[..., Value], operands: Sequence[Operand]) -> Code:
    """Return the code that applies a function which is always defined."""
    return _made(_TOTAL, _applied(apply, operands), (apply, None, *_parts(operands)))


def partial_application(
    apply: Callable[..., Value], operands: Sequence[Operand], span: Span
) -> Code:
    """Return the code of an application that says where it was if it is ill-defined."""
    return _made(_PARTIAL, _applied(apply, operands), (apply, span, *_parts(operands)))


def function_application(function: Operand, argument: Operand, span: Span) -> Code:
    """Return the code that applies a function of the model."""
    form = f"f = {function.form}; x = {argument.form}"
    return _made(_CALL, form, (apply_function, span, *function.parts, *argument.parts))


def _applied(apply: Callable[..., Value], operands: Sequence[Operand]) -> str:
    forms = [o.form for o in operands]
    infix = _INFIX.get(apply)
    return f"apply({', '.join(forms)})" if infix is None else infix.format(*forms)


def _parts(operands: Sequence[Operand]) -> tuple[Any, ...]:
    return tuple([part for o in operands for part in o.parts])


_MOST_PARTS: Final = 3
"""Larger applications are functions of their own: there would be ever more forms."""

_TOTAL: Final = """
def make(apply, span, {names}):
    return lambda env: {form}
"""
_PARTIAL: Final = """
def make(apply, span, {names}):
    def partial(env):
        try:
            return {form}
        except IllDefined as error:
            if error.span is None:
                error.span = span
            raise
    return partial
"""
# A function that was applied before, where it has an image: by far the most are that.
_CALL: Final = """
def make(apply, span, {names}):
    def call(env):
        {form}
        known = table(id(f))
        if known is not None:
            try:
                return known[1][x]
            except KeyError:
                pass
        try:
            return apply(f, x)
        except IllDefined as error:
            if error.span is None:
                error.span = span
            raise
    return call
"""

_INFIX: Final[dict[Callable[..., Value], str]] = {
    operator.eq: "{} == {}",
    operator.ne: "{} != {}",
    operator.lt: "{} < {}",
    operator.le: "{} <= {}",
    operator.gt: "{} > {}",
    operator.ge: "{} >= {}",
    operator.add: "{} + {}",
    operator.sub: "{} - {}",
    operator.mul: "{} * {}",
    member: "{} in {}",
    not_member: "{} not in {}",
    pair: "({}, {})",
}
"""What Python has a notation for need not be called."""


def _made(frame: str, form: str, arguments: tuple[Any, ...]) -> Code:
    """Return the code of this form; the first two arguments are those of every frame."""
    return _factory(frame, form, len(arguments) - 2)(*arguments)


@cache
def _factory(frame: str, form: str, parts: int) -> Callable[..., Code]:
    """Return what makes code of a form: however many formulas, these are few."""
    places = [f"x{i}" for i in range(parts)]
    text = frame.format(names=", ".join(places), form=form.format(*places))
    names: dict[str, Any] = {"IllDefined": IllDefined, "table": indexed.get}
    exec(text, names)  # noqa: S102 - made of the forms above alone
    make: Callable[..., Code] = names["make"]
    return make
