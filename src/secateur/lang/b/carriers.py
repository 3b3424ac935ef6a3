"""How large the deferred sets are, and what their elements are called.

In this order: what the user says (`--set-size`), `scope_S`, what PROPERTIES say of the
cardinality, the preference DEFAULT_SETSIZE, 2.  A size that nobody stated is an assumption.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from secateur.lang.b.codes import BAD_SET_SIZE, BAD_SPECIAL_DEFINITION
from secateur.lang.b.declarations import Declarations
from secateur.lang.b.specials import integer, is_name
from secateur.lang.model import CarrierSet
from secateur.maths.ast import Apply, Expr, Name, SetDisplay, conjuncts
from secateur.maths.infer import Scope, near_miss
from secateur.maths.operators.comparison import EQUAL, NOT_EQUAL
from secateur.maths.operators.protocol import Settings
from secateur.maths.operators.sets import CARD, INTERVAL
from secateur.maths.types import Given
from secateur.source import fail

DEFAULT_SIZE: Final = 2


@dataclass
class Facts:
    """What PROPERTIES say about one deferred set."""

    size: int | None = None
    least: int = 0
    listed: tuple[str, ...] | None = None
    """The constants in `S = {a, b, c}`."""
    distinct: set[frozenset[str]] = field(default_factory=set)
    """Pairs of constants that are said to differ."""


@dataclass(frozen=True)
class Carriers:
    """The sets of a model; `elements` are constants that turned out to be their elements."""

    sets: tuple[CarrierSet, ...]
    elements: frozenset[str]
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class Sizes:
    """Where sizes can come from."""

    given: Mapping[str, int]
    definitions: Mapping[str, Expr]
    preferences: Mapping[str, str]
    settings: Settings


def carriers(
    declared: Declarations, scope: Scope, properties: Sequence[Expr], sizes: Sizes
) -> Carriers:
    """Settle all deferred sets."""
    _refuse_unknown(declared, sizes)
    sets: list[CarrierSet] = []
    elements: list[str] = []
    assumptions: list[str] = []
    for name, declaration in declared.sets.items():
        if declaration.elements is not None:
            names = tuple(e.text for e in declaration.elements)
            sets.append(CarrierSet(name, names, True, declaration.span))
            continue
        facts = gather_facts(name, declared, scope, properties, sizes.settings)
        size, stated = _size(name, facts, sizes)
        if not stated:
            assumptions.append(f"deferred set {name} has {size} element(s)")
        listed = _listed_elements(facts, size)
        elements.extend(listed)
        names = listed or _fresh_names(name, size, scope)
        sets.append(CarrierSet(name, names, False, declaration.span))
    return Carriers(tuple(sets), frozenset(elements), tuple(assumptions))


def _refuse_unknown(declared: Declarations, sizes: Sizes) -> None:
    deferred = {n: d for n, d in declared.sets.items() if d.elements is None}
    for name, size in sizes.given.items():
        if name not in deferred:
            message = f"there is no deferred set {name} whose size could be set"
            raise fail(BAD_SET_SIZE, message, None, near_miss(name, deferred))
        if size < 1:
            raise fail(BAD_SET_SIZE, f"set {name} cannot have {size} elements")


def _size(name: str, facts: Facts, sizes: Sizes) -> tuple[int, bool]:
    """Return the size of deferred set `name`, and whether somebody stated it."""
    if name in sizes.given:
        return sizes.given[name], True
    scope = sizes.definitions.get(f"scope_{name}")
    if scope is not None:
        return _scope_size(name, scope, sizes.settings), True
    if facts.size is not None:
        return facts.size, True
    default = _default_size(sizes.preferences)
    return max(default, facts.least), False


def _default_size(preferences: Mapping[str, str]) -> int:
    text = preferences.get("DEFAULT_SETSIZE")
    if text is None:
        return DEFAULT_SIZE
    if not text.isdigit() or int(text) < 1:
        raise fail(BAD_SET_SIZE, f"DEFAULT_SETSIZE must be a positive number, not {text}")
    return int(text)


def _scope_size(name: str, scope: Expr, settings: Settings) -> int:
    size = integer(scope, settings)
    if isinstance(scope, Apply) and scope.operator is INTERVAL:
        low, high = (integer(a, settings) for a in scope.args)
        size = None if low is None or high is None else 1 + high - low
    if size is None or size < 1:
        message = f"scope_{name} must be a positive number or an interval"
        raise fail(BAD_SPECIAL_DEFINITION, message, scope.span)
    return size


def _fresh_names(name: str, size: int, scope: Scope) -> tuple[str, ...]:
    """Return `S1`, `S2`, ..., with an underscore where that is taken."""
    plain = tuple(f"{name}{i}" for i in range(1, size + 1))
    return tuple(f"{n}_" if n in scope else n for n in plain)


def _listed_elements(facts: Facts, size: int) -> tuple[str, ...]:
    """Return the constants that are the elements, if it is certain that they are."""
    if facts.listed is None or len(facts.listed) != size:
        return ()
    pairs = {frozenset({a, b}) for i, a in enumerate(facts.listed) for b in facts.listed[:i]}
    return facts.listed if facts.size == size or pairs <= facts.distinct else ()


def gather_facts(
    name: str,
    declared: Declarations,
    scope: Scope,
    properties: Sequence[Expr],
    settings: Settings,
) -> Facts:
    """Return what the typed `properties` say about deferred set `name`."""
    facts = Facts()
    for predicate in (c for p in properties for c in conjuncts(p)):
        if isinstance(predicate, Apply) and len(predicate.args) == 2:
            _learn(facts, name, predicate, (declared, scope, settings))
    return facts


def _learn(
    facts: Facts, name: str, predicate: Apply, context: tuple[Declarations, Scope, Settings]
) -> None:
    declared, scope, settings = context
    left, right = predicate.args
    if predicate.operator is EQUAL:
        for a, b in ((left, right), (right, left)):
            if isinstance(a, Apply) and a.operator is CARD and is_name(a.args[0], name):
                facts.size = integer(b, settings) or facts.size
            elif is_name(a, name) and isinstance(b, SetDisplay):
                facts.listed = _constants(b.items, name, declared, scope) or facts.listed
    elif predicate.operator is NOT_EQUAL:
        pair = _constants((left, right), name, declared, scope)
        if pair is not None and len(set(pair)) == 2:
            facts.distinct.add(frozenset(pair))
            facts.least = max(facts.least, 2)


def _constants(
    items: Sequence[Expr], set_name: str, declared: Declarations, scope: Scope
) -> tuple[str, ...] | None:
    names = tuple(i.text for i in items if isinstance(i, Name))
    if len(names) != len(items) or len(set(names)) != len(names):
        return None
    if any(n not in declared.constants or scope[n] != Given(set_name) for n in names):
        return None
    return names
