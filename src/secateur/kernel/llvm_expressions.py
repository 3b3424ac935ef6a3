"""Expressions in machine code."""

from __future__ import annotations

from functools import partial
from typing import Final

from secateur.kernel import llvm_machine
from secateur.kernel import llvm_sets as sets
from secateur.kernel.bit_tests import BitTest, bit_test, combined
from secateur.kernel.evaluate_expressions import LEAST_INT, width_of
from secateur.kernel.language import (
    BOOL,
    INT,
    WORD,
    Between,
    Binary,
    Bits,
    Choose,
    Expr,
    Field,
    Has,
    Load,
    LoadBits,
    Local,
    Lookup,
    Number,
    Place,
    SetOf,
    Slice,
    Truth,
    Unary,
    With,
    type_of,
)
from secateur.kernel.llvm_costs import is_cheap
from secateur.kernel.llvm_frame import Frame, Value
from secateur.kernel.llvm_function import FALSE, TRUE, Flag, Operand
from secateur.kernel.llvm_function import signed as as_signed
from secateur.kernel.operators import OF_MACHINES, Op
from secateur.kernel.places import split_words, words_needed
from secateur.kernel.ranges import bounds, operator_can_trap

_COMPARE: Final = {Op.EQUAL: "eq", Op.LESS: "slt", Op.LESS_EQUAL: "sle"}
_CHECKED: Final = {Op.ADD: "sadd", Op.SUBTRACT: "ssub", Op.MULTIPLY: "smul"}


def value(f: Frame, e: Expr) -> Value:
    """Compute an expression."""
    type_ = type_of(e)
    if type_ is INT:
        return number(f, e)
    return truth(f, e) if type_ is BOOL else words(f, e)


# -- numbers --------------------------------------------------------------------------------


def number(f: Frame, e: Expr) -> Operand:
    """Compute an expression that is a number."""
    fn = f.fn
    match e:
        case Number(known):
            return known
        case Local():
            found = f.read(e)
            assert not isinstance(found, list)
            return found
        case Load(field, index, buffer):
            word, place = locate(f, field, number(f, index))
            bits = fn.lshr(f.buffers.word_at(buffer, field.word, word), place)
            return fn.add(fn.low_bits(bits, field.width), field.least if field.width < WORD else 0)
        case Lookup(table, index):
            return _entry(f, table, number(f, index), signed=True)
        case Choose():
            return _chosen(f, e)[0]
        case Binary(_, left, right):
            return _arithmetic(f, e, number(f, left), number(f, right))
        case Unary(Op.TO_INT, operand):
            flag = truth(f, operand)
            return int(flag == TRUE) if flag in (TRUE, FALSE) else fn.pure(f"zext i1 {flag} to i64")
        case Unary(Op.NEGATE, operand):
            return _checked(f, e, 0, number(f, operand))
        case Unary(Op.COUNT, operand):
            return sets.count(fn, words(f, operand))
        case Unary(Op.LEAST | Op.GREATEST as op, operand):
            elements = words(f, operand)
            if operator_can_trap(e, f.known):
                fn.exit_if(sets.is_empty(fn, elements), f.trap)
            return (sets.least if op is Op.LEAST else sets.greatest)(fn, elements)
    raise AssertionError(e)


def locate(f: Frame, field: Field, index: Operand) -> tuple[Operand, Operand]:
    """Return the word of a number, counted from the field's first, and its place in it."""
    fn = f.fn
    if field.in_one_word:
        return 0, fn.add(fn.mul(index, field.width), field.shift)
    per_word = WORD // field.width
    if isinstance(index, int):
        return index // per_word, index % per_word * field.width
    if per_word & (per_word - 1) == 0:
        word = fn.lshr(index, per_word.bit_length() - 1)
        return word, fn.mul(fn.and_(index, per_word - 1), field.width) if per_word > 1 else 0
    word = fn.pure(f"udiv i64 {index}, {per_word}")
    return word, fn.mul(fn.sub(index, fn.mul(word, per_word)), field.width)


