"""Whether code is well typed and lawful as far as that can be seen without running it.

Used in tests and, because wrong machine code is worse than none, before code generation.
"""

from __future__ import annotations

from dataclasses import field

from secateur.kernel.evaluate_expressions import GREATEST_INT, LEAST_INT
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
from secateur.kernel.places import words_needed
from secateur.source.records import dataclass

_ARITHMETIC = {Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.MOD, Op.POWER, *OF_MACHINES}
_ORDER = {Op.LESS, Op.LESS_EQUAL}
_LOGIC = {Op.AND, Op.OR}
_ON_SCALARS = _ARITHMETIC | _ORDER | _LOGIC
_SETS = {Op.MEET, Op.JOIN, Op.MINUS}
_MEASURES = {Op.COUNT, Op.LEAST, Op.GREATEST}


class Unlawful(Exception):
    """Code that the language does not have; the lowering is at fault."""


def verify(program: Program) -> None:
    """Raise Unlawful if something is wrong with a program."""
    for action in program.actions:
        checker = _Checker(program, action)
        checker.block(action.body, loops=0)
    for predicate in program.predicates:
        checker = _Checker(program)
        checker.block(predicate.body, loops=0)
        checker.expect(BOOL, predicate.result)


def _demand(condition: bool, what: object) -> None:  # noqa: FBT001
    if not condition:
        raise Unlawful(str(what))


def _bits(found: Type, e: Expr) -> Bits:
    """Return the type of a set."""
    if not isinstance(found, Bits):
        raise Unlawful(f"{found} instead of a set: {e}")
    return found


