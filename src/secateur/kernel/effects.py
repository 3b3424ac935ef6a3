"""Which bits of the state code reads, and which bits of its successors it writes.

A mask is one integer over all words of the state (`places.split_words` divides it).  What is
read from a copy of the state counts as read unless it has been written before.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field
from typing import Final, NamedTuple

from secateur.kernel.demanded import demanded, kept
from secateur.kernel.language import (
    STATE,
    WORD,
    Action,
    Assign,
    Bits,
    Block,
    Break,
    Copy,
    Emit,
    Expr,
    Field,
    For,
    ForEach,
    If,
    Load,
    LoadBits,
    Local,
    Loop,
    Predicate,
    SetOf,
    Statement,
    Store,
    StoreBits,
    Trap,
)
from secateur.kernel.places import bits_of_field, bits_of_region, position
from secateur.kernel.ranges import Known, bounds, bounds_of_locals, can_trap
from secateur.kernel.walk import Survey, expressions
from secateur.source.records import dataclass


class _Written(NamedTuple):
    """The bits of a buffer that have surely been written since it was the state, and that may.

    Of those that are fixed it is known what was written.
    """

    must: int = 0
    may: int = 0
    fixed: int = 0
    fixed_to: int = 0


_UNTOUCHED: Final = _Written()
_Ways = dict[int, _Written] | None
"""What is known of the buffers at a place; None if no way leads there."""


@dataclass(frozen=True, slots=True)
class Effects:
    """The bits that an action or a predicate reads, may write and must write.

    After each of its steps the bits that are `fixed` have the value `fixed_to`.
    """

    reads: int
    may_write: int = 0
    must_write: int = 0
    fixed: int = 0
    fixed_to: int = 0

    @property
    def key(self) -> int:
        """The bits on which the written ones depend: also those that may be left as they are."""
        return self.reads | (self.may_write & ~self.must_write)


def effects(part: Action | Predicate, words: int) -> Effects:
    """Return the effects of an action or a predicate on a state of so many words."""
    results = (part.result,) if isinstance(part, Predicate) else ()
    return effects_of(part.body, words, *results)


def effects_of(body: Block, words: int, *results: Expr) -> Effects:
    """Return the effects of a whole block, and of expressions that are computed after it."""
    scoped = Survey().scoped(body, *results)
    known = bounds_of_locals(body, scoped)
    analysis = _Analysis((1 << (words * WORD)) - 1, known, scoped)
    end = analysis.block(body, {})
    for e in results:
        analysis.read(e, end or {})
    found = analysis.emitted or _UNTOUCHED
    return Effects(analysis.reads, found.may, found.must, found.fixed, found.fixed_to)


@dataclass(slots=True)
class _Name:
    """A local that is just a name for a set: what it stands for, and what was asked of it so far."""

    value: Expr
    ways: dict[int, _Written]
    asked: int = 0


@dataclass(slots=True)
class _Analysis:
    """Follows all ways through the code."""

    state: int
    known: Known
    scoped: Collection[str]
    reads: int = 0
    emitted: _Written | None = None
    breaks: list[list[_Ways]] = field(default_factory=list)
    names: dict[str, _Name] = field(default_factory=dict)

    def block(self, block: Block, ways: _Ways) -> _Ways:
        """Return what is known after a block."""
        for s in block:
            if ways is None:
                return None
            ways = self._statement(s, ways)
        return ways

    def read(self, e: Expr, ways: dict[int, _Written], mask: int = -1) -> None:
        """Note what an expression reads; of a set, only the bits of `mask` are asked for."""
        for part, wanted in demanded(e, mask):
            match part:
                case Load(place, index, buffer):
                    bits = self._bits(place, index)
                case LoadBits(region, buffer):
                    bits = bits_of_region(region) & wanted << (region.word * WORD + region.shift)
                case Local(name) if name in self.names:
                    self._read_name(self.names[name], wanted)
                    continue
                case _:
                    continue
            written = ways.get(buffer, _UNTOUCHED).must
            self.reads |= bits & ~written & self.state

    def _read_name(self, name: _Name, wanted: int) -> None:
        new = wanted & ~name.asked
        if new:
            name.asked |= new
            self.read(name.value, name.ways, new)

    def _bits(self, place: Field, index: Expr) -> int:
        low, high = bounds(index, self.known)
        return bits_of_field(place, range(max(low, 0), min(high, place.count - 1) + 1))

    def _store_bits(self, s: StoreBits, ways: dict[int, _Written]) -> _Ways:
        """Note what is written; bits that are put back as they were are not."""
        at = s.region.word * WORD + s.region.shift
        changed = ways.get(s.buffer, _UNTOUCHED).may >> at
        names = {n: each.value for n, each in self.names.items()}
        same = kept(s.value, s, names, changed)
        self.read(s.value, ways, ~same)
        bits = bits_of_region(s.region) & ~(same << at)
        fixed = s.value.mask << at if isinstance(s.value, SetOf) else None
        return _write(ways, s.buffer, bits, bits, fixed)

    def _store(self, s: Store, ways: dict[int, _Written]) -> _Ways:
        bits = self._bits(s.field, s.index)
        low, high = bounds(s.index, self.known)
        if low != high or not 0 <= low < s.field.count:
            return _write(ways, s.buffer, 0, bits)
        least, most = bounds(s.value, self.known)
        fixed = None
        if least == most and s.field.width < WORD:
            fixed = (int(least) - s.field.least) << position(s.field, int(low)) & bits
        return _write(ways, s.buffer, bits, bits, fixed)

    def _statement(self, s: Statement, ways: dict[int, _Written]) -> _Ways:
        if isinstance(s, StoreBits):
            return self._store_bits(s, ways)
        if isinstance(s, Assign) and self._is_name(s):
            self.names[s.target.name] = _Name(s.value, ways)
            return ways
        for e in expressions(s):
            self.read(e, ways)
        match s:
            case Assign():
                return ways
            case Store():
                return self._store(s, ways)
            case Copy(target, source):
                copied = _UNTOUCHED if source == STATE else ways.get(source, _UNTOUCHED)
                return {**ways, target: copied}
            case If(_, then, otherwise):
                return _either(self.block(then, ways), self.block(otherwise, ways))
            case For() | ForEach():
                return self._loop(s.body, ways, may_end=True)
            case Loop(body):
                return self._loop(body, ways, may_end=False)
            case Break():
                self.breaks[-1].append(ways)
                return None
            case Emit(buffer):
                written = _Written(*(part & self.state for part in ways.get(buffer, _UNTOUCHED)))
                before = self.emitted
                self.emitted = written if before is None else _both(before, written)
                return ways
            case Trap(_, sees):  # who takes over may go on in spite of it
                self.reads |= sees & self.state
                return ways

    def _is_name(self, s: Assign) -> bool:
        """Whether a local is a set that need not be looked at as a whole.

        What may trap is looked at where it is computed, whoever uses it.
        """
        return (
            isinstance(s.target.type, Bits)
            and s.target.name in self.scoped
            and not can_trap(s.value, self.known)
        )

    def _loop(self, body: Block, ways: dict[int, _Written], *, may_end: bool) -> _Ways:
        """Return what is known after any number of rounds."""
        head: _Ways = ways
        while True:
            self.breaks.append([])
            after = _either(head, self.block(body, head))
            ends = self.breaks.pop()
            if after == head:
                break
            head = after
        result: _Ways = head if may_end else None
        for way in ends:
            result = _either(result, way)
        return result


def _write(
    ways: dict[int, _Written], buffer: int, must: int, may: int, fixed: int | None = None
) -> _Ways:
    """Note what is written, and as what if that is known."""
    before = ways.get(buffer, _UNTOUCHED)
    known = 0 if fixed is None else must
    after = _Written(
        before.must | must,
        before.may | may,
        before.fixed & ~may | known,
        before.fixed_to & ~may | (fixed or 0) & must,
    )
    return {**ways, buffer: after}


def _either(a: _Ways, b: _Ways) -> _Ways:
    if a is None or b is None:
        return b if a is None else a
    # a buffer that one way has not defined is not used after both
    return {
        buffer: _both(a.get(buffer) or b[buffer], b.get(buffer) or a[buffer])
        for buffer in a.keys() | b.keys()
    }


def _both(x: _Written, y: _Written) -> _Written:
    """Return what holds of either."""
    fixed = x.fixed & y.fixed & ~(x.fixed_to ^ y.fixed_to)
    return _Written(x.must & y.must, x.may | y.may, fixed, x.fixed_to & fixed)
