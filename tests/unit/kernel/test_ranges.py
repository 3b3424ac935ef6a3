"""Bounds of numbers."""

from __future__ import annotations

from secateur.kernel.build import ZERO
from secateur.kernel.language import INT, Assign, Binary, Field, For, Load, Local, Number
from secateur.kernel.operators import Op
from secateur.kernel.ranges import bounds, bounds_of_locals, can_trap

LARGEST = Number((1 << 63) - 1)
DIGIT = Load(Field(0, 0, 4, size=10))


def test_small_sums_do_not_trap() -> None:
    assert bounds(Binary(Op.MULTIPLY, DIGIT, DIGIT)) == (0, 81)
    assert not can_trap(Binary(Op.MULTIPLY, DIGIT, DIGIT))
    assert can_trap(Binary(Op.ADD, DIGIT, LARGEST))
    assert not can_trap(Binary(Op.MOD, DIGIT, Number(3)))
    assert can_trap(Binary(Op.DIVIDE, Number(3), DIGIT))


def test_code_that_never_runs_has_bounds() -> None:
    i, x = Local("i", INT), Local("x", INT)
    body = (For(i, Number(3), ZERO, (Assign(x, Binary(Op.DIVIDE, DIGIT, i)),)),)
    assert bounds_of_locals(body, {"i"})["x"] == (0, 3)
    always = Binary(Op.ADD, LARGEST, LARGEST)
    assert bounds(always) == (LARGEST.value, LARGEST.value)


def test_a_local_is_zero_before_it_is_assigned() -> None:
    x = Local("x", INT)
    body = (Assign(x, Number(5)),)
    assert bounds_of_locals(body) == {"x": (0, 5)}
    assert bounds_of_locals(body, {"x"}) == {"x": (5, 5)}
    assert bounds_of_locals((*body, Assign(x, Number(6)))) == {}
