"""Ways to bind identifiers by the solver, or by cases with the solver for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Expr,
    Implies,
    Name,
    conjuncts,
)
from secateur.maths.evaluate.context import (
    CASES,
    SOLVER,
    Candidate,
    Context,
    in_any_order,
    lazily,
)
from secateur.maths.evaluate.costs import (
    LARGE,
)
from secateur.maths.evaluate.environment import Code
from secateur.maths.evaluate.finite import finitely_many
from secateur.maths.evaluate.patterns import pattern
from secateur.maths.evaluate.solver_stage import attempt_stage, solver_stage
from secateur.maths.evaluate.stages import (
    Space,
    by_values,
    each_element,
    first_case,
    smallest_or,
)
from secateur.maths.operators import comparison, function_spaces


def solver(c: Context) -> Candidate:
    """Return the way that leaves all that is unbound to the solver."""
    binders = list(c.unbound.values())
    constraints = [*c.todo.values(), *c.extra.values()]
    stage = solver_stage(c.scope, binders, constraints)
    spaces = [s for n, e in c.todo.items() for s in space(c, n, e)]
    if spaces:
        attempt = partial(attempt_stage, c.scope, binders, constraints)
        stage = smallest_or(spaces, stage, attempt)
    names = frozenset(c.unbound)
    finite = all(finitely_many(c.scope, b, c.todo.values()) for b in binders)
    settles = (*c.todo, *c.extra)
    return Candidate(SOLVER, stage, names, settles, bounded=False, finite=finite)


def space(c: Context, number: int, e: Expr) -> Iterator[Space]:
    """Yield the way through a space of subsets or functions, for when it is small."""
    match e:
        case Apply(operator, (left, right)) if operator is comparison.MEMBER:
            large = isinstance(right, Apply) and right.operator in LARGE
            code = c.scope.code(right) if large and c.known(right) else None
        case Apply(operator, (left, right)) if operator is comparison.SUBSET:
            code = c.subsets(right) if c.known(right) else None
        case _:
            return
    target = pattern(c.scope, left, c.unbound)
    if code is None or target is None or not target.names:
        return
    rest = [b for name, b in c.unbound.items() if name not in target.names]
    if not all(is_defined_by(c, b.name, target.names) for b in rest):
        return  # several unknowns are better found together
    others = [other for n, other in c.todo.items() if n != number]
    yield Space(code, each_element(target, code), lazily(c, rest, others))


def is_defined_by(c: Context, name: str, names: frozenset[str]) -> bool:
    """Whether an equation gives `name` in terms of `names` and of what is known."""
    for conjunct in c.todo.values():
        match conjunct:
            case Apply(operator, (Name(text), side) | (side, Name(text))):
                if operator is not comparison.EQUAL or text != name:
                    continue
                if c.scope.free(side) & c.unbound.keys() <= names:
                    return True
            case _:
                pass
    return False


def conditional(c: Context, binder: Binder) -> Iterator[Candidate]:
    """`(P => x = a) & (Q => x = b)` where P and Q are known: the case that applies binds."""
    if len(c.unbound) != 1:
        return
    cases: list[tuple[Code, Code]] = []
    for conjunct in c.todo.values():
        if isinstance(conjunct, Implies) and c.known(conjunct.left):
            value = equal_to(c, binder.name, conjunct.right)
            if value is not None:
                cases.append((c.scope.code(conjunct.left), c.scope.code(value)))
    if cases:
        stage = first_case(c.scope.place(binder.name), cases, solver(c).stage)
        yield Candidate(CASES, stage, frozenset({binder.name}), (), bounded=False)


def equal_to(c: Context, name: str, e: Expr) -> Expr | None:
    """Return the known expression that `e` says `name` is equal to, if any.

    What stands before it may be ill-defined for other values: then these are not to be left out.
    """
    parts = conjuncts(e)
    for part in parts[: in_any_order(parts)]:
        match part:
            case Apply(operator, (Name(text), side) | (side, Name(text))):
                if operator is comparison.EQUAL and text == name and c.known(side):
                    return side
            case _:
                pass
    return None


def pointwise(c: Context, binder: Binder) -> Iterator[Candidate]:
    """`f : A --> B & f(a) = x & f(b) = y`: bound if equations give every value."""
    if len(c.unbound) != 1:
        return
    domain = next((d for e in c.todo.values() for d in _domain_of(c, binder.name, e)), None)
    if domain is None:
        return
    values: list[tuple[Code, Code]] = []
    for conjunct in c.todo.values():
        match conjunct:
            case Apply(operator, (Call(Name(text), (key,)), value)) if (
                operator is comparison.EQUAL and text == binder.name
            ):
                if c.known(key) and c.known(value):
                    values.append((c.scope.code(key), c.scope.code(value)))
            case _:
                pass
    if values:
        stage = by_values(c.scope.place(binder.name), domain, values, solver(c).stage)
        yield Candidate(CASES, stage, frozenset({binder.name}), (), bounded=False)


def _domain_of(c: Context, name: str, e: Expr) -> Iterator[Code]:
    match e:
        case Apply(operator, (Name(text), Apply(space, (domain, _)))) if (
            operator is comparison.MEMBER and text == name and space in _TOTAL
        ):
            if c.known(domain):
                yield c.scope.code(domain)
        case _:
            pass


_TOTAL: Final = frozenset(
    {
        function_spaces.TOTAL_FUNCTIONS,
        function_spaces.TOTAL_INJECTIONS,
        function_spaces.TOTAL_SURJECTIONS,
        function_spaces.TOTAL_BIJECTIONS,
    }
)
