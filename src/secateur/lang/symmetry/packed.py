"""The parts of packed states that permutations move, as the native engine wants to know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.kernel.language import Field
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.settled import Unlisted
from secateur.lang.slots.cells import (
    Cell,
    FunctionCell,
    NumberCell,
    OpaqueCell,
    PairCell,
    RecordCell,
    SequenceCell,
    SubsetCell,
    position,
)
from secateur.lang.slots.codec import bits_of
from secateur.lang.slots.spaces import Carrier, Pairs, Range, Records, Space, Subsets, Truths
from secateur.lang.symmetry.renamed import renamed
from secateur.lang.symmetry.solutions import Solutions, Stabiliser
from secateur.lang.symmetry.touched import Touched
from secateur.maths.types import Type
from secateur.maths.values import Element
from secateur.source.records import dataclass
from secateur.system.symmetry import Asymmetric

Bits = tuple[int, int, int]
"""A word, the first bit, and how many there are."""
ALWAYS: Final[Bits] = (0, 0, 0)
FIXED: Final = -1


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """What may be stored as a number: see `ValueSpace` in the native engine."""

    kind: str
    members: tuple[int, ...] = ()
    left: int = 0
    right: int = 0
    right_size: int = 1


@dataclass(frozen=True, slots=True)
class Presence:
    """Where a number tells whether something is there: it is if the number is above `least`."""

    bits: Bits = ALWAYS
    least: int = 0


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A number that may move: where it is, what it is, and what its place says of elements."""

    bits: Bits
    presence: Presence
    space: int
    place: int
    coordinates: tuple[tuple[int, int, int], ...]
    """Of each that may change: its space, its code, and how far apart its values are."""
    mentions: tuple[tuple[int, int], ...]
    """Elements with their roles."""


@dataclass(frozen=True, slots=True)
class _There:
    """Which parts of an array are there: a bit for each, or how many of each row are.

    `size` parts belong to one bit; with a `row`, a number tells how many of that many are there.
    """

    field: Field | None = None
    size: int = 1
    row: int | None = None

    def within(self, size: int) -> _There:
        """Return the same for arrays of a size in the place of the parts."""
        return _There(self.field, self.size * size, self.row)

    def at(self, number: int) -> Presence:
        """Return where it is told of one part."""
        if self.field is None:
            return Presence()
        number //= self.size
        if self.row is None:
            return Presence(_bits(self.field, number))
        place, least = divmod(number, self.row)
        return Presence(_bits(self.field, place), least)


_EVERYWHERE: Final = _There()


def _bits(field: Field, number: int) -> Bits:
    word, shift = position(field.word, field.shift, field.width, field.count, number)
    return word, shift, field.width