def _arithmetic(f: Frame, e: Binary, x: Operand, y: Operand) -> Operand:
    fn = f.fn
    match e.op:
        case Op.ADD | Op.SUBTRACT | Op.MULTIPLY:
            return _checked(f, e, x, y)
        case Op.DIVIDE:
            low, high = bounds(e.right, f.known)
            if low <= 0 <= high:
                fn.exit_if(fn.compare("eq", y, 0), f.trap)
            if bounds(e.left, f.known)[0] == LEAST_INT and low <= -1 <= high:
                overflow = fn.both(fn.compare("eq", x, LEAST_INT), fn.compare("eq", y, -1))
                fn.exit_if(overflow, f.trap)
            return fn.pure(f"sdiv i64 {x}, {y}")
        case Op.MOD:
            if bounds(e.left, f.known)[0] < 0:
                fn.exit_if(fn.compare("slt", x, 0), f.trap)
            if bounds(e.right, f.known)[0] <= 0:
                fn.exit_if(fn.compare("sle", y, 0), f.trap)
            return fn.pure(f"urem i64 {x}, {y}")
        case op if op in OF_MACHINES:
            return llvm_machine.computed(f, e, x, y)
        case Op.POWER:
            return _guarded(f, f"call {{i64, i1}} @power(i64 {x}, i64 {y})")
    raise AssertionError(e.op)


def _checked(f: Frame, e: Binary | Unary, x: Operand, y: Operand) -> Operand:
    """Return a sum, difference or product; a check is made only if it may overflow."""
    fn = f.fn
    op = e.op if isinstance(e, Binary) else Op.SUBTRACT
    if not operator_can_trap(e, f.known):
        plain = {Op.ADD: fn.add, Op.SUBTRACT: fn.sub, Op.MULTIPLY: fn.mul}
        return plain[op](x, y)
    return _guarded(f, f"call {{i64, i1}} @llvm.{_CHECKED[op]}.with.overflow.i64(i64 {x}, i64 {y})")


def _guarded(f: Frame, call: str) -> Operand:
    """Return the first part of a result, whose second part says that it is none."""
    fn = f.fn
    result = fn.pure(call)
    fn.exit_if(fn.pure(f"extractvalue {{i64, i1}} {result}, 1"), f.trap)
    return fn.pure(f"extractvalue {{i64, i1}} {result}, 0")


def _entry(f: Frame, table: tuple[int, ...], index: Operand, *, signed: bool) -> Operand:
    """Return an entry of a table of words."""
    if isinstance(index, int):
        return table[index]
    bits = _narrowest(table)
    name = f.unit.tables.name(bits, table)
    at = f.fn.pure(f"getelementptr i{bits}, ptr {name}, i64 {index}")
    entry = f.fn.pure(f"load i{bits}, ptr {at}")
    return (
        entry
        if bits == WORD
        else f.fn.pure(f"{'sext' if signed else 'zext'} i{bits} {entry} to i64")
    )


def _narrowest(table: tuple[int, ...]) -> int:
    low, high = min(table), max(table)
    return next(b for b in (8, 16, 32, 64) if -(1 << (b - 1)) <= low and high < 1 << (b - 1))


# -- truth ----------------------------------------------------------------------------------


def truth(f: Frame, e: Expr) -> Flag:
    """Compute an expression that is true or false."""
    fn = f.fn
    match e:
        case Truth(known):
            return TRUE if known else FALSE
        case Local():
            found = f.read(e)
            assert isinstance(found, str)
            return found
        case Has(set_, element):
            test = bit_test(e)
            return _has(f, set_, element) if test is None else _tested(f, test)
        case Choose():
            return str(_chosen(f, e)[0])
        case Unary(Op.NOT, operand):
            return fn.negation(truth(f, operand))
        case Binary(Op.AND | Op.OR as op, left, right):
            if not is_cheap(f, right):
                return _short_cut(f, e)
            if op is Op.AND:
                return _conjunction(f, e)
            return fn.either(truth(f, left), truth(f, right))
        case Binary(op, left, right):
            return _comparison(f, op, left, right)
    raise AssertionError(e)


