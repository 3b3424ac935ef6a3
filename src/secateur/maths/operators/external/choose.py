"""External functions that pick, sort and group elements (CHOOSE.def, SORT.def, SCCS.def)."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, external, partial, signature, telling_apart
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.relations import closure1
from secateur.maths.show import brief
from secateur.maths.symbolic import ALL_REALS, ALL_STRINGS, Integers, as_sequence, is_empty
from secateur.maths.types import INTEGER, PREDICATE, Power, relation, sequence
from secateur.maths.values import IllDefined, SetValue, Value, explicit, is_set, order_key, ordered


def choose(s: SetValue) -> Value:
    """Return the first element in canonical order, always the same for equal sets."""
    if is_empty(s):
        raise IllDefined("CHOOSE from the empty set")
    if isinstance(s, frozenset):
        return min(s, key=order_key)
    if isinstance(s, Integers):
        return min(0, s.high) if s.low is None and s.high is not None else s.low or 0
    if s is ALL_STRINGS or s is ALL_REALS:
        return "" if s is ALL_STRINGS else 0.0
    return next(iter(s))


def only(s: SetValue) -> Value:
    """Return the element of a set that has one."""
    members = list(explicit(s))
    if len(members) != 1:
        raise IllDefined(f"MU of a set that has not exactly one element: {brief(s)}")
    return members[0]


def sort(s: SetValue) -> SetValue:
    """Return the elements as a sequence in canonical order."""
    return as_sequence(ordered(explicit(s)))


def squash(s: SetValue) -> SetValue:
    """Return a partial function on integers as a sequence, the gaps closed."""
    pairs = ordered(explicit(s))
    if len({i for i, _ in pairs}) != len(pairs):
        raise IllDefined(f"SQUASH of a relation that is no function: {brief(s)}")
    return as_sequence([x for _, x in pairs])


def components(r: SetValue) -> SetValue:
    """Return the strongly connected components of the elements that `r` mentions."""
    pairs = explicit(r)
    reach = explicit(closure1(pairs))
    nodes = {x for pair in pairs for x in pair}
    return frozenset(
        frozenset({x} | {y for y in nodes if (x, y) in reach and (y, x) in reach}) for x in nodes
    )


_LOOP: Final = relation(A, A)
_ORDER: Final = signature(A, A, PREDICATE)
_SAME: Final = signature(A, A)

OPERATORS: Final[tuple[Operator, ...]] = (
    partial(telling_apart(external("CHOOSE", signature(Power(A), A), choose))),
    partial(external("MU", signature(Power(A), A), only)),
    telling_apart(external("SORT", signature(Power(A), sequence(A)), sort)),
    partial(external("SQUASH", signature(relation(INTEGER, A), sequence(A)), squash)),
    external("SCCS", signature(_LOOP, Power(Power(A))), components),
    external("CLOSURE1", signature(_LOOP, _LOOP), closure1),
    telling_apart(external("LESS", _ORDER, lambda a, b: order_key(a) < order_key(b))),
    telling_apart(external("LEQ_SYM_BREAK", _ORDER, lambda a, b: order_key(a) <= order_key(b))),
    external("FORCE", _SAME, lambda x: explicit(x) if is_set(x) else x),
    external("COPY", _SAME, lambda x: x),
)
