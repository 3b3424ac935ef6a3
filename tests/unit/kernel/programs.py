"""Random kernel programs: well typed, and lawful in what the language demands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from secateur.kernel.language import (
    BOOL,
    INT,
    STATE,
    WORD,
    Action,
    Assign,
    Between,
    Binary,
    Bits,
    Block,
    Break,
    Choose,
    Copy,
    Emit,
    Expr,
    Field,
    For,
    ForEach,
    Has,
    If,
    Load,
    LoadBits,
    Local,
    Lookup,
    Loop,
    Number,
    Place,
    Predicate,
    Program,
    Region,
    SetOf,
    Slice,
    Statement,
    Store,
    StoreBits,
    Trap,
    Truth,
    Type,
    Unary,
    With,
)
from secateur.kernel.operators import OF_MACHINES, WIDEST_WRAP, WRAPS, Op

WIDTHS = (1, 2, 7, 8, 31, 63, 64, 65, 100, 128, 130, 200, 330)
LARGE = (1 << 63) - 1
NUMBERS = (0, 1, 2, 3, -1, -2, 5, 9, 64, 127, 200, 1 << 31, LARGE, LARGE - 1, -LARGE - 1, -LARGE)
SCRATCH = 3
COPIES = (1, 2)
"""The buffers that are defined from the beginning."""
OWN = 3
"""The buffer that is used only in a block that begins with a copy."""


@dataclass
class Layout:
    """Fields and regions that do not overlap, in some words."""

    words: int
    fields: list[Field]
    regions: list[Region]

    def state(self, rng: Random) -> tuple[int, ...]:
        """Return a lawful state; bits that belong to nobody are any."""
        words = [rng.getrandbits(WORD) if rng.random() < 0.5 else 0 for _ in range(self.words)]
        for f in self.fields:
            for i in range(f.count):
                word, shift = where(f, i)
                mask = (1 << f.width) - 1
                value = rng.randrange(f.size) if f.width < WORD else rng.choice(NUMBERS) & mask
                words[word] = words[word] & ~(mask << shift) | value << shift
        return tuple(words)


def where(f: Field, index: int) -> tuple[int, int]:
    """Return the word and the shift of a number."""
    if f.shift + f.count * f.width <= WORD:
        return f.word, f.shift + index * f.width
    per_word = WORD // f.width
    return f.word + index // per_word, index % per_word * f.width


def layouts(rng: Random) -> Layout:
    """Return a random layout."""
    fields: list[Field] = []
    regions: list[Region] = []
    word, shift = 0, 0
    for _ in range(rng.randint(2, 7)):
        is_field = rng.random() < 0.6
        width = rng.choice((1, 2, 3, 4, 7, 8, 13, 20, 32, 33, 63, 64)) if is_field else 1
        count = rng.choice((1, 1, 2, 5, 12)) if is_field else rng.choice(WIDTHS)
        if shift + width * count > WORD:
            word, shift = word + (shift > 0), 0
        if is_field:
            size = rng.randint(1, 1 << width) if width < WORD else 2
            most = (1 << 63) - size
            least = rng.choice((0, 0, 1, -1, -3, 10, -(1 << 63), most))
            fields.append(Field(word, shift, width, count, least, size))
        else:
            regions.append(Region(word, shift, count))
        if shift + width * count <= WORD:
            shift += width * count
        else:
            per_word = WORD // width
            word, shift = word + count // per_word, count % per_word * width
        if shift == WORD:
            word, shift = word + 1, 0
    return Layout(word + (shift > 0), fields, regions)


@dataclass
class Writer:
    """Writes random code over a layout."""

    rng: Random
    layout: Layout
    locals: list[Local] = field(default_factory=list)
    counters: int = 0
    buffers: tuple[int, ...] = (STATE, *COPIES)
    label_types: tuple[Type, ...] = ()
    emits: bool = True

    # -- expressions ----------------------------------------------------------------------

    def expression(self, type_: Type, depth: int) -> Expr:
        if type_ is INT:
            return self.number(depth)
        return self.set(type_.width, depth) if isinstance(type_, Bits) else self.truth(depth)

    def _known(self, type_: Type) -> Expr | None:
        fitting = [local for local in self.locals if local.type == type_]
        return self.rng.choice(fitting) if fitting and self.rng.random() < 0.6 else None

    def number(self, depth: int) -> Expr:
        rng = self.rng
        if depth <= 0:
            return self._known(INT) or (
                self._load(0) if rng.random() < 0.5 else Number(rng.choice(NUMBERS))
            )
        smaller = depth - 1
        ways: list[Callable[[], Expr]] = [
            lambda: Binary(
                rng.choice((Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.MOD, Op.POWER)),
                self.number(smaller),
                self.number(smaller),
            ),
            lambda: Binary(rng.choice((Op.ADD, Op.SUBTRACT)), self._load(smaller), Number(1)),
            lambda: Binary(
                rng.choice(sorted(OF_MACHINES - WRAPS, key=lambda op: op.value)),
                self.number(smaller),
                self.number(smaller),
            ),
            lambda: Binary(
                rng.choice((Op.WRAP_SIGNED, Op.WRAP_UNSIGNED)),
                self.number(smaller),
                Number(rng.choice((1, 2, 8, 16, 31, 32, 33, WIDEST_WRAP))),
            ),
            lambda: Unary(Op.NEGATE, self.number(smaller)),
            lambda: Unary(Op.TO_INT, self.truth(smaller)),
            lambda: Unary(
                rng.choice((Op.COUNT, Op.LEAST, Op.GREATEST)), self.set(self._width(), smaller)
            ),
            lambda: Choose(self.truth(smaller), self.number(smaller), self.number(smaller)),
            lambda: self._load(smaller),
            lambda: self._lookup(INT, smaller),
        ]
        return rng.choice(ways)()

    def _load(self, depth: int) -> Expr:
        if not self.layout.fields:
            return Number(7)
        f = self.rng.choice(self.layout.fields)
        return Load(f, self.index(f.count, depth), self.rng.choice(self.buffers))

    def _lookup(self, type_: Type, depth: int) -> Expr:
        size = self.rng.randint(1, 9)
        if isinstance(type_, Bits):
            table = tuple(self.rng.getrandbits(type_.width) for _ in range(size))
        else:
            table = tuple(self.rng.choice(NUMBERS) for _ in range(size))
        return Lookup(table, self.index(size, depth), type_)

    def index(self, count: int, depth: int) -> Expr:
        """Return a number within 0..count-1."""
        if depth <= 0 or self.rng.random() < 0.4:
            return Number(self.rng.randrange(count))
        if self.rng.random() < 0.5:
            return Binary(Op.MOD, self.number(depth - 1), Number(count))
        inner = self.number(depth - 1)
        return Choose(
            Binary(
                Op.AND,
                Binary(Op.LESS_EQUAL, Number(0), inner),
                Binary(Op.LESS, inner, Number(count)),
            ),
            inner,
            Number(count - 1),
        )

    def _width(self) -> int:
        known = [local.type.width for local in self.locals if isinstance(local.type, Bits)]
        known += [region.width for region in self.layout.regions]
        return (
            self.rng.choice(known) if known and self.rng.random() < 0.7 else self.rng.choice(WIDTHS)
        )

    def truth(self, depth: int) -> Expr:
        rng = self.rng
        if depth <= 0:
            return self._known(BOOL) or Truth(rng.random() < 0.5)
        smaller = depth - 1
        ways: list[Callable[[], Expr]] = [
            lambda: Binary(
                rng.choice((Op.EQUAL, Op.LESS, Op.LESS_EQUAL)),
                self.number(smaller),
                self.number(smaller),
            ),
            lambda: Binary(
                rng.choice((Op.AND, Op.OR, Op.EQUAL)), self.truth(smaller), self.truth(smaller)
            ),
            lambda: Binary(Op.AND, self._test(), Binary(Op.AND, self._test(), self._test())),
            lambda: Unary(Op.NOT, self.truth(smaller)),
            lambda: Choose(self.truth(smaller), self.truth(smaller), self.truth(smaller)),
            lambda: Has(self.set(self._width(), smaller), self.number(smaller)),
            lambda: self._sets_equal(self._width(), smaller),
            self._test,
        ]
        return rng.choice(ways)()

    def _test(self) -> Expr:
        """Return a test of a few bits of a buffer, as guards are made of."""
        rng = self.rng
        buffer = rng.choice(self.buffers)
        if self.layout.fields and rng.random() < 0.5:
            f = rng.choice(self.layout.fields)
            value = f.least + rng.randint(-1, min(f.size, 4)) if f.width < WORD else 5
            value = max(-LARGE - 1, min(value, LARGE))
            test: Expr = Binary(
                rng.choice((Op.EQUAL, Op.EQUAL, Op.LESS)),
                Load(f, Number(rng.randrange(f.count)), buffer),
                Number(value),
            )
        elif self.layout.regions:
            region = rng.choice(self.layout.regions)
            test = Has(LoadBits(region, buffer), Number(rng.randint(-1, region.width)))
        else:
            test = Truth(True)
        return Unary(Op.NOT, test) if rng.random() < 0.3 else test

    def _sets_equal(self, width: int, depth: int) -> Expr:
        left = self.set(width, depth)
        right = left if self.rng.random() < 0.3 else self.set(width, depth)
        return Binary(Op.EQUAL, left, right)

    def set(self, width: int, depth: int) -> Expr:
        rng = self.rng
        if depth <= 0:
            regions = [r for r in self.layout.regions if r.width == width]
            if regions and rng.random() < 0.6:
                return LoadBits(rng.choice(regions), rng.choice(self.buffers))
            return self._known(Bits(width)) or SetOf(width, self._mask(width))
        smaller = depth - 1
        larger = rng.choice([w for w in (*WIDTHS, 400) if w >= width])
        less = rng.choice([w for w in WIDTHS if w <= width])
        ways: list[Callable[[], Expr]] = [
            lambda: Binary(
                rng.choice((Op.MEET, Op.JOIN, Op.MINUS)),
                self.set(width, smaller),
                self.set(width, smaller),
            ),
            lambda: Unary(Op.COMPLEMENT, self.set(width, smaller)),
            lambda: Choose(self.truth(smaller), self.set(width, smaller), self.set(width, smaller)),
            lambda: With(self.set(width, smaller), self.index(width, smaller)),
            lambda: Slice(
                self.set(larger, smaller), self.index(larger - width + 1, smaller), width
            ),
            lambda: Place(self.set(less, smaller), self.index(width - less + 1, smaller), width),
            lambda: Between(width, self.number(smaller), self.number(smaller)),
            lambda: Between(width, self.index(width, smaller), self.index(width, smaller)),
            lambda: self._lookup(Bits(width), smaller),
            lambda: self.set(width, 0),
        ]
        return rng.choice(ways)()

    def _mask(self, width: int) -> int:
        full = (1 << width) - 1
        return self.rng.choice((0, 1, full, 1 << (width - 1), self.rng.getrandbits(width)))

    # -- statements -----------------------------------------------------------------------

    def block(self, depth: int, *, in_loop: bool = False) -> Block:
        result: list[Statement] = []
        for _ in range(self.rng.randint(1, 4)):
            result.extend(self.statement(depth, in_loop=in_loop))
        return tuple(result)

    def statement(self, depth: int, *, in_loop: bool) -> Block:
        rng = self.rng
        ways: list[Callable[[], Block]] = [
            self._assign,
            self._assign,
            self._store,
            self._store_bits,
        ]
        ways += [self._store_scratch, self._copy]
        if self.emits:
            ways += [self._emit, self._emit]
        if depth > 0:
            ways += [lambda: self._if(depth - 1, in_loop=in_loop)] * 2
            ways += [lambda: self._for(depth - 1), lambda: self._for_each(depth - 1)]
            ways += [lambda: self._loop(depth - 1)]
            if self.emits:
                ways += [lambda: self._own(depth - 1)]
        if in_loop:
            ways.append(lambda: (If(self.truth(2), (Break(),)),))
        if rng.random() < 0.03:
            return (If(self.truth(1), (Trap("chance"),)),)
        return rng.choice(ways)()

    def _assign(self) -> Block:
        rng = self.rng
        if self.locals and rng.random() < 0.5:
            target = rng.choice(
                [v for v in self.locals if not v.name.startswith("i")] or [self._new()]
            )
        else:
            target = self._new()
        value = self.expression(target.type, 2)
        if isinstance(target.type, Bits) and rng.random() < 0.3:
            value = With(target, self.index(target.type.width, 2))
        if target not in self.locals:
            self.locals.append(target)
        return (Assign(target, value),)

    def _new(self) -> Local:
        self.counters += 1
        type_ = self.rng.choice((INT, INT, BOOL, Bits(self._width())))
        return Local(f"x{self.counters}", type_)

    def _loop_variable(self) -> Local:
        self.counters += 1
        return Local(f"i{self.counters}", INT)

    def _store(self) -> Block:
        if not self.layout.fields:
            return ()
        f = self.rng.choice(self.layout.fields)
        lawful = Number(f.least + self.rng.randrange(f.size)) if f.width < WORD else Number(-9)
        value = lawful if self.rng.random() < 0.5 else self.number(2)
        return (Store(f, value, self.index(f.count, 2), self.rng.choice(COPIES)),)

    def _store_bits(self) -> Block:
        if not self.layout.regions:
            return ()
        region = self.rng.choice(self.layout.regions)
        buffer = self.rng.choice(COPIES)
        if self.rng.random() < 0.3:
            bits = Field(region.word, region.shift, 1, region.width)
            return (
                Store(bits, Unary(Op.TO_INT, self.truth(2)), self.index(region.width, 2), buffer),
            )
        return (StoreBits(region, self.set(region.width, 2), buffer),)

    def _store_scratch(self) -> Block:
        scratch = Field(self.layout.words, 0, 64, SCRATCH)
        store = Store(scratch, self.number(2), self.index(SCRATCH, 2), self.rng.choice(COPIES))
        target = Local("scratch", INT)
        load = Assign(target, Load(scratch, self.index(SCRATCH, 2), self.rng.choice(COPIES)))
        self.locals.append(target)
        return store, load

    def _copy(self) -> Block:
        return (Copy(self.rng.choice(COPIES), self.rng.choice((STATE, STATE, *COPIES))),)

    def _emit(self) -> Block:
        labels = tuple(self.expression(t, 1) for t in self.label_types)
        return (Emit(self.rng.choice(self.buffers), labels),)

    def _own(self, depth: int) -> Block:
        """Return a block with a buffer of its own, as most actions have."""
        old, self.buffers = self.buffers, (OWN, *self.buffers)
        stores: list[Statement] = []
        for _ in range(self.rng.randint(0, 3)):
            for s in (*self._store(), *self._store_bits()):
                assert isinstance(s, Store | StoreBits)
                place = s.field if isinstance(s, Store) else s.region
                moved = (
                    Store(place, s.value, s.index, OWN)
                    if isinstance(s, Store) and isinstance(place, Field)
                    else StoreBits(s.region, s.value, OWN)
                    if isinstance(s, StoreBits)
                    else s
                )
                stores.append(If(self.truth(1), (moved,)) if self.rng.random() < 0.2 else moved)
        if depth > 0 and self.rng.random() < 0.3:
            stores.extend(self._for(depth - 1))
        self.buffers = old
        labels = tuple(self.expression(t, 1) for t in self.label_types)
        return (If(self.truth(2), (Copy(OWN, STATE), *stores, Emit(OWN, labels))),)

    def _if(self, depth: int, *, in_loop: bool) -> Block:
        condition = self.truth(3)
        then = self.block(depth, in_loop=in_loop)
        otherwise = self.block(depth, in_loop=in_loop) if self.rng.random() < 0.5 else ()
        return (If(condition, then, otherwise),)

    def _for(self, depth: int) -> Block:
        rng = self.rng
        low, high = rng.choice(
            (
                (Number(0), Number(3)),
                (Number(3), Number(0)),
                (Number(LARGE - 1), Number(LARGE)),
                (Number(-2), self.index(3, 2)),
                (self.index(4, 2), self.index(6, 2)),
            )
        )
        variable = self._loop_variable()
        self.locals.append(variable)
        return (For(variable, low, high, self.block(depth, in_loop=True)),)

    def _for_each(self, depth: int) -> Block:
        width = self._width()
        known = self.rng.getrandbits(width) & self.rng.getrandbits(width)
        # Few known elements: such a loop is written out.
        set_ = SetOf(width, known) if self.rng.random() < 0.4 else self.set(width, 2)
        variable = self._loop_variable()
        self.locals.append(variable)
        return (ForEach(variable, set_, self.block(depth, in_loop=True)),)

    def _loop(self, depth: int) -> Block:
        count = self._loop_variable()
        stop = If(Binary(Op.LESS, Number(2), count), (Break(),))
        step = Assign(count, Binary(Op.ADD, count, Number(1)))
        return Assign(count, Number(0)), Loop((stop, step, *self.block(depth, in_loop=True)))


def programs(rng: Random) -> tuple[Program, Layout]:
    """Return a random program with its layout."""
    layout = layouts(rng)
    actions = []
    for i in range(rng.randint(1, 4)):
        distinct = rng.random() < 0.5
        types = (
            () if distinct else tuple(rng.choice((INT, BOOL, Bits(70), Bits(3))) for _ in range(2))
        )
        writer = Writer(rng, layout, label_types=types)
        body = (*_prologue(layout), *writer.block(2))
        actions.append(Action(f"a{i}", body, distinct, types))
    predicates = []
    for i in range(rng.randint(0, 3)):
        writer = Writer(rng, layout, emits=False)
        body = (*_prologue(layout), *writer.block(2))
        predicates.append(Predicate(f"p{i}", body, writer.truth(2)))
    return Program(layout.words, SCRATCH, tuple(actions), tuple(predicates)), layout


def _prologue(layout: Layout) -> Block:
    scratch = Field(layout.words, 0, 64, SCRATCH)
    result: list[Statement] = []
    for buffer in COPIES:
        result.append(Copy(buffer, STATE))
        result.extend(Store(scratch, Number(-i), Number(i), buffer) for i in range(SCRATCH))
    return tuple(result)
