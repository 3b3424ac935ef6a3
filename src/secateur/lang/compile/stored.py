"""Values in a state: reading cells, and writing them."""

from __future__ import annotations

from collections.abc import Callable

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import (
    STATE,
    Expr,
    Field,
    Load,
    LoadBits,
    Number,
    Region,
)
from secateur.lang.compile.relations import HasDomain, as_pair
from secateur.lang.compile.sequences import SequenceView, as_sequence
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    Elem,
    NotCompiled,
    Num,
    Opq,
    Rec,
    SetV,
    Tru,
    V,
    at,
    index,
    same,
)
from secateur.lang.slots.cells import (
    Cell,
    FunctionCell,
    NumberCell,
    OpaqueCell,
    PairCell,
    RecordCell,
    SequenceCell,
    SubsetCell,
    places,
)
from secateur.lang.slots.codec import bits_of
from secateur.lang.slots.spaces import Carrier, Range, Space, Subsets, Truths, pairs, records


def read(cell: Cell, buffer: int = STATE, number: Expr = k.ZERO) -> V:
    """Return the value with this number of a cell, as it is in a buffer."""
    match cell:
        case NumberCell(field, space):
            return _number(Load(field, number, buffer), space)
        case PairCell(left, right):
            return Duo(read(left, buffer, number), read(right, buffer, number))
        case RecordCell(names, parts):
            return Rec(names, tuple(read(p, buffer, number) for p in parts))
        case SubsetCell(region, space):
            return BitsView(_part(region, buffer, number, space.size), space)
        case FunctionCell():
            return StoredFunction(cell, buffer, number)
        case SequenceCell():
            return StoredSequence(cell, buffer, number)
        case OpaqueCell(field, type_):
            return Opq(Load(field, number, buffer), type_)


def _number(loaded: Expr, space: Space | None) -> V:
    match space:
        case None | Range():
            return Num(loaded)
        case Truths():
            return Tru(k.equal(loaded, k.ONE))
        case Carrier():
            return Elem(loaded, space)
        case _:
            return at(space, loaded)


def _part(region: Region, buffer: int, number: Expr, width: int) -> Expr:
    whole = LoadBits(region, buffer)
    return k.slice_(whole, k.multiply(number, Number(width)), width)


def space_of(cell: Cell) -> Space | None:
    """Return a space for the values of a cell."""
    match cell:
        case NumberCell(_, space):
            return space
        case PairCell(left, right):
            return pairs(space_of(left), space_of(right))
        case RecordCell(names, parts):
            return records(names, [space_of(p) for p in parts])
        case SubsetCell(_, space):
            return Subsets(space) if space.size <= 12 else None
        case _:
            return None


class StoredFunction(HasDomain):
    """A function that is stored value by value."""

    functional = True

    def __init__(self, cell: FunctionCell, buffer: int, number: Expr) -> None:
        self.cell = cell
        self.buffer = buffer
        self.number = number
        self.domain = cell.domain
        self.space = pairs(cell.domain, space_of(cell.value))

    def place(self, argument: Expr) -> Expr:
        """Return the number of the value at argument number `argument`."""
        return k.add(k.multiply(self.number, Number(self.cell.domain.size)), argument)

    def value_at(self, argument: Expr) -> V:
        """Return the value at argument number `argument`."""
        return read(self.cell.value, self.buffer, self.place(argument))

    def has_value_at(self, argument: Expr) -> Expr:
        """Return whether there is one."""
        if self.cell.defined is None:
            return k.TRUE
        bit = Load(bits_of(self.cell.defined), self.place(argument), self.buffer)
        return k.equal(bit, k.ONE)

    def domain_bits(self, b: Builder) -> Expr:  # noqa: ARG002
        """Return the bits that say where there is a value."""
        size = self.cell.domain.size
        if self.cell.defined is None:
            return k.full(size)
        return _part(self.cell.defined, self.buffer, self.number, size)

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the value at the left part."""
        pair = as_pair(value)
        inside, number = index(b, self.cell.domain, pair.left)
        number = b.let(number, "arg")
        there = k.and_(inside, self.has_value_at(number))
        return both(b, there, lambda: same(b, self.value_at(number), pair.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the arguments."""
        domain = self.cell.domain
        last = Number(domain.size - 1)
        with b.for_(k.ZERO, last, "arg") as number, b.if_(self.has_value_at(number)):
            body(Duo(at(domain, number), self.value_at(number)))

    def apply(self, b: Builder, argument: V) -> V:
        """Load the value."""
        inside, number = index(b, self.cell.domain, argument)
        number = b.let(number, "arg")
        b.trap_unless(k.and_(inside, self.has_value_at(number)), "outside the domain")
        return self.value_at(number)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Load the bit."""
        inside, number = index(b, self.cell.domain, argument)
        return k.and_(inside, self.has_value_at(b.let(number, "arg")))

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the value as a set of at most one element."""
        space = self.pair_space().right
        inside, number = index(b, self.cell.domain, argument)
        number = b.let(number, "arg")
        _, value = index(b, space, self.value_at(number))
        there = k.and_(inside, self.has_value_at(number))
        return k.choose(there, k.with_(k.empty(space.size), value), k.empty(space.size))

    def is_empty(self, b: Builder) -> Expr:
        """Look at the domain."""
        return k.equal(self.domain_bits(b), k.empty(self.cell.domain.size))

    def count(self, b: Builder) -> Expr:
        """Count the domain."""
        return k.count(self.domain_bits(b))


