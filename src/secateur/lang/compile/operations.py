"""Operations in the kernel language: parameters, guard, body, and the events that are refined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.language import (
    Action,
    Block,
    Expr,
    For,
    ForEach,
    If,
    Local,
    Loop,
    Type,
    type_of,
)
from secateur.lang.compile.assigned import check_assigned
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.generators import Unknowns, generate
from secateur.lang.compile.known import Known
from secateur.lang.compile.possible import where_possible
from secateur.lang.compile.scope import PRIME, Constants, Scope
from secateur.lang.compile.stored import read, write
from secateur.lang.compile.substitutions import Execution, deterministic
from secateur.lang.compile.values import Duo, Elem, NotCompiled, Num, Opq, Rec, SetV, Tru, V
from secateur.lang.guards import split_guard
from secateur.lang.model import Level, Model, Obligation, Operation
from secateur.lang.slots.cells import Allocator, Cell
from secateur.maths.ast import Expr as Formula
from secateur.maths.ast import conjuncts, free_names
from secateur.maths.substitution import Substitution
from secateur.maths.types import Type as BType
from secateur.source.records import dataclass

MOST_STATEMENTS = 20_000
"""An action of more statements is left to the evaluator."""

TARGET = 1
"""The buffer in which a successor comes into being."""


Mark = Callable[[Lowering, Scope], Expr]
"""Returns what else is told of a successor, as a number.

