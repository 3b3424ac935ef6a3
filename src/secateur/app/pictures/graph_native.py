"""The graph of a machine, found by the native engine; importing this loads the compiler."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import overload

from secateur.engine.gathering import Gathering
from secateur.engine.limits import Interrupted, Meter
from secateur.engine.native.graph import GOAL_REACHED, Found, graph_of
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineState, MachineSystem
from secateur.lang.slots.cells import mask
from secateur.maths.values import Value
from secateur.system.engine import Engine
from secateur.system.graph import Column, StateGraph
from secateur.system.system import State, Step

Decode = Callable[[Sequence[int]], MachineState]


class NothingCompiled(Exception):
    """No operation can be compiled: packing states would be in vain."""


class DecodedStates(Sequence[State]):
    """States that are kept as words, after some that are not."""

    def __init__(
        self, before: Sequence[State], words: Sequence[Sequence[int]], decode: Decode
    ) -> None:
        self._before = before
        self._words = words
        self._decode = decode

    def __len__(self) -> int:
        return len(self._before) + len(self._words)

    @overload
    def __getitem__(self, place: int) -> State: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[State]: ...
    def __getitem__(self, place: int | slice) -> State | Sequence[State]:
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        if place < 0:
            place += len(self)
        if place < len(self._before):
            return self._before[place]
        return self._decode(self._words[place - len(self._before)])


class PackedColumns:
    """Columns of packed states: the bits of a variable are looked at, not its values."""

    def __init__(
        self, machine: CompiledMachine, before: Sequence[State], words: Sequence[Sequence[int]]
    ) -> None:
        self._machine = machine
        self._before = before
        self._words = words
        model = machine.system.model
        self._constants = [b.name for b in model.constants]
        self.names: Sequence[str] = [*self._constants, *(b.name for b in model.variables)]

    def column(self, name: str) -> Column:
        """Return the values of one name in all states."""
        values: list[Value] = []
        seen: dict[Value, int] = {}

        def code(value: Value) -> int:
            found = seen.setdefault(value, len(values))
            if found == len(values):
                values.append(value)
            return found

        codes = array("i", [-1]) * len(self._before)
        if name in self._constants:
            system = self._machine.system
            for i, state in enumerate(self._before):
                codes[i] = code(dict(system.values(state))[name])
        get, bits = self._reader(name)
        known: dict[object, int] = {}
        places = [i for i, word in enumerate(bits) if word]
        for words in self._words:
            key = _bits(words, bits, places)
            found = known.get(key)
            if found is None:
                found = known[key] = code(get(words))
            codes.append(found)
        return Column(codes, values)

    def _reader(self, name: str) -> tuple[Callable[[Sequence[int]], Value], list[int]]:
        """Return what gives the value of a name, and the bits that it depends on."""
        machine = self._machine
        layout = machine.layout
        if name not in self._constants:
            return (lambda words: machine.value(name, words)), mask(
                [layout.cells[name]], layout.words
            )
        place = self._constants.index(name)
        solution = [] if layout.solution is None else [layout.solution]
        return (lambda words: machine.solutions[machine.decode(words)[0]][place]), mask(
            solution, layout.words
        )


def _bits(words: Sequence[int], bits: Sequence[int], places: Sequence[int]) -> object:
    if len(places) == 1:
        place = places[0]
        return words[place] & bits[place]
    return tuple([words[i] & bits[i] for i in places])


def graph_natively(system: MachineSystem, meter: Meter) -> StateGraph:
    """Return the graph of a machine, with steps without arguments; raise NothingCompiled.

    What is set up and initialised is found by the evaluator.
    """
    start = Gathering(system, meter)
    found = Found()
    machine: CompiledMachine | None = None
    first: list[State] = []
    offset = 0
    try:
        with meter.running():
            start.begin()
            while offset < len(start.states) and not system.is_initialised(start.states[offset]):
                if start.over():
                    return start.graph()
                start.expand()
                offset += 1
            first = start.states[offset:]
            if first:
                machine = CompiledMachine(system, system.solutions)
                if all(part.reason is not None for part in machine.actions):
                    raise NothingCompiled
                found = graph_of(machine, first, meter, offset)
    except Interrupted:
        start.reasons[meter.why_interrupted()] = None
    if machine is None or not found.states:
        return start.graph()
    return _joined(start, machine, found, offset)


def _joined(start: Gathering, machine: CompiledMachine, found: Found, offset: int) -> StateGraph:
    """Return what the evaluator found, and after it, what the native engine did."""
    before = start.states[:offset]
    labels = [start.label(Step(part.name)) for part in machine.actions]
    start.sources.extend(array("I", [source + offset for source in found.sources]))
    start.labels.extend(array("I", [labels[action] for action in found.actions]))
    start.targets.extend(array("I", [target + offset for target in found.targets]))
    for state, said in found.flaws.items():
        for text in said:
            if text == GOAL_REACHED:
                start.goals.add(state + offset)
            else:
                start.blame(state + offset, text)
    compiled = sum(part.reason is None for part in machine.actions)
    count = offset + len(found.states)
    return StateGraph(
        name=start.system.name,
        states=DecodedStates(before, found.states, machine.decode),
        columns=PackedColumns(machine, before, found.states),
        steps=start.steps,
        beginnings=start.beginnings,
        sources=start.sources,
        labels=start.labels,
        targets=start.targets,
        uninitialised=frozenset(range(offset)),
        violations={state: tuple(said) for state, said in start.violations.items()},
        goals=frozenset(start.goals),
        unexpanded=frozenset(range(offset + found.expanded, count)),
        reasons=tuple({**start.reasons, **found.reasons}),
        arguments=False,
        engine=Engine(
            "native",
            compiled=compiled,
            operations=len(machine.actions),
            memory=found.memory,
            compile_seconds=found.compile_seconds,
        ),
        may_end=start.system.may_end,
    )
