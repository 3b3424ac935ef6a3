"""A model of which only the states of a scope are explored.

ProB's SCOPE: a state outside of it is reached, but nobody looks at it, and nothing leads on from it.
Here the operations get the scope as a guard, the properties as a condition, and an operation of
our own stays in each state outside, so that it is no deadlock.  All that searches and
reductions know of models is then true of this one; what is ours is taken out of the result again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from secateur.lang.model import Model, Operation, Property
from secateur.maths.ast import And, Expr, Implies, Not
from secateur.maths.substitution import Branch, Precondition, Select, Skip, Substitution
from secateur.source import Span
from secateur.system.explanation import Explanation
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.system.verdict import Holds, Incomplete, Verdict, Violated

SCOPE: Final = "SCOPE"
OUTSIDE: Final = "outside of SCOPE"
"""The operation that stays where it is; no model can have one of this name."""

LIMITED: Final = "limited by SCOPE: nothing was explored from the states outside of it"


def scoped(model: Model, scope: Expr) -> Model:
    """Return `model`, explored within `scope` only."""
    stay = Select((Branch(Not(scope, scope.span), Skip(scope.span), scope.span),), None, scope.span)
    outside = Operation(OUTSIDE, (), (), stay, scope.span)
    inside = tuple(replace(o, body=_guarded(o.body, scope)) for o in model.operations)
    definitions = dict(model.definitions)
    if "GOAL" in definitions:
        definitions["GOAL"] = within(scope, definitions["GOAL"])
    return replace(
        model,
        operations=(*inside, outside),
        invariants=tuple(_conditional(p, scope) for p in model.invariants),
        assertions=tuple(_conditional(p, scope) for p in model.assertions),
        definitions=definitions,
    )


def within(scope: Expr, goal: Expr) -> Expr:
    """Return a goal that is reached in the scope only."""
    return And((scope, goal), goal.span)


def _conditional(named: Property, scope: Expr) -> Property:
    return replace(named, predicate=Implies(scope, named.predicate, named.predicate.span))


def _guarded(body: Substitution, scope: Expr) -> Substitution:
    if isinstance(body, Precondition):  # at the top it is a guard; further down it would be none
        return replace(body, condition=And((scope, body.condition), body.condition.span))
    return Select((Branch(scope, body, body.span),), None, body.span)


def without_scope(result: Result, scope: Expr) -> Result:
    """Return a result about a scoped model as one about the model: not complete if anything is outside."""
    statistics = result.statistics
    ignored = statistics.operations.get(OUTSIDE, 0)
    reached = OUTSIDE not in statistics.operations or OUTSIDE not in statistics.never_enabled
    counted = replace(
        _without_outside(statistics),
        states=statistics.states - ignored,
        transitions=statistics.transitions - ignored,
    )
    verdict = _explained_without(result.verdict, scope.span)
    verdict = _limited(verdict) if reached else verdict
    coverage = result.coverage
    if coverage is not None:
        seen = _without_outside(coverage.statistics)
        exhaustive = coverage.exhaustive and not reached
        coverage = replace(coverage, statistics=seen, exhaustive=exhaustive)
    return replace(result, verdict=verdict, statistics=counted, coverage=coverage)


def _without_outside(statistics: Statistics) -> Statistics:
    return replace(
        statistics,
        operations={n: c for n, c in statistics.operations.items() if n != OUTSIDE},
        never_enabled=tuple(n for n in statistics.never_enabled if n != OUTSIDE),
        fresh={n: c for n, c in statistics.fresh.items() if n != OUTSIDE},
    )


def _explained_without(verdict: Verdict, scope: Span) -> Verdict:
    """Return a verdict whose explanations say nothing of the scope: it holds where they are about."""
    if not isinstance(verdict, Violated):
        return verdict
    violations = tuple(
        v if v.explanation is None else replace(v, explanation=_unscoped(v.explanation, scope))
        for v in verdict.violations
    )
    return replace(verdict, violations=violations)


def _unscoped(explanation: Explanation, scope: Span) -> Explanation:
    return Explanation(
        tuple(c for c in explanation.causes if not (c.holds and _inside(c.span, scope))),
        tuple(b for b in explanation.blocked if b.operation != OUTSIDE),
    )


def _inside(span: Span | None, scope: Span) -> bool:
    return (
        span is not None
        and span.source is scope.source
        and scope.start <= span.start
        and span.end <= scope.end
    )


def _limited(verdict: Verdict) -> Verdict:
    match verdict:
        case Holds():
            return Incomplete((LIMITED,))
        case Violated(violations, _, reasons):
            return Violated(violations, exhaustive=False, reasons=(*reasons, LIMITED))
        case Incomplete(reasons):
            return Incomplete((*reasons, LIMITED))
