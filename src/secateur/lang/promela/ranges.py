"""How large the values of variables can become: ranges that every step keeps.

A byte that only ever holds 0, 1 and 2 need not take eight bits.  Ranges begin with the initial
values and grow, to the next power of two, until no step leads out of them; the guard of a step
says more of the variables that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from secateur.maths.ast import Apply, Call, Expr, If, Name, Number
from secateur.maths.operators import comparison, integers, machine_integers

Range = tuple[int, int]
"""The least and the greatest value."""

Step = tuple[Sequence[Expr], Sequence[tuple[str, Expr]]]
"""The conditions of a step, and what variables (or elements of arrays) get."""


def settled_ranges(
    initial: Mapping[str, Range], widest: Mapping[str, Range], steps: Sequence[Step]
) -> dict[str, Range]:
    """Return the ranges of all variables; `widest` are those of their types."""
    known = {name: _rounded(found, widest[name]) for name, found in initial.items()}
    growing = True
    while growing:
        growing = False
        for conditions, writes in steps:
            here = _supposing(conditions, known)
            if here is None:
                continue
            for name, value in writes:
                low, high = _range(value, here) or widest[name]
                old = known[name]
                new = _rounded((min(old[0], low), max(old[1], high)), widest[name])
                if new != old:
                    known[name] = new
                    growing = True
    return known


def _rounded(found: Range, widest: Range) -> Range:
    """Return the least range of a whole number of bits around another, within that of the type."""
    low, high = found
    high = (1 << max(high, 0).bit_length()) - 1
    low = -(1 << (-low - 1).bit_length()) if low < 0 else 0
    return max(low, widest[0]), min(high, widest[1])


def _supposing(conditions: Sequence[Expr], known: Mapping[str, Range]) -> dict[str, Range] | None:
    """Return the ranges where some conditions hold; None if they never do."""
    here = dict(known)
    for condition in conditions:
        for name, (low, high) in _said(condition, here):
            old = here[name]
            new = max(low, old[0]), min(high, old[1])
            if new[0] > new[1]:
                return None
            here[name] = new
    return here


_UNBOUNDED: Final = (-(1 << 40), 1 << 40)


def _said(condition: Expr, here: Mapping[str, Range]) -> Iterator[tuple[str, Range]]:
    """Yield what a comparison says of variables in it."""
    if not isinstance(condition, Apply) or len(condition.args) != 2:
        return
    left, right = condition.args
    for this, other, turned in ((left, right, False), (right, left, True)):
        if not isinstance(this, Name) or this.text not in here:
            continue
        low, high = _range(other, here) or _UNBOUNDED
        operator = condition.operator
        if operator is comparison.EQUAL:
            yield this.text, (low, high)
        elif operator in (integers.LESS_EQUAL, integers.LESS):
            strict = operator is integers.LESS
            yield this.text, _bounded(low, high, below=not turned, strict=strict)
        elif operator in (integers.GREATER_EQUAL, integers.GREATER):
            strict = operator is integers.GREATER
            yield this.text, _bounded(low, high, below=turned, strict=strict)


def _bounded(low: int, high: int, *, below: bool, strict: bool) -> Range:
    """Return what is below (or above) something in a range."""
    if below:
        return _UNBOUNDED[0], high - strict
    return low + strict, _UNBOUNDED[1]


def _range(e: Expr, here: Mapping[str, Range]) -> Range | None:
    """Return the range of a number; None if nothing is known of it."""
    match e:
        case Number(value):
            return value, value
        case Name(text) | Call(Name(text), _):
            return here.get(text)
        case If(_, then, otherwise):
            first, second = _range(then, here), _range(otherwise, here)
            if first is None or second is None:
                return None
            return min(first[0], second[0]), max(first[1], second[1])
        case Apply(integers.NEGATE, (operand,)):
            found = _range(operand, here)
            return None if found is None else (-found[1], -found[0])
        case Apply(machine_integers.WRAP_SIGNED | machine_integers.WRAP_UNSIGNED, args):
            return _wrapped(e, args, here)
        case Apply(_, (left, right)):
            first, second = _range(left, here), _range(right, here)
            if first is None or second is None:
                return None
            return _computed(e, first, second)
        case _:
            return None


def _wrapped(e: Apply, args: tuple[Expr, ...], here: Mapping[str, Range]) -> Range:
    value, bits = args
    assert isinstance(bits, Number)
    low, high = 0, (1 << bits.value) - 1
    if e.operator is machine_integers.WRAP_SIGNED:
        low, high = -(1 << (bits.value - 1)), (1 << (bits.value - 1)) - 1
    found = _range(value, here)
    if found is not None and low <= found[0] and found[1] <= high:
        return found
    return low, high


def _computed(e: Apply, a: Range, b: Range) -> Range | None:
    match e.operator:
        case integers.ADD:
            return a[0] + b[0], a[1] + b[1]
        case integers.SUBTRACT:
            return a[0] - b[1], a[1] - b[0]
        case integers.MULTIPLY:
            corners = [x * y for x in a for y in b]
            return min(corners), max(corners)
        case integers.DIVIDE if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case machine_integers.REMAINDER if a[0] >= 0:
            return 0, min(a[1], max(abs(b[0]), abs(b[1])) - 1) if b != (0, 0) else a[1]
        case machine_integers.BIT_AND if a[0] >= 0 and b[0] >= 0:
            return 0, min(a[1], b[1])
        case machine_integers.BIT_OR | machine_integers.BIT_XOR if a[0] >= 0 and b[0] >= 0:
            return 0, (1 << max(a[1], b[1]).bit_length()) - 1
        case machine_integers.SHIFT_RIGHT if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case _:
            return None
