"""Between which bounds the results of the operators are that C has for its numbers."""

from __future__ import annotations

from secateur.kernel.operators import INTEGER, Op

Bounds = tuple[int, int]


def of_machine(op: Op, x: Bounds, y: Bounds) -> Bounds:
    """Return bounds of `x op y`, whose operands are within these."""
    match op:
        case Op.REMAINDER:
            return _remainder(x, y)
        case Op.BIT_AND:
            return _conjunction(x, y)
        case Op.BIT_OR if x[0] >= 0 and y[0] >= 0:
            return max(x[0], y[0]), _all_ones(x, y)
        case Op.BIT_OR | Op.BIT_XOR:
            return _signed(x, y) if min(x[0], y[0]) < 0 else (0, _all_ones(x, y))
        case Op.SHIFT_LEFT:
            return _shifted_left(x, y)
        case Op.SHIFT_RIGHT:
            return _shifted_right(x, y)
        case Op.WRAP_SIGNED:
            # the width is a literal
            return _unless_within(x, signed(y[0]))
        case Op.WRAP_UNSIGNED:
            return _unless_within(x, (0, (1 << y[0]) - 1))
    raise AssertionError(op)


def signed(width: int) -> Bounds:
    """Return the least and the greatest number of so many bits."""
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def is_within(inner: Bounds, outer: Bounds) -> bool:
    """Whether all numbers between the first bounds are between the others."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _unless_within(x: Bounds, room: Bounds) -> Bounds:
    """Return the bounds of what is kept if there is room for it, and else is anywhere there."""
    return x if is_within(x, room) else room


def _remainder(x: Bounds, y: Bounds) -> Bounds:
    most = max(abs(y[0]), abs(y[1]), 1) - 1
    return max(min(x[0], 0), -most), min(max(x[1], 0), most)


def _conjunction(x: Bounds, y: Bounds) -> Bounds:
    """Return the bounds of bits that both have: a number that is not negative bounds them."""
    natural = [most for least, most in (x, y) if least >= 0]
    return (0, min(natural)) if natural else _signed(x, y)


def _all_ones(x: Bounds, y: Bounds) -> int:
    """Return the greatest number with no more bits than the operands, which are not negative."""
    return (1 << max(x[1], y[1]).bit_length()) - 1


def _signed(x: Bounds, y: Bounds) -> Bounds:
    """Return the bounds of the numbers with no more bits than the operands have, sign included."""
    return signed(1 + max((~n if n < 0 else n).bit_length() for n in (*x, *y)))


def _shifted_left(x: Bounds, y: Bounds) -> Bounds:
    room = signed(INTEGER)
    if not (y[0] >= 0 and y[1] < INTEGER):
        return room
    corners = [n << by for n in x for by in y]
    return _unless_within((min(corners), max(corners)), room)


def _shifted_right(x: Bounds, y: Bounds) -> Bounds:
    whole = _unless_within(x, signed(INTEGER))
    by = y if y[0] >= 0 and y[1] < INTEGER else (0, INTEGER - 1)
    corners = [n >> distance for n in whole for distance in by]
    return min(corners), max(corners)