class StoredSequence(SequenceView):
    """A sequence that is stored value by value."""

    def __init__(self, cell: SequenceCell, buffer: int, number: Expr) -> None:
        self.cell = cell
        self.buffer = buffer
        self.number = number
        super().__init__(Load(cell.length, number, buffer), cell.limit, space_of(cell.value))

    def item(self, b: Builder, position: Expr) -> V:  # noqa: ARG002
        """Load the value."""
        return read(self.cell.value, self.buffer, item_place(self.cell, self.number, position))


def item_place(cell: SequenceCell, number: Expr, position: Expr) -> Expr:
    """Return where the item at a position of sequence number `number` is, or another one.

    A position that is plainly outside is never looked at; the code must be lawful all the same.
    """
    if isinstance(position, Number) and not 1 <= position.value <= cell.limit:
        position = k.ONE
    return k.add(k.multiply(number, Number(cell.limit)), k.subtract(position, k.ONE))


# -- writing ----------------------------------------------------------------------------------


def write(b: Builder, cell: Cell, value: V, buffer: int, number: Expr = k.ZERO) -> None:
    """Store a value as number `number` of a cell; traps if it does not fit."""
    match cell, value:
        case (NumberCell(field, space), Num() | Tru() | Elem() | SetV()):
            b.store(field, _stored_number(b, space, value), number, buffer)
        case (PairCell(left, right), Duo()):
            write(b, left, value.left, buffer, number)
            write(b, right, value.right, buffer, number)
        case (RecordCell(_, parts), Rec(_, values)):
            for part, each in zip(parts, values, strict=True):
                write(b, part, each, buffer, number)
        case (OpaqueCell(field), Opq(expr)):
            b.store(field, expr, number, buffer)
        case (SubsetCell(region, space), SetV()):
            _write_part(b, region, value.bits(b, space), buffer, number)
        case (FunctionCell(), SetV()):
            _write_function(b, cell, value, buffer, number)
        case (SequenceCell(), SequenceView()):
            _write_sequence(b, cell, value, buffer, number)
        case (SequenceCell(), SetV()):
            _write_sequence(b, cell, as_sequence(b, value), buffer, number)
        case _:
            raise NotCompiled("a value that is stored in another way")


def _stored_number(b: Builder, space: Space | None, value: V) -> Expr:
    match space, value:
        case (None | Range(), Num(expr)):
            return expr
        case (Truths(), Tru(expr)):
            return k.to_int(expr)
        case (Carrier(), Elem(expr)):
            return expr
        case (Subsets(), SetV()):
            return index(b, space, value)[1]
    raise NotCompiled("a value that is stored in another way")


def _write_part(b: Builder, region: Region, bits: Expr, buffer: int, number: Expr) -> None:
    width = width_of(bits)
    if width == region.width:
        b.store_bits(region, bits, buffer)
        return
    start = b.let(k.multiply(number, Number(width)), "start")
    kept = k.minus(LoadBits(region, buffer), k.place(k.full(width), start, region.width))
    b.store_bits(region, k.join(kept, k.place(bits, start, region.width)), buffer)


