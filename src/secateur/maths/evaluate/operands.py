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
    make = _factory(_TOTAL, tuple([o.form for o in operands]), _INFIX.get(apply))
    return make(apply, None, *[o.what for o in operands])


def partial_application(
    apply: Callable[..., Value], operands: Sequence[Operand], span: Span
) -> Code:
    """Return the code of an application that says where it was if it is ill-defined."""
    make = _factory(_PARTIAL, tuple([o.form for o in operands]), _INFIX.get(apply))
    return make(apply, span, *[o.what for o in operands])


_TOTAL: Final = """
def make(apply, span, {names}):
    return lambda env: {applied}
"""
_PARTIAL: Final = """
def make(apply, span, {names}):
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


@cache
def _factory(frame: str, forms: tuple[str, ...], infix: str | None) -> Callable[..., Code]:
    """Return what makes code of operands of these forms: however many formulas, these are few."""
    places = [f"x{i}" for i in range(len(forms))]
    values = [form.format(place) for form, place in zip(forms, places, strict=True)]
    applied = f"apply({', '.join(values)})" if infix is None else infix.format(*values)
    names: dict[str, Any] = {"IllDefined": IllDefined}
    exec(frame.format(names=", ".join(places), applied=applied), names)  # noqa: S102 - see above
    make: Callable[..., Code] = names["make"]
    return make