def _conjunction(f: Frame, e: Expr) -> Flag:
    """Return a conjunction, all of whose conjuncts but the first are computed in any case."""
    tests: list[BitTest] = []
    others: list[Expr] = []
    pending = [e]
    while pending:
        part = pending.pop()
        test = bit_test(part)
        if test is not None:
            tests.append(test)
        elif isinstance(part, Binary) and part.op is Op.AND and is_cheap(f, part.right):
            pending += (part.right, part.left)
        else:
            others.append(part)
    result = truth(f, others[0]) if others else TRUE
    few = combined(tests)
    if few is None:
        return FALSE
    for each in few:
        result = f.fn.both(result, _tested(f, each))
    for part in others[1:]:
        result = f.fn.both(result, truth(f, part))
    return result


def _tested(f: Frame, test: BitTest) -> Flag:
    bits = f.fn.and_(f.buffers.word(test.buffer, test.word), as_signed(test.mask))
    return f.fn.compare("eq", bits, as_signed(test.value))


def _comparison(f: Frame, op: Op, left: Expr, right: Expr) -> Flag:
    type_ = type_of(left)
    if type_ is INT:
        return f.fn.compare(_COMPARE[op], number(f, left), number(f, right))
    if type_ is BOOL:
        return f.fn.pure(f"icmp eq i1 {truth(f, left)}, {truth(f, right)}")
    return sets.equal(f.fn, words(f, left), words(f, right))


def _has(f: Frame, set_: Expr, element: Expr) -> Flag:
    width = width_of(set_)
    low, high = bounds(element, f.known)
    read = _reader(f, set_)
    if read is None:
        elements = words(f, set_)
        read = partial(sets.word_at, f.fn, elements)
    inside = 0 <= low <= high < width
    return sets.element_in(f.fn, read, width, number(f, element), inside=inside)


def _reader(f: Frame, e: Expr) -> sets.Reader | None:
    """Return what reads words of a set of many from where it is, if it is in memory."""
    match e:
        case LoadBits(region, buffer) if region.width > WORD:
            return partial(f.buffers.word_at, buffer, region.word)
        case Local(_, Bits(width)) if width > WORD:
            address = f.address(e)
            return None if address is None else sets.reader(f.fn, address)
    return None


def _short_cut(f: Frame, e: Binary) -> Flag:
    """Return `left op right`, where the right side is computed only if it is needed."""
    fn = f.fn
    left = truth(f, e.left)
    before, mark = fn.block, fn.mark()
    more, done = fn.label("more"), fn.label("done")
    if e.op is Op.AND:
        fn.branch(left, more, done)
    else:
        fn.branch(left, done, more)
    fn.begin(more)
    right = truth(f, e.right)
    last = fn.block
    fn.jump(done)
    fn.forget(mark)
    fn.begin(done)
    settled = FALSE if e.op is Op.AND else TRUE
    return fn.new(f"phi i1 [ {settled}, %{before} ], [ {right}, %{last} ]")


def branch(f: Frame, e: Expr, then: str, otherwise: str) -> int:
    """Go to one of two blocks; return a mark of what has been computed in any case."""
    fn = f.fn
    match e:
        case Binary(Op.AND | Op.OR as op, left, right) if not is_cheap(f, right):
            more = fn.label("more")
            ways = (more, otherwise) if op is Op.AND else (then, more)
            mark = branch(f, left, *ways)
            fn.forget(mark)
            fn.begin(more)
            branch(f, right, then, otherwise)
            return mark
        case Unary(Op.NOT, operand):
            return branch(f, operand, otherwise, then)
    condition = truth(f, e)
    mark = fn.mark()
    fn.branch(condition, then, otherwise)
    return mark


