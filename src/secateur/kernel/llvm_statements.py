"""Statements in machine code."""

from __future__ import annotations

from collections.abc import Callable

from secateur.kernel import llvm_sets as sets
from secateur.kernel.language import (
    BOOL,
    WORD,
    Action,
    Assign,
    Block,
    Break,
    Copy,
    Emit,
    Expr,
    For,
    ForEach,
    If,
    Local,
    Loop,
    Region,
    Statement,
    Store,
    StoreBits,
    Trap,
    With,
    type_of,
)
from secateur.kernel.llvm_expressions import branch, locate, number, value, words
from secateur.kernel.llvm_frame import Frame
from secateur.kernel.llvm_function import Operand
from secateur.kernel.ranges import bounds
from secateur.source.records import dataclass


@dataclass(slots=True)
class Writer:
    """Writes the statements of one action or predicate."""

    frame: Frame
    emit: Callable[[Emit], None]

    def block(self, block: Block) -> None:
        """Write a block."""
        for s in block:
            self.frame.buffers.prepare(self.frame.unit.survey.uses(s))
            self._statement(s)  # nothing after a trap runs, but what it assigns may be named

    def _statement(self, s: Statement) -> None:
        f = self.frame
        match s:
            case Assign(target, e):
                _assign(f, target, e)
            case Store():
                _store(f, s)
            case StoreBits(region, e, buffer):
                _store_bits(f, region, words(f, e), buffer)
            case Copy(target_buffer, source):
                f.buffers.copy(target_buffer, source)
            case If():
                self._if(s)
            case For():
                self._for(s)
            case ForEach():
                self._for_each(s)
            case Loop():
                self._loop(s)
            case Break():
                label, before = f.leave[-1]
                f.buffers.write_public(before)
                f.fn.jump(label)
                f.fn.begin(f.fn.label("dead"))
            case Emit():
                self.emit(s)
            case Trap():
                f.fn.jump(f.trap)
                f.fn.begin(f.fn.label("dead"))

    def _if(self, s: If) -> None:
        f = self.frame
        fn = f.fn
        then, done = fn.label("then"), fn.label("done")
        otherwise = fn.label("else") if s.otherwise else done
        before = f.buffers.begin_blocks(s)
        mark = branch(f, s.condition, then, otherwise)
        for label, block in ((then, s.then), (otherwise, s.otherwise)):
            if label is not done:
                fn.forget(mark)
                fn.begin(label)
                self.block(block)
                f.buffers.end_block(before)
                fn.jump(done)
        fn.forget(mark)
        fn.begin(done)

    # -- loops ----------------------------------------------------------------------------

    def _loop(self, s: Loop) -> None:
        f = self.frame
        before = f.buffers.begin_blocks(s)
        again, after = f.fn.label("again"), f.fn.label("after")
        f.fn.jump(again)
        mark = f.fn.mark()
        f.fn.begin(again)
        self._round(s.body, after, before)
        f.fn.jump(again)
        f.fn.forget(mark)
        f.fn.begin(after)

    def _for(self, s: For) -> None:
        f = self.frame
        fn = f.fn
        low, high = number(f, s.low), number(f, s.high)
        before = f.buffers.begin_blocks(s)
        start = fn.block
        body, step, after = fn.label("body"), fn.label("step"), fn.label("after")
        fn.branch(fn.compare("sle", low, high), body, after)
        mark = fn.mark()
        fn.begin(body)
        next_ = fn.label("%next")
        i = fn.new(f"phi i64 [ {low}, %{start} ], [ {next_}, %{step} ]")
        f.assign(s.variable, i)
        self._round(s.body, after, before)
        # the last round is told apart before the next number is computed: there may be none
        fn.branch(fn.compare("eq", i, high), after, step)
        fn.begin(step)
        fn.line(f"{next_} = add i64 {i}, 1")
        fn.jump(body)
        fn.forget(mark)
        fn.begin(after)

    def _round(self, body: Block, after: str, before: frozenset[int]) -> None:
        f = self.frame
        f.leave.append((after, before))
        self.block(body)
        f.leave.pop()
        f.buffers.end_block(before)

    def _for_each(self, s: ForEach) -> None:
        f = self.frame
        elements = words(f, s.set)
        before = f.buffers.begin_blocks(s)
        after = f.fn.label("after")
        mark = f.fn.mark()
        if len(elements) == 1:
            self._each_bit(s, elements[0], (0, after, after), before)
        else:
            self._each_word(s, elements, after, before)
        f.fn.forget(mark)
        f.fn.begin(after)

    def _each_bit(
        self, s: ForEach, word: Operand, place: tuple[Operand, str, str], before: frozenset[int]
    ) -> None:
        """Go through a word; `place`: its first element, where to go then, and on a `Break`."""
        f = self.frame
        fn = f.fn
        first, then, after = place
        start = fn.block
        head, body, back = fn.label("head"), fn.label("body"), fn.label("back")
        fn.jump(head)
        fn.begin(head)
        rest = fn.label("%rest")
        left = fn.new(f"phi i64 [ {word}, %{start} ], [ {rest}, %{back} ]")
        fn.branch(fn.compare("ne", left, 0), body, then)
        fn.begin(body)
        bit = fn.pure(f"call i64 @llvm.cttz.i64(i64 {left}, i1 true)")
        f.assign(s.variable, fn.add(bit, first))
        self._round(s.body, after, before)
        fn.jump(back)
        fn.begin(back)
        fn.line(f"{rest} = and i64 {left}, {fn.sub(left, 1)}")
        fn.jump(head)

    def _each_word(
        self, s: ForEach, elements: list[Operand], after: str, before: frozenset[int]
    ) -> None:
        f = self.frame
        fn = f.fn
        count = len(elements)
        # bodies may hold loops of their own, so each depth has its place
        address = fn.slot(f"[{count} x i64]", f"each {len(f.leave)}")
        for i, word in enumerate(elements):
            fn.line(f"store i64 {word}, ptr {sets.element(fn, address, i)}, align 8")
        start = fn.block
        head, body, back = fn.label("words"), fn.label("word"), fn.label("next")
        fn.jump(head)
        fn.begin(head)
        next_ = fn.label("%next")
        i_ = fn.new(f"phi i64 [ 0, %{start} ], [ {next_}, %{back} ]")
        fn.branch(fn.compare("ult", i_, count), body, after)
        fn.begin(body)
        at = sets.element(fn, address, i_)
        word = fn.new(f"load i64, ptr {at}, align 8")
        self._each_bit(s, word, (fn.shl(i_, 6), back, after), before)
        fn.begin(back)
        fn.line(f"{next_} = add i64 {i_}, 1")
        fn.jump(head)


