"""Quotients of a graph of states: states that agree in something are one block."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from secateur.app.codes import BAD_CRITERION
from secateur.app.model import Model
from secateur.lang.query import Question, answer, scope_of, understand
from secateur.maths.ast import free_names
from secateur.maths.print_value import show_value
from secateur.source import fail
from secateur.source.records import dataclass
from secateur.system.answer import Answer, Decided, Evaluated, Undefined
from secateur.system.graph import StateGraph

SIGNATURE: Final = "signature"
DISTANCE: Final = "distance"
NOT_INITIALISED: Final = "not initialised"
NOT_EXPLORED: Final = "not explored"

Codes = Sequence[int]


@dataclass(frozen=True, slots=True)
class Criterion:
    """What states are compared by: a number for each state, and what each number means.

    Those of states to which it does not apply are negative.
    """

    name: str
    codes: Codes
    meanings: Sequence[str]


@dataclass(frozen=True, slots=True)
class Block:
    """States that agree; `first` is the number of one of them, the nearest."""

    values: tuple[tuple[str, str], ...]
    first: int
    states: int
    initial: int = 0
    violating: int = 0
    deadlocks: int = 0
    goals: int = 0
    unexpanded: int = 0
    uninitialised: int = 0
    """How many of them are such."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The transitions of one operation between two blocks."""

    source: int
    target: int
    operation: str
    transitions: int


@dataclass(frozen=True, slots=True)
class Quotient:
    """Blocks, and what leads from one to the other; `block_of` has the block of each state."""

    by: tuple[str, ...]
    block_of: Codes
    blocks: tuple[Block, ...]
    bundles: tuple[Bundle, ...]

    @property
    def states(self) -> int:
        """How many states are in the blocks."""
        return len(self.block_of)


# -- criteria ---------------------------------------------------------------------------------------