def _write_function(b: Builder, cell: FunctionCell, value: SetV, buffer: int, number: Expr) -> None:
    domain = cell.domain
    start = b.let(k.multiply(number, Number(domain.size)), "start")
    if isinstance(value, StoredFunction) and value.cell.domain == domain:
        _copy_function(b, cell, value, buffer, start)
        return
    given = b.variable(k.empty(domain.size), "given")
    with b.for_(k.ZERO, Number(domain.size - 1), "arg") as argument:
        clear(b, cell.value, buffer, k.add(start, argument))

    def insert(pair: V) -> None:
        left, right = as_pair(pair).left, as_pair(pair).right
        inside, argument = index(b, domain, left)
        argument = b.let(argument, "arg")
        # Twice the same argument, or none of ours: it does not fit.
        b.trap_unless(k.and_(inside, k.not_(k.has(given, argument))), "not a function here")
        b.assign(given, k.with_(given, argument))
        write(b, cell.value, right, buffer, k.add(start, argument))

    value.each(b, insert)
    if cell.defined is None:
        b.trap_unless(k.equal(given, k.full(domain.size)), "a partial function")
    else:
        _write_part(b, cell.defined, given, buffer, number)


def _copy_function(b: Builder, cell: FunctionCell, value: SetV, buffer: int, start: Expr) -> None:
    """Store a function that knows its value for each argument."""
    domain = cell.domain
    with b.for_(k.ZERO, Number(domain.size - 1), "arg") as argument:
        place = b.let(k.add(start, argument), "place")
        here = b.let(value.defined(b, at(domain, argument)), "here")
        if cell.defined is None:
            b.trap_unless(here, "a partial function")
        else:
            b.store(bits_of(cell.defined), k.to_int(here), place, buffer)
        with b.if_(here):
            write(b, cell.value, value.apply(b, at(domain, argument)), buffer, place)
        if cell.defined is not None:
            with b.if_(k.not_(here)):
                clear(b, cell.value, buffer, place)


def _write_sequence(
    b: Builder, cell: SequenceCell, value: SequenceView, buffer: int, number: Expr
) -> None:
    if value.limit == 0:
        clear(b, cell, buffer, number)
        return
    length = b.let(value.length, "length")
    start = b.let(k.multiply(number, Number(cell.limit)), "start")
    b.store(cell.length, length, number, buffer)
    with b.for_(k.ONE, Number(cell.limit), "at") as position:
        place = b.let(k.add(start, k.subtract(position, k.ONE)), "place")
        with b.if_(k.less_equal(position, length)):
            write(b, cell.value, value.item(b, position), buffer, place)
        with b.else_():
            clear(b, cell.value, buffer, place)


def clear(b: Builder, cell: Cell, buffer: int, number: Expr) -> None:
    """Set all bits of one value to 0, as where there is no value."""
    match cell:
        case NumberCell(field) | OpaqueCell(field):
            b.store(field, Number(field.least if field.width < 64 else 0), number, buffer)
        case PairCell(left, right):
            clear(b, left, buffer, number)
            clear(b, right, buffer, number)
        case RecordCell(_, parts):
            for part in parts:
                clear(b, part, buffer, number)
        case SubsetCell(region, space):
            _write_part(b, region, k.empty(space.size), buffer, number)
        case FunctionCell(domain, defined, value):
            if defined is not None:
                _write_part(b, defined, k.empty(domain.size), buffer, number)
            with b.for_(k.ZERO, Number(domain.size - 1), "arg") as argument:
                clear(b, value, buffer, k.add(k.multiply(number, Number(domain.size)), argument))
        case SequenceCell(limit, length, value):
            b.store(length, k.ZERO, number, buffer)
            with b.for_(k.ZERO, Number(limit - 1), "at") as place:
                clear(b, value, buffer, k.add(k.multiply(number, Number(limit)), place))


def copy_cell(b: Builder, cell: Cell, target: int, source: int) -> None:
    """Copy a variable from one buffer to another."""
    for place in places(cell):
        if isinstance(place, Region):
            b.store_bits(place, LoadBits(place, source), target)
        elif place.count == 1:
            b.store(place, Load(place, k.ZERO, source), k.ZERO, target)
        else:
            _copy_field(b, place, target, source)


def _copy_field(b: Builder, field: Field, target: int, source: int) -> None:
    with b.for_(k.ZERO, Number(field.count - 1), "i") as number:
        b.store(field, Load(field, number, source), number, target)
