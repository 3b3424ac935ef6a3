"""Statements of the kernel language, executed with formulas; `kernel/evaluate.py` is the meaning.

All ways through the code are followed at once: where they meet again, values depend on the
condition that divided them.  Loops are written out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Final, NamedTuple

from secateur.analysis.smt import sets
from secateur.analysis.smt.expressions import Expressions, Surroundings
from secateur.analysis.smt.memory import Memory
from secateur.analysis.smt.values import (
    Num,
    Set,
    Truth,
    Untranslatable,
    Value,
    both,
    choose,
    either,
    equal,
    less,
    negated,
    number,
)
from secateur.kernel import language as k
from secateur.kernel.language import Block, Expr, Statement
from secateur.kernel.places import position
from secateur.source.records import dataclass

MOST_ROUNDS: Final = 128
MOST_EMITTED: Final = 16


class Emitted(NamedTuple):
    """A successor, and when it is one."""

    when: Truth
    state: Memory


@dataclass(slots=True)
class _Way:
    """Where a way through the code has got to; `alive` is when it has got there."""

    here: Surroundings
    alive: Truth = True

    def fork(self) -> _Way:
        buffers = {n: m.copy() for n, m in self.here.buffers.items()}
        return _Way(Surroundings(buffers, dict(self.here.locals)))


@dataclass(slots=True)
class Execution:
    """A piece of code, executed from some state."""

    words: int
    scratch: int
    state: Memory
    emitted: list[Emitted] = field(default_factory=list)
    trapped: list[Truth] = field(default_factory=list)
    facts: dict[str, Truth] = field(default_factory=dict)
    _expressions: Expressions = field(init=False)
    _prefix: list[Truth] = field(default_factory=list)
    """When the blocks are reached that are being executed."""
    _broken: list[tuple[int, list[_Way]]] = field(default_factory=list)
    """For each loop, how long the prefix is at its beginning, and the ways that have left it."""

    def __post_init__(self) -> None:
        self._expressions = Expressions(Surroundings({}), facts=self.facts)

    def run(self, block: Block, result: Expr | None = None) -> Truth:
        """Execute a block, and return the value of a condition after it (or whether it got there)."""
        way = _Way(Surroundings({k.STATE: self.state}))
        self._block(block, way)
        if result is None:
            return way.alive
        value = False if way.alive is False else self._truth(result, way)
        return both(way.alive, value)

    @property
    def traps(self) -> Truth:
        """When the code traps."""
        return either(*self.trapped)

    # -- statements -------------------------------------------------------------------------------

    def _block(self, block: Block, way: _Way) -> None:
        for s in block:
            if way.alive is False:
                return
            self._statement(s, way)

    def _statement(self, s: Statement, way: _Way) -> None:
        here = way.here
        match s:
            case k.Assign(target, e):
                value = self._value(e, way)
                here.locals[target.name] = value
            case k.Store(place, e, at, buffer):
                self._store(place, at, e, way, buffer)
            case k.StoreBits(region, e, buffer):
                value = self._value(e, way)
                assert isinstance(value, Set)
                bits = value.mask if value.mask is not None else value.term
                start = region.word * k.WORD + region.shift
                _target(here, buffer).store(start, region.width, bits)
            case k.Copy(target, source):
                width = self.words + (self.scratch if source != k.STATE else 0)
                _target(here, target).replace(here.buffers[source], width * k.WORD)
            case k.If(condition, then, otherwise):
                test = self._truth(condition, way)
                self._branch(test, (then, otherwise), way)
            case k.For() | k.ForEach() | k.Loop():
                self._loop(s, way)
            case k.Break():
                depth, ways = self._broken[-1]
                left = way.fork()
                left.alive = both(*self._prefix[depth:], way.alive)
                ways.append(left)
                way.alive = False
            case k.Emit(buffer):
                if len(self.emitted) >= MOST_EMITTED:
                    raise Untranslatable("there are too many results")
                when = both(*self._prefix, way.alive)
                self.emitted.append(Emitted(when, here.buffers[buffer].copy()))
            case k.Trap():
                self.trapped.append(both(*self._prefix, way.alive))
                way.alive = False

    def _branch(self, test: Truth, blocks: tuple[Block, Block], way: _Way) -> None:
        if isinstance(test, bool):
            self._block(blocks[0 if test else 1], way)
            return
        first, second = way.fork(), way.fork()
        for branch, block, when in ((first, blocks[0], test), (second, blocks[1], negated(test))):
            self._prefix += (way.alive, when)
            self._block(block, branch)
            del self._prefix[-2:]
        merged = _merged(test, first, second)
        way.here = merged.here
        way.alive = both(way.alive, merged.alive)

    def _store(self, place: k.Field, at: Expr, e: Expr, way: _Way, buffer: int) -> None:
        expressions = self._expressions
        expressions.here = way.here
        index, value = expressions.number(at), expressions.number(e)
        bits = expressions.encoded(place, value)
        self._settle(way)
        memory = _target(way.here, buffer)
        places = sets.cases(index, place.count)
        if index.term is None and places:
            memory.store(position(place, places[0]), place.width, bits)
            return
        if not places:  # code that never runs
            self.trapped.append(both(*self._prefix, way.alive))
            way.alive = False
        new = Set(place.width, bits) if isinstance(bits, int) else Set(place.width, None, bits)
        for i in places:
            start = position(place, i)
            known = memory.load(start, place.width)
            old = (
                Set(place.width, known) if isinstance(known, int) else Set(place.width, None, known)
            )
            chosen = choose(equal(index, number(i)), new, old)
            assert isinstance(chosen, Set)
            mask = chosen.mask
            memory.store(start, place.width, chosen.term if mask is None else mask)

    # -- loops ------------------------------------------------------------------------------------

    def _loop(self, loop: k.For | k.ForEach | k.Loop, way: _Way) -> None:
        outer = way.alive
        self._prefix.append(outer)
        self._broken.append((len(self._prefix), []))
        way.alive = True
        for when, variable in self._rounds(loop, way):
            body: Block = loop.body
            if variable is not None:
                body = (k.Assign(*variable), *body)
            self._branch(when, (body, ()), way)
            if way.alive is False:
                break
        self._prefix.pop()
        for left in self._broken.pop()[1]:
            # ways that left the loop are apart from each other and from the one that went on
            way.here = _merged(left.alive, left, way).here
            way.alive = either(left.alive, way.alive)
        way.alive = both(outer, way.alive)

    def _rounds(
        self, loop: k.For | k.ForEach | k.Loop, way: _Way
    ) -> Iterator[tuple[Truth, tuple[k.Local, Expr] | None]]:
        """Yield when there is a round, and what its variable is."""
        match loop:
            case k.For(variable, low, high):
                first, last = self._number(low, way), self._number(high, way)
                numbers = range(first.low, last.high + 1)
                if len(numbers) > MOST_ROUNDS:
                    raise Untranslatable("a loop is too long")
                for n in numbers:
                    when = both(negated(less(number(n), first)), negated(less(last, number(n))))
                    yield when, (variable, k.Number(n))
            case k.ForEach(variable, elements):
                found = self._value(elements, way)
                assert isinstance(found, Set)
                if found.width > MOST_ROUNDS:
                    raise Untranslatable("a loop is too long")
                for n in range(found.width):
                    yield sets.element(found, n), (variable, k.Number(n))
            case k.Loop():
                for _ in range(MOST_ROUNDS):
                    yield True, None
                raise Untranslatable("a loop is too long")

    # -- expressions ------------------------------------------------------------------------------

    def _value(self, e: Expr, way: _Way) -> Value:
        self._expressions.here = way.here
        found = self._expressions.value(e)
        self._settle(way)
        return found

    def _truth(self, e: Expr, way: _Way) -> Truth:
        found = self._value(e, way)
        assert not isinstance(found, Num | Set)
        return found

    def _number(self, e: Expr, way: _Way) -> Num:
        found = self._value(e, way)
        assert isinstance(found, Num)
        return found

    def _settle(self, way: _Way) -> None:
        """Let a way end where the expression that was just translated traps."""
        trap = self._expressions.take_traps()
        if trap is not False:
            self.trapped.append(both(*self._prefix, way.alive, trap))
            way.alive = both(way.alive, negated(trap))


def _target(here: Surroundings, buffer: int) -> Memory:
    return here.buffers.setdefault(buffer, Memory())


def _merged(test: Truth, first: _Way, second: _Way) -> _Way:
    """Return two ways as one; where only one of them is alive, its values are all that matter."""
    if first.alive is False:
        return _Way(second.here, both(negated(test), second.alive))
    if second.alive is False:
        return _Way(first.here, both(test, first.alive))
    buffers = dict(second.here.buffers)
    for number_, memory in first.here.buffers.items():
        other = buffers.get(number_)
        buffers[number_] = memory if other is None else memory.merge(test, other)
    values = dict(second.here.locals)
    for name, value in first.here.locals.items():
        values[name] = choose(test, value, values.get(name, _nothing(value)))
    for name in second.here.locals.keys() - first.here.locals.keys():
        values[name] = choose(test, _nothing(values[name]), values[name])
    alive: Truth = True
    if first.alive is not True or second.alive is not True:
        alive = either(both(test, first.alive), both(negated(test), second.alive))
    return _Way(Surroundings(buffers, values), alive)


def _nothing(value: Value) -> Value:
    """Return what a local of the same type is before it is assigned."""
    if isinstance(value, Num):
        return number(0)
    return Set(value.width, 0) if isinstance(value, Set) else False
