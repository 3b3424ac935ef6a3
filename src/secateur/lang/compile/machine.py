"""A model with its constants found, as packed states and kernel code."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import compress, count
from operator import is_not

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.language import Action, Expr, Load, Predicate, Program
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.kept import likeness, solutions
from secateur.lang.compile.known import Known
from secateur.lang.compile.operations import Mark, OperationCompiler
from secateur.lang.compile.patterns import bare
from secateur.lang.compile.scope import Constants, Scope
from secateur.lang.compile.values import NotCompiled
from secateur.lang.lower import MachineState, MachineSystem, machine_state
from secateur.lang.model import Model, Operation
from secateur.lang.readwrite import of_operation, written_in_loops
from secateur.lang.slots.cells import mask
from secateur.lang.slots.claims import Claims
from secateur.lang.slots.codec import Codec, Interned
from secateur.lang.slots.layout import Layout
from secateur.lang.slots.remembered import Remembered
from secateur.lang.slots.shapes import Shape, Wide, fits, widened
from secateur.lang.slots.spaces import LARGEST_SPACE, Carrier, OutOfSpace
from secateur.lang.slots.tightened import fitted, narrowed
from secateur.maths.ast import Apply, Binder, Name, conjuncts, free_names
from secateur.maths.ast import Expr as Formula
from secateur.maths.evaluate.environment import Env, widen
from secateur.maths.operators.comparison import EQUAL
from secateur.maths.types import INTEGER, Type
from secateur.maths.values import IllDefined, SymbolicSet, Undecided, Value
from secateur.source.records import dataclass
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, Outgoing, PropertyKind, State, Transition

SOLUTION = "number of the constants' solution"
"""The slot that tells apart states with different constants."""
_END = "where a run may end"

Asked = tuple[Sequence[int], MachineState, Env]
"""The words of a state, the state, and an environment of it."""

_STEPS_KEPT = 20_000
_WORDS_KEPT = 2_000_000
"""The transitions of so many states are remembered, and no more words than this."""


@dataclass(frozen=True, slots=True)
class Part:
    """An operation or a property: how it runs, and which bits it reads and may write."""

    name: str
    number: int
    reads: Sequence[int]
    writes: Sequence[int]
    reason: str | None
    """Why it is not compiled; None if it is."""
    kind: PropertyKind | None = None
    tested: bool = False
    """Whether there is code that says where it is impossible, although it is not compiled."""

    @property
    def coded(self) -> bool:
        """Whether there is code of it in the program."""
        return self.reason is None or self.tested


@dataclass(frozen=True, slots=True)
class End:
    """Where a run may end: the bits that say so, and a program of one predicate, if it is compiled."""

    reads: Sequence[int]
    program: Program | None


class CompiledMachine:
    """A `MachineSystem` whose constants are set up, as a program over packed states."""

    def __init__(self, system: MachineSystem, solutions: Sequence[tuple[Value, ...]]) -> None:
        self.system = system
        self.solutions = solutions
        self.carriers = {
            name: Carrier(name, tuple(sorted(elements)))
            for name, elements in system.universe.sets.items()
            if isinstance(elements, frozenset) and elements
        }
        self.interned = Interned()
        self.codec = Codec(self.interned)
        self._values: dict[Hashable, tuple[Formula, Sequence[Value]]] = {}
        self._solved: dict[
            tuple[str, tuple[int, ...]], tuple[Sequence[Formula], Sequence[Sequence[Value]]]
        ] = {}
        self._names = frozenset(b.name for b in system.model.variables)
        self._definitions = definitions(system.model)
        claims = Claims(self.carriers, self._single, self._definitions)
        invariants = [*system.model.typing, *(p.predicate for p in system.model.invariants)]
        counted = written_in_loops(system.model)
        shapes = {
            b.name: Wide()
            if b.type is INTEGER and b.name in counted
            else claims.shape(b.name, _type(b.type), invariants)
            for b in system.model.variables
        }
        self._arrange(shapes)

    def _arrange(self, shapes: Mapping[str, Shape]) -> None:
        self.layout = Layout(shapes, len(self.solutions))
        self._asked = threading.local()
        self._performed: dict[tuple[int, ...], list[Transition]] = {}
        self._stored = [
            Remembered(self.codec, self.layout.cells[b.name], self.layout.words)
            for b in self.system.model.variables
        ]
        self._compile()

    def tighten(self, seen: Mapping[str, Iterable[Value]]) -> None:
        """Provide for no more than some values of variables; everything is compiled anew."""
        proven = {name for each in self.system.model.typing for name in free_names(each)}
        self._arrange(fitted(self.layout.shapes, seen, proven))

    def narrower(self, seen: Mapping[str, Iterable[Value]]) -> Callable[[], None] | None:
        """Return what makes states a word wide, with room for what was seen; None if it cannot be."""

        def is_a_word(shapes: Mapping[str, Shape]) -> bool:
            return Layout(shapes, len(self.solutions)).words == 1

        found = narrowed(self.layout.shapes, seen, is_a_word)
        return None if found is None else partial(self._arrange, found)

    def widen(self, misfit: Misfit) -> None:
        """Provide room for a value of a variable; everything is compiled anew.

        The variables of which the same was guessed get the same room: each of them would
        have the exploration begun anew otherwise.
        """
        variable, value = misfit.place, misfit.value
        types = {b.name: _type(b.type) for b in self.system.model.variables}
        shapes = self.layout.shapes
        wrong, type_ = shapes[variable], types[variable]
        new = widened(wrong, value, type_, self.carriers)
        assert fits(new, value), (variable, wrong, new)
        self._arrange(
            {
                name: new if shape == wrong and types[name] == type_ else shape
                for name, shape in shapes.items()
            }
        )

    # -- constants ------------------------------------------------------------------------------

    def _evaluate(self, e: Formula) -> Sequence[Value]:
        """Return the values of an expression for each solution of the constants."""
        key = likeness(e)
        known = self._values.get(key)
        if known is None:
            code = self.system.scope.code(e)
            size = self.system.scope.frame_size()
            values = []
            for env in self._environments:
                if len(env) < size:
                    widen(env, self.system.scope)
                values.append(code(env))
            known = self._values[key] = (e, values)
        return known[1]

    def _solve(self, binder: Binder, conditions: Sequence[Formula]) -> Sequence[Sequence[Value]]:
        key = binder.name, tuple(map(id, conditions))
        known = self._solved.get(key)
        if known is None:
            found = solutions(self.system.scope, self._environments, binder, conditions)
            known = self._solved[key] = (conditions, found)
        return known[1]

    @cached_property
    def _environments(self) -> list[Env]:
        """One for each solution of the constants: there may be many of these and of expressions."""
        return [self.system.environment((number, None)) for number in range(len(self.solutions))]

    def _single(self, e: Formula) -> Value | None:
        """Return the value of an expression over constants; of different sets, the union."""
        if not self.solutions or free_names(e) & self._names:
            return None
        try:
            values = self._evaluate(e)
            if all(v == values[0] for v in values):
                return values[0]
            return _union(values)
        except (IllDefined, Undecided):
            return None

    # -- code -----------------------------------------------------------------------------------

    def compiler(self) -> OperationCompiler:
        """Return what makes code for states of this layout."""
        number: Expr = k.ZERO
        if self.layout.solution is not None:
            number = Load(self.layout.solution.field)
        return OperationCompiler(
            self.system.model,
            self.layout.cells,
            Known(self.carriers, self.interned),
            Constants(self._evaluate, self._solve, number, self._definitions),
            self.layout.words,
        )

    def _compile(self) -> None:
        model = self.system.model
        compiler = self.compiler()
        actions: list[Action] = []
        self.actions: list[Part] = []
        for place, operation in enumerate(model.operations):
            effect = of_operation(operation, model.callable)
            reads = self.layout.mask(effect.reads | effect.writes | self._marked_by(operation))
            writes = mask(
                [self.layout.cells[n] for n in effect.writes if n in self.layout.cells],
                self.layout.words,
            )
            try:
                actions.append(compiler.action(operation, self._mark(operation)))
                reason = None
            except NotCompiled as error:
                reason = error.reason
            part = Part(operation.name, place, reads, writes, reason)
            if reason is not None:
                test = compiler.where_possible(operation)
                if test is not None:
                    actions.append(test)
                    part = replace(part, tested=True)
            self.actions.append(part)
        predicates = self._predicates(compiler.known, compiler.constants)
        self.program = Program(
            self.layout.words, compiler.scratch, tuple(actions), tuple(predicates), self._marks
        )
        self.end = self._end(compiler)

    _marks = 0
    """The words of marks that tell more of steps."""

    def _mark(self, _: Operation) -> Mark | None:
        """Return what tells more of the steps of an operation: here, nothing does."""
        return None

    def _marked_by(self, _: Operation) -> frozenset[str]:
        """Return the variables that the marks of an operation depend on."""
        return frozenset()

    def _predicates(self, known: Known, constants: Constants) -> list[Predicate]:
        predicates: list[Predicate] = []
        self.properties: list[Part] = []
        for place, each in enumerate(self.system.properties):
            reads = self.layout.mask(free_names(each.predicate))
            try:
                found = self._predicate(each.name, each.predicate, known, constants)
                if each.kind is PropertyKind.GOAL:  # what is looked for is reported, not what fails
                    found = replace(found, result=k.not_(found.result))
                predicates.append(found)
                reason = None
            except NotCompiled as error:
                reason = error.reason
            self.properties.append(Part(each.name, place, reads, (), reason, each.kind))
        return predicates

    def _predicate(
        self, name: str, formula: Formula, known: Known, constants: Constants
    ) -> Predicate:
        if not free_names(formula) & self.layout.cells.keys():
            raise NotCompiled("it is about constants alone, and looked at once")
        builder = Builder()
        lowering = Lowering(builder, known, constants)
        result = lowering.predicate(formula, Scope(self.layout.cells))
        return Predicate(name, builder.block, result)

    def _end(self, compiler: OperationCompiler) -> End | None:
        ends = self.system.model.ends
        if ends is None:
            return None
        reads = self.layout.mask(free_names(ends))
        try:
            found = self._predicate(_END, ends, compiler.known, compiler.constants)
        except NotCompiled:
            return End(reads, None)
        return End(reads, Program(self.layout.words, compiler.scratch, (), (found,)))

    # -- states ---------------------------------------------------------------------------------

    @property
    def bits(self) -> list[int]:
        """How many low bits of each word are used."""
        return [max(1, word.bit_length()) for word in self.layout.mask(self.layout.cells)]

    @property
    def variables(self) -> list[tuple[str, list[int]]]:
        """The variables with the bits that they occupy."""
        return [
            (b.name, mask([self.layout.cells[b.name]], self.layout.words))
            for b in self.system.model.variables
        ]

    def encode(self, state: State) -> list[int]:
        """Return a state as words; raise `Misfit` if a value does not fit."""
        number, values = machine_state(state)
        assert values is not None
        words = [0] * self.layout.words
        self._store(values, range(len(values)), words)
        if self.layout.solution is not None:
            self.codec.encode(self.layout.solution, number, words)
        return words

    def _store(self, values: Sequence[Value], places: Iterable[int], words: list[int]) -> None:
        """Write the values of some variables into a state."""
        for place in places:
            try:
                self._stored[place].store(values[place], words)
            except OutOfSpace:
                value = values[place]
                listed = value.expand() if isinstance(value, SymbolicSet) else value
                raise Misfit(self.system.model.variables[place].name, listed) from None

    def _encode_after(self, words: Sequence[int], before: State, state: State) -> list[int]:
        """Return a state as words; only what is not as in the state `before`, of `words`, is new."""
        (_, old), (_, new) = machine_state(before), machine_state(state)
        assert old is not None
        assert new is not None
        after = list(words)
        self._store(new, compress(count(), map(is_not, old, new)), after)
        return after

    def decode(self, words: Sequence[int]) -> MachineState:
        """Return the state that some words stand for."""
        number = 0
        if self.layout.solution is not None:
            number = self.codec.decode(self.layout.solution, words)
        return number, tuple([stored.decode(words) for stored in self._stored])

    def value(self, variable: str, words: Sequence[int]) -> Value:
        """Return the value of one variable."""
        return self.codec.decode(self.layout.cells[variable], words)

    # -- the evaluator ----------------------------------------------------------------------------

    def step(
        self, action: int, words: Sequence[int]
    ) -> tuple[list[Sequence[int]], list[Breach | Fault | Gap]]:
        """Let the evaluator perform an operation."""
        targets: list[Sequence[int]] = []
        rest: list[Breach | Fault | Gap] = []
        performed: list[Transition] = []
        asked = _, state, env = self._taken(words)
        for item in self.system.outcomes(action, state, env):
            if isinstance(item, Transition):
                after = self._encode_after(words, state, item.target)
                targets.append(self._arrival(action, state, item, after))
                performed.append(item)
            else:
                rest.append(item)
        self._asked.last = asked
        known = self._performed
        if performed and len(known) < _STEPS_KEPT and len(known) * len(words) < _WORDS_KEPT:
            known.setdefault(tuple(words), []).extend(performed)
        return targets, rest

    def _arrival(
        self, _action: int, _state: MachineState, _step: Transition, words: list[int]
    ) -> list[int]:
        """Return the words of a step's target, with its marks if there are any."""
        return words

    def performed(self, words: Sequence[int]) -> Sequence[Transition]:
        """Return the transitions of a state that the evaluator has performed and that are remembered."""
        return self._performed.get(tuple(words), ())

    def outcomes(self, action: int, state: State) -> Iterator[Outgoing]:
        """Let the evaluator perform an operation in a state."""
        return self.system.outcomes(action, state)

    def check(self, number: int, words: Sequence[int]) -> list[Breach | Fault | Gap]:
        """Let the evaluator look at a property."""
        asked = _, state, env = self._taken(words)
        found = list(self.system.breach(number, state, env))
        self._asked.last = asked
        return found

    def may_end(self, words: Sequence[int]) -> bool:
        """Let the evaluator say whether a run may end in a state."""
        return self.system.may_end(self.decode(words))

    def _taken(self, words: Sequence[int]) -> Asked:
        """Return a state with an environment: that of before if the state is asked about again.

        An explorer asks about all actions and properties of a state, one after the other.  Each
        of its threads has an environment of its own.  Who has come to an end puts it back: what
        was left in disorder is not used.
        """
        mine = self._asked
        last: Asked | None = getattr(mine, "last", None)
        mine.last = None
        if last is not None and last[0] == words:
            widen(last[2], self.system.scope)
            return last
        state = self.decode(words)
        return words, state, self.system.environment(state)


def _union(values: Sequence[Value]) -> Value | None:
    """Return the union of some sets, if they are not too large."""
    found: set[Value] = set()
    for value in values:
        if isinstance(value, SymbolicSet):
            size = value.size() if value.worth_listing() else None
            if size is None or size > LARGEST_SPACE:
                return None
            value = value.expand()  # noqa: PLW2901
        if not isinstance(value, frozenset):
            return None
        found |= value
    return frozenset(found)


def definitions(model: Model) -> dict[str, Formula]:
    """Return what the properties say that constants are equal to."""
    names = {b.name for b in model.constants}
    found: dict[str, Formula] = {}
    for each in model.properties:
        for conjunct in conjuncts(bare(each.predicate)):
            match bare(conjunct):
                case Apply(operator, (Name(text), other)) if operator is EQUAL:
                    pass
                case Apply(operator, (other, Name(text))) if operator is EQUAL:
                    pass
                case _:
                    continue
            if text in names and text not in free_names(other):
                found.setdefault(text, other)
    return found


def _type(type_: Type | None) -> Type:
    assert type_ is not None
    return type_
