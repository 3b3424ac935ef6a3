"""Loops over known numbers, written out: every round knows its number.

An operation with a parameter is a loop; written out, its guards are tests of known bits and
its stores are at known places.  That is twice as fast, and takes longer to compile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from secateur.kernel.build import and_, is_constant
from secateur.kernel.language import (
    BOOL,
    Action,
    Assign,
    Block,
    Break,
    Emit,
    Expr,
    For,
    ForEach,
    If,
    Local,
    Loop,
    Number,
    Predicate,
    Program,
    SetOf,
    Statement,
    Store,
    StoreBits,
    Trap,
    Truth,
)
from secateur.kernel.ranges import can_trap
from secateur.kernel.substitute import substituted
from secateur.kernel.walk import Survey, blocks, statements, target, uses_of
from secateur.source.records import dataclass

_MOST_ROUNDS: Final = 64
_MOST_SIZE: Final = 800
"""What is larger than this when it is written out stays a loop."""
_MOST_SIZE_OF_ALL: Final = 8000

Values = dict[str, Expr]
_NOTHING: Final[Mapping[str, Expr]] = {}


def unrolled(program: Program) -> Program:
    """Return a program with its loops over few known numbers written out."""
    unrolling = _Unrolling(Survey(), _MOST_SIZE_OF_ALL)
    return Program(
        program.words,
        program.scratch,
        tuple(
            Action(a.name, unrolling.part(a.body), a.distinct, a.label_types)
            for a in program.actions
        ),
        tuple(
            Predicate(p.name, unrolling.part(p.body, p.result), p.result)
            for p in program.predicates
        ),
        program.marks,
    )


def with_values(
    body: Block, results: tuple[Expr, ...], values: Mapping[str, Expr]
) -> tuple[Block, tuple[Expr, ...]]:
    """Return a program part and its results with these values in the place of parameters.

    Loops over few numbers are written out, so that it can be seen which places they touch.
    """
    unrolling = _Unrolling(Survey(), _MOST_SIZE_OF_ALL)
    written = unrolling.part(body, *results, values=values)
    return written, tuple(substituted(e, values) for e in results)


@dataclass(slots=True)
class _Unrolling:
    """Writes out loops as long as there is room."""

    survey: Survey
    room: int
    scoped: frozenset[str] = frozenset()
    """The locals that are just names for values."""
    copies: int = 0

    def part(self, body: Block, *results: Expr, values: Mapping[str, Expr] = _NOTHING) -> Block:
        """Return the body of an action or a predicate, written out."""
        if not values and not any(isinstance(s, For | ForEach) for s in statements(body)):
            return body
        # a local that the result looks at keeps its name and its place
        looked_at = {v.name for v in uses_of(*results).locals}
        self.scoped = frozenset(self.survey.scoped(body, *results) - looked_at)
        return self._block(body, dict(values))

    def _block(self, block: Block, values: Values) -> Block:
        return tuple(s for old in block for s in self._statement(old, values))

    def _statement(self, s: Statement, values: Values) -> Iterator[Statement]:
        match s:
            case Assign(local, e):
                value = substituted(e, values)
                if local.name in self.scoped and is_constant(value):
                    values[local.name] = value
                else:
                    yield Assign(_named(local, values), value)
            case Store(field, e, at, buffer):
                index = substituted(at, values)
                if isinstance(index, Number) and not 0 <= index.value < field.count:
                    yield Trap("code that never runs")
                else:
                    yield Store(field, substituted(e, values), index, buffer)
            case StoreBits(region, e, buffer):
                yield StoreBits(region, substituted(e, values), buffer)
            case If(condition, then, otherwise):
                test = substituted(condition, values)
                if isinstance(test, Truth):
                    yield from self._block(then if test.value else otherwise, values)
                else:
                    yield _chosen(
                        If(test, self._block(then, values), self._block(otherwise, values))
                    )
            case For():
                yield from self._for(s, values)
            case ForEach():
                yield from self._for_each(s, values)
            case Loop(body):
                yield Loop(self._block(body, values))
            case Emit(buffer, labels):
                yield Emit(buffer, tuple(substituted(label, values) for label in labels))
            case _:
                yield s

    def _for(self, s: For, values: Values) -> Iterator[Statement]:
        low, high = substituted(s.low, values), substituted(s.high, values)
        numbers = None
        if isinstance(low, Number) and isinstance(high, Number):
            numbers = range(low.value, high.value + 1)
        if numbers is None or not self._are_few(s, numbers):
            yield For(_named(s.variable, values), low, high, self._block(s.body, values))
        else:
            yield from self._rounds(s, numbers, values)

    def _for_each(self, s: ForEach, values: Values) -> Iterator[Statement]:
        elements = substituted(s.set, values)
        numbers = None
        if isinstance(elements, SetOf) and elements.mask.bit_count() <= _MOST_ROUNDS:
            numbers = [i for i in range(elements.width) if elements.mask >> i & 1]
        if numbers is None or not self._are_few(s, numbers):
            yield ForEach(_named(s.variable, values), elements, self._block(s.body, values))
        else:
            yield from self._rounds(s, numbers, values)

    def _rounds(
        self, s: For | ForEach, numbers: Sequence[int], values: Values
    ) -> Iterator[Statement]:
        """Yield the rounds of a loop, one after the other."""
        written: list[Statement] = []
        for number in numbers:
            inner = {**values, **self._renamed(s.body)}
            if s.variable.name not in self.scoped:
                written.append(Assign(s.variable, Number(number)))
            inner[s.variable.name] = Number(number)
            written += self._block(s.body, inner)
        if _breaks(s.body):
            # a loop of one round, which a Break can leave
            yield Loop((*written, Break()))
        else:
            yield from written

    def _are_few(self, s: For | ForEach, numbers: Sequence[int]) -> bool:
        """Whether a loop over these is to be written out; then there is less room for others."""
        if len(numbers) > _MOST_ROUNDS or s.variable.name in _assigned(s.body):
            return False
        size = len(numbers) * self._size(s.body)
        if size > min(_MOST_SIZE, self.room):
            return False
        self.room -= size
        return True

    def _size(self, block: Block) -> int:
        """Return about how large a block is when loops within it are written out, too."""
        total = 0
        for s in block:
            inner = sum(self._size(part) for part in blocks(s))
            match s:
                case For(_, Number(low), Number(high)):
                    inner *= max(0, min(high - low + 1, _MOST_ROUNDS))
                case ForEach(_, SetOf(_, mask)):
                    inner *= min(mask.bit_count(), _MOST_ROUNDS)
            total += 1 + self.survey.uses(s).size + inner
        return total

    def _renamed(self, body: Block) -> Values:
        """Return new names for the locals that belong to one round."""
        self.copies += 1
        return {
            name: replace(local, name=f"{name}'{self.copies}")
            for name, local in _assigned(body).items()
            if name in self.scoped
        }


def _chosen(s: If) -> Statement:
    """Return a statement as an assignment, if it says no more than whether something holds."""
    match s:
        case If(condition, (Assign(local, value),), (Assign(other, Truth(False)),)) if (
            local == other and local.type is BOOL and not can_trap(value)
        ):
            return Assign(local, and_(condition, value))
    return s


def _named(local: Local, values: Values) -> Local:
    found = values.get(local.name, local)
    assert isinstance(found, Local)
    return found


def _assigned(body: Block) -> dict[str, Local]:
    found = (target(s) for s in statements(body))
    return {local.name: local for local in found if local is not None}


def _breaks(body: Block) -> bool:
    """Whether there is a `Break` that leaves the loop of this body."""
    return any(
        isinstance(s, Break) or (isinstance(s, If) and any(map(_breaks, blocks(s)))) for s in body
    )
