r"""Which bits of a set are looked at where only some of its result matter.

`busy \/ {3}` does not look at bit 3 and leaves all others as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.kernel.language import (
    STATE,
    Binary,
    Bits,
    Choose,
    Expr,
    Has,
    LoadBits,
    Local,
    Number,
    Place,
    SetOf,
    Slice,
    StoreBits,
    Unary,
    With,
    type_of,
)
from secateur.kernel.operators import Op
from secateur.kernel.walk import operands

ALL = -1
"""All bits."""


def demanded(e: Expr, mask: int = ALL) -> Iterator[tuple[Expr, int]]:
    """Yield the parts of an expression that matter, each with the bits of it that do.

    `mask` are the bits of `e` that matter, if it is a set.
    """
    pending = [(e, mask)]
    while pending:
        e, mask = pending.pop()
        yield e, mask
        pending.extend(_operands(e, mask))


def _operands(e: Expr, mask: int) -> Iterator[tuple[Expr, int]]:
    match e:
        case Has(set_, Number(n)):
            yield set_, 1 << n if 0 <= n < _width(set_) else 0
        case Binary(Op.JOIN | Op.MINUS, left, SetOf(_, fixed)):
            yield left, mask & ~fixed
        case Binary(Op.JOIN, SetOf(_, fixed), right):
            yield right, mask & ~fixed
        case Binary(Op.MEET, left, SetOf(_, fixed)):
            yield left, mask & fixed
        case Binary(Op.MEET | Op.MINUS, SetOf(_, fixed), right):
            yield right, mask & fixed
        case Binary(Op.JOIN | Op.MEET | Op.MINUS, left, right):
            yield left, mask
            yield right, mask
        case Unary(Op.COMPLEMENT, operand):
            yield operand, mask
        case With(set_, Number(n)):
            yield set_, mask & ~(1 << n)
        case With(set_, element):
            yield set_, mask
            yield element, ALL
        case Slice(set_, Number(start), width):
            yield set_, (mask & ((1 << width) - 1)) << start
        case Place(set_, Number(start)):
            yield set_, mask >> start
        case Choose(condition, then, otherwise):
            yield condition, ALL
            yield then, mask
            yield otherwise, mask
        case _:
            for part in operands(e):
                yield part, ALL


def kept(e: Expr, store: StoreBits, names: Mapping[str, Expr], changed: int) -> int:
    """Return the bits that a set has in common with what it is written over, for certain.

    `names` are locals with what they stand for; `changed` are the bits of the place that
    may no longer be those of the state.
    """
    width = _width(e)
    match e:
        case LoadBits(region, buffer) if region == store.region:
            if buffer == store.buffer:
                return (1 << width) - 1
            return ((1 << width) - 1) & ~changed if buffer == STATE else 0
        case Local(name) if name in names and _reads_state_only(names[name], names):
            return kept(names[name], store, names, changed)
        case Binary(Op.JOIN | Op.MINUS, left, SetOf(_, fixed)):
            return kept(left, store, names, changed) & ~fixed
        case Binary(Op.JOIN, SetOf(_, fixed), right):
            return kept(right, store, names, changed) & ~fixed
        case Binary(Op.MEET, left, SetOf(_, fixed)):
            return kept(left, store, names, changed) & fixed
        case Binary(Op.MEET, SetOf(_, fixed), right):
            return kept(right, store, names, changed) & fixed
        case With(set_, Number(n)):
            return kept(set_, store, names, changed) & ~(1 << n)
        case Choose(_, then, otherwise):
            both = kept(then, store, names, changed)
            return both and both & kept(otherwise, store, names, changed)
    return 0


def _reads_state_only(e: Expr, names: Mapping[str, Expr]) -> bool:
    """Whether a set is still the same when other buffers have been written since."""
    return all(
        not isinstance(part, LoadBits) or part.buffer == STATE
        for part, _ in demanded(e)
        if not isinstance(part, Local) or part.name not in names
    ) and not any(isinstance(p, Local) and p.name in names for p, _ in demanded(e))


def _width(e: Expr) -> int:
    found = type_of(e)
    assert isinstance(found, Bits)
    return found.width
