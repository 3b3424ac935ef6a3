"""What kernel code means: the specification that machine code has to agree with.

The points that the language leaves to this page:

* Locals are 0, false or {} until they are assigned, for a whole step, loops included.
* The variable of a `For` or `ForEach` keeps its last value after the loop; assigning it in
  the body does not change the rounds that follow.
* `Copy` from `STATE` leaves the scratch words of its target as they are.
* The labels of an action that does not say their types are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from secateur.kernel.evaluate_expressions import (
    Buffer,
    Memory,
    Trapped,
    encoded,
    region_at,
    state_buffer,
    value_of,
)
from secateur.kernel.language import (
    STATE,
    WORD,
    Action,
    Assign,
    Block,
    Break,
    Copy,
    Emit,
    For,
    ForEach,
    If,
    Loop,
    Predicate,
    Program,
    Statement,
    Store,
    StoreBits,
    Trap,
)
from secateur.kernel.places import join_words, position, split_words
from secateur.source.records import dataclass

__all__ = ["Labels", "Trapped", "Words", "execute", "holds", "successors"]

Words = tuple[int, ...]
Labels = tuple[int, ...]


def successors(
    program: Program, action: Action, words: Sequence[int]
) -> list[tuple[Words, Labels]]:
    """Return the successors of a state with their labels, as emitted, or raise Trapped."""
    found: list[tuple[Words, Labels]] = []
    execute(program, action, words, lambda state, labels: found.append((state, labels)))
    return found


def execute(
    program: Program,
    action: Action,
    words: Sequence[int],
    emit: Callable[[Words, Labels], object],
) -> None:
    """Run an action on a state; `emit` gets each successor as soon as there is one."""
    memory = Memory(state_buffer(join_words(words), program.words))
    _Run(program, action, memory, emit).block(action.body)


def holds(program: Program, predicate: Predicate, words: Sequence[int]) -> bool:
    """Return whether a predicate holds in a state, or raise Trapped."""
    memory = Memory(state_buffer(join_words(words), program.words))
    emitted: list[tuple[Words, Labels]] = []
    step = Action(predicate.name, predicate.body)
    _Run(program, step, memory, lambda *record: emitted.append(record)).block(step.body)
    assert not emitted, "a predicate has no successors"
    return bool(value_of(predicate.result, memory))


class _Broken(Exception):
    """A `Break` is on its way to its loop."""


@dataclass(slots=True)
class _Run:
    """One action on its way through its code."""

    program: Program
    action: Action
    memory: Memory
    emit: Callable[[Words, Labels], object]

    def block(self, block: Block) -> None:
        """Run the statements of a block."""
        for statement in block:
            self._statement(statement)

    def _statement(self, s: Statement) -> None:
        memory = self.memory
        match s:
            case Assign(target, value):
                memory.locals[target.name] = value_of(value, memory)
            case Store(field, value, index, buffer):
                at = position(field, value_of(index, memory))
                bits = encoded(field, value_of(value, memory))
                self._target(buffer).put(at, field.width, bits)
            case StoreBits(region, value, buffer):
                self._target(buffer).put(*region_at(region), value_of(value, memory))
            case Copy(target, source):
                self._copy(target, source)
            case If(condition, then, otherwise):
                self.block(then if value_of(condition, memory) else otherwise)
            case For() | ForEach() | Loop():
                try:
                    for _ in self._rounds(s):
                        self.block(s.body)
                except _Broken:
                    pass
            case Break():
                raise _Broken
            case Emit():
                self._emit(s)
            case Trap(reason):
                raise Trapped(reason)

    def _rounds(self, loop: For | ForEach | Loop) -> Iterator[None]:
        values = self.memory.locals
        match loop:
            case For(variable, low, high):
                first, last = value_of(low, self.memory), value_of(high, self.memory)
                for number in range(first, last + 1):
                    values[variable.name] = number
                    yield
            case ForEach(variable, set_):
                left = value_of(set_, self.memory)
                while left:
                    values[variable.name] = (left & -left).bit_length() - 1
                    left &= left - 1
                    yield
            case Loop():
                while True:
                    yield

    def _target(self, buffer: int) -> Buffer:
        assert buffer != STATE, "the state is never written"
        return self.memory.buffers.setdefault(buffer, Buffer())

    def _copy(self, target: int, source: int) -> None:
        words = self.program.words + (self.program.scratch if source != STATE else 0)
        copied = (1 << (words * WORD)) - 1
        old, new = self._target(target), self.memory.buffers[source]
        old.bits = (old.bits & ~copied) | (new.bits & copied)
        old.defined = (old.defined & ~copied) | (new.defined & copied)

    def _emit(self, emit: Emit) -> None:
        labels: Labels = ()
        if self.action.label_types:
            labels = tuple(value_of(label, self.memory) for label in emit.labels)
        words = self.program.words
        bits = self.memory.buffers[emit.buffer].get(0, words * WORD)
        self.emit(split_words(bits, words), labels)
