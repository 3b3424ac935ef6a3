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
from secateur.maths.operators.comparison import member, not_member
from secateur.maths.operators.relations import pair
from secateur.maths.values import IllDefined, Value
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """How to come by a value: `form` says it of `what`."""

    form: str
    what: Any


def known(value: Value) -> Operand:
    """Return the operand whose value is known."""
    return Operand("{}", value)


def at(place: int) -> Operand:
    """Return the operand whose value is at a place of the environment."""
    return Operand("env[{}]", place)


def computed(code: Code) -> Operand:
    """Return the operand whose value must be computed."""
    return Operand("{}(env)", code)


def application(apply: Callable[..., Value], operands: Sequence[Operand]) -> Code:
    """Return the code that applies a function which is always defined."""
    text = f"def make(apply, {_names(operands)}):\n return lambda env: {_applied(apply, operands)}"
    return _factory(text)(apply, *[o.what for o in operands])


def partial_application(
    apply: Callable[..., Value], operands: Sequence[Operand], span: Span
) -> Code:
    """Return the code of an application that says where it was if it is ill-defined."""
    text = _PARTIAL.format(names=_names(operands), applied=_applied(apply, operands))
    return _factory(text)(apply, *[o.what for o in operands], span)


_PARTIAL: Final = """
def make(apply, {names}, span):
    def partial(env):
        try:
            return {applied}
        except IllDefined as error:
            if error.span is None:
                error.span = span
            raise
    return partial
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


def _names(operands: Sequence[Operand]) -> str:
    return ", ".join(f"x{i}" for i in range(len(operands)))


def _applied(apply: Callable[..., Value], operands: Sequence[Operand]) -> str:
    values = [operand.form.format(f"x{i}") for i, operand in enumerate(operands)]
    infix = _INFIX.get(apply)
    return f"apply({', '.join(values)})" if infix is None else infix.format(*values)


@cache
def _factory(text: str) -> Callable[..., Code]:
    """Return what makes code of a form; there are some dozens of these, however many formulas."""
    names: dict[str, Any] = {"IllDefined": IllDefined}
    exec(text, names)  # noqa: S102 - made of the above alone
    make: Callable[..., Code] = names["make"]
    return make