The scope has the parameters; the state is in its buffer, the successor in `TARGET`.
"""


@dataclass(frozen=True, slots=True)
class Labels:
    """What is told of successors: a mark, and arguments and results."""

    named: bool
    mark: Mark | None = None
    types: list[tuple[Type, ...]] = field(default_factory=list)


class OperationCompiler:
    """Makes actions of operations."""

    def __init__(
        self,
        model: Model,
        cells: Mapping[str, Cell],
        known: Known,
        constants: Constants,
        words: int,
    ) -> None:
        self.model = model
        self.cells = cells
        self.known = known
        self.constants = constants
        self.words = words
        self.scratch = 0
        """The most words that local variables of any action take."""
        self.types: dict[str, BType] = {
            b.name: b.type for b in model.variables if b.type is not None
        }

    def action(self, operation: Operation, mark: Mark | None = None) -> Action:
        """Return the code of an operation; raise `NotCompiled` if it cannot be made."""
        room = Allocator(self.words)
        builder = Builder()
        lowering = Lowering(builder, self.known, self.constants)
        execution = Execution(lowering, self.model.callable, room, self.types)
        distinct = self._is_distinct(operation)
        labels = Labels(not distinct, mark)
        OperationBody(operation, execution, labels).emit(Scope(self.cells))
        block = builder.block
        check_size(block)
        self.scratch = max(self.scratch, room.words - self.words)
        types = labels.types[0] if labels.types else ()
        return Action(operation.name, block, distinct, types)

    def where_possible(self, operation: Operation) -> Action | None:
        """Return code that gives up where an operation may be possible; None if that is everywhere."""
        return where_possible(operation, self.cells, self.known, self.constants)

    def _is_distinct(self, operation: Operation) -> bool:
        """Whether there is one transition for all values of the parameters."""
        _, body = split_guard(operation.body)
        return deterministic(body, self.model.callable) and follows_in_one_way(operation)


def follows_in_one_way(operation: Operation) -> bool:
    """Whether the events that an operation refines can follow in one way at most."""
    return len(operation.refines) <= 1 and not any(map(_has_unknowns, operation.refines))


def _has_unknowns(level: Level) -> bool:
    return bool(level.unknowns) or len(level.refines) > 1 or any(map(_has_unknowns, level.refines))


def check_size(block: Block) -> None:
    """Raise `NotCompiled` for code that would take too long to compile."""
    if _size(block) > MOST_STATEMENTS:
        raise NotCompiled("its code would be too large")


def _size(block: Block) -> int:
    total = 0
    for statement in block:
        total += 1
        match statement:
            case If(_, then, otherwise):
                total += _size(then) + _size(otherwise)
            case For() | ForEach() | Loop():
                total += _size(statement.body)
    return total


class OperationBody:
    """The code of one operation; without `labels`, its transitions are known by their targets."""

    def __init__(
        self, operation: Operation, execution: Execution, labels: Labels | None = None
    ) -> None:
        self.operation = operation
        self.execution = execution
        self.lowering = execution.lowering
        self.b = execution.b
        self.labels = labels

    def emit(self, scope: Scope) -> None:
        """Emit everything."""
        op = self.operation
        guard, body = split_guard(op.body)
        results = frozenset(b.name for b in op.results)
        check_assigned(body, results, self.execution.callees, finally_all=True)
        conditions = _without(guard, results - {b.name for b in op.parameters})
        cells = self.execution.locals(op.results)
        unknowns = Unknowns(op.parameters, conditions)
        generate(self.lowering, unknowns, scope, lambda inner: self.instance(body, inner, cells))

    def instance(self, body: Substitution, scope: Scope, cells: Mapping[str, Cell]) -> None:
        """Emit what happens where the parameters have values; `cells` are those of the results."""
        self.b.copy(TARGET, scope.buffer)
        self.execution.clean = {TARGET}
        stored = scope.store(cells)
        possible = self._possible(body)
        self.execution.run(body, stored, TARGET, lambda: self._finish(stored, cells, possible))
        if possible is not None:
            self.b.trap_unless(possible, "an action without an outcome")

    def _possible(self, body: Substitution) -> Local | None:
        if not self.operation.feasible or deterministic(body, self.execution.callees):
            return None
        return self.b.variable(k.FALSE, "possible")

    def _finish(self, scope: Scope, cells: Mapping[str, Cell], possible: Local | None) -> None:
        """Check promises, take the refined events along, and emit the successor."""
        if possible is not None:
            self.b.assign(possible, k.TRUE)
        after = replace(scope, after=TARGET)
        self._promises(self.operation.obligations, after)
        self._follow(self.operation.refines, after, lambda: self._successor(scope, cells))

    def _promises(self, obligations: Sequence[Obligation], scope: Scope) -> None:
        for each in obligations:
            self.b.trap_unless(self.lowering.predicate(each.predicate, scope), each.name)

    def _follow(self, levels: Sequence[Level], scope: Scope, then: Callable[[], None]) -> None:
        """Go on with `then` for each way in which one of the abstract events can follow."""
        if not levels:
            then()
            return
        followed = self.b.variable(k.FALSE, "followed")
        for level in levels:
            self._follow_one(level, scope, then, followed)
        self.b.trap_unless(followed, "no refinement")

    def _follow_one(
        self, level: Level, scope: Scope, then: Callable[[], None], followed: Local
    ) -> None:
        new = [b.name for b in level.unknowns if b.name.endswith(PRIME)]
        conditions = [c.predicate for c in level.conditions]

        def found(inner: Scope) -> None:
            self._promises(level.obligations, inner)
            for name in new:
                variable = name.removesuffix(PRIME)
                write(self.b, scope.cells[variable], inner.values[name], TARGET)
            if not level.refines:
                self.b.assign(followed, k.TRUE)
                then()
                return
            for above in level.refines:
                self._follow_one(above, inner, then, followed)

        generate(self.lowering, Unknowns(level.unknowns, conditions), scope, found)

    def _successor(self, scope: Scope, cells: Mapping[str, Cell]) -> None:
        labels: list[Expr] = []
        if self.labels is not None:
            if self.labels.mark is not None:
                labels.append(self.labels.mark(self.lowering, scope))
            if self.labels.named:
                values = [scope.values[b.name] for b in self.operation.parameters]
                values += [read(cells[b.name], TARGET) for b in self.operation.results]
                labels += [e for v in values for e in _plain(self.b, v)]
            self.labels.types.append(tuple(type_of(e) for e in labels))
        self.b.emit(TARGET, *labels)


def _without(guard: Sequence[Formula], results: frozenset[str]) -> list[Formula]:
    return [c for each in guard for c in conjuncts(each) if not free_names(c) & results]


def _plain(b: Builder, value: V) -> list[Expr]:
    """Return the parts of a value, so that they tell it from others."""
    match value:
        case Num(expr) | Tru(expr) | Elem(expr) | Opq(expr):
            return [expr]
        case Duo(left, right):
            return [*_plain(b, left), *_plain(b, right)]
        case Rec(_, parts):
            return [e for p in parts for e in _plain(b, p)]
        case SetV():
            return [value.bits(b, value.need_space())]
