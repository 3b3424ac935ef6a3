"""The ways in which an operation can be executed, each with a guard of its own.

What a body chooses before it does anything (ANY, SELECT, CHOICE, `::`, `:()`) belongs to
the guard: `op = ANY p WHERE P THEN S END` is `op(p) = SELECT P THEN S END` to us.  What
is chosen later stays in the body, which then has several results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from secateur.lang.compile.substitutions import case_tests, deterministic
from secateur.lang.guards import split_guard
from secateur.lang.model import Model, Operation
from secateur.maths import substitution as sub
from secateur.maths.ast import (
    Apply,
    Binder,
    Expr,
    Labelled,
    Name,
    Not,
    Number,
    conjuncts,
    free_names,
)
from secateur.maths.operators.comparison import MEMBER
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Substitution
from secateur.maths.types import Type
from secateur.source.records import dataclass

MOST_ALTERNATIVES: Final = 64
"""An operation with more ways to choose from is not taken apart."""

_Test = tuple[tuple[Expr, ...], Substitution]
"""A branch with all that must hold for it."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way: identifiers to be bound, conditions on them, and what happens then.

    The first `ordered` conditions mean what they mean from left to right.  `before` has the
    variables whose old value a condition calls `x$0`, by the identifier of the new one.
    """

    binders: tuple[Binder, ...] = ()
    conditions: tuple[Expr, ...] = ()
    body: Substitution = sub.Skip()
    ordered: int = 0
    before: tuple[tuple[str, str], ...] = ()


def alternatives(operation: Operation, model: Model) -> list[Alternative]:
    """Return the ways in which an operation can be executed; together they are all of it."""
    guard, body = split_guard(operation.body)
    results = frozenset(b.name for b in operation.results) - {b.name for b in operation.parameters}
    conditions = tuple(c for each in guard for c in flat(each) if not free_names(c) & results)
    ordered = 0 if operation.parameters else len(conditions)
    taken = {b.name for b in (*model.variables, *model.constants)}
    taken.update(b.name for b in (*operation.parameters, *operation.results))
    unfolding = _Unfolding(model, operation, taken)
    ways = unfolding.ways(body)
    if len(ways) > MOST_ALTERNATIVES:
        ways = [Alternative(body=body)]
    return [
        replace(
            way,
            binders=(*operation.parameters, *way.binders),
            conditions=(*conditions, *way.conditions),
            ordered=ordered,
        )
        for way in ways
    ]


def flat(e: Expr) -> list[Expr]:
    """Return the conjuncts of a condition; a label goes with the part that it names."""
    inner = e
    while isinstance(inner, Labelled):
        inner = inner.body
    parts = conjuncts(inner)
    if len(parts) == 1:
        return [e]
    return [part for each in parts for part in flat(each)]


@dataclass(slots=True)
class _Unfolding:
    model: Model
    operation: Operation
    taken: set[str]

    def ways(self, s: Substitution) -> list[Alternative]:
        """Return the ways of a substitution; one, with nothing bound, if it is not taken apart."""
        whole = [Alternative(body=s)]
        if deterministic(s, self.model.callable):
            return whole
        match s:
            case sub.AnyWhere(binders, condition, body) | sub.LetBe(binders, condition, body):
                return self._any(binders, condition, body)
            case sub.Select(branches, otherwise):
                tests: list[_Test] = [((b.condition,), b.body) for b in branches]
                if otherwise is not None:
                    tests.append((tuple(Not(b.condition) for b in branches), otherwise))
                return self._branches(tests)
            case sub.IfThen(branches, otherwise):
                first = [(b.condition, b.body) for b in branches]
                return self._branches(_in_turn(first, otherwise or sub.Skip()))
            case sub.Case():
                return self._branches(_in_turn(case_tests(s), s.otherwise or sub.Skip()))
            case sub.Choice(bodies):
                return [way for body in bodies for way in self.ways(body)]
            case sub.Parallel(parts):
                return self._parallel(s, parts)
            case sub.Sequential((first, *rest)):
                return [
                    replace(way, body=sub.Sequential((way.body, *rest), s.span))
                    for way in self.ways(first)
                ]
            # An event whose action promises an outcome is at fault where there is none: no
            # single outcome can tell.
            case sub.BecomesElement((target,), set_) if not self.operation.feasible:
                return self._becomes_element(s, target, set_) or whole
            case sub.BecomesSuch() if not self.operation.feasible:
                return self._becomes_such(s) or whole
            case _:
                return whole

    def _fresh(self, wanted: str) -> str:
        name = wanted
        for number in count(2):
            if name not in self.taken:
                break
            name = f"{wanted}_{number}"
        self.taken.add(name)
        return name

    def _any(
        self, binders: Sequence[Binder], condition: Expr, body: Substitution
    ) -> list[Alternative]:
        named = tuple(Binder(self._fresh(b.name), b.type, b.span) for b in binders)
        other = {
            old.name: Name(new.name, old.span)
            for old, new in zip(binders, named, strict=True)
            if old.name != new.name
        }
        if other:
            renaming = Replacement(other)
            condition = renaming.in_expression(condition)
            body = renaming.in_substitution(body)
        return [
            replace(
                way,
                binders=(*named, *way.binders),
                conditions=(*flat(condition), *way.conditions),
            )
            for way in self.ways(body)
        ]

    def _branches(self, tests: Iterable[_Test]) -> list[Alternative]:
        return [
            replace(way, conditions=(*(c for e in wanted for c in flat(e)), *way.conditions))
            for wanted, body in tests
            for way in self.ways(body)
        ]

    def _parallel(self, s: sub.Parallel, parts: Sequence[Substitution]) -> list[Alternative]:
        """Take the first part apart that has choices, if nothing before it can be at fault.

        A fault of what comes before is found where the choice has no outcome, too.
        """
        for number, part in enumerate(parts):
            if deterministic(part, self.model.callable):
                if not _harmless(part):
                    break
                continue
            found: list[Alternative] = []
            for way in self.ways(part):
                left = sub.Parallel((*parts[:number], way.body, *parts[number + 1 :]), s.span)
                if way == Alternative(body=part):
                    return [Alternative(body=s)]
                found += [_joined(way, inner) for inner in self._rest(left, number + 1)]
            return found
        return [Alternative(body=s)]

    def _rest(self, s: sub.Parallel, start: int) -> list[Alternative]:
        """Return the ways of what is left, if the parts before `start` are harmless."""
        if deterministic(s, self.model.callable):
            return [Alternative(body=s)]
        if all(_harmless(part) for part in s.parts[:start]):
            return self._parallel(s, s.parts)
        return [Alternative(body=s)]

    def _becomes_element(
        self, s: sub.BecomesElement, target: Expr, set_: Expr
    ) -> list[Alternative]:
        if not isinstance(target, Name):
            return []
        new = Binder(self._fresh(f"{target.text}'"), self._type(target.text), s.span)
        chosen = Name(new.name, s.span)
        member = Apply(MEMBER, (chosen, set_), s.span)
        return [Alternative((new,), (member,), sub.Assign((target,), (chosen,), s.span))]

    def _becomes_such(self, s: sub.BecomesSuch) -> list[Alternative]:
        new = [Binder(self._fresh(f"{t.text}'"), self._type(t.text), t.span) for t in s.targets]
        chosen = tuple(Name(b.name, b.span) for b in new)
        renaming = Replacement({t.text: n for t, n in zip(s.targets, chosen, strict=True)})
        conditions = tuple(flat(renaming.in_expression(s.condition)))
        before = tuple((b.name, t.text) for b, t in zip(new, s.targets, strict=True))
        body = sub.Assign(s.targets, chosen, s.span)
        return [Alternative(tuple(new), conditions, body, before=before)]

    def _type(self, variable: str) -> Type | None:
        known: Mapping[str, Type | None] = {
            b.name: b.type for b in (*self.operation.results, *self.model.variables)
        }
        return known.get(variable)


def _in_turn(
    tests: Sequence[tuple[Expr, Substitution]], otherwise: Substitution
) -> Iterator[_Test]:
    """Yield the branches of an IF with all that must hold for each."""
    failed: tuple[Expr, ...] = ()
    for condition, body in tests:
        yield (*failed, condition), body
        failed = (*failed, Not(condition))
    yield failed, otherwise


def _joined(way: Alternative, inner: Alternative) -> Alternative:
    return Alternative(
        (*way.binders, *inner.binders),
        (*way.conditions, *inner.conditions),
        inner.body,
        before=(*way.before, *inner.before),
    )


def _harmless(s: Substitution) -> bool:
    """Whether a substitution can surely not be at fault."""
    match s:
        case sub.Skip():
            return True
        case sub.Assign(targets, values):
            return all(isinstance(t, Name) for t in targets) and all(
                isinstance(v, Name | Number) or (isinstance(v, Apply) and not v.args)
                for v in values
            )
        case _:
            return False
