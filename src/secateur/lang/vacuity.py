"""Parts of a model that may make no difference: guards that never block, premises that never hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.guards import demands_of
from secateur.lang.model import Model, Operation, Property
from secateur.lang.wording import Wording, show_worded
from secateur.maths.ast import (
    And,
    Apply,
    Binder,
    Exists,
    Expr,
    Forall,
    Implies,
    Labelled,
    Name,
    Not,
    conjunction,
    free_names,
)
from secateur.maths.evaluate.environment import Scope
from secateur.maths.evaluate.universal import is_universal
from secateur.maths.operators import comparison
from secateur.maths.print import show
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.coverage import Vacuity

_BOUNDING = (comparison.MEMBER, comparison.EQUAL, comparison.SUBSET)


@dataclass(frozen=True, slots=True)
class Question:
    """What would be vacuous if `predicate` held in every reachable state."""

    vacuity: Vacuity
    predicate: Expr
    premise: Expr | None = None
    """What must hold somewhere; where it never does, there is nothing to say."""


def questions_of(model: Model, scope: Scope) -> list[Question]:
    """Return what is to be asked of every state to find out what makes no difference."""
    found: list[Question] = []
    for operation in model.operations:
        found += _of_guard(operation, scope, model.wording)
    for kind, properties in (("invariant", model.invariants), ("assertion", model.assertions)):
        for each in properties:
            found += _of_property(kind, each, scope)
    return found


def never_true(where: str, predicate: Expr, span: Span) -> Question:
    """Return the question whether a condition is never true."""
    return Question(Vacuity(where, show(predicate), "never true", span), Not(predicate, span))


def _of_guard(operation: Operation, scope: Scope, wording: Wording) -> Iterator[Question]:
    """Each part of a guard is asked about where those before it hold."""
    demands = demands_of(operation)
    parameters = {b.name for b in demands.binders}
    seen: set[str] = set()
    for i, condition in enumerate(demands.conditions):
        bounding = _bounds(condition, parameters - seen)
        seen |= free_names(condition) & parameters
        if bounding or _says_a_type(condition, scope):
            continue
        before = demands.conditions[:i]
        whole = Implies(conjunction(before), condition, condition.span) if before else condition
        used = free_names(whole) & parameters
        binders = tuple(b for b in demands.binders if b.name in used)
        predicate = Forall(binders, whole, condition.span) if binders else whole
        text = show_worded(condition, wording)
        told = Vacuity(f"guard of {operation.name}", text, "never false", condition.span)
        yield Question(told, predicate, _somewhere(before, demands.binders))


def _somewhere(conditions: tuple[Expr, ...], binders: tuple[Binder, ...]) -> Expr | None:
    """Return that there are values of the parameters with which these conditions hold."""
    if not conditions:
        return None
    together = conjunction(conditions, conditions[-1].span)
    used = tuple(b for b in binders if b.name in free_names(together))
    return Exists(used, together, together.span) if used else together


def _bounds(condition: Expr, new: set[str]) -> bool:
    """Whether a condition says which values a parameter may have that nothing was said of before."""
    match condition:
        case Apply(operator, (Name(text), _)):
            return operator in _BOUNDING and text in new
        case _:
            return False


def _says_a_type(condition: Expr, scope: Scope) -> bool:
    match condition:
        case Apply(operator, (_, whole)) if operator is comparison.MEMBER:
            return is_universal(whole, scope)
        case _:
            return False


def _of_property(kind: str, each: Property, scope: Scope) -> Iterator[Question]:
    where = f"{kind} {each.name}"
    for binders, premises in _premises(each.predicate, (), ()):
        telling = [p for p in premises if not _says_a_type(p, scope)]
        if not telling:
            continue
        holds = _somewhere(tuple(premises), binders)
        if holds is not None:
            yield never_true(where, holds, holds.span)


def _premises(
    e: Expr, binders: tuple[Binder, ...], premises: tuple[Expr, ...]
) -> Iterator[tuple[tuple[Binder, ...], Sequence[Expr]]]:
    """Yield the premises under which something is demanded, with those around them."""
    match e:
        case Labelled(_, body):
            yield from _premises(body, binders, premises)
        case And(parts):
            for part in parts:
                yield from _premises(part, binders, premises)
        case Forall(more, body):
            known = {b.name for b in binders}.union(*map(free_names, premises))
            if not {b.name for b in more} & known:  # else they would mean something else there
                yield from _premises(body, (*binders, *more), premises)
        case Implies(left, right):
            parts = left.parts if isinstance(left, And) else (left,)
            yield binders, (*premises, *parts)
            yield from _premises(right, binders, (*premises, *parts))
        case _:
            return