class Criteria:
    """What the states of one model can be compared by; each is found once."""

    def __init__(self, model: Model, graph: StateGraph) -> None:
        self.model = model
        self.graph = graph
        self._known: dict[str, Criterion] = {}

    def of(self, text: str) -> Criterion:
        """Return a criterion by its name or expression; raise InputError if it is none."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._found(text)
        return found

    def _found(self, text: str) -> Criterion:
        if text in self.graph.columns.names:
            return self._column(text)
        if text == SIGNATURE:
            return self._signature()
        if text == DISTANCE:
            return self.distance(1)
        return self._expression(text)

    def _column(self, name: str) -> Criterion:
        column = self.graph.columns.column(name)
        return Criterion(name, column.codes, [show_value(value) for value in column.values])

    def _signature(self) -> Criterion:
        """Return the operations that are enabled: which set of them."""
        graph = self.graph
        names = list(dict.fromkeys(step.operation for step in graph.steps))
        bits = [1 << names.index(step.operation) for step in graph.steps]
        enabled = [0] * len(graph.states)
        for source, label in zip(graph.sources, graph.labels, strict=True):
            enabled[source] |= bits[label]
        numbers: dict[int, int] = {}
        codes = array("i")
        for state, mask in enumerate(enabled):
            known = state not in graph.unexpanded and state not in graph.uninitialised
            codes.append(numbers.setdefault(mask, len(numbers)) if known else -1)
        meanings = [
            ", ".join(name for i, name in enumerate(names) if mask >> i & 1) or "nothing"
            for mask in numbers
        ]
        return Criterion("enabled", codes, meanings)

    def distance(self, width: int) -> Criterion:
        """Return the number of steps from the beginning, in ranges of this width."""
        found = self.graph.distances()
        most = max(found, default=0)
        meanings = [
            str(low) if width == 1 else f"{low}..{min(low + width - 1, most)}"
            for low in range(0, most + 1, width)
        ]
        return Criterion(
            DISTANCE, array("i", [d // width if d >= 0 else -1 for d in found]), meanings
        )

    def _expression(self, text: str) -> Criterion:
        """Return the value of an expression, evaluated once per values of the names in it."""
        question = self._question(text)
        names = [n for n in self.graph.columns.names if n in free_names(question.formula)]
        combined = _combined([self.of(name).codes for name in names], len(self.graph.states))
        skipped = self.graph.uninitialised
        values: dict[Hashable, int] = {}
        meanings: dict[str, int] = {}
        codes = array("i")
        for state, key in enumerate(combined):
            if state in skipped:
                codes.append(-1)
                continue
            if key not in values:
                said = _said(self._answer(question, state))
                values[key] = meanings.setdefault(said, len(meanings))
            codes.append(values[key])
        return Criterion(text, codes, list(meanings))

    def _question(self, text: str) -> Question:
        typed = self.model.typed
        question = understand(text, scope_of(typed, (*typed.constants, *typed.variables)), typed)
        if question.unknowns:
            names = ", ".join(b.name for b in question.unknowns)
            known = ", ".join((*self.graph.columns.names, SIGNATURE, DISTANCE))
            message = f"states cannot be compared by {text}: {names} is unknown in {typed.name}"
            raise fail(BAD_CRITERION, message, help=f"there are {known}")
        return question

    def _answer(self, question: Question, state: int) -> Answer:
        system = self.model.system
        return answer(question, system.scope, lambda: system.environment(self.graph.states[state]))


def _said(found: Answer) -> str:
    match found:
        case Evaluated(value):
            return show_value(value)
        case Decided(truth):
            return show_value(truth)
        case Undefined(message):
            return f"ill-defined: {message}"
        case _:
            return "not known"


def _combined(columns: Sequence[Codes], count: int) -> Iterable[Hashable]:
    if len(columns) == 1:
        return columns[0]
    return zip(*columns, strict=True) if columns else ((),) * count


# -- quotients --------------------------------------------------------------------------------------


def quotient(graph: StateGraph, criteria: Sequence[Criterion]) -> Quotient:
    """Return the quotient of a graph by all of the criteria together."""
    numbers: dict[Hashable, int] = {}
    block_of = array("I")
    first: list[int] = []
    for state, key in enumerate(_combined([c.codes for c in criteria], len(graph.states))):
        # Where there are no variables yet, it is said so, whatever the states are compared by.
        whole = (state in graph.uninitialised, key)
        found = numbers.setdefault(whole, len(first))
        if found == len(first):
            first.append(state)
        block_of.append(found)
    return Quotient(
        tuple(c.name for c in criteria),
        block_of,
        _blocks(graph, criteria, block_of, first),
        _bundles(graph, block_of),
    )


def _blocks(
    graph: StateGraph, criteria: Sequence[Criterion], block_of: Codes, first: Sequence[int]
) -> tuple[Block, ...]:
    def count(states: Iterable[int]) -> Counter[int]:
        return Counter(block_of[state] for state in states)

    sizes = Counter(block_of)
    initial, violating = count(graph.initial), count(graph.violations)
    deadlocks, goals = count(graph.deadlocks()), count(graph.goals)
    unexpanded, uninitialised = count(graph.unexpanded), count(graph.uninitialised)
    return tuple(
        Block(
            _values(criteria, state, graph),
            state,
            sizes[i],
            initial[i],
            violating[i],
            deadlocks[i],
            goals[i],
            unexpanded[i],
            uninitialised[i],
        )
        for i, state in enumerate(first)
    )


def _values(
    criteria: Sequence[Criterion], state: int, graph: StateGraph
) -> tuple[tuple[str, str], ...]:
    missing = NOT_INITIALISED if state in graph.uninitialised else NOT_EXPLORED
    found = [
        (c.name, c.meanings[c.codes[state]] if c.codes[state] >= 0 else missing) for c in criteria
    ]
    if all(said == NOT_INITIALISED for _, said in found):
        return ()
    return tuple(found)


def _bundles(graph: StateGraph, block_of: Codes) -> tuple[Bundle, ...]:
    counted: Counter[tuple[int, int, int]] = Counter()
    operations = list(dict.fromkeys(step.operation for step in graph.steps))
    named = [operations.index(step.operation) for step in graph.steps]
    for source, label, target in zip(graph.sources, graph.labels, graph.targets, strict=True):
        counted[block_of[source], block_of[target], named[label]] += 1
    return tuple(
        Bundle(source, target, operations[operation], number)
        for (source, target, operation), number in sorted(counted.items())
    )


# -- choosing ---------------------------------------------------------------------------------------


def readable(criteria: Criteria, most: int) -> Quotient:
    """Return a quotient with no more than `most` blocks that says as much as it can.

    Variables are taken as long as the blocks are at most half of that; else one that fits, the
    operations that are enabled, or the distance from the beginning, which always fits.
    """
    graph = criteria.graph
    names = [n for n in graph.columns.names if _differs(criteria.of(n))]
    for target in (max(2, most // 2), most):
        chosen = _greedy(criteria, names, target)
        if chosen:
            return quotient(graph, [criteria.of(name) for name in chosen])
        found = quotient(graph, [criteria.of(SIGNATURE)])
        if 1 < len(found.blocks) <= target:
            return found
    width = 1
    while True:
        found = quotient(graph, [criteria.distance(width)])
        if len(found.blocks) <= most:
            return found
        width += 1 + width // 4


def _differs(criterion: Criterion) -> bool:
    return len(criterion.meanings) > 1


def _greedy(criteria: Criteria, names: Sequence[str], most: int) -> list[str]:
    """Return names one after the other, each the one that adds most and leaves it readable."""
    graph = criteria.graph
    chosen: list[str] = []
    size = 1
    while True:
        sizes = {
            name: _size([criteria.of(n).codes for n in (*chosen, name)], len(graph.states))
            for name in names
            if name not in chosen and len(criteria.of(name).meanings) <= most
        }
        fitting = {name: number for name, number in sizes.items() if size < number <= most}
        if not fitting:
            return sorted(chosen, key=names.index)
        best = max(fitting, key=lambda name: fitting[name])  # of equals, the one declared first
        chosen.append(best)
        size = fitting[best]


def _size(columns: Sequence[Codes], count: int) -> int:
    return len(set(_combined(columns, count)))
