r"""Least fixed points that are a transitive closure.

Theories write the closure of r as `inter({s | F(s) <: s})`, where F is
`%s.(s : POW(T ** T) | r \/ (s ; r))` and T a whole type.  By the theorem of Knaster and Tarski (A. Tarski: *A
Lattice-Theoretical Fixpoint Theorem and its Applications*, Pacific Journal of Mathematics 5, 1955) that
is the least s that includes r and `s ; r`.  To intersect all relations of a type is hopeless,
to compute the closure is easy.
"""

from __future__ import annotations

from secateur.maths.ast import (
    Apply,
    Call,
    Comprehension,
    Expr,
    Lambda,
    Name,
    conjuncts,
    free_names,
    rebuild,
)
from secateur.maths.operators.comparison import MEMBER, SUBSET
from secateur.maths.operators.eventb import WHOLE_TYPE
from secateur.maths.operators.relations import CLOSURE1, COMPOSITION, DOMAIN
from secateur.maths.operators.sets import (
    GENERALIZED_INTERSECTION,
    POWER_SET,
    PRODUCT,
    UNION,
)


def closures_in(e: Expr) -> Expr:
    """Return `e` with `closure1(r)` in place of such fixed points."""
    inner = rebuild(e, closures_in)
    match inner:
        case Apply(operator, (Comprehension((binder,), condition, None),)) if (
            operator is GENERALIZED_INTERSECTION
        ):
            step = _step(condition, Name(binder.name))
            relation = None if step is None else _closed(step)
            if relation is None or binder.name in free_names(relation):
                return inner
            return Apply(CLOSURE1, (relation,), inner.span)
        case _:
            return inner


def _step(condition: Expr, s: Name) -> Lambda | None:
    """Return F if `condition` says `F(s) <: s`, and perhaps that s is in the domain of F."""
    found: Lambda | None = None
    domains: list[Expr] = []
    for part in conjuncts(condition):
        match part:
            case Apply(op, (Call(Lambda() as step, (argument,)), end)) if (
                op is SUBSET and found is None and argument == s and end == s
            ):
                found = step
            case Apply(op, (element, Apply(domain, (step,)))) if (
                op is MEMBER and domain is DOMAIN and element == s
            ):
                domains.append(step)
            case _:
                return None
    return found if all(step == found for step in domains) else None


def _closed(step: Lambda) -> Expr | None:
    r"""Return r if `step` is `%s.(s : POW(T ** T) | r \/ (s ; r))` or the same with `r ; s`."""
    if len(step.binders) != 1:
        return None
    s = Name(step.binders[0].name)
    match step.condition, step.value:
        case (
            Apply(member, (element, Apply(power, (Apply(product, (left, right)),)))),
            Apply(union, (first, second)),
        ) if (member, power, product, union) == (MEMBER, POWER_SET, PRODUCT, UNION):
            if element != s or not (_is_whole(left) and _is_whole(right)):
                return None
            for relation, other in ((first, second), (second, first)):
                if s.text not in free_names(relation) and other in (
                    Apply(COMPOSITION, (s, relation)),
                    Apply(COMPOSITION, (relation, s)),
                ):
                    return relation
    return None


def _is_whole(e: Expr) -> bool:
    return isinstance(e, Apply) and e.operator is WHOLE_TYPE
