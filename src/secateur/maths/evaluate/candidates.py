"""The ways in which a conjunct, or a type, can produce values for unbound identifiers.

Costs are rough: they only order the loops of a plan.  An equation costs nothing, a
listed set little, an alternative more; what might be exponential goes to the solver
unless nothing but the enumeration is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.ast import (
    Apply,
    Binder,
    Exists,
    Expr,
    Name,
    Not,
    Or,
    children,
    conjuncts,
)
from secateur.maths.evaluate.bounds import Bound, bound_of, guessed_width
from secateur.maths.evaluate.context import (
    SMALL_TYPE,
    WITHOUT_BOUND,
    Candidate,
    Conjuncts,
    Context,
    Subplan,
    Unbound,
    in_any_order,
    is_partial,
)
from secateur.maths.evaluate.environment import Plan, Scope
from secateur.maths.evaluate.implied import presupposed
from secateur.maths.evaluate.patterns import pattern
from secateur.maths.evaluate.stages import (
    each_between,
    each_element,
    each_of_any,
    each_tried,
)
from secateur.maths.evaluate.ways_by_equation import equation
from secateur.maths.evaluate.ways_by_membership import inclusion, last_resort, membership
from secateur.maths.evaluate.ways_by_solver import conditional, pointwise, solver
from secateur.maths.operators import comparison
from secateur.maths.types import Base
from secateur.maths.values import (
    cardinality,
)


def candidates(
    scope: Scope, unbound: Unbound, conditions: Conjuncts, subplan: Subplan
) -> Iterator[Candidate]:
    """Yield every way to bind some of `unbound` next, the solver's last."""
    context = Context(scope, unbound, conditions.todo, conditions.extra, subplan)
    for number, conjunct in (*conditions.todo.items(), *conditions.extra.items()):
        match conjunct:
            case Apply(operator, (left, right)) if operator is comparison.EQUAL:
                yield from equation(context, number, left, right)
                yield from equation(context, number, right, left)
            case Apply(operator, (left, right)) if operator is comparison.MEMBER:
                yield from membership(context, number, left, right)
            case Apply(operator, (Name(), right)) if operator is comparison.SUBSET:
                yield from inclusion(context, number, conjunct.args[0], right)
            case Or():
                yield from alternatives(context, number, conjunct)
            case Exists():
                yield from witness(context, number, conjunct)
            case _:
                pass
    for conjunct in conditions.todo.values():
        for hint in presupposed(conjunct):
            assert isinstance(hint, Apply)
            if hint not in conditions.useless:
                yield from last_resort(context, hint)
    for binder in unbound.values():
        yield from conditional(context, binder)
        yield from pointwise(context, binder)
        yield from integer_range(context, binder)
        yield from small_type(context, binder)
    yield solver(context)


def solver_only(
    scope: Scope, unbound: Unbound, conditions: Conjuncts, subplan: Subplan
) -> Candidate:
    """Return the way that leaves everything to the solver."""
    return solver(Context(scope, unbound, conditions.todo, conditions.extra, subplan))


def alternatives(c: Context, number: int, disjunction: Or) -> Iterator[Candidate]:
    """`x = 1 or x : S`: the values that any of the parts gives."""
    names = c.scope.free(disjunction) & c.unbound.keys()
    binders = [b for b in c.unbound.values() if b.name in names]
    if not all(c.scope.free(part) & names == names for part in disjunction.parts):
        return
    plans = [
        c.subplan(c.scope, binders, (*excluded, *part))
        for part, excluded in _protected(disjunction)
    ]
    if all(plan.bounded for plan in plans):
        cut = any(in_any_order(conjuncts(p)) < len(conjuncts(p)) for p in disjunction.parts)
        settles = () if cut else (number,)
        yield Candidate(8.0, each_of_any(plans), frozenset(names), settles)


def witness(c: Context, number: int, exists: Exists) -> Iterator[Candidate]:
    """`#y.(P(x, y))`: the values that some witness goes with."""
    names = c.scope.free(exists) & c.unbound.keys()
    outer = [b for b in c.unbound.values() if b.name in names]
    inner = c.scope.bind(exists.binders)
    plan = c.subplan(inner, [*outer, *exists.binders], (exists.body,))
    if plan.bounded:
        places = tuple(c.scope.place(b.name) for b in outer)
        stage = each_of_any([Plan(plan.run, bounded=True, places=places)])
        yield Candidate(9.0, stage, frozenset(names), (number,))


def integer_range(c: Context, binder: Binder) -> Iterator[Candidate]:
    """Yield the way through the integers between known bounds, or through those ProB tries."""
    if binder.type is not Base.INTEGER:
        return
    bounds: dict[int, Bound] = {}
    for number, conjunct in c.todo.items():
        bound = bound_of(c.scope, binder.name, conjunct, c.unbound)
        if bound is not None and not c.out_of_turn(number, *children(conjunct)):
            bounds[number] = bound
    lower = [code for bound in bounds.values() for code in bound.lower]
    upper = [code for bound in bounds.values() for code in bound.upper]
    settles = tuple(bounds)
    names = frozenset({binder.name})
    place = c.scope.place(binder.name)
    if lower and upper:
        size = guessed_width(tuple(bounds.values()))
        yield Candidate(5.0, each_between(place, lower, upper), names, settles, size=size)
    elif not any(c.scope.free(e) & names for n, e in c.todo.items() if n not in settles):
        settings = c.scope.universe.settings
        stage = each_tried(place, lower, upper, (settings.minint, settings.maxint), binder.name)
        yield Candidate(WITHOUT_BOUND, stage, names, settles, bounded=False)


def small_type(c: Context, binder: Binder) -> Iterator[Candidate]:
    """Yield the way through all values of a type that has few."""
    assert binder.type is not None
    if not c.is_small(binder.type, SMALL_TYPE):
        return
    carrier = c.scope.universe.carrier(binder.type)
    size = cardinality(carrier)
    if size is not None and size <= SMALL_TYPE:
        target = pattern(c.scope, Name(binder.name), c.unbound)
        assert target is not None
        cost = 6.0 if size <= 2 else 7.0 + size / 10
        stage = each_element(target, lambda env: carrier)
        yield Candidate(cost, stage, target.names, (), size=size)


def _protected(disjunction: Or) -> Iterator[tuple[tuple[Expr, ...], tuple[Expr, ...]]]:
    """Yield each alternative and, where it can be ill-defined, that those before it are false.

    Of an alternative with several conjuncts, those that hide nothing ill-defined.
    """
    before: tuple[Expr, ...] = ()
    for part in disjunction.parts:
        parts = conjuncts(part)
        yield parts[: in_any_order(parts)], (before if is_partial(part) else ())
        before = (*before, Not(part, part.span))
