"""Where values do not fit what they are stored in, as far as the values that a run has seen tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from secateur.lang.model import Model, Operation
from secateur.maths.ast import Apply, Expr, If, Name, Number
from secateur.maths.operators import integers, machine_integers
from secateur.maths.operators.protocol import Operator
from secateur.maths.substitution import Assign, Substitution, children
from secateur.source import NOWHERE

Range = tuple[int, int]

_WRAPS: Final = (machine_integers.WRAP_SIGNED, machine_integers.WRAP_UNSIGNED)

_MOST: Final = 60
"""A longer text of statements is shortened."""


def truncations(
    model: Model, seen: Mapping[str, Range], executed: Mapping[str, int]
) -> tuple[str, ...]:
    """Return a note on each statement that may store less than it was given.

    `seen` are the least and the greatest values of variables, and `executed` says how often
    operations were.  Where these do not tell, nothing is said.
    """
    found: dict[str, None] = {}
    for operation in model.operations:
        if executed.get(operation.name, 0):
            for target, wrap in _stored(operation.body):
                if _may_be_cut(target, wrap, seen):
                    found[f"{_place(operation)} may be cut to {_bits(wrap)} bits"] = None
    return tuple(found)


def _stored(body: Substitution) -> Iterator[tuple[Expr, Apply]]:
    """Yield what is assigned after it was cut, and to what."""
    if isinstance(body, Assign):
        for target, value in zip(body.targets, body.values, strict=True):
            if isinstance(value, Apply) and value.operator in _WRAPS:
                yield target, value
    for inner in children(body):
        yield from _stored(inner)


def _may_be_cut(target: Expr, wrap: Apply, seen: Mapping[str, Range]) -> bool:
    value, limits = _range(wrap.args[0], seen), _limits(wrap)
    if value is None or _fits(value, limits):
        return False
    after = _range(target, seen)
    if after is None:
        return True
    # What is left of a value that was cut must be among the values that were seen.
    below = value[0], min(value[1], limits[0] - 1)
    above = max(value[0], limits[1] + 1), value[1]
    return any(_meet(left, after) for part in (below, above) for left in _left_of(part, limits))


def _left_of(part: Range, limits: Range) -> list[Range]:
    """Return what numbers that do not fit are cut to."""
    low, high = part
    size = limits[1] - limits[0] + 1
    if low > high:
        return []
    if high - low + 1 >= size:
        return [limits]
    first = (low - limits[0]) % size + limits[0]
    last = (high - limits[0]) % size + limits[0]
    return [(first, last)] if first <= last else [(first, limits[1]), (limits[0], last)]


def _meet(one: Range, other: Range) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _bits(wrap: Apply) -> int:
    bits = wrap.args[1]
    assert isinstance(bits, Number)
    return bits.value


def _limits(wrap: Apply) -> Range:
    """Return what fits."""
    bits = _bits(wrap)
    if wrap.operator is machine_integers.WRAP_SIGNED:
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    return 0, (1 << bits) - 1


def _fits(value: Range, limits: Range) -> bool:
    return limits[0] <= value[0] and value[1] <= limits[1]


def _range(e: Expr, seen: Mapping[str, Range]) -> Range | None:
    """Return between which numbers a value is; None if that is not known."""
    match e:
        case Number(value):
            return value, value
        case Name(name):
            return seen.get(name)
        case If(_, then, otherwise):
            parts = [_range(then, seen), _range(otherwise, seen)]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return min(low for low, _ in known), max(high for _, high in known)
        case Apply(operator, args):
            if operator in _WRAPS:
                inner, limits = _range(args[0], seen), _limits(e)
                return inner if inner is not None and _fits(inner, limits) else limits
            known = [each for arg in args if (each := _range(arg, seen)) is not None]
            return _computed(operator, known) if len(known) == len(args) else None
    return None


def _computed(operator: Operator, given: list[Range]) -> Range | None:
    if operator is integers.NEGATE:
        return -given[0][1], -given[0][0]
    if operator not in (integers.ADD, integers.SUBTRACT, integers.MULTIPLY):
        return None
    (a, b), (c, d) = given
    if operator is integers.ADD:
        return a + c, b + d
    if operator is integers.SUBTRACT:
        return a - d, b - c
    products = (a * c, a * d, b * c, b * d)
    return min(products), max(products)


def _place(operation: Operation) -> str:
    """Return the statements of an operation, and where they are."""
    texts = [x.statement.text for x in operation.executions if not x.statement.silent]
    span = operation.span
    where = ""
    if span.source is not NOWHERE.source:
        line, _ = span.source.line_and_column(span.start)
        where = f" at {span.source.name}:{line}"
    text = "; ".join(texts) or operation.name
    if len(text) > _MOST:
        text = f"{text[: _MOST - 3]}..."
    return f"{text}{where}"
