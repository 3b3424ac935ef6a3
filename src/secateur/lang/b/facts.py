"""What PROPERTIES say about a deferred set: its size, its elements, which constants differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations

from secateur.lang.b.small_sets import elements_of, size_of
from secateur.lang.b.specials import integer, is_name
from secateur.maths.ast import Apply, Expr, Labelled, Name, Not, SetDisplay, conjuncts
from secateur.maths.operators import integers
from secateur.maths.operators.comparison import EQUAL, MEMBER, NOT_EQUAL
from secateur.maths.operators.function_spaces import (
    PARTIAL_SURJECTIONS,
    TOTAL_BIJECTIONS,
    TOTAL_INJECTIONS,
    TOTAL_SURJECTIONS,
)
from secateur.maths.operators.protocol import Operator, Settings
from secateur.maths.operators.sets import (
    CARD,
    INTERSECTION,
    PARTITION,
    UNION,
)
from secateur.source.records import dataclass

Pair = frozenset[str]

_ONTO = (TOTAL_SURJECTIONS, PARTIAL_SURJECTIONS)
_INTO = (TOTAL_INJECTIONS,)


@dataclass(frozen=True)
class Numbering:
    """A constant `f : S >->> T` or, if `inverse`, `f : T >->> S`, and the elements of T."""

    function: str
    images: tuple[Expr, ...]
    inverse: bool


@dataclass()
class Facts:
    """What is known of one deferred set."""

    size: int | None = None
    least: int = 0
    listed: tuple[str, ...] | None = None
    """The constants in `S = {a, b, c}`: there are no other elements."""
    distinct: set[Pair] = field(default_factory=set)
    """Pairs of constants that are said to differ."""
    filled: set[str] = field(default_factory=set)
    """The constants that are said not to be the empty set."""
    numbering: Numbering | None = None
    """A constant that relates the elements one by one to those of a known set."""


@dataclass(frozen=True)
class Reader:
    """Reads the facts about the deferred set `name` out of typed properties.

    `constants` are those of its type, in the order declared.
    """

    name: str
    constants: Sequence[str]
    settings: Settings
    numbers: Mapping[str, int]
    """The constants that are said to equal a number."""
    sets: Mapping[str, Expr]
    """The constants that are said to equal a set of constants, as such a set."""
    members: Mapping[str, Sequence[str]]
    """The constants that are said to be elements of a constant."""
    carrier: Callable[[str], int | None]
    """How many elements another given set has."""

    def facts(self, properties: Sequence[Expr]) -> Facts:
        """Return what `properties` say."""
        facts = Facts()
        for predicate in all_conjuncts(properties):
            if isinstance(predicate, Apply):
                self._learn(facts, predicate)
            elif isinstance(predicate, Not):
                self._differ(facts, _operands(predicate.body, EQUAL))
        if facts.size is not None and facts.listed and len(facts.listed) == facts.size:
            facts.distinct.update(_pairs(facts.listed))
        for whole in all_conjuncts(properties):
            self._count_parts(facts, _operands(whole, PARTITION))
        return facts

    def _count_parts(self, facts: Facts, args: Sequence[Expr]) -> None:
        """Note that a set has no fewer elements than the parts that it is divided into."""
        if args and is_name(args[0], self.name):
            least = sum(self._least(facts, part) for part in args[1:])
            facts.least = max(facts.least, least)

    def _least(self, facts: Facts, part: Expr) -> int:
        """Return how many elements a set has at least: of its members, those that all differ."""
        different: list[str] = []
        for name in self._members(part):
            if all(frozenset({name, other}) in facts.distinct for other in different):
                different.append(name)
        named = isinstance(part, Name) and part.text in facts.filled
        listed = isinstance(part, SetDisplay) and bool(part.items)
        return max(len(different), int(named or listed))

    def _learn(self, facts: Facts, predicate: Apply) -> None:
        operator, args = predicate.operator, predicate.args
        if operator is EQUAL:
            self._equal(facts, args[0], args[1])
            self._equal(facts, args[1], args[0])
        elif operator is NOT_EQUAL:
            self._differ(facts, args)
        elif operator is PARTITION:
            self._disjoint(facts, args[1:])
            if is_name(args[0], self.name):
                self._parts(facts, args[1:])
        elif operator is MEMBER:
            self._bijection(facts, args[0], _operands(args[1], TOTAL_BIJECTIONS))
            self._onto(facts, args[1])
        elif operator in (integers.GREATER, integers.GREATER_EQUAL):
            self._at_least(facts, args[0], args[1], strict=operator is integers.GREATER)
        elif operator in (integers.LESS, integers.LESS_EQUAL):
            self._at_least(facts, args[1], args[0], strict=operator is integers.LESS)

    def _number(self, e: Expr) -> int | None:
        if isinstance(e, Name):
            return self.numbers.get(e.text)
        counted = _operands(e, CARD)
        if counted and isinstance(counted[0], Name):
            return self.carrier(counted[0].text)
        return integer(e, self.settings)

    def _equal(self, facts: Facts, left: Expr, right: Expr) -> None:
        counted = _operands(left, CARD)
        number = self._number(right) if counted else None
        if number is not None:
            self._counted(facts, counted[0], number)
        elif is_name(left, self.name):
            facts.listed = self._names(right) or facts.listed
        elif right == SetDisplay(()):
            self._disjoint(facts, _operands(left, INTERSECTION))

    def _counted(self, facts: Facts, set_: Expr, number: int) -> None:
        if is_name(set_, self.name):
            facts.size = number
        names = self._names(set_)
        if names is not None and len(names) == number:
            facts.distinct.update(_pairs(names))

    def _at_least(self, facts: Facts, left: Expr, right: Expr, *, strict: bool) -> None:
        counted, number = _operands(left, CARD), self._number(right)
        if counted and number is not None and is_name(counted[0], self.name):
            facts.least = max(facts.least, number + strict)

    def _differ(self, facts: Facts, args: Sequence[Expr]) -> None:
        names = [n for a in args if (n := self._constant(a)) is not None]
        if len(set(names)) == 2:
            facts.distinct.add(frozenset(names))
        if SetDisplay(()) in args:
            facts.filled.update(a.text for a in args if isinstance(a, Name))

    def _disjoint(self, facts: Facts, sets: Sequence[Expr]) -> None:
        known = [self._members(s) for s in sets]
        for left, right in combinations(known, 2):
            facts.distinct.update(frozenset({a, b}) for a in left for b in right if a != b)

    def _members(self, e: Expr) -> tuple[str, ...]:
        """Return constants that are elements of `e`, as far as that is said outright."""
        listed = self._names(e) or ()
        said = self.members.get(e.text, ()) if isinstance(e, Name) else ()
        return (*listed, *(n for n in said if n in self.constants))

    def _parts(self, facts: Facts, parts: Sequence[Expr]) -> None:
        known = [names for p in parts if (names := self._names(p)) is not None]
        if len(known) == len(parts):
            facts.listed = tuple(n for names in known for n in names)

    def _bijection(self, facts: Facts, function: Expr, sides: Sequence[Expr]) -> None:
        if not (isinstance(function, Name) and sides):
            return
        inverse = not is_name(sides[0], self.name)
        mine, other = (sides[1], sides[0]) if inverse else (sides[0], sides[1])
        if not is_name(mine, self.name):
            return
        size = size_of(other, self._number, self.carrier)
        if size is not None and size > 0:
            facts.size = facts.size or size
        images = elements_of(other, self._number)
        if images and facts.size == len(images):
            facts.numbering = Numbering(function.text, images, inverse)

    def _onto(self, facts: Facts, space: Expr) -> None:
        """Note that a set has no fewer elements than what it is mapped onto, or what is kept apart in it."""
        if not isinstance(space, Apply) or space.operator not in (*_ONTO, *_INTO):
            return
        mine, other = space.args if space.operator in _ONTO else space.args[::-1]
        if is_name(mine, self.name):
            facts.least = max(facts.least, size_of(other, self._number, self.carrier) or 0)

    def _constant(self, e: Expr) -> str | None:
        return e.text if isinstance(e, Name) and e.text in self.constants else None

    def _names(self, e: Expr) -> tuple[str, ...] | None:
        """Return the constants in `{a, b}` or in a union of such sets."""
        if isinstance(e, Name):
            listed = self.sets.get(e.text)
            return None if listed is None else self._names(listed)
        joined = _operands(e, UNION)
        if joined:
            parts = [names for a in joined if (names := self._names(a)) is not None]
            complete = len(parts) == len(joined)
            return tuple(dict.fromkeys(n for p in parts for n in p)) if complete else None
        if not isinstance(e, SetDisplay):
            return None
        names = tuple(n for item in e.items if (n := self._constant(item)) is not None)
        return names if names and len(names) == len(e.items) else None


def known_numbers(properties: Iterable[Expr], settings: Settings) -> dict[str, int]:
    """Return the constants that `properties` equate with a number."""
    found: dict[str, int] = {}
    for predicate in all_conjuncts(properties):
        if isinstance(predicate, Apply) and predicate.operator is EQUAL:
            left, right = predicate.args
            for a, b in ((left, right), (right, left)):
                number = integer(b, settings)
                if isinstance(a, Name) and number is not None:
                    found[a.text] = number
    return found


def known_sets(properties: Iterable[Expr]) -> dict[str, Expr]:
    """Return the constants that `properties` list by `s = {a, b}` or `partition(s, {a}, {b})`."""
    found: dict[str, Expr] = {}
    for predicate in all_conjuncts(properties):
        match predicate:
            case Apply(operator, (Name(name), SetDisplay() as listed)) if operator is EQUAL:
                found[name] = listed
            case Apply(operator, (Name(name), *parts)) if operator is PARTITION and all(
                isinstance(part, SetDisplay) for part in parts
            ):
                items = (i for part in parts if isinstance(part, SetDisplay) for i in part.items)
                found[name] = SetDisplay(tuple(items), predicate.span)
    return found


def known_members(properties: Iterable[Expr]) -> dict[str, list[str]]:
    """Return, per constant s, the constants c of which `properties` say `c : s`."""
    found: dict[str, list[str]] = {}
    for predicate in all_conjuncts(properties):
        match predicate:
            case Apply(operator, (Name(element), Name(set_))) if operator is MEMBER:
                found.setdefault(set_, []).append(element)
    return found


def all_conjuncts(properties: Iterable[Expr]) -> Iterator[Expr]:
    """Yield the conjuncts of all `properties`, without their labels."""
    for predicate in (c for p in properties for c in conjuncts(p)):
        yield predicate.body if isinstance(predicate, Labelled) else predicate


def _operands(e: Expr, operator: Operator) -> tuple[Expr, ...]:
    """Return the operands of `e` if it applies `operator`, otherwise none."""
    return e.args if isinstance(e, Apply) and e.operator is operator else ()


def _pairs(names: Sequence[str]) -> Iterator[Pair]:
    return (frozenset(pair) for pair in combinations(names, 2) if pair[0] != pair[1])
