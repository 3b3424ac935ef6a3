"""Random formulas as text, rich in what can be ill-defined and in what generates values.

Integers u, v, w are bounded by 0..4, the set s by 0..2, the function f by 0..1 +-> 0..2; every
conjunct may stand anywhere, also before what would make it well-defined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Final

from hypothesis import strategies as st

from secateur.maths.values import Value
from tests.agreement.operator_oracles import subsets

Draw = st.DrawFn

NUMBERS: Final = tuple(range(-1, 5))
INSTANCES: Final[Mapping[str, Sequence[Value]]] = {
    "u": NUMBERS,
    "v": NUMBERS,
    "w": NUMBERS,
    "s": list(subsets(frozenset(range(3)))),
    "f": [r for r in subsets(frozenset(product(range(2), range(3)))) if len(r) < 3],
}
"""All values that an identifier can have: more than its bounds let through."""

_BOUNDS: Final[Mapping[str, tuple[str, ...]]] = {
    "u": ("u : 0..4", "u : {0, 1, 3}", "u : NATURAL & u < 4", "u : 0..1 \\/ {3}"),
    "v": ("v : 0..4", "0 <= v & v <= 2", "v : {2, 0}", "v + 1 : 1..3"),
    "w": ("w : 0..4", "w : NAT & w < 3", "(w = 1 or w = 2 or w = 0)", "3 - w : {0, 1, 3}"),
    "s": ("s <: 0..2", "s : POW(0..2)", "s : FIN(0..1)", "s : {{}, {1}, 0..2}"),
    "f": ("f : 0..1 +-> 0..2", "f : 0..1 --> 0..2", "f : {{}, {0 |-> 1}, {0 |-> 1, 1 |-> 0}}"),
}


@st.composite
def conjunctions(draw: Draw) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return identifiers and conjuncts, in any order, that bound them."""
    names = tuple(draw(st.lists(st.sampled_from("uvwsf"), min_size=1, max_size=3, unique=True)))
    bounds = [draw(st.sampled_from(_BOUNDS[name])) for name in names]
    others = [draw(predicates(names, 2)) for _ in range(draw(st.integers(1, 4)))]
    return names, tuple(draw(st.permutations([*bounds, *others])))


@st.composite
def implications(draw: Draw) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return identifiers, premises that bound them, and a conclusion."""
    names, premises = draw(conjunctions())
    return names, premises, draw(predicates(names, 2))


@st.composite
def alternatives(draw: Draw) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """Return identifiers, alternatives in any order, and whether the first one bounds them.

    One says that bounds do not hold, so that the values for which all alternatives fail have bounds.
    """
    names = tuple(draw(st.lists(st.sampled_from("uvwsf"), min_size=1, max_size=2, unique=True)))
    beyond = f"not({' & '.join(draw(st.sampled_from(_BOUNDS[name])) for name in names)})"
    others = [draw(predicates(names, 2)) for _ in range(draw(st.integers(1, 3)))]
    parts = tuple(draw(st.permutations([beyond, *others])))
    return names, parts, parts[0] == beyond


def _one_of(draw: Draw, options: Sequence[Any]) -> str:
    return str(draw(draw(st.sampled_from(options))))


@st.composite
def numbers(draw: Draw, names: Sequence[str], depth: int) -> str:
    """Return a term whose value is an integer."""
    integers = [st.just(n) for n in names if n in "uvwz"]
    atoms = [st.sampled_from("0123"), *integers, *integers]
    if depth == 0:
        return _one_of(draw, atoms)
    term, set_ = numbers(names, depth - 1), sets(names, depth - 1)
    function = st.sampled_from(("f" if "f" in names else "[2, 0, 1]", "{0 |-> 1, 1 |-> 3}"))
    options = (
        *atoms,
        _text("({} + {})", term, term),
        _text("({} - {})", term, term),
        _text("({} / {})", term, term),
        _text("({} mod {})", term, term),
        _text("{}({})", function, term),
        _text("card({})", set_),
        _text("min({})", set_),
        _text("IF {} THEN {} ELSE {} END", predicates(names, 0), term, term),
        _text("SIGMA(z).(z : {} | {})", set_, numbers((*names, "z"), 0)),
    )
    return _one_of(draw, options)


@st.composite
def sets(draw: Draw, names: Sequence[str], depth: int) -> str:
    """Return a term whose value is a small set of integers."""
    atoms = [st.just("s")] * 3 if "s" in names else [st.sampled_from(("{0, 2}", "{1}"))]
    atoms += [st.just("dom(f)"), st.just("ran(f)")] if "f" in names else []
    if depth == 0:
        return _one_of(draw, atoms)
    term, set_ = numbers(names, depth - 1), sets(names, depth - 1)
    options = (
        *atoms,
        _text("(0..{})", numbers(names, 0)),
        _text("{{{}, {}}}", term, term),
        _text("({} \\/ {})", set_, set_),
        _text("({} /\\ {})", set_, set_),
        _text("({} - {})", set_, set_),
        _text("{{z | z : 0..3 & {}}}", predicates((*names, "z"), 0)),
    )
    return _one_of(draw, options)


@st.composite
def predicates(draw: Draw, names: Sequence[str], depth: int) -> str:
    """Return a predicate; most are comparisons, from which values can be generated."""
    term, set_ = numbers(names, depth), sets(names, depth)
    name = st.sampled_from([n for n in names if n in "uvwz"] or ["1"])
    plain = [
        _text("{} = {}", name, term),
        _text("{} = {}", term, name),
        _text("{} : {}", name, set_),
        _text("{} < {}", term, name),
        _text("{} /= {}", term, term),
        _text("{} <: {}", set_, set_),
        _text("{} + {} = {}", term, name, term),
    ]
    if "s" in names:
        plain += [_text("s = {}", set_), _text("{} : s", term), _text("{{{}}} = s", term)]
    if "f" in names:
        plain += [_text("({} |-> {}) : f", term, name), _text("f({}) = {}", term, name)]
    if depth == 0:
        return _one_of(draw, plain)
    part, bound = predicates(names, depth - 1), predicates((*names, "z"), depth - 1)
    nested = (
        _text("({} or {})", part, part),
        _text("({} => {})", part, part),
        _text("not({})", part),
        _text("({} <=> {})", part, part),
        _text("({} => {} = {})", predicates(names, 0), name, term),
        _text("#z.(z : {} & {})", set_, bound),
        _text("!z.(z : {} => {})", set_, bound),
    )
    return _one_of(draw, (*plain, *nested))


@st.composite
def _text(draw: Draw, template: str, *parts: st.SearchStrategy[str]) -> str:
    return template.format(*(draw(part) for part in parts))
