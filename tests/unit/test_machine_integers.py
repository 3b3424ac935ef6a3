"""The integers of a machine: evaluator, kernel and bounds against what C says."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_int32, c_uint32
from math import fmod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel import build as k
from secateur.kernel.evaluate_expressions import Memory, value_of
from secateur.kernel.language import INT, Expr, Local, Number
from secateur.kernel.machine_ranges import of_machine
from secateur.kernel.operators import OF_MACHINES, WRAPS, Op
from secateur.kernel.operators import of_machine as computed
from secateur.lang.compile.machine_integers import VALUES
from secateur.lang.compile.values import Num
from secateur.maths.ast import Apply
from secateur.maths.ast import Number as Literal
from secateur.maths.operators import machine_integers as c
from secateur.maths.operators.channels import REASONS, unanswered
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import MACHINE_INTEGERS, OPERATORS
from secateur.maths.print import show
from secateur.maths.values import IllDefined

INTS = st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(-70, 70)
ANY = INTS | st.integers(-(1 << 62), 1 << 62)
WIDTHS = st.integers(1, 32)


def _signed(value: int, width: int) -> int:
    bits = format(value % 2**width, f"0{width}b")
    return int(bits, 2) - (2**width if bits[0] == "1" else 0)


PLAIN: dict[Operator, Callable[..., int]] = {
    c.BIT_AND: lambda a, b: c_int32(c_uint32(a).value & c_uint32(b).value).value,
    c.BIT_OR: lambda a, b: c_int32(c_uint32(a).value | c_uint32(b).value).value,
    c.BIT_XOR: lambda a, b: c_int32(c_uint32(a).value ^ c_uint32(b).value).value,
    c.BIT_NOT: lambda a: -1 - c_int32(a).value,
    c.SHIFT_LEFT: lambda a, b: c_int32(a * 2 ** (b % 32)).value,
    c.SHIFT_RIGHT: lambda a, b: c_int32(a).value // 2 ** (b % 32),
    c.WRAP_SIGNED: _signed,
    c.WRAP_UNSIGNED: lambda a, width: int(format(a % 2**width, "b"), 2),
    c.REMAINDER: lambda a, b: int(fmod(a, b)),
}


def _operands(data: st.DataObject, operator: Operator) -> tuple[int, ...]:
    signature = operator.signature
    assert signature is not None
    if operator in (c.WRAP_SIGNED, c.WRAP_UNSIGNED):
        return data.draw(ANY), data.draw(WIDTHS)
    if operator is c.REMAINDER:
        return data.draw(INTS), data.draw(INTS.filter(bool))
    return tuple(data.draw(ANY) for _ in signature.operands)


@pytest.mark.parametrize("operator", MACHINE_INTEGERS, ids=str)
@given(st.data())
def test_evaluator_and_kernel_compute_as_c_does(operator: Operator, data: st.DataObject) -> None:
    operands = _operands(data, operator)
    expected = PLAIN[operator](*operands)
    assert operator.apply is not None
    assert operator.apply(*operands) == expected
    wraps = operator in (c.WRAP_SIGNED, c.WRAP_UNSIGNED)
    # what is known is folded, so that locals stand for the operands
    names: list[Expr] = [
        Number(v) if wraps and i else Local(f"x{i}", INT) for i, v in enumerate(operands)
    ]
    found = VALUES[operator](None, [Num(e) for e in names])  # type: ignore[arg-type]
    assert isinstance(found, Num)
    memory = Memory({}, {f"x{i}": v for i, v in enumerate(operands)})
    assert value_of(found.expr, memory) == expected


@pytest.mark.parametrize("op", [op for op in Op if op in OF_MACHINES])
@given(st.data())
def test_bounds_hold(op: Op, data: st.DataObject) -> None:
    def interval(values: st.SearchStrategy[int]) -> tuple[int, int]:
        a, b = data.draw(values), data.draw(values)
        return min(a, b), max(a, b)

    x = interval(ANY)
    width = data.draw(WIDTHS)
    y = (width, width) if op in WRAPS else interval(st.integers(-40, 40) | ANY)
    low, high = of_machine(op, x, y)
    for _ in range(5):
        a, b = data.draw(st.integers(*x)), data.draw(st.integers(*y))
        if op is not Op.REMAINDER or b != 0:
            assert low <= computed(op, a, b) <= high


def test_a_remainder_by_zero_is_ill_defined() -> None:
    with pytest.raises(IllDefined, match="division by zero"):
        c.remainder(7, 0)


@pytest.mark.parametrize("wrap", [c.wrap_signed, c.wrap_unsigned])
@pytest.mark.parametrize("width", [-1, 0, 33, 10**12])
def test_there_are_from_1_to_32_bits(wrap: Callable[[int, int], int], width: int) -> None:
    with pytest.raises(IllDefined, match="is no number of bits from 1 to 32"):
        wrap(5, width)


def test_wraps_to_any_width_are_left_to_the_evaluator() -> None:
    for wrap, loose in c.OF_ANY_WIDTH.items():
        assert not wrap.partial
        assert loose.partial
        assert loose.apply is wrap.apply
        assert loose not in VALUES


def test_shifts_are_no_longer_than_a_number() -> None:
    assert c.shift_left(1, 10**12 + 3) == c.shift_left(1, (10**12 + 3) % 32)
    assert c.shift_right(-7, -(10**12)) == -7


@pytest.mark.parametrize("reason", [-1, len(REASONS), 10**12])
def test_without_a_reason_there_is_no_answer_either(reason: int) -> None:
    with pytest.raises(IllDefined, match="there is no answer"):
        unanswered(reason)


def test_they_print_like_functions_and_reserve_no_words() -> None:
    wrapped = Apply(c.WRAP_SIGNED, (Apply(c.BIT_AND, (Literal(1), Literal(2))), Literal(8)))
    assert show(wrapped) == "wrap_signed(bit_and(1,2),8)"
    assert not {str(o) for o in MACHINE_INTEGERS} & {s for o in OPERATORS for s in o.spellings}


def test_truth_as_a_number_and_back_costs_nothing() -> None:
    p: Expr = k.less(Local("x", INT), Number(3))
    number = k.choose(p, k.ONE, k.ZERO)
    assert number == k.to_int(p)
    assert k.equal(number, k.ONE) == p
    assert k.equal(number, k.ZERO) == k.not_(p)
    assert k.wrap_unsigned(number, Number(8)) == number
