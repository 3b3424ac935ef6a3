"""Sets of relations and functions between two sets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Set
from functools import partial
from itertools import chain, combinations, permutations, product

from secateur.maths.show import brief
from secateur.maths.symbolic import counting
from secateur.maths.symbolic.kinds import RELATION, Kind
from secateur.maths.symbolic.numbers import Integers, is_universal
from secateur.maths.symbolic.powers import PowerSet
from secateur.maths.symbolic.products import Cartesian, plainly_within
from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.symbolic.space import (
    SMALL,
    Space,
    decided,
    elements,
    is_empty,
    is_small,
    sample,
)
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    is_subset,
)


class FunctionSpace(Space):
    """The relations of one kind from `source` to `target`."""

    __slots__ = ("kind", "source", "target")

    def __init__(self, kind: Kind, source: SetValue, target: SetValue) -> None:
        self.kind = kind
        self.source = source
        self.target = target

    def __contains__(self, value: object) -> bool:
        if isinstance(value, frozenset):
            return self._holds(value)
        if isinstance(value, SymbolicRelation) and not is_small(value):
            return self._holds_rule(value)
        assert isinstance(value, SymbolicSet)
        return self._holds(value.expand())

    def _holds(self, pairs: frozenset[Value]) -> bool:
        kind = self.kind
        table = dict(pairs)
        if kind.functional and len(table) != len(pairs):
            return False
        if not _fits(table.keys(), self.source, whole=kind.total):
            return False
        if kind.functional and not kind.injective and not kind.surjective:
            return self._allows(table.values())
        images = {p[1] for p in pairs}
        if kind.injective and len(images) != len(pairs):
            return False
        return _fits(images, self.target, whole=kind.surjective)

    def _allows(self, images: Collection[Value]) -> bool:
        target = self.target
        if isinstance(target, frozenset):
            return target.issuperset(images)
        return target.holds_all(images)

    def _holds_rule(self, r: SymbolicRelation) -> bool:
        kind = self.kind
        domain = r.domain()
        if not is_subset(domain, self.source):
            return False
        if kind.functional and r.is_function() is False:
            return False
        if kind.injective and r.is_injective() is False:
            return False
        if kind.total and _hard_to_reach(domain, self.source):
            return self._holds_images(r, self.source)
        if kind.total and not is_subset(self.source, domain):
            return False
        one_by_one = (kind.functional and r.is_function() is not True) or (
            kind.injective and r.is_injective() is not True
        )
        if not one_by_one:
            if kind.surjective:
                return r.range() == self.target
            if is_universal(self.target):
                return True
            bound = r.range_bound()
            if bound is not None and plainly_within(bound, self.target):
                return True
        if cardinality(domain) is not None:
            return self._holds_images(r, domain)
        if one_by_one:
            raise Undecided(f"whether {brief(r)} is in {self!r}")
        return is_subset(r.range(), self.target)

    def _holds_images(self, r: SymbolicRelation, arguments: SetValue) -> bool:
        """Whether all `arguments` have images in `r` that fit; only what must be is kept."""
        kind, target = self.kind, self.target
        one_each = kind.functional and r.is_function() is not True
        keep = kind.injective or kind.surjective
        found: set[Value] = set()

        def fits(_: Value, images: SetValue) -> bool:
            if (one_each and cardinality(images) != 1) or is_empty(images):
                return False
            if kind.injective and any(y in found for y in images):
                return False
            if keep:
                found.update(images)
            return is_subset(images, target)

        if not r.all_images(arguments, fits):
            return False
        return not kind.surjective or cardinality(target) == len(found)

    def size(self) -> int | None:
        """Return the number of relations of the kind."""
        m, n = cardinality(self.source), cardinality(self.target)
        if m is not None and n is not None:
            return counting.relations(m, n, self.kind)
        return self._size_infinite(m, n)

    def _size_infinite(self, m: int | None, n: int | None) -> int | None:
        kind = self.kind
        if n == 0:
            return int(not kind.total)
        if m == 0:
            return int(not kind.surjective)
        if m is None and n is not None:
            if kind.total and kind.injective:
                return 0
            return 1 if n == 1 and kind.total else None
        if n is None and m is not None:
            if kind.surjective and kind.functional:
                return 0
            return 1 if m == 1 and kind.surjective else None
        both = isinstance(self.source, Integers) and isinstance(self.target, Integers)
        if both or not (kind.surjective or kind.injective) or not kind.functional:
            return None
        raise Undecided(f"how many elements {self!r} has")

    def is_empty(self) -> bool:
        """Whether there is no relation of the kind."""
        return self.size() == 0

    def __iter__(self) -> Iterator[Value]:
        size = self.size()
        if size is None:
            raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")
        if cardinality(self.source) is None or cardinality(self.target) is None:
            return iter(self._the_infinite_one() for _ in range(size))
        xs, ys = list(elements(self.source)), list(elements(self.target))
        return _enumerate(self.kind, xs, ys)

    def _the_infinite_one(self) -> SetValue:
        empty = is_empty(self.source) or is_empty(self.target)
        return frozenset() if empty else Cartesian(self.source, self.target)

    def sample(self) -> Iterator[Value]:
        """Yield those of a few small relations and constant functions that are of the kind."""
        xs, ys = list(sample(self.source)), list(sample(self.target))
        pairs = list(zip(xs, ys, strict=False))
        small = (product(xs[:n], ys[:m]) for n, m in ((0, 0), (1, 1), (2, 1), (1, 2)))
        found: Iterator[SetValue] = map(frozenset, (*small, pairs[:2], pairs))
        constant = (Cartesian(self.source, frozenset({y})) for y in ys)
        return (r for r in chain(found, constant) if decided(partial(self.__contains__, r)))

    def structure(self) -> tuple[Value, ...]:
        """Return the kind and the two sets."""
        return (self.kind, self.source, self.target)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare the kinds and the sets, where that suffices."""
        if isinstance(other, PowerSet) and not other.nonempty and not other.finite:
            return is_subset(Cartesian(self.source, self.target), other.base) or None
        if not isinstance(other, FunctionSpace) or not self.kind.implies(other.kind):
            return None
        return (
            _compatible(self.source, other.source, whole=other.kind.total)
            and _compatible(self.target, other.target, whole=other.kind.surjective)
        ) or None

    def covers(self, other: SymbolicSet) -> bool | None:
        """Hold the power set of the pairs, for relations."""
        if self.kind != RELATION or not isinstance(other, PowerSet):
            return None
        return is_subset(other.base, Cartesian(self.source, self.target))

    def __repr__(self) -> str:
        return f"({brief(self.source)} {self.kind.arrow} {brief(self.target)})"


