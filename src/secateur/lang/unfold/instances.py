"""Events of the kernel language and their instances, from the alternatives of an operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Final

from secateur.kernel.builder import Builder
from secateur.kernel.effects import effects_of
from secateur.kernel.events import MOST_CONJUNCTS, Event, may_hold, may_trap
from secateur.kernel.language import Block, Predicate
from secateur.lang.compile.assigned import check_assigned
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.generators import Unknowns, generate
from secateur.lang.compile.operations import (
    OperationBody,
    OperationCompiler,
    check_size,
    follows_in_one_way,
)
from secateur.lang.compile.scope import BEFORE, Scope
from secateur.lang.compile.stored import read
from secateur.lang.compile.substitutions import Execution, deterministic
from secateur.lang.compile.values import at
from secateur.lang.model import Operation
from secateur.lang.slots.cells import Allocator
from secateur.lang.slots.spaces import Space
from secateur.lang.unfold.alternatives import Alternative, alternatives
from secateur.lang.unfold.domains import Domains, place
from secateur.maths.ast import Binder, conjunction, free_names
from secateur.maths.ast import Expr as Formula
from secateur.maths.print import show
from secateur.maths.substitution import Substitution
from secateur.source.records import dataclass

MOST_CANDIDATES: Final = 1 << 14
MOST_INSTANCES: Final = 1024
"""Parameters are bound as long as an operation has no more instances than this."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """One alternative of an operation: its code, and the numbers that its instances bind."""

    operation: Operation
    event: Event
    spaces: tuple[tuple[str, Space], ...]
    instances: tuple[tuple[int, ...], ...]
    deterministic: bool
    total: bool
    ordered: int

    def arguments(self, numbers: Sequence[int]) -> tuple[tuple[str, Any], ...]:
        """Return the values that an instance binds."""
        return tuple(
            (name, space.value(n)) for (name, space), n in zip(self.spaces, numbers, strict=True)
        )


class Unfolder:
    """Takes operations apart; raises `NotCompiled` for one whose code cannot be made."""

    def __init__(self, compiler: OperationCompiler) -> None:
        self.compiler = compiler
        self.scope = Scope(compiler.cells)

    def unfold(self, operation: Operation) -> list[Unfolded]:
        """Return the alternatives of an operation with their instances."""
        return [
            self._unfold(operation, way) for way in alternatives(operation, self.compiler.model)
        ]

    def _unfold(self, operation: Operation, way: Alternative) -> Unfolded:
        cells = self.compiler.cells
        before = {f"{new}{BEFORE}": read(cells[old]) for new, old in way.before if old in cells}
        scope = self.scope.bind(before)
        domains = Domains(self.compiler.known, self.compiler.constants, scope)
        spaces = domains.find(way.binders, way.conditions)
        bound = [b for b in way.binders if b.name in spaces]
        while True:
            bound = _few(bound, spaces)
            found = self._bound(operation, way, {b.name: spaces[b.name] for b in bound}, scope)
            if found is not None:
                return found
            bound.remove(max(bound, key=lambda b: spaces[b.name].size))

    def _bound(
        self, operation: Operation, way: Alternative, spaces: Mapping[str, Space], scope: Scope
    ) -> Unfolded | None:
        """Return the event with these identifiers bound; None if it has too many instances."""
        inner = [b for b in way.binders if b.name not in spaces]
        names = frozenset(b.name for b in inner)
        inside = scope.bind({n: at(space, place(n)) for n, space in spaces.items()})
        guard = _at_most([c for c in way.conditions if not free_names(c) & names])
        conjuncts = tuple(self._conjunct(c, inside) for c in guard)
        ordered = min(way.ordered, len(conjuncts))
        told = list(zip(guard, conjuncts, strict=True))[: _decisive(conjuncts, ordered)]
        instances = self._instances(spaces, told)
        if instances is None:
            return None
        unknowns = Unknowns(inner, [c for c in way.conditions if free_names(c) & names])
        event = Event(
            operation.name,
            tuple(map(place, spaces)),
            tuple((0, space.size - 1) for space in spaces.values()),
            conjuncts,
            self._body(operation, way.body, unknowns, inside),
        )
        single = (
            not inner
            and follows_in_one_way(operation)
            and deterministic(way.body, self.compiler.model.callable)
        )
        return Unfolded(operation, event, tuple(spaces.items()), instances, single, single, ordered)

    def _conjunct(self, condition: Formula, scope: Scope) -> Predicate:
        builder = Builder()
        lowering = Lowering(builder, self.compiler.known, self.compiler.constants)
        result = lowering.predicate(condition, scope)
        return Predicate(show(condition), builder.block, result)

    def _body(
        self, operation: Operation, body: Substitution, unknowns: Unknowns, scope: Scope
    ) -> Block:
        """Return the code that emits the results, for all values of what is not bound."""
        compiler = self.compiler
        room = Allocator(compiler.words)
        lowering = Lowering(Builder(), compiler.known, compiler.constants)
        execution = Execution(lowering, compiler.model.callable, room, compiler.types)
        results = frozenset(b.name for b in operation.results)
        check_assigned(body, results, execution.callees, finally_all=True)
        cells = execution.locals(operation.results)
        code = OperationBody(operation, execution)
        generate(lowering, unknowns, scope, lambda inner: code.instance(body, inner, cells))
        check_size(lowering.b.block)
        compiler.scratch = max(compiler.scratch, room.words - compiler.words)
        return lowering.b.block

    def _instances(
        self, spaces: Mapping[str, Space], tests: Sequence[tuple[Formula, Predicate]]
    ) -> tuple[tuple[int, ...], ...] | None:
        """Return the numbers for which no condition on them alone is false; None if too many."""
        words = self.compiler.words
        constant = [
            (free_names(c) & spaces.keys(), p)
            for c, p in tests
            if not effects_of(p.body, words, p.result).reads
        ]
        names = list(spaces)

        def lawful(numbers: tuple[int, ...]) -> bool:
            known = frozenset(names[: len(numbers)])
            newest = frozenset(names[len(numbers) - 1 : len(numbers)])
            values = {place(n).name: v for n, v in zip(names, numbers, strict=False)}
            return all(
                may_hold(predicate, values, words)
                for free, predicate in constant
                if newest <= free <= known
            )

        found: list[tuple[int, ...]] = [()] if lawful(()) else []
        for space in spaces.values():
            found = [
                longer
                for numbers in found
                for number in range(space.size)
                if lawful(longer := (*numbers, number))
            ]
        return tuple(found) if len(found) <= MOST_INSTANCES else None


def _decisive(guard: Sequence[Predicate], ordered: int) -> int:
    """Return how many conjuncts rule an instance out where they are false.

    What stands behind one of the `ordered` ones that may have no value does not: that one is
    asked first, and is wrong there.
    """
    traps = (j for j, conjunct in enumerate(guard[:ordered]) if may_trap(conjunct))
    return next(traps, len(guard) - 1) + 1


def _few(bound: list[Binder], spaces: Mapping[str, Space]) -> list[Binder]:
    """Return those to be bound; the dearest are left out if there are too many candidates."""
    bound = list(bound)
    while prod(spaces[b.name].size for b in bound) > MOST_CANDIDATES:
        bound.remove(max(bound, key=lambda b: spaces[b.name].size))
    return bound


def _at_most(conditions: Sequence[Formula]) -> list[Formula]:
    """Return as many conditions as a guard may have; the last is all that is left."""
    if len(conditions) <= MOST_CONJUNCTS:
        return list(conditions)
    first, rest = conditions[: MOST_CONJUNCTS - 1], conditions[MOST_CONJUNCTS - 1 :]
    return [*first, conjunction(tuple(rest))]