class PackedSymmetry:
    """A symmetry in the present layout of a machine."""

    def __init__(self, machine: CompiledMachine, solutions: Solutions) -> None:
        self.machine = machine
        self.solutions = solutions
        self.sets = solutions.symmetry.sets
        order = [e for each in self.sets for e in each.elements]
        self.elements = len(order)
        self._numbers = {e: i for i, e in enumerate(order)}
        """By element the number that it has here: those that may be exchanged are counted."""
        carriers = machine.carriers.values()
        named = {int(e): e for carrier in carriers for e in carrier.elements}
        self._elements: list[Element] = [named[e] for e in order]
        names = frozenset(each.name for each in self.sets)
        self._touched = Touched(names, machine.system.model)
        self.spaces: list[SpaceRow] = [SpaceRow("plain")]
        self._known: dict[Space, int] = {}
        self._opaque: dict[Type, int] = {}
        self._type_of: dict[int, Type] = {}
        self.units: list[UnitRow] = []
        self._parts = 0
        for binder in machine.system.model.variables:
            self._add(machine.layout.cells[binder.name], (), _EVERYWHERE)

    # -- the layout -------------------------------------------------------------------------------

    def _add(self, cell: Cell, around: tuple[Space, ...], there: _There) -> None:
        """Add the units of a cell, which is an array over the spaces `around` it."""
        match cell:
            case NumberCell(field, space):
                self._part(field, around, 0 if space is None else self._space(space), there)
            case OpaqueCell(field, type_):
                self._part(field, around, self._opaque_space(type_), there)
            case PairCell(left, right):
                self._add(left, around, there)
                self._add(right, around, there)
            case RecordCell(_, parts):
                for part in parts:
                    self._add(part, around, there)
            case SubsetCell(region, space):
                self._part(bits_of(region), (*around, space), 0, _EVERYWHERE)
            case FunctionCell(domain, defined, value):
                inner = (*around, domain)
                there = there.within(domain.size)
                if defined is not None:
                    self._part(bits_of(defined), inner, 0, _EVERYWHERE)
                    there = _There(bits_of(defined))
                self._add(value, inner, there)
            case SequenceCell(limit, length, value):
                self._part(length, around, 0, _EVERYWHERE)
                self._add(value, (*around, Range(1, limit)), _There(length, row=limit))

    def _part(self, field: Field, around: tuple[Space, ...], space: int, there: _There) -> None:
        """Add numbers that follow each other, if a permutation moves them."""
        axes = list(_axes(around))
        if space == 0 and not any(self._space(axis) for axis, _ in axes):
            return
        self._parts += 1
        count = 1
        for each in around:
            count *= each.size
        for number in range(count):
            self.units.append(self._unit(field, number, axes, space, there))

    def _unit(
        self, field: Field, number: int, axes: list[tuple[Space, int]], space: int, there: _There
    ) -> UnitRow:
        place: list[int] = [self._parts]
        coordinates: list[tuple[int, int, int]] = []
        mentions: list[tuple[int, int]] = []
        for role, (axis, stride) in enumerate(axes):
            code = number // stride % axis.size
            moved = self._space(axis)
            inside = [self._numbers[e] for e in _elements(axis.value(code)) if e in self._numbers]
            place.append(-1 if moved and inside else code)
            if moved:
                coordinates.append((moved, code, stride))
                mentions += [(e, role) for e in inside]
        return UnitRow(
            _bits(field, number),
            there.at(number),
            space,
            hash(tuple(place)) & _WORD,
            tuple(coordinates),
            tuple(mentions),
        )

    def _space(self, space: Space) -> int:
        """Return the number of a space; 0 if no permutation moves its values."""
        found = self._known.get(space)
        if found is None:
            row = self._row(space)
            if row is None:
                found = 0
            else:
                self.spaces.append(row)
                found = len(self.spaces) - 1
            self._known[space] = found
        return found

    def _row(self, space: Space) -> SpaceRow | None:
        match space:
            case Truths() | Range():
                return None
            case Carrier(_, elements):
                members = tuple(self._numbers.get(int(e), FIXED) for e in elements)
                moved = any(m != FIXED for m in members)
                return SpaceRow("element", members) if moved else None
            case Pairs(left, right):
                return self._pair(self._space(left), right)
            case Records(names, parts):
                *front, last = parts
                if not front:
                    return self._row(last)
                return self._pair(self._space(Records(names[:-1], tuple(front))), last)
            case Subsets(of):
                inner = self._space(of)
                return SpaceRow("subset", left=inner) if inner else None

    def _pair(self, left: int, right: Space) -> SpaceRow | None:
        inner = self._space(right)
        if not left and not inner:
            return None
        return SpaceRow("pair", left=left, right=inner, right_size=right.size)

    def _opaque_space(self, type_: Type) -> int:
        if not self._touched.by(type_):
            return 0
        found = self._opaque.get(type_)
        if found is None:
            self.spaces.append(SpaceRow("opaque"))
            found = self._opaque[type_] = len(self.spaces) - 1
            self._type_of[found] = type_
        return found

    # -- what the native engine asks --------------------------------------------------------------

    def image(self, space: int, code: int, names: Sequence[int]) -> int:
        """Return the number of a value that is renamed: `names` are those that elements get."""
        type_, interned = self._type_of[space], self.machine.interned
        elements = self._elements
        image = {int(elements[e]): elements[name] for e, name in enumerate(names)}
        return interned.number(type_, renamed(interned.value(type_, code), image))

    def require_no_rule(self) -> None:
        """Raise Asymmetric if a value was met that may depend on elements in secret."""
        for value in self.machine.interned.values():
            if isinstance(value, Unlisted):
                raise Asymmetric(f"{value} is known by a rule, which may tell elements apart")

    @property
    def solution_bits(self) -> Bits:
        """Where the number of the constants' solution is; nowhere if it makes no difference."""
        cell = self.machine.layout.solution
        if cell is None or not self.solutions.symmetry.moves_constants:
            return ALWAYS
        return _bits(cell.field, 0)

    def stabilisers(
        self, *, everything: bool = False
    ) -> Iterator[tuple[list[list[int]], list[list[int]]]]:
        """Yield for each solution its cells and renamings, by the numbers used here.

        With `everything`, all permutations are among the renamings.
        """
        if self.solution_bits == ALWAYS:
            yield self._numbered(self.solutions.stabiliser(0), everything=everything)
            return
        never_met: tuple[list[list[int]], list[list[int]]] = ([list(range(self.elements))], [])
        for number, first in enumerate(self.solutions.first):
            if first == number:
                yield self._numbered(self.solutions.stabiliser(number), everything=everything)
            else:
                yield never_met

    def _numbered(
        self, stabiliser: Stabiliser, *, everything: bool
    ) -> tuple[list[list[int]], list[list[int]]]:
        if everything:
            stabiliser = stabiliser.written_out()
        numbers = self._numbers
        cells = [sorted(numbers[e] for e in cell) for cell in stabiliser.cells]
        renamings = []
        for renaming in stabiliser.renamings:
            names = list(range(self.elements))
            for element, image in renaming.items():
                names[numbers[element]] = numbers[image]
            renamings.append(names)
        return cells, renamings


_WORD: Final = (1 << 64) - 1


def _axes(spaces: tuple[Space, ...]) -> Iterator[tuple[Space, int]]:
    """Yield the coordinates of an array, and how far apart their values are."""
    stride = 1
    found: list[tuple[Space, int]] = []
    for space in reversed(spaces):
        for axis in reversed(list(_factors(space))):
            found.append((axis, stride))
            stride *= axis.size
    return reversed(found)


def _factors(space: Space) -> Iterator[Space]:
    match space:
        case Pairs(left, right):
            yield from _factors(left)
            yield from _factors(right)
        case Records(_, parts):
            for part in parts:
                yield from _factors(part)
        case _:
            yield space


def _elements(value: object) -> Iterator[int]:
    """Yield the elements in a value, each as often as it occurs."""
    match value:
        case Element():
            yield int(value)
        case frozenset() | tuple():
            for each in value:
                yield from _elements(each)
        case _:
            return