@dataclass(slots=True)
class _Checker:
    """Checks one action, or one predicate (which must not emit)."""

    program: Program
    action: Action | None = None
    locals: dict[str, Type] = field(default_factory=dict)

    # -- expressions ----------------------------------------------------------------------

    def expect(self, wanted: Type, *expressions: Expr) -> None:
        """Check that expressions are of a type."""
        for e in expressions:
            found = self.type(e)
            if found != wanted:  # to write down every expression would take longer than the rest
                raise Unlawful(f"{found} instead of {wanted}: {e}")

    def _set(self, e: Expr) -> Bits:
        return _bits(self.type(e), e)

    def type(self, e: Expr) -> Type:
        """Return the type of an expression that is lawful."""
        match e:
            case Number(value):
                _demand(LEAST_INT <= value <= GREATEST_INT, e)
                return INT
            case Truth():
                return BOOL
            case SetOf(width, mask):
                _demand(width >= 1 and 0 <= mask < 1 << width, e)
                return Bits(width)
            case Local(name, type_):
                _demand(self.locals.setdefault(name, type_) == type_, f"{name} has two types")
                return type_
            case Load(place, index, buffer):
                self._place(place, buffer)
                self._index(index, place.count)
                return INT
            case LoadBits(region, buffer):
                self._region(region, buffer)
                return Bits(region.width)
            case Choose(condition, then, otherwise):
                self.expect(BOOL, condition)
                chosen = self.type(then)
                self.expect(chosen, otherwise)
                return chosen
            case Lookup():
                return self._lookup(e)
            case Binary():
                return self._binary(e)
            case Unary():
                return self._unary(e)
            case _:
                return self._set_operation(e)

    def _index(self, index: Expr, count: int) -> None:
        self.expect(INT, index)
        if isinstance(index, Number):
            _demand(0 <= index.value < count, f"{index} of {count}")

    def _lookup(self, e: Lookup) -> Type:
        self._index(e.index, len(e.table))
        if isinstance(e.type, Bits):
            low, high = 0, (1 << e.type.width) - 1
        else:
            _demand(e.type is INT, e)
            low, high = LEAST_INT, GREATEST_INT
        _demand(len(e.table) > 0 and low <= min(e.table) and max(e.table) <= high, e)
        return e.type

    def _binary(self, e: Binary) -> Type:
        left = self.type(e.left)
        self.expect(left, e.right)
        if e.op is Op.EQUAL:
            return BOOL
        if e.op in _SETS:
            return _bits(left, e.left)
        _demand(e.op in _ON_SCALARS, e)
        if e.op in WRAPS:
            width = e.right
            _demand(isinstance(width, Number) and 1 <= width.value <= WIDEST_WRAP, e)
        _demand(left is (BOOL if e.op in _LOGIC else INT), e)
        return INT if e.op in _ARITHMETIC else BOOL

    def _unary(self, e: Unary) -> Type:
        match e.op:
            case Op.NOT:
                self.expect(BOOL, e.operand)
                return BOOL
            case Op.TO_INT:
                self.expect(BOOL, e.operand)
                return INT
            case Op.NEGATE:
                self.expect(INT, e.operand)
                return INT
            case Op.COMPLEMENT:
                return self._set(e.operand)
        _demand(e.op in _MEASURES, e)
        self._set(e.operand)
        return INT

    def _set_operation(self, e: Has | With | Slice | Place | Between) -> Type:
        match e:
            case Has(set_, element):
                self._set(set_)
                self.expect(INT, element)
                return BOOL
            case With(set_, element):
                found = self._set(set_)
                self._index(element, found.width)
                return found
            case Slice(set_, start, width):
                room = self._set(set_).width - width
                _demand(width >= 1 and room >= 0, e)
                self._index(start, room + 1)
                return Bits(width)
            case Place(set_, start, width):
                self._set(set_)
                self._index(start, width)
                return Bits(width)
            case Between(width, low, high):
                _demand(width >= 1, e)
                self.expect(INT, low, high)
                return Bits(width)

    # -- places ---------------------------------------------------------------------------

    def _words(self, buffer: int) -> int:
        _demand(buffer >= 0, f"buffer {buffer}")
        return self.program.words + (self.program.scratch if buffer != STATE else 0)

    def _place(self, place: Field, buffer: int) -> None:
        _demand(1 <= place.width <= WORD and place.count >= 1, place)
        _demand(0 <= place.shift < WORD and place.word >= 0, place)
        if place.width < WORD:
            _demand(1 <= place.size <= 1 << place.width, place)
            most = place.least + place.size - 1
            _demand(LEAST_INT <= place.least <= most <= GREATEST_INT, place)
        needed = 1
        if not place.in_one_word:
            _demand(place.shift == 0, place)
            needed = -(-place.count // (WORD // place.width))
        _demand(place.word + needed <= self._words(buffer), place)

    def _region(self, region: Region, buffer: int) -> None:
        _demand(region.width >= 1 and region.word >= 0 and 0 <= region.shift < WORD, region)
        _demand(region.shift == 0 or region.shift + region.width <= WORD, region)
        needed = words_needed(region.shift + region.width)
        _demand(region.word + needed <= self._words(buffer), region)

    # -- statements -----------------------------------------------------------------------

    def block(self, block: Block, *, loops: int) -> None:
        """Check a block within so many loops."""
        for s in block:
            self._statement(s, loops)

    def _statement(self, s: Statement, loops: int) -> None:
        match s:
            case Assign(target, value):
                self.expect(self.type(target), value)
            case Store(place, value, index, buffer):
                self._written(buffer)
                self._place(place, buffer)
                self._index(index, place.count)
                self.expect(INT, value)
            case StoreBits(region, value, buffer):
                self._written(buffer)
                self._region(region, buffer)
                self.expect(Bits(region.width), value)
            case Copy(target_buffer, source):
                self._written(target_buffer)
                _demand(source >= 0, s)
            case If(condition, then, otherwise):
                self.expect(BOOL, condition)
                self.block(then, loops=loops)
                self.block(otherwise, loops=loops)
            case For(variable, low, high, body):
                self.expect(INT, variable, low, high)
                self.block(body, loops=loops + 1)
            case ForEach(variable, set_, body):
                self.expect(INT, variable)
                self._set(set_)
                self.block(body, loops=loops + 1)
            case Loop(body):
                self.block(body, loops=loops + 1)
            case Break():
                _demand(loops > 0, "Break outside of a loop")
            case Emit():
                self._emit(s)
            case Trap():
                pass

    def _written(self, buffer: int) -> None:
        _demand(buffer > STATE, f"buffer {buffer} is written")

    def _emit(self, s: Emit) -> None:
        _demand(self.action is not None and s.buffer >= 0, s)
        assert self.action is not None
        types = tuple(self.type(label) for label in s.labels)
        labels = self.action.label_types
        _demand(types == labels or (self.action.distinct and not labels), s)
