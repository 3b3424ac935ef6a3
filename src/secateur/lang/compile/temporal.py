"""A model as packed states and code for temporal formulas: atoms instead of properties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import STATE, Expr, Number, Predicate
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.known import Known
from secateur.lang.compile.machine import CompiledMachine, Part
from secateur.lang.compile.operations import TARGET, Mark
from secateur.lang.compile.scope import BEFORE, Constants, Scope
from secateur.lang.compile.values import NotCompiled, V, same
from secateur.lang.lower import MachineState, MachineSystem
from secateur.lang.model import Operation
from secateur.maths.ast import Expr as Formula
from secateur.maths.ast import free_names
from secateur.maths.values import Value
from secateur.source.records import dataclass
from secateur.system.system import Breach, Fault, Gap, PropertyKind, State, Transition

MOST_EVENTS: Final = 62
"""So many events fit into a number."""

ARGUMENT: Final = "argument__"
"""What an argument is called in a condition on it."""

Values = tuple[tuple[str, Value], ...]
"""Names with values, known beforehand."""


class Order(Enum):
    """How a value before a step compares to the one after it."""

    SAME = "same"
    OTHER = "other"
    LESS = "less"
    GREATER = "greater"
    RELATED = "related"
    """By a predicate: in it, x is what it is after the step, and `x$0` what it was before."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What an argument must be: `formula` is about `ARGUMENT`, variables and known values."""

    parameter: str
    formula: Formula
    values: Values = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an expression changes from a state to the next."""

    formula: Formula
    order: Order
    values: Values = ()


@dataclass(frozen=True, slots=True)
class WatchedStep:
    """Something that a step may be: an operation, perhaps with conditions; or any, compared.

    `happens` is the same for the evaluator.
    """

    operation: str | None
    conditions: tuple[Condition, ...]
    comparison: Comparison | None
    happens: Callable[[State, Transition], bool]

    def may_be(self, operation: str) -> bool:
        """Whether a step of this operation can be meant."""
        return self.operation in (None, operation)

    @property
    def plain(self) -> bool:
        """Whether all steps of the operation are meant."""
        return not self.conditions and self.comparison is None


@dataclass(frozen=True, slots=True)
class WatchedState:
    """A predicate about states; `holds` is the same for the evaluator."""

    name: str
    formula: Formula
    values: Values
    holds: Callable[[State], bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a formula asks about.

    `doubted` says whether, since it was asked last, the evaluator met something without a value.
    """

    steps: Sequence[WatchedStep]
    states: Sequence[WatchedState]
    doubted: Callable[[], bool]


