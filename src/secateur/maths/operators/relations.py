"""Operators on relations, which are sets of pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from secateur.maths.operators.build import A, B, C, D, call, infix, partial, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.types import INTEGER, Power, Product, relation
from secateur.maths.values import IllDefined, SetValue, Value, explicit

_R: Final = relation(A, B)
_LOOP: Final = relation(A, A)


def pair(x: Value, y: Value) -> Value:
    """Return `x |-> y`."""
    return (x, y)


def domain(r: SetValue) -> SetValue:
    """Return the first components."""
    return frozenset([p[0] for p in r])


def range_(r: SetValue) -> SetValue:
    """Return the second components."""
    return frozenset([p[1] for p in r])


def inverse(r: SetValue) -> SetValue:
    """Return the pairs turned round."""
    return frozenset([(y, x) for x, y in r])


def image(r: SetValue, s: SetValue) -> SetValue:
    """Return what `r` relates some element of `s` to."""
    return frozenset([y for x, y in r if x in s])


def identity(s: SetValue) -> SetValue:
    """Return the pairs of equal elements of `s`."""
    return frozenset([(x, x) for x in s])


def first_projection(s: SetValue, t: SetValue) -> SetValue:
    """Return the function from pairs to their first component."""
    return frozenset([((x, y), x) for x in s for y in t])


def second_projection(s: SetValue, t: SetValue) -> SetValue:
    """Return the function from pairs to their second component."""
    return frozenset([((x, y), y) for x in s for y in t])


def composition(p: SetValue, q: SetValue) -> SetValue:
    """Return first `p`, then `q`."""
    return frozenset([(x, z) for x, y in p for y2, z in q if y == y2])


def parallel_product(p: SetValue, q: SetValue) -> SetValue:
    """Return `p` and `q` side by side."""
    return frozenset([((x, u), (y, v)) for x, y in p for u, v in q])


def direct_product(p: SetValue, q: SetValue) -> SetValue:
    """Return the pairs of what `p` and `q` relate one element to."""
    return frozenset([(x, (y, z)) for x, y in p for x2, z in q if x == x2])


def domain_restriction(s: SetValue, r: SetValue) -> SetValue:
    """Return the pairs that begin in `s`."""
    return frozenset([p for p in r if p[0] in s])


def domain_subtraction(s: SetValue, r: SetValue) -> SetValue:
    """Return the pairs that do not begin in `s`."""
    return frozenset([p for p in r if p[0] not in s])


def range_restriction(r: SetValue, s: SetValue) -> SetValue:
    """Return the pairs that end in `s`."""
    return frozenset([p for p in r if p[1] in s])


def range_subtraction(r: SetValue, s: SetValue) -> SetValue:
    """Return the pairs that do not end in `s`."""
    return frozenset([p for p in r if p[1] not in s])


def overwrite(r: SetValue, by: SetValue) -> SetValue:
    """Return `r` with the pairs of `by` in place of those that begin alike."""
    return explicit(domain_subtraction(domain(by), r)) | explicit(by)


def overwrite_left(by: SetValue, r: SetValue) -> SetValue:
    """Return `r` overwritten by `by`."""
    return overwrite(r, by)


def closure1(r: SetValue) -> SetValue:
    """Return the transitive closure."""
    result = explicit(r)
    while True:
        larger = result | explicit(composition(result, r))
        if larger == result:
            return result
        result = larger


def closure(r: SetValue, carrier: SetValue) -> SetValue:
    """Return the transitive and reflexive closure."""
    raise NotImplementedError


def iterate(r: SetValue, n: int, carrier: SetValue) -> SetValue:
    """Return `r` composed with itself `n` times."""
    if n < 0:
        raise IllDefined(f"iterate with the negative number {n}")
    raise NotImplementedError


def as_function(r: SetValue) -> SetValue:
    """Return the function from each element of the domain to the set of its images."""
    return frozenset([(x, image(r, frozenset({x}))) for x in domain(r)])


def as_relation(f: SetValue) -> SetValue:
    """Return the relation that relates `x` to each element of `f(x)`."""
    return frozenset([(x, y) for x, ys in f for y in ys])


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
