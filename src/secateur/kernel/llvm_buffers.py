"""The buffers of a program part in machine code.

A buffer is memory on the stack.  Right after a copy of the state it need not be: then what
has changed since is known word by word (`_changed`), and goes straight into the record.
It is written to memory (`settle`) before code that accesses it by a computed index, or in
a block of its own.
"""

from __future__ import annotations

from itertools import groupby

from secateur.kernel.language import (
    STATE,
    Block,
    Program,
    Statement,
)
from secateur.kernel.llvm_function import Function, Operand
from secateur.kernel.walk import Survey, Uses
from secateur.source.records import dataclass

_AT_ENTRY = 8
"""States of up to so many words are loaded at the beginning, once for all actions."""
_RUN = 8
"""So many words are copied one by one; more of them by a call."""


@dataclass(slots=True)
class _Changed:
    """A buffer that is the state but for these words."""

    words: dict[int, Operand]
    private: bool
    """Nobody looks at it outside of the block that it is copied in."""


class Buffers:
    """The buffers of one function."""

    def __init__(self, fn: Function, program: Program, survey: Survey) -> None:
        self._fn = fn
        self._program = program
        self._survey = survey
        self._memory: dict[int, str] = {STATE: "%state"}
        self._changed: dict[int, _Changed] = {}
        self._shared: set[int] = set()

    def begin_part(self, body: Block) -> None:
        """Begin another action or predicate."""
        self._changed.clear()
        self._shared = self._survey.shared_buffers(body)

    # -- words ----------------------------------------------------------------------------

    def word(self, buffer: int, index: int) -> Operand:
        """Return a word of a buffer."""
        if buffer == STATE:
            return self._state_word(index)
        changed = self._changed.get(buffer)
        if changed is not None and index < self._program.words:
            found = changed.words.get(index)
            return self._state_word(index) if found is None else found
        return self._fn.new(f"load i64, ptr {self._address(buffer, index)}, align 8")

    def set_word(self, buffer: int, index: int, value: Operand) -> None:
        """Write a word of a buffer."""
        changed = self._changed.get(buffer)
        if changed is not None and index < self._program.words:
            changed.words[index] = value
        else:
            self._fn.line(f"store i64 {value}, ptr {self._address(buffer, index)}, align 8")

    def address_at(self, buffer: int, first: int, index: Operand) -> str:
        """Return where word `first + index` is in memory."""
        if buffer != STATE:
            self.settle(buffer)
        return self._address(buffer, self._fn.add(index, first))

    def word_at(self, buffer: int, first: int, index: Operand) -> Operand:
        """Return word `first + index` of a buffer."""
        if isinstance(index, int):
            return self.word(buffer, first + index)
        load = f"load i64, ptr {self.address_at(buffer, first, index)}, align 8"
        return self._fn.pure(load) if buffer == STATE else self._fn.new(load)

    def set_word_at(self, buffer: int, first: int, index: Operand, value: Operand) -> None:
        """Write word `first + index` of a buffer."""
        if isinstance(index, int):
            self.set_word(buffer, first + index, value)
        else:
            at = self.address_at(buffer, first, index)
            self._fn.line(f"store i64 {value}, ptr {at}, align 8")

    def _state_word(self, index: int) -> Operand:
        fn = self._fn
        write = fn.at_entry if self._program.words <= _AT_ENTRY else fn.pure
        at = write(f"getelementptr i64, ptr %state, i64 {index}") if index else "%state"
        return write(f"load i64, ptr {at}, align 8")

    def _address(self, buffer: int, index: Operand) -> str:
        if buffer not in self._memory:
            size = self._program.words + self._program.scratch
            self._memory[buffer] = self._fn.slot(f"[{size} x i64]", f"buffer {buffer}")
        return self._offset(self._memory[buffer], index)

    def _offset(self, base: str, index: Operand) -> str:
        if index == 0:
            return base
        return self._fn.pure(f"getelementptr i64, ptr {base}, i64 {index}")

    def prepare(self, uses: Uses) -> None:
        """Settle the buffers in which expressions look for something by its index.

        That must be done before any of them is computed, because parts of an expression
        need not run.
        """
        for buffer in uses.computed:
            self.settle(buffer)

    # -- whole buffers --------------------------------------------------------------------

    def copy(self, target: int, source: int) -> None:
        """Copy a buffer."""
        if target == source:
            return
        words, scratch = self._program.words, self._program.scratch
        changed = self._changed.get(source)
        if source == STATE or changed is not None:
            self._changed[target] = _Changed(
                dict(changed.words) if changed else {}, target not in self._shared
            )
            if source != STATE and scratch:
                self._copy_memory(target, source, words, scratch)
        else:
            self._changed.pop(target, None)
            self._copy_memory(target, source, 0, words + scratch)

    def _copy_memory(self, target: int, source: int, first: int, count: int) -> None:
        self.copy_words(self._address(target, first), self._address(source, first), count)

    def copy_words(self, target: str, source: str, count: int) -> None:
        """Copy words from address to address."""
        fn = self._fn
        if count > _RUN:
            size = count * 8
            fn.line(
                f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 {target},"
                f" ptr align 8 {source}, i64 {size}, i1 false)"
            )
            return
        for i in range(count):
            word = fn.new(f"load i64, ptr {self._offset(source, i)}, align 8")
            fn.line(f"store i64 {word}, ptr {self._offset(target, i)}, align 8")

    def write_state(self, buffer: int, target: str) -> None:
        """Write the state part of a buffer to an address."""
        words = self._program.words
        changed = self._changed.get(buffer)
        if changed is not None:
            self._write_changed(changed.words, target)
        elif words > _RUN:
            self.copy_words(target, self._address(buffer, 0), words)
        else:
            for i in range(words):
                self._put(self.word(buffer, i), target, i)

    def _write_changed(self, changed: dict[int, Operand], target: str) -> None:
        for same, group in groupby(range(self._program.words), lambda i: i not in changed):
            run = list(group)
            if same and len(run) > _RUN:
                source = self._offset("%state", run[0])
                self.copy_words(self._offset(target, run[0]), source, len(run))
            else:
                for i in run:
                    self._put(self._state_word(i) if same else changed[i], target, i)

    def _put(self, word: Operand, target: str, index: int) -> None:
        self._fn.line(f"store i64 {word}, ptr {self._offset(target, index)}, align 8")

    # -- leaving straight code ------------------------------------------------------------

    def settle(self, buffer: int) -> None:
        """Write what a buffer holds to memory, and access it there from now on."""
        changed = self._changed.pop(buffer, None)
        if changed is not None:
            self._write_changed(changed.words, self._address(buffer, 0))

    def begin_blocks(self, statement: Statement) -> frozenset[int]:
        """Prepare for the blocks of a statement; return what `end_block` wants to know."""
        for buffer in self._survey.buffers(statement):
            self.settle(buffer)
        return frozenset(self._changed)

    def write_public(self, before: frozenset[int]) -> None:
        """Write to memory what has changed in blocks and may be looked at after them."""
        for buffer, changed in self._changed.items():
            if buffer not in before and not changed.private:
                self._write_changed(changed.words, self._address(buffer, 0))

    def end_block(self, before: frozenset[int]) -> None:
        """End a block: only what was known before it, and is not mentioned in it, is known."""
        self.write_public(before)
        self._changed = {b: c for b, c in self._changed.items() if b in before}