class TemporalMachine(CompiledMachine):
    """A machine whose properties are the predicates of a formula, and whose steps are marked.

    A mark has a bit for each watched step that is not plain.
    """

    def __init__(
        self, system: MachineSystem, solutions: Sequence[tuple[Value, ...]], asked: Asked
    ) -> None:
        self.asked = asked
        self._marks = int(any(not step.plain for step in asked.steps))
        super().__init__(system, solutions)

    def events(self, action: int) -> tuple[int, int]:
        """Return what the steps of an action are whatever their arguments, and what marks tell."""
        name = self.actions[action].name
        always = marked = 0
        for number, step in enumerate(self.asked.steps):
            if step.may_be(name) and step.plain:
                always |= 1 << number
            elif step.may_be(name):
                marked |= 1 << number
        return always, marked

    def _marking(self, operation: str) -> list[tuple[int, WatchedStep]]:
        steps = enumerate(self.asked.steps)
        return [(i, step) for i, step in steps if step.may_be(operation) and not step.plain]

    # -- code -----------------------------------------------------------------------------------

    def _mark(self, operation: Operation) -> Mark | None:
        marking = self._marking(operation.name)
        if not marking:
            return None

        def mark(lowering: Lowering, scope: Scope) -> Expr:
            result: Expr = k.ZERO
            for number, step in marking:
                test = self._test(lowering, step, scope.values)
                bit = k.choose(test, Number(1 << number), k.ZERO)
                result = lowering.b.let(k.add(result, bit), "mark")
            return result

        return mark

    def _test(self, lowering: Lowering, step: WatchedStep, arguments: Mapping[str, V]) -> Expr:
        """Return whether a step is meant, in the middle of its code."""
        plain = Scope(self.layout.cells)
        if step.comparison is not None:
            return _compared(
                lowering, step.comparison, self._with(lowering, step.comparison, plain)
            )
        result: Expr = k.TRUE
        for each in step.conditions:
            scope = self._with(lowering, each, plain).bind({ARGUMENT: arguments[each.parameter]})
            result = both(lowering.b, result, partial(lowering.predicate, each.formula, scope))
        return result

    def _with(
        self, lowering: Lowering, part: Condition | Comparison | WatchedState, scope: Scope
    ) -> Scope:
        """Return a scope in which known values have their names."""
        number = lowering.constants.number
        count = max(1, len(self.solutions))
        return scope.bind(
            {name: lowering.known.lift([value] * count, number) for name, value in part.values}
        )

    def _marked_by(self, operation: Operation) -> frozenset[str]:
        names: frozenset[str] = frozenset()
        for _, step in self._marking(operation.name):
            parts = [*step.conditions, *([step.comparison] if step.comparison else ())]
            found = (free_names(part.formula) for part in parts)
            names = names.union(*({n.removesuffix(BEFORE) for n in each} for each in found))
        return names & self._names

    def _predicates(self, known: Known, constants: Constants) -> list[Predicate]:
        predicates: list[Predicate] = []
        self.properties: list[Part] = []
        for place, each in enumerate(self.asked.states):
            names = free_names(each.formula)
            reason = None
            lowering = Lowering(Builder(), known, constants)
            try:
                if not names & self.layout.cells.keys():
                    raise NotCompiled("it is about constants alone, and looked at once")
                scope = self._with(lowering, each, Scope(self.layout.cells))
                result = lowering.predicate(each.formula, scope)
                predicates.append(Predicate(each.name, lowering.b.block, result))
            except NotCompiled as error:
                reason = error.reason
            reads = self.layout.mask(names)
            kind = PropertyKind.ASSERTION  # as those of a system that is asked about predicates
            self.properties.append(Part(each.name, place, reads, (), reason, kind))
        return predicates

    # -- the evaluator --------------------------------------------------------------------------

    def step(
        self, action: int, words: Sequence[int]
    ) -> tuple[list[Sequence[int]], list[Breach | Fault | Gap]]:
        """Let the evaluator perform an operation; each target is followed by its marks."""
        self.asked.doubted()
        targets, rest = super().step(action, words)
        if self.asked.doubted():
            rest.append(Gap(self.actions[action].name, "something in the formula has no value"))
        return targets, rest

    def _arrival(
        self, action: int, state: MachineState, transition: Transition, words: list[int]
    ) -> list[int]:
        if self._marks:
            marking = self._marking(self.actions[action].name)
            words.append(sum(1 << i for i, s in marking if s.happens(state, transition)))
        return words

    def judge(self, number: int, words: Sequence[int]) -> tuple[bool, bool]:
        """Let the evaluator look at a predicate: whether it holds, and whether that is in doubt."""
        self.asked.doubted()
        holds = self.asked.states[number].holds(self.decode(words))
        return holds, self.asked.doubted()


def _compared(lowering: Lowering, comparison: Comparison, scope: Scope) -> Expr:
    after = scope.reading(TARGET)
    formula, b = comparison.formula, lowering.b
    if comparison.order is Order.RELATED:
        return lowering.predicate(formula, replace(after, before=STATE))
    if comparison.order in (Order.SAME, Order.OTHER):
        equal = same(b, lowering.value(formula, scope), lowering.value(formula, after))
        return equal if comparison.order is Order.SAME else k.not_(equal)
    old, new = lowering.number(formula, scope), lowering.number(formula, after)
    return k.less(old, new) if comparison.order is Order.LESS else k.less(new, old)