def _assign(f: Frame, target: Local, e: Expr) -> None:
    address = f.address(target)
    if address is not None and isinstance(e, With) and e.set == target:
        sets.set_bit(f.fn, address, number(f, e.element))
    else:
        f.assign(target, value(f, e))


def _store(f: Frame, s: Store) -> None:
    fn = f.fn
    field = s.field
    index = number(f, s.index)
    bits = number(f, s.value)
    if field.width < WORD:
        low, high = bounds(s.value, f.known)
        bits = fn.sub(bits, field.least)
        if low < field.least or high >= field.least + field.size:
            fn.exit_if(fn.compare("uge", bits, field.size), f.trap)
    word, place = locate(f, field, index)
    if field.width < WORD:
        old = f.buffers.word_at(s.buffer, field.word, word)
        mask = fn.shl((1 << field.width) - 1, place)
        bits = fn.or_(fn.and_(old, fn.xor(mask, -1)), fn.shl(bits, place))
    f.buffers.set_word_at(s.buffer, field.word, word, bits)


def _store_bits(f: Frame, region: Region, elements: list[Operand], buffer: int) -> None:
    fn = f.fn
    for i, element in enumerate(elements):
        width = min(region.width - i * WORD, WORD)
        word = element
        if width < WORD:
            mask = ((1 << width) - 1) << region.shift
            old = f.buffers.word(buffer, region.word + i)
            word = fn.or_(fn.and_(old, ~mask), fn.shl(element, region.shift))
        f.buffers.set_word(buffer, region.word + i, word)


def label_words(f: Frame, action: Action, emit: Emit) -> list[Operand]:
    """Compute the words of the labels of an emitted successor."""
    result: list[Operand] = []
    if not action.label_types:
        return result
    for label in emit.labels:
        found = value(f, label)
        if isinstance(found, list):
            result.extend(found)
        elif type_of(label) is BOOL:
            result.append(f.fn.pure(f"zext i1 {found} to i64"))
        else:
            result.append(found)
    return result
