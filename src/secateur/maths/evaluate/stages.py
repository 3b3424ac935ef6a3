"""The stages of plans: each binds identifiers and stops once per value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Final

from secateur.maths.evaluate.effort import counted
from secateur.maths.evaluate.environment import GAPS, METER, Code, Env, Plan, Stage
from secateur.maths.evaluate.itself import Itself
from secateur.maths.evaluate.patterns import Pattern
from secateur.maths.operators import sequences, sets
from secateur.maths.symbolic import SequenceSpace
from secateur.maths.values import IllDefined, Undecided, Value, cardinality
from secateur.source.records import dataclass


def bind_once(target: Pattern, code: Code) -> Stage:
    """Return the stage that binds `target` to one value."""
    place, match = target.place, target.match

    def bind_identifier(env: Env) -> Iterator[None]:
        env[place] = code(env)  # type: ignore[index]
        yield

    def bind_pattern(env: Env) -> Iterator[None]:
        if match(env, code(env)):
            yield

    return bind_pattern if place is None else bind_identifier


def first_case(place: int, cases: Sequence[tuple[Code, Code]], otherwise: Stage) -> Stage:
    """Return the stage that binds to the value of the first case that applies."""

    def bind(env: Env) -> Iterator[None]:
        for applies, value in cases:
            if applies(env):
                env[place] = value(env)
                yield
                return
        yield from otherwise(env)

    return bind


def by_values(
    place: int, domain: Code, values: Sequence[tuple[Code, Code]], otherwise: Stage
) -> Stage:
    """Return the stage that binds a function to its known values, if they are all."""

    def bind(env: Env) -> Iterator[None]:
        table = frozenset([(key(env), value(env)) for key, value in values])
        if frozenset([key for key, _ in table]) == domain(env):
            env[place] = table
            yield
        else:
            yield from otherwise(env)

    return bind


def tie(name: str, place: int, code: Code) -> Stage:
    """Return the stage that binds a recursive function to its own definition."""

    def tie(env: Env) -> Iterator[None]:
        itself = Itself(name)
        env[place] = itself
        itself.meaning = env[place] = code(env)
        yield

    return tie


def each_element(target: Pattern, elements: Callable[[Env], Iterable[Value]]) -> Stage:
    """Return the stage that binds `target` to one element after the other."""
    place, match = target.place, target.match
    if place is not None:
        return EachElement(place, elements)

    def each_pattern(env: Env) -> Iterator[None]:
        for value in counted(env[METER], elements(env)):
            if match(env, value):
                yield

    return each_pattern


@dataclass(frozen=True, slots=True, eq=False)
class EachElement:
    """The stage that binds an identifier to one element of a set after the other."""

    place: int
    elements: Callable[[Env], Iterable[Value]]

    def __call__(self, env: Env) -> Iterator[None]:
        """Stop at each of them."""
        place = self.place
        for value in counted(env[METER], self.elements(env)):
            env[place] = value
            yield

    def where(self, test: Code) -> Stage:
        """Return the stage that stops only where `test` holds: one loop is faster than two."""
        place, elements = self.place, self.elements

        def each(env: Env) -> Iterator[None]:
            for value in counted(env[METER], elements(env)):
                env[place] = value
                if test(env):
                    yield

        return each


def each_between(place: int, lower: Sequence[Code], upper: Sequence[Code]) -> Stage:
    """Return the stage that counts from the greatest lower to the least upper bound."""

    def each(env: Env) -> Iterator[None]:
        least = max([code(env) for code in lower])
        greatest = min([code(env) for code in upper])
        for value in counted(env[METER], range(least, greatest + 1)):
            env[place] = value
            yield

    return each


def each_tried(
    place: int, lower: Sequence[Code], upper: Sequence[Code], ends: tuple[int, int], name: str
) -> Stage:
    """Return the loop over MININT..MAXINT, cut by a bound on one side; never empty for it.

    Where the bound lies beyond, ProB tries the bound itself, and so do we.
    """
    minint, maxint = ends

    def each(env: Env) -> Iterator[None]:
        least, greatest = minint, maxint
        if lower:
            least = max([code(env) for code in lower])
            greatest = max(least, maxint)
        if upper:
            greatest = min([code(env) for code in upper])
            least = min(greatest, minint)
        env[GAPS].append(name)
        for value in counted(env[METER], range(least, greatest + 1)):
            env[place] = value
            yield

    return each


def each_of_any(plans: Sequence[Plan]) -> Stage:
    """Return the loop over the distinct solutions of any of `plans`."""

    def each(env: Env) -> Iterator[None]:
        seen = set()
        for plan in plans:
            for _ in plan.run(env):
                solution = tuple([env[i] for i in plan.places])
                if solution not in seen:
                    seen.add(solution)
                    yield

    return each


SMALL_SPACE: Final = 2_000
MEDIUM_SPACE: Final = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A large set to go through: `each` binds an element, `rest` everything else."""

    elements: Code
    each: Stage
    rest: Stage


def smallest_or(
    spaces: Sequence[Space],
    solver: Stage,
    attempt: Callable[[Stage], Callable[[Env, int], Iterator[None]]],
) -> Stage:
    """Return the stage that goes through the smallest space, if that is small at all.

    If it is of medium size, the solver has a first try (`attempt`, which is told that size).
    """
    through = [_through(space) for space in spaces]
    tried = [attempt(stage) for stage in through]

    def stage(env: Env) -> Iterator[None]:
        sizes = [_size(space, env) for space in spaces]
        least = min(sizes)
        if least > MEDIUM_SPACE:
            return solver(env)
        number = sizes.index(least)
        return through[number](env) if least <= SMALL_SPACE else tried[number](env, int(least))

    return stage


def _through(space: Space) -> Stage:
    def stage(env: Env) -> Iterator[None]:
        for _ in space.each(env):
            yield from space.rest(env)

    return stage


def _size(space: Space, env: Env) -> float:
    """Return the size of a space in `env`; infinite where that is not known."""
    try:
        size = cardinality(space.elements(env))
    except (IllDefined, Undecided):
        return inf
    return inf if size is None or size > MEDIUM_SPACE else size


LENGTHS: Final = frozenset({sets.CARD, sequences.SIZE.overloads[0]})
"""The operators that tell the length of a sequence."""
SEQUENCES_AT_MOST: Final = 100_000


def sequences_of(
    space: Code, length: Code, otherwise: Callable[[Env], list[Value]]
) -> Callable[[Env], list[Value]]:
    """Return what lists the sequences of one length in `space`, an infinite set.

    `otherwise` is asked if it is not a set of sequences, or if they are too many.
    """

    def values(env: Env) -> list[Value]:
        set_, n = space(env), length(env)
        if isinstance(set_, SequenceSpace):
            base = cardinality(set_.base)
            if n < int(set_.nonempty):
                return []
            if base is not None and max(n, base ** min(n, 20)) <= SEQUENCES_AT_MOST:
                env[METER].spend(base**n)
                return list(set_.by_length(n))
        return otherwise(env)

    return values
