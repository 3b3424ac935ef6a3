"""Operators on relations, which are sets of pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from secateur.maths.function_tables import overridden
from secateur.maths.operators.build import A, B, C, D, call, infix, partial, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.operators.sets import card, union
from secateur.maths.symbolic import (
    Cartesian,
    DerivedRelation,
    SymbolicRelation,
    cartesian,
    domain_of,
    images_of,
    is_small,
    range_of,
)
from secateur.maths.symbolic.derived import (
    Composed,
    DirectProduct,
    DomainFiltered,
    Identity,
    Inverse,
    Overwritten,
    ParallelProduct,
    Projection,
    RangeFiltered,
    TransitiveClosure,
)
from secateur.maths.symbolic.space import SMALL
from secateur.maths.types import INTEGER, Power, Product, relation
from secateur.maths.values import (
    LISTING_LIMIT,
    IllDefined,
    SetValue,
    SymbolicSet,
    Value,
    exchanged,
    explicit,
)

_R: Final = relation(A, B)
_LOOP: Final = relation(A, A)
_INDEXED: Final = 32
"""The image of fewer elements than this under more pairs than this is looked up, not searched."""


def pair(x: Value, y: Value) -> Value:
    """Return `x |-> y`."""
    return (x, y)


def domain(r: SetValue) -> SetValue:
    """Return the first components."""
    if isinstance(r, frozenset):
        return frozenset([p[0] for p in r])
    return domain_of(r)


def range_(r: SetValue) -> SetValue:
    """Return the second components."""
    if isinstance(r, frozenset):
        return frozenset([p[1] for p in r])
    return range_of(r)


def inverse(r: SetValue) -> SetValue:
    """Return the pairs turned round."""
    known = _turned_round.get(id(r))
    if known is not None:
        return known[1]
    if isinstance(r, frozenset):
        return _turned(r)
    match r:
        case Cartesian():
            return cartesian(r.right, r.left)
        case Inverse():
            return r.base
        case Identity():
            return r
        case SymbolicRelation() if not is_small(r):
            return Inverse(r)
    return _turned(r.expand())


_TURNED: Final = 256
_turned_round: dict[int, tuple[frozenset[Value], frozenset[Value]]] = {}
"""What was turned round last, by identity: `f~(x)` is asked for many an `x`."""


def _turned(r: frozenset[Value]) -> frozenset[Value]:
    turned = frozenset([(y, x) for x, y in r])
    if len(_turned_round) >= _TURNED:
        _turned_round.clear()
    _turned_round[id(r)] = (r, turned)
    return turned


def image(r: SetValue, s: SetValue) -> SetValue:
    """Return what `r` relates some element of `s` to."""
    if isinstance(r, frozenset):
        if isinstance(s, frozenset) and len(r) > _INDEXED > len(s):
            table = _image_table(r)
            return frozenset().union(*[table[x] for x in s if x in table])
        return frozenset([y for x, y in r if x in s])
    if not isinstance(r, SymbolicRelation):
        return image(r.expand(), s)
    if isinstance(s, SymbolicSet) and not is_small(s):
        return range_of(domain_restriction(s, r))
    return r.image(s)


def identity(s: SetValue) -> SetValue:
    """Return the pairs of equal elements of `s`."""
    if isinstance(s, frozenset) or is_small(s):
        return frozenset([(x, x) for x in s])
    return Identity(s)


def first_projection(s: SetValue, t: SetValue) -> SetValue:
    """Return the function from pairs to their first component."""
    pairs = cartesian(s, t)
    return frozenset([(p, p[0]) for p in pairs]) if is_small(pairs) else Projection(s, t, 0)


def second_projection(s: SetValue, t: SetValue) -> SetValue:
    """Return the function from pairs to their second component."""
    pairs = cartesian(s, t)
    return frozenset([(p, p[1]) for p in pairs]) if is_small(pairs) else Projection(s, t, 1)


def composition(p: SetValue, q: SetValue) -> SetValue:
    """Return first `p`, then `q`."""
    if isinstance(q, frozenset) and not q:
        return q
    if not is_small(p, LISTING_LIMIT):
        return Composed(p, q)
    if isinstance(q, SymbolicRelation):
        return frozenset([(x, z) for x, y in p for z in images_of(q, y)])
    then = _image_table(explicit(q))
    return frozenset([(x, z) for x, y in p if y in then for z in then[y]])


def _index(r: frozenset[Value]) -> dict[Value, list[Value]]:
    """Return the images of each argument."""
    index: dict[Value, list[Value]] = {}
    for x, y in r:
        index.setdefault(x, []).append(y)
    return index


_image_tables: dict[int, tuple[frozenset[Value], dict[Value, frozenset[Value]]]] = {}
_TABLES_AT_MOST: Final = 1024


def _image_table(r: frozenset[Value]) -> dict[Value, frozenset[Value]]:
    """Return the set of images of each argument; remembered, for relations used over and over.

    By identity: sets of different types can be equal in Python.
    """
    known = _image_tables.get(id(r))
    if known is not None:
        return known[1]
    table = {x: frozenset(ys) for x, ys in _index(r).items()}
    if len(_image_tables) >= _TABLES_AT_MOST:
        _image_tables.clear()
    _image_tables[id(r)] = (r, table)
    return table


def parallel_product(p: SetValue, q: SetValue) -> SetValue:
    """Return `p` and `q` side by side."""
    if is_small(p) and is_small(q) and card(p) * card(q) <= SMALL:
        return frozenset([((x, u), (y, v)) for x, y in p for u, v in q])
    return ParallelProduct(p, q)


def direct_product(p: SetValue, q: SetValue) -> SetValue:
    """Return the pairs of what `p` and `q` relate one element to."""
    if isinstance(p, frozenset) and isinstance(q, frozenset):
        other = _index(q)
        return frozenset([(x, (y, z)) for x, y in p for z in other.get(x, ())])
    if isinstance(p, frozenset):
        return frozenset([(x, (y, z)) for x, y in p for z in images_of(q, x)])
    if isinstance(q, frozenset):
        return frozenset([(x, (y, z)) for x, z in q for y in images_of(p, x)])
    return DirectProduct(p, q)


def domain_restriction(s: SetValue, r: SetValue) -> SetValue:
    """Return the pairs that begin in `s`."""
    if isinstance(r, frozenset):
        return frozenset([p for p in r if p[0] in s])
    if is_small(s) and isinstance(r, SymbolicRelation):
        return frozenset([(x, y) for x in s for y in images_of(r, x)])
    return DomainFiltered(r, s, keep=True)


def domain_subtraction(s: SetValue, r: SetValue) -> SetValue:
    """Return the pairs that do not begin in `s`."""
    if isinstance(r, frozenset):
        return r.difference([(x, y) for x, y in r if x in s])
    return _listed(DomainFiltered(r, s, keep=False), r)


def range_restriction(r: SetValue, s: SetValue) -> SetValue:
    """Return the pairs that end in `s`."""
    if isinstance(r, frozenset):
        return frozenset([p for p in r if p[1] in s])
    if isinstance(s, frozenset) and not s:
        return s
    return _listed(RangeFiltered(r, s, keep=True), r)


def range_subtraction(r: SetValue, s: SetValue) -> SetValue:
    """Return the pairs that do not end in `s`."""
    if isinstance(r, frozenset):
        return r.difference([(x, y) for x, y in r if y in s])
    return _listed(RangeFiltered(r, s, keep=False), r)


def overwrite(r: SetValue, by: SetValue) -> SetValue:
    """Return `r` with the pairs of `by` in place of those that begin alike."""
    if isinstance(r, frozenset) and isinstance(by, frozenset):
        if len(by) == 1:
            ((key, value),) = by
            return overridden(r, key, value)
        replaced = {p[0] for p in by}
        return exchanged(r, [(x, y) for x, y in r if x in replaced], by)
    if is_small(r) and is_small(by):
        return overwrite(explicit(r), explicit(by))
    if isinstance(r, Overwritten) and isinstance(r.by, frozenset) and isinstance(by, frozenset):
        return Overwritten(r.base, overwrite(r.by, by))
    return Overwritten(r, by)


def overwrite_left(by: SetValue, r: SetValue) -> SetValue:
    """Return `r` overwritten by `by`."""
    return overwrite(r, by)


def _listed(result: DerivedRelation, base: SetValue) -> SetValue:
    """Return `result` with its pairs listed if the relation it is a part of is small."""
    return result.expand() if is_small(base) else result


def closure1(r: SetValue) -> SetValue:
    """Return the transitive closure: what `r` leads to in one or more steps."""
    if isinstance(r, SymbolicRelation) and not is_small(r):
        return TransitiveClosure(r)
    then = _index(explicit(r))
    return frozenset([(x, y) for x in then for y in _reachable(x, then)])


def _reachable(start: Value, then: dict[Value, list[Value]]) -> set[Value]:
    found: set[Value] = set()
    todo = [start]
    while todo:
        for y in then.get(todo.pop(), ()):
            if y not in found:
                found.add(y)
                todo.append(y)
    return found


def closure(r: SetValue, carrier: SetValue) -> SetValue:
    """Return the reflexive closure: what `r` leads to in any number of steps, none included.

    Every element of the type is related to itself, also those that `r` does not mention.
    """
    return union(closure1(r), identity(carrier))


def iterate(r: SetValue, n: int, carrier: SetValue) -> SetValue:
    """Return `r` composed with itself `n` times; for 0 the identity on the type."""
    if n < 0:
        raise IllDefined(f"iterate a negative number of times: {n}")
    if n == 0:
        return identity(carrier)
    result = r
    for _ in range(n - 1):
        result = composition(result, r)
    return result


def as_function(r: SetValue) -> SetValue:
    """Return the function from each element of the domain to the set of its images."""
    return frozenset([(x, frozenset(ys)) for x, ys in _index(explicit(r)).items()])


def as_relation(f: SetValue) -> SetValue:
    """Return the relation that relates `x` to each element of `f(x)`."""
    return frozenset([(x, y) for x, ys in explicit(f) for y in explicit(ys)])


PAIR: Final = infix("pair", "|-> ↦", 160, signature(A, B, Product(A, B)), pair)
DOMAIN: Final = call("domain", "dom", signature(_R, Power(A)), domain)
RANGE: Final = call("range", "ran", signature(_R, Power(B)), range_)
INVERSE: Final = Operator(
    "inverse", ("~", "∼"), Fixity.POSTFIX, signature(_R, relation(B, A)), inverse, 230
)
IMAGE: Final = Operator(
    "image", ("[]",), Fixity.POSTFIX, signature(_R, Power(A), Power(B)), image, 230
)
IDENTITY: Final = call("identity", "id", signature(Power(A), _LOOP), identity)
FIRST_PROJECTION: Final = call(
    "first projection",
    "prj1",
    signature(Power(A), Power(B), relation(Product(A, B), A)),
    first_projection,
)
SECOND_PROJECTION: Final = call(
    "second projection",
    "prj2",
    signature(Power(A), Power(B), relation(Product(A, B), B)),
    second_projection,
)
COMPOSITION: Final = infix(
    "composition", ";", 20, signature(_R, relation(B, C), relation(A, C)), composition
)
PARALLEL_PRODUCT: Final = infix(
    "parallel product",
    "|| ∥",
    20,
    signature(_R, relation(C, D), relation(Product(A, C), Product(B, D))),
    parallel_product,
)
DIRECT_PRODUCT: Final = infix(
    "direct product",
    ">< ⊗",
    160,
    signature(_R, relation(A, C), relation(A, Product(B, C))),
    direct_product,
)
DOMAIN_RESTRICTION: Final = infix(
    "domain restriction", "<| ◁ ⊲", 160, signature(Power(A), _R, _R), domain_restriction
)
DOMAIN_SUBTRACTION: Final = infix(
    "domain subtraction", "<<| ⩤", 160, signature(Power(A), _R, _R), domain_subtraction
)
RANGE_RESTRICTION: Final = infix(
    "range restriction", "|> ▷ ⊳", 160, signature(_R, Power(B), _R), range_restriction
)
RANGE_SUBTRACTION: Final = infix(
    "range subtraction", "|>> ⩥", 160, signature(_R, Power(B), _R), range_subtraction
)
OVERWRITE: Final = infix("overwriting", "<+ \ue103", 160, signature(_R, _R, _R), overwrite)
OVERWRITE_LEFT: Final = infix(
    "overwriting from the left", "+>", 160, signature(_R, _R, _R), overwrite_left
)
CLOSURE: Final = replace(
    call("reflexive closure", "closure", signature(_LOOP, _LOOP), closure), carriers=(A,)
)
CLOSURE1: Final = call("transitive closure", "closure1", signature(_LOOP, _LOOP), closure1)
ITERATE: Final = replace(
    partial(call("iteration", "iterate", signature(_LOOP, INTEGER, _LOOP), iterate)),
    carriers=(A,),
)
AS_FUNCTION: Final = call(
    "relation as function", "fnc", signature(_R, relation(A, Power(B))), as_function
)
AS_RELATION: Final = call(
    "function as relation", "rel", signature(relation(A, Power(B)), _R), as_relation
)

OPERATORS: Final[tuple[Operator, ...]] = (
    PAIR,
    DOMAIN,
    RANGE,
    INVERSE,
    IMAGE,
    IDENTITY,
    FIRST_PROJECTION,
    SECOND_PROJECTION,
    COMPOSITION,
    PARALLEL_PRODUCT,
    DIRECT_PRODUCT,
    DOMAIN_RESTRICTION,
    DOMAIN_SUBTRACTION,
    RANGE_RESTRICTION,
    RANGE_SUBTRACTION,
    OVERWRITE,
    OVERWRITE_LEFT,
    CLOSURE,
    CLOSURE1,
    ITERATE,
    AS_FUNCTION,
    AS_RELATION,
)
