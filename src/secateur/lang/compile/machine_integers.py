"""The integers of a machine in the kernel language, which has most of their operators itself.

An answer that there is not is one of them: a number that nobody can compute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.language import Expr, Number
from secateur.lang.compile.values import NotCompiled, Num, V
from secateur.maths.operators import machine_integers as c
from secateur.maths.operators.channels import UNANSWERED
from secateur.maths.operators.protocol import Operator

Values = Callable[[Builder, Sequence[V]], V]

_WIDTH: Final = Number(c.WIDTH)
_ALL_BITS: Final = Number(-1)


def _numbers(f: Callable[[Expr, Expr], Expr]) -> Values:
    def apply(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
        left, right = map(_number, args)
        return Num(f(left, right))

    return apply


def _number(v: V) -> Expr:
    if not isinstance(v, Num):
        raise NotCompiled("an integer that is stored as a whole")
    return v.expr


def _bitwise(f: Callable[[Expr, Expr], Expr]) -> Values:
    """Return what works on all bits of a word, of which 32 are kept."""
    return _numbers(lambda left, right: k.wrap_signed(f(left, right), _WIDTH))


def _complement(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    return Num(k.wrap_signed(k.bit_xor(_number(args[0]), _ALL_BITS), _WIDTH))


def _nothing(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    return Num(k.divide(k.ONE, k.ZERO))


def _wrap(f: Callable[[Expr, Expr], Expr]) -> Values:
    def apply(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
        number, width = map(_number, args)
        if not isinstance(width, Number) or not 1 <= width.value <= c.WIDTH:
            raise NotCompiled("a number of bits that is not written down")
        return Num(f(number, width))

    return apply


VALUES: Final[Mapping[Operator, Values]] = {
    c.REMAINDER: _numbers(k.remainder),
    c.BIT_AND: _bitwise(k.bit_and),
    c.BIT_OR: _bitwise(k.bit_or),
    c.BIT_XOR: _bitwise(k.bit_xor),
    c.BIT_NOT: _complement,
    c.SHIFT_LEFT: _numbers(k.shift_left),
    c.SHIFT_RIGHT: _numbers(k.shift_right),
    c.WRAP_SIGNED: _wrap(k.wrap_signed),
    c.WRAP_UNSIGNED: _wrap(k.wrap_unsigned),
    UNANSWERED: _nothing,
}
