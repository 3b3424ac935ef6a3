"""Random event systems of kernel code, small enough to be enumerated."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from secateur.kernel.effects import effects, effects_of
from secateur.kernel.evaluate import Trapped, holds, successors
from secateur.kernel.events import Event
from secateur.kernel.language import (
    STATE,
    Action,
    Block,
    Copy,
    Emit,
    Field,
    If,
    Number,
    Predicate,
    Program,
    Region,
    Store,
)
from secateur.kernel.places import bits_of_field, join_words, position, split_words
from secateur.system import events
from secateur.system.events import Check, Conjunct, Guard, Slot
from secateur.system.system import PropertyKind
from tests.unit.analysis.systems import Toy
from tests.unit.kernel.programs import COPIES, SCRATCH, Layout, Writer


@dataclass
class CodedToy(Toy):
    """A system whose guards, bodies and checks are kernel code."""

    words: int = 1
    events: list[Event] = field(default_factory=list)
    predicates: list[Predicate] = field(default_factory=list)
    program: Program = Program(1, SCRATCH)

    def code(self, action: int) -> Event | None:
        return self.events[action]

    def check_code(self, check: int) -> Predicate | None:
        return self.predicates[check]

    def guard(self, action: int, state: int) -> Guard:
        false = undefined = 0
        for j, predicate in enumerate(self.events[action].guard):
            value = self._holds(predicate, state)
            false |= (value is False) << j
            undefined |= (value is None) << j
        if false or undefined or self.actions[action].total:
            return Guard(false, undefined)
        last = 1 << len(self.events[action].guard)
        results = self.results(action, state)
        return Guard(0, last) if results is None else Guard(0 if results else last, 0)

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        body = Action("body", self.events[action].body)
        try:
            found = successors(self.program, body, split_words(state, self.words))
        except Trapped:
            return None
        return tuple(dict.fromkeys(join_words(words) for words, _ in found))

    def holds(self, check: int, state: int) -> bool | None:
        return self._holds(self.predicates[check], state)

    def _holds(self, predicate: Predicate, state: int) -> bool | None:
        try:
            return holds(self.program, predicate, split_words(state, self.words))
        except Trapped:
            return None


def coded_toys(rng: Random) -> CodedToy:
    """Return a random system."""
    while True:
        try:
            return _coded_toy(rng)
        except MemoryError:  # effects of what is asked about very large elements
            continue


def _coded_toy(rng: Random) -> CodedToy:
    layout = _layout(rng)
    toy = CodedToy(_slots(layout), words=layout.words, program=Program(layout.words, SCRATCH))
    for number in range(3):
        writer = Writer(rng, layout, buffers=(STATE,))
        guard = tuple(
            Predicate(f"{number}.{j}", (), writer.truth(rng.randint(1, 3)))
            for j in range(rng.randint(0, 3))
        )
        body = _body(rng, layout)
        toy.events.append(Event(f"a{number}", (), (), guard, body))
        found = effects_of(body, layout.words)
        conjuncts = tuple(Conjunct(p.name, effects(p, layout.words).reads) for p in guard)
        toy.actions.append(
            events.Action(
                f"a{number}",
                (),
                conjuncts,
                found.key,
                found.may_write,
                found.must_write,
                False,
                False,
                rng.randint(0, len(guard)),
            )
        )
    for number in range(2):
        predicate = Predicate(f"c{number}", (), Writer(rng, layout, buffers=(STATE,)).truth(3))
        toy.predicates.append(predicate)
        reads = effects(predicate, layout.words).reads
        toy.checks.append(Check(PropertyKind.INVARIANT, f"c{number}", reads))
    toy.first = (next(iter(toy.states())),)
    return toy


def _layout(rng: Random) -> Layout:
    fields: list[Field] = []
    regions: list[Region] = []
    shift = rng.choice((0, 5))
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.7:
            width, count = rng.choice((1, 2, 3)), rng.choice((1, 1, 2))
            size = rng.randint(2, 1 << width)
            fields.append(Field(0, shift, width, count, rng.choice((0, 0, -1, 3)), size))
            shift += width * count
        else:
            regions.append(Region(0, shift, rng.choice((1, 2, 3))))
            shift += regions[-1].width
        shift += rng.choice((0, 0, 3))
    return Layout(1, fields, regions)


def _slots(layout: Layout) -> list[Slot]:
    slots: list[Slot] = []
    for n, f in enumerate(layout.fields):
        for i in range(f.count):
            at = position(f, i)
            codes = tuple(c << at for c in range(f.size))
            slots.append(Slot(f"f{n}.{i}", bits_of_field(f, range(i, i + 1)), codes))
    for n, region in enumerate(layout.regions):
        for i in range(region.width):
            bit = 1 << (region.word * 64 + region.shift + i)
            slots.append(Slot(f"r{n}.{i}", bit, (0, bit)))
    return slots


def _body(rng: Random, layout: Layout) -> Block:
    writer = Writer(rng, layout)
    scratch = Field(layout.words, 0, 64, SCRATCH)
    first: Block = tuple(Copy(b, STATE) for b in COPIES) + tuple(
        Store(scratch, Number(i), Number(i), b) for b in COPIES for i in range(SCRATCH)
    )
    if rng.random() < 0.5:  # as most actions are
        stores = (*writer._store(), *writer._store_bits())
        if rng.random() < 0.3:
            stores = (If(writer.truth(2), stores, writer._store()),)
        return (*first, *stores, *writer._store(), Emit(1), *((Emit(2),) * rng.randint(0, 1)))
    return (*first, *writer.block(1))