def _fits(found: Set[Value], allowed: SetValue, *, whole: bool) -> bool:
    """Whether all `found` are allowed, and, if `whole`, everything allowed was found."""
    if isinstance(allowed, frozenset):
        return found == allowed if whole else found <= allowed
    if whole and cardinality(allowed) != len(found):
        return False
    return allowed.holds_all(found)


def _hard_to_reach(domain: SetValue, source: SetValue) -> bool:
    """Whether it takes much effort to list `domain`, which should be all of `source`."""
    if not isinstance(domain, SymbolicSet) or domain.worth_listing():
        return False
    if isinstance(source, SymbolicSet) and (source is domain or source.within(domain)):
        return False
    return cardinality(source) is not None


def _compatible(mine: SetValue, others: SetValue, *, whole: bool) -> bool:
    return mine == others if whole else is_subset(mine, others)


def _enumerate(kind: Kind, xs: list[Value], ys: list[Value]) -> Iterator[Value]:
    if not kind.functional:
        return _relations(kind, xs, ys)
    if kind.total:
        return _total_functions(kind, xs, ys)
    return _partial_functions(kind, xs, ys)


def _total_functions(kind: Kind, xs: list[Value], ys: list[Value]) -> Iterator[Value]:
    if not kind.injective and not kind.surjective and len(xs) * len(ys) <= SMALL:
        return map(frozenset, product(*[[(x, y) for y in ys] for x in xs]))
    return _total_functions_by_images(kind, xs, ys)


def _total_functions_by_images(
    kind: Kind, xs: list[Value], ys: list[Value]
) -> Iterator[frozenset[Value]]:
    images: Iterable[tuple[Value, ...]]
    if kind.injective or (kind.surjective and len(xs) == len(ys)):
        images = permutations(ys, len(xs))
    elif kind.surjective:
        images = _all_hit(ys, len(xs), ())
    else:
        images = product(ys, repeat=len(xs))
    for chosen in images:
        if not kind.surjective or len(set(chosen)) == len(ys):
            yield frozenset(zip(xs, chosen, strict=True))


def _all_hit(
    ys: list[Value], places: int, chosen: tuple[Value, ...]
) -> Iterator[tuple[Value, ...]]:
    """Yield the ways to fill the places so that each of `ys` is somewhere, in order."""
    left = places - len(chosen)
    missing = len(ys) - len(set(chosen))
    if left < missing:
        return
    if left == 0:
        yield chosen
        return
    for y in ys:
        yield from _all_hit(ys, places, (*chosen, y))


def _relations(kind: Kind, xs: list[Value], ys: list[Value]) -> Iterator[Value]:
    pairs = list(product(xs, ys))
    for n in range(len(pairs) + 1):
        for chosen in combinations(pairs, n):
            if kind.total and len({x for x, _ in chosen}) < len(xs):
                continue
            if kind.surjective and len({y for _, y in chosen}) < len(ys):
                continue
            yield frozenset(chosen)


def _partial_functions(kind: Kind, xs: list[Value], ys: list[Value]) -> Iterator[Value]:
    """Yield by size, then by the sorted pairs: the canonical order."""
    most = min(len(xs), len(ys)) if kind.injective else len(xs)
    for n in range(len(ys) if kind.surjective else 0, most + 1):
        for pairs in _choices(kind, (xs, ys), n, ()):
            if not kind.surjective or len({y for _, y in pairs}) == len(ys):
                yield frozenset(pairs)


Pairs = tuple[tuple[Value, Value], ...]


def _choices(
    kind: Kind, sets: tuple[list[Value], list[Value]], n: int, chosen: Pairs
) -> Iterator[Pairs]:
    if n == 0:
        yield chosen
        return
    xs, ys = sets
    hit = {y for _, y in chosen}
    if kind.surjective and len(ys) - len(hit) > n:
        return
    taken = hit if kind.injective else ()
    for i in range(len(xs) - n + 1):
        for y in ys:
            if y not in taken:
                yield from _choices(kind, (xs[i + 1 :], ys), n - 1, (*chosen, (xs[i], y)))


def function_space(kind: Kind, source: SetValue, target: SetValue) -> SetValue:
    """Return the relations of one kind from `source` to `target`."""
    return FunctionSpace(kind, source, target)