# -- sets -----------------------------------------------------------------------------------


def words(f: Frame, e: Expr) -> list[Operand]:
    """Compute an expression that is a set."""
    fn = f.fn
    match e:
        case SetOf(width, mask):
            return sets.known_set(mask, width)
        case Local():
            found = f.read(e)
            assert isinstance(found, list)
            return found
        case LoadBits(region, buffer):
            if region.width + region.shift <= WORD:
                word = f.buffers.word(buffer, region.word)
                return [fn.low_bits(fn.lshr(word, region.shift), region.width)]
            count = words_needed(region.width)
            found = [f.buffers.word(buffer, region.word + i) for i in range(count)]
            return sets.cut(fn, found, region.width)
        case Choose():
            return _chosen(f, e)
        case Binary(op, left, right):
            pairs = zip(words(f, left), words(f, right), strict=True)
            return [_bitwise(f, op, a, b) for a, b in pairs]
        case Unary(Op.COMPLEMENT, operand):
            full = sets.full_mask(width_of(operand))
            return [fn.xor(a, b) for a, b in zip(words(f, operand), full, strict=True)]
        case With(set_, element):
            return sets.with_element(fn, words(f, set_), number(f, element))
        case Slice(set_, start, width):
            read = _reader(f, set_)
            if read is None:
                return sets.slice_at(fn, words(f, set_), number(f, start), width)
            count = words_needed(width_of(set_))
            return sets.slice_from(fn, read, count, number(f, start), width)
        case Place(set_, start, width):
            return sets.place_at(fn, words(f, set_), number(f, start), width)
        case Between(width, low, high):
            return sets.between(fn, width, number(f, low), number(f, high))
        case Lookup():
            return _set_entry(f, e)
    raise AssertionError(e)


def _bitwise(f: Frame, op: Op, a: Operand, b: Operand) -> Operand:
    fn = f.fn
    if op is Op.JOIN:
        return fn.or_(a, b)
    return fn.and_(a, b if op is Op.MEET else fn.xor(b, -1))


def _set_entry(f: Frame, e: Lookup) -> list[Operand]:
    count = words_needed(width_of(e))
    index = number(f, e.index)
    if isinstance(index, int):
        return sets.known_set(e.table[index], width_of(e))
    if count == 1:
        return [_entry(f, sets.signed_words(e.table), index, signed=True)]
    flat = sets.signed_words(w for mask in e.table for w in split_words(mask, count))
    first = f.fn.mul(index, count)
    return [_entry(f, flat, f.fn.add(first, i), signed=True) for i in range(count)]


def _chosen(f: Frame, e: Choose) -> list[Operand]:
    """Return the words of one of two values."""
    fn = f.fn
    type_ = "i1" if type_of(e) is BOOL else "i64"
    condition = truth(f, e.condition)
    if is_cheap(f, e.then) and is_cheap(f, e.otherwise):
        pairs = zip(_as_list(value(f, e.then)), _as_list(value(f, e.otherwise)), strict=True)
        return [fn.select(condition, a, b, type_) for a, b in pairs]
    then, otherwise, done = fn.label("then"), fn.label("else"), fn.label("done")
    fn.branch(condition, then, otherwise)
    arms = []
    for label, arm in ((then, e.then), (otherwise, e.otherwise)):
        mark = fn.mark()
        fn.begin(label)
        computed = _as_list(value(f, arm))
        arms.append((computed, fn.block))
        fn.jump(done)
        fn.forget(mark)
    fn.begin(done)
    (ours, here), (theirs, there) = arms
    return [
        fn.new(f"phi {type_} [ {a}, %{here} ], [ {b}, %{there} ]")
        for a, b in zip(ours, theirs, strict=True)
    ]


def _as_list(computed: Value) -> list[Operand]:
    return computed if isinstance(computed, list) else [computed]
