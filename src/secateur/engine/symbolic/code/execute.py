"""Statements of the kernel language, executed on all states at once; `kernel/evaluate.py` is the meaning.

All ways through the code are followed side by side: `alive` is where the code gets to the statement
that is being executed, and what it assigns counts there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from secateur.engine.symbolic.code.expressions import Expressions
from secateur.engine.symbolic.code.memory import Memory, Value
from secateur.engine.symbolic.code.numbers import Untranslatable
from secateur.engine.symbolic.diagrams.protocol import Diagram, Diagrams
from secateur.kernel import language as k
from secateur.kernel.language import STATE, WORD, Block, Expr, Statement
from secateur.kernel.places import position

MOST_ROUNDS: Final = 4096
"""A loop with more rounds is not written out."""

MOST_STATEMENTS: Final = 20_000
"""Code that takes longer is not followed."""

FEW_NODES: Final = 1 << 15
"""What code may make that could as well be asked."""

MANY_NODES: Final = 1 << 24
"""What code may make that cannot."""


class Emitted(NamedTuple):
    """Successors, bit by bit, of the states in which there are any."""

    when: Diagram
    bits: dict[int, Diagram]


class Execution:
    """Code, executed on the states of a set."""

    def __init__(
        self,
        diagrams: Diagrams,
        state: Callable[[int], Diagram],
        words: tuple[int, int],
        start: Diagram,
        most_nodes: int = MANY_NODES,
    ) -> None:
        self.diagrams = diagrams
        self.words, self.scratch = words
        self.start = start
        self.alive: Diagram = diagrams.true
        self.emitted: list[Emitted] = []
        self.memory = Memory(state)
        self.expressions = Expressions(diagrams, self.memory, diagrams.nodes() + most_nodes)
        self._broken: list[Diagram] = []
        self._executed = 0

    def run(self, block: Block, result: Expr | None = None) -> Diagram:
        """Execute a block; return where a condition holds after it, or where its end is reached."""
        self._block(block)
        here = self._here()
        if result is None or here == self.diagrams.false:
            return here
        found = self.expressions.truth(result, here)
        return here & found & ~self.expressions.trapped

    @property
    def trapped(self) -> Diagram:
        """Where the code traps."""
        return self.expressions.trapped

    def _here(self) -> Diagram:
        return self.start & self.alive & ~self.expressions.trapped

    def _block(self, block: Block) -> None:
        for s in block:
            if self._here() == self.diagrams.false:
                return
            self._statement(s)

    def _statement(self, s: Statement) -> None:
        self._executed += 1
        if self._executed > MOST_STATEMENTS:
            raise Untranslatable("it takes too many steps")
        self.expressions.numbers.watch()
        here = self._here()
        match s:
            case k.Assign(target, e):
                self._assign(target, self.expressions.value(e, here))
            case k.Store(place, e, index, buffer):
                self._store(place, e, index, buffer, here)
            case k.StoreBits(region, e, buffer):
                start = region.word * WORD + region.shift
                for i, bit in enumerate(self.expressions.set(e, here)):
                    self._put(buffer, start + i, bit, self.alive)
            case k.Copy(target, source):
                self._copy(target, source)
            case k.If(condition, then, otherwise):
                self._branch(self.expressions.truth(condition, here), then, otherwise)
            case k.For() | k.ForEach() | k.Loop():
                self._loop(s, here)
            case k.Break():
                self._broken[-1] = self._broken[-1] | self.alive
                self.alive = self.diagrams.false
            case k.Emit(buffer):
                self.emitted.append(Emitted(here, dict(self._bits(buffer))))
            case k.Trap():
                self.expressions.trap(here, here)
                self.alive = self.diagrams.false

    # -- assigning --------------------------------------------------------------------------------

    def _assign(self, target: k.Local, value: Value) -> None:
        old = self.memory.locals.get(target.name)
        if old is None:
            old = self.expressions.nothing(target.type)
        self.memory.locals[target.name] = self.expressions.choice(self.alive, value, old)

    def _store(self, place: k.Field, e: Expr, index: Expr, buffer: int, here: Diagram) -> None:
        numbers = self.expressions.numbers
        value = self.expressions.number(e, here)
        if place.width < WORD:
            value = numbers.subtract(value, numbers.constant(place.least))
            outside = value[-1] | ~numbers.less(value, numbers.constant(place.size))
            self.expressions.trap(outside, here)
        bits = numbers.wide(value, place.width)[: place.width]
        for at, where in self.expressions.cases(
            self.expressions.number(index, here), place.count, here
        ):
            start = position(place, at)
            for i, bit in enumerate(bits):
                self._put(buffer, start + i, bit, self.alive & where)

    def _put(self, buffer: int, bit: int, value: Diagram, where: Diagram) -> None:
        assert buffer != STATE, "the state is never written"
        bits = self.memory.buffers.setdefault(buffer, {})
        if where != self.diagrams.true:
            old = bits.get(bit, self.diagrams.false)
            value = self.diagrams.choice(where, value, old)
        bits[bit] = value

    def _bits(self, buffer: int) -> dict[int, Diagram]:
        if buffer == STATE:
            return {bit: self.memory.state(bit) for bit in range(WORD * self.words)}
        return self.memory.buffers[buffer]

    def _copy(self, target: int, source: int) -> None:
        state = WORD * self.words
        bits = state + (WORD * self.scratch if source != STATE else 0)
        old = self.memory.buffers.setdefault(target, {})
        new = self._bits(source)
        if self.alive == self.diagrams.true:
            kept = {bit: value for bit, value in old.items() if bit >= bits}
            self.memory.buffers[target] = {**new, **kept}
            return
        for bit in [b for b in {**old, **new} if b < bits]:
            self._put(target, bit, new.get(bit, self.diagrams.false), self.alive)

    # -- ways -------------------------------------------------------------------------------------

    def _branch(self, test: Diagram, then: Block, otherwise: Block) -> None:
        before = self.alive
        self.alive = before & test
        self._block(then)
        first = self.alive
        self.alive = before & ~test
        self._block(otherwise)
        self.alive = self.alive | first

    def _loop(self, loop: k.For | k.ForEach | k.Loop, here: Diagram) -> None:
        self._broken.append(self.diagrams.false)
        match loop:
            case k.For(variable, low, high, body):
                self._for(variable, low, high, body, here)
            case k.ForEach(variable, set_, body):
                numbers = self.expressions.numbers
                for i, where in enumerate(self.expressions.set(set_, here)):
                    self._round(variable, numbers.constant(i), body, where)
            case k.Loop(body):
                for _ in range(MOST_ROUNDS):
                    self._block(body)
                    if self._here() == self.diagrams.false:
                        break
                else:
                    raise Untranslatable("a loop has too many rounds")
                self.alive = self.diagrams.false
        self.alive = self.alive | self._broken.pop()

    def _for(self, variable: k.Local, low: Expr, high: Expr, body: Block, here: Diagram) -> None:
        numbers = self.expressions.numbers
        first, last = self.expressions.number(low, here), self.expressions.number(high, here)
        here = self._here()
        if here == self.diagrams.false:
            return
        start, _ = numbers.range_of(first, here)
        _, end = numbers.range_of(last, here)
        if end - start > MOST_ROUNDS:
            raise Untranslatable("a loop has too many rounds")
        for i in range(start, end + 1):
            number = numbers.constant(i)
            where = ~numbers.less(number, first) & ~numbers.less(last, number)
            self._round(variable, number, body, where)

    def _round(self, variable: k.Local, value: Value, body: Block, where: Diagram) -> None:
        """Execute one round of a loop in some states; the others wait."""
        waiting = self.alive & ~where
        self.alive = self.alive & where
        if self._here() != self.diagrams.false:
            self._assign(variable, value)
            self._block(body)
        self.alive = self.alive | waiting
