"""Sets and functions given by a rule: comprehensions and lambdas that are not listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

from secateur.maths.evaluate.effort import SOON, TO_LIST, OutOfEffort, on_demand, within
from secateur.maths.evaluate.environment import (
    FAULTS,
    GAPS,
    METER,
    Env,
    every_solution,
)
from secateur.maths.evaluate.rules import FunctionRule, Rule, elements_of, steps_for
from secateur.maths.show import brief
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.symbolic.products import plainly_within
from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.symbolic.space import FEW, SMALL, is_small, sample
from secateur.maths.values import (
    INFINITE_HASH,
    IllDefined,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    ordered,
    unknown_elements,
)

REMEMBERED_AT_MOST: Final = 10_000
LISTED_AT_MOST: Final = 100_000
"""A comprehension with more elements than this stays a rule until its elements are needed."""


class RuleSet(SymbolicSet):
    """The set of the elements that a rule admits in an environment."""

    __slots__ = ("_elements", "_given_up", "_tried", "dear", "env", "hopeless", "rule")

    def __init__(self, rule: Rule, env: Env) -> None:
        self.rule = rule
        self.env = env.copy()
        self.env[GAPS] = []
        self._elements: frozenset[Value] | None = None
        self._tried = False
        self.hopeless = not rule.plan.bounded
        """Whether there is no point in trying to list the elements."""
        self.dear = False
        """Whether that was tried and took too many steps."""
        self._given_up = False

    def __contains__(self, value: object) -> bool:
        if self._elements is not None:
            return value in self._elements
        env = self.env.copy()
        env[METER].spend(self.rule.weight)
        if self.rule.bind is not None:
            self.rule.bind(env, value)
            return bool(self.rule.test(env))
        return any(self.rule.element(env) == value for _ in self._solutions(env))

    def _solutions(self, env: Env) -> Iterator[None]:
        env[GAPS] = []  # of its own: several may be under way at a time
        return every_solution(self.rule.plan, env, lambda: self.rule.text)

    def size(self) -> int | None:
        """Return the number of elements, by listing them."""
        return len(self.expand())

    def expand(self) -> frozenset[Value]:
        """Return the same set with its elements listed; they are kept."""
        if self._elements is None and not self._given_up:
            if self.dear and self.env[METER].left < TO_LIST:
                raise OutOfEffort  # it has taken more than that before
            self._elements = on_demand(self.env[METER], self._listed, self._expected())
            self._given_up = self._elements is None
        if self._elements is None:
            raise Undecided(f"the elements of {self!r} take too long to list")
        return self._elements

    def _expected(self) -> float:
        """Return how many steps it takes at least to go through all elements."""
        box = self.rule.box
        return 0 if box is None or not self.dear else steps_for(self.rule, box(self.env), unknown=0)

    def _listed(self) -> frozenset[Value]:
        env = self.env.copy()
        if not self.rule.plan.bounded:
            return frozenset(self._elements_after_all(env))
        gaps: list[str] = []
        env[GAPS] = gaps
        elements = frozenset(elements_of(self.rule, env))
        if gaps:
            raise Undecided(f"{gaps[0]} in {self.rule.text} has no bound")
        return elements

    def any_order(self) -> Iterable[Value]:
        """Return the elements in no particular order."""
        return self.expand()

    def _elements_after_all(self, env: Env) -> Iterator[Value]:
        """Yield the elements once it is clear that nothing was left out.

        A recursive function must not be computed for arguments that were only tried.
        """
        places = self.rule.plan.places
        found = [[env[place] for place in places] for _ in self._solutions(env)]
        for values in found:
            env[METER].spend(self.rule.weight)
            for place, value in zip(places, values, strict=True):
                env[place] = value
            yield self.rule.element(env)

    def __iter__(self) -> Iterator[Value]:
        return iter(ordered(self.expand()))

    def is_empty(self) -> bool:
        """Whether the rule admits nothing."""
        if self._elements is not None:
            return not self._elements
        return next(self._solutions(self.env.copy()), self) is self

    def lacks(self, value: Value) -> bool:
        """Whether `value` is surely not an element, and that is found soon."""
        return bool(within(self.env[METER], SOON, lambda: SymbolicSet.lacks(self, value)))

    def within(self, other: SymbolicSet) -> bool | None:
        """Whether what plainly has all elements is a subset of `other`."""
        enclosure = self.rule.enclosure
        return (enclosure is not None and plainly_within(enclosure(self.env), other)) or None

    def structure(self) -> tuple[Value, ...]:
        """Return the rule as it is written, and the values that it uses from outside."""
        return (self.rule.text, tuple(self.env[i] for i in self.rule.captured))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RuleSet) and self.structure() == other.structure():
            return True
        if isinstance(other, frozenset) and not other:
            return self.is_empty()
        return super().__eq__(other)

    def __hash__(self) -> int:
        # What is finite may equal a frozenset and must hash like one.
        if self.dear:
            return hash(self.expand())
        if self.worth_listing():
            try:
                return hash(self.expand())
            except (IllDefined, Undecided):
                self._tried = True
        if not self._surely_infinite():
            raise unknown_elements(self)
        return INFINITE_HASH

    def _surely_infinite(self) -> bool:
        """Whether there is no end to the elements: so it is for a lambda with such arguments."""
        box = self.rule.box
        try:
            return box is not None and cardinality(box(self.env)) is None
        except (IllDefined, Undecided):
            return False

    def is_dear(self) -> bool:
        """Whether it takes many steps to list the elements, of this or of what it uses."""
        return (self.dear and self._elements is None) or super().is_dear()

    def worth_listing(self) -> bool:
        """Whether the elements can be listed, or might be found without much effort."""
        if self._elements is not None:
            return True
        if self._tried or self.dear:
            return False
        if not self.hopeless:
            return True
        plan = self.rule.plan
        if not self.rule.simple and (plan.bounded or not plan.finite):
            return False
        return self._can_be_listed()

    def _can_be_listed(self) -> bool:
        """Whether trying to list what may well be finite leads to something soon."""
        try:
            self._elements = within(self.env[METER], TO_LIST, self._listed)
        except (IllDefined, Undecided):
            self._tried = True
            return False
        self.dear = self._elements is None
        return not self.dear

    def __repr__(self) -> str:
        return self.rule.text


class RuleRelation(RuleSet, SymbolicRelation):
    """A rule set of pairs: it can be applied without being listed."""

    __slots__ = ("_known", "_make_function", "_sample", "_table")

    def __init__(self, rule: Rule, function: Callable[[], FunctionRule], env: Env) -> None:
        super().__init__(rule, env)
        self._make_function = function
        self._known: dict[Value, tuple[Value, ...]] = {}
        self._table: dict[Value, list[Value]] | None = None
        """The images of each argument, once the pairs are listed."""
        self._sample: list[Value] | None = None

    @property
    def function(self) -> FunctionRule:
        """How the relation is applied, compiled when it first is."""
        return self._make_function()

    def is_function(self) -> bool | None:
        """Whether no argument has two images: so it is for a lambda."""
        return None if self.function.value is None else True

    def range_bound(self) -> SetValue | None:
        """Return a set with all images, if the form of a lambda tells one."""
        bound = self.function.bound
        return None if bound is None else bound(self.env)

    def _images(self, argument: Value) -> tuple[Value, ...]:
        """Return the images of `argument`, remembered: what is applied once is applied again."""
        known = self._known.get(argument)
        if known is None:
            if len(self._known) >= REMEMBERED_AT_MOST:
                self._known.clear()
            known = self._known[argument] = tuple(self._find_images(argument))
        return known

    def _find_images(self, argument: Value) -> Iterator[Value]:
        function = self.function
        env = self.env.copy()
        env[METER].spend(self.rule.weight)
        function.argument(env, argument)
        if function.value is not None:
            if function.test is None or function.test(env):
                yield function.value(env)
            return
        assert function.images is not None
        plan, image = function.images
        env[GAPS] = []
        for _ in every_solution(plan, env, lambda: self.rule.text):
            yield image(env)

    def apply(self, argument: Value) -> Value:
        """Return the image of `argument`; ill-defined where there is none or several."""
        images = self._images(argument)
        if not images:
            raise IllDefined(f"{brief(argument)} is not in the domain of {self.rule.text}")
        if any(other != images[0] for other in images):
            raise IllDefined(f"{brief(argument)} has several images in {self.rule.text}")
        return images[0]

    def image(self, arguments: SetValue) -> frozenset[Value]:
        """Return the images of all `arguments`."""
        if isinstance(arguments, frozenset):
            return self._image(arguments)
        if arguments.size() is None:
            raise Undecided(f"the elements of {arguments!r} cannot be listed: it is infinite")
        expected = steps_for(self.rule, arguments, unknown=0)
        found = on_demand(self.env[METER], lambda: self._image(arguments), expected)
        if found is None:
            raise Undecided(f"the images of {arguments!r} under {self!r} take too long to list")
        return found

    def _image(self, arguments: SetValue) -> frozenset[Value]:
        if self._elements is None:
            return frozenset(y for x in arguments for y in self._images(x))
        if isinstance(arguments, frozenset) and len(arguments) < len(self._elements):
            table = self._listed_images(self._elements)
            return frozenset([y for x in arguments for y in table.get(x, ())])
        return frozenset([y for x, y in self._elements if x in arguments])

    def _listed_images(self, pairs: frozenset[Value]) -> dict[Value, list[Value]]:
        if self._table is None:
            self._table = {}
            for x, y in pairs:
                self._table.setdefault(x, []).append(y)
        return self._table

    def all_images(self, arguments: SetValue, test: Callable[[Value, SetValue], bool]) -> bool:
        """Whether each of `arguments` and its images pass; undecided if that takes too long."""
        if cardinality(arguments) is None:
            raise Undecided(f"there are too many arguments to go through {self!r}")
        expected = steps_for(self.rule, arguments, unknown=0)
        answer = on_demand(self.env[METER], lambda: self._all_pass(arguments, test), expected)
        if answer is None:
            raise Undecided(f"going through the arguments of {self!r} takes too long")
        return answer

    def _all_pass(self, arguments: SetValue, test: Callable[[Value, SetValue], bool]) -> bool:
        """Whether all pass; nothing is remembered, each argument comes but once."""
        each = arguments if isinstance(arguments, frozenset) else arguments.any_order()
        return all(test(x, frozenset(self._find_images(x))) for x in each)

    def range(self) -> SetValue:
        """Return all images."""
        if self.dear:
            return frozenset([y for _, y in self.expand()])
        return super().range()

    def size(self) -> int | None:
        """Return the number of pairs: for a lambda, that of its arguments."""
        if self._elements is None and self.rule.box is not None:
            if self._surely_infinite():
                return None
            if self.dear:
                return cardinality(self.rule.box(self.env))
        return super().size()

    def sample(self) -> Iterator[Value]:
        """Yield pairs of a few arguments and their images, as long as these are found soon."""
        if self._sample is None:
            near = self._remarkable_arguments()
            arguments = chain(near, sample(self.domain()))
            found = within(self.env[METER], SOON, lambda: list(self.sample_at(arguments)))
            self._sample = found or []
        return iter(self._sample)

    def _remarkable_arguments(self) -> list[int]:
        """Return the numbers that the rule uses, and those beside them: there it may be different."""
        arguments = self.domain()
        if not isinstance(arguments, Integers):
            return []
        used = [n for n in (self.env[i] for i in self.rule.captured) if type(n) is int]
        return [n + d for n in used[:FEW] for d in (0, 1, -1) if n + d in arguments]

    def lacks(self, value: Value) -> bool:
        """Whether `value` is surely not an element; images of arguments that come again are known."""
        if self.function.value is None:
            return super().lacks(value)
        argument, image = value
        try:
            images = within(self.env[METER], SOON, lambda: self._images(argument))
            return images is not None and image not in images
        except (IllDefined, Undecided):
            return False

    def domain(self) -> SetValue:
        """Return the arguments that have an image."""
        if self.rule.box is not None:
            return listed_if_small(self.rule.box(self.env), SMALL)
        return list_or_defer(self.function.domain, None, self.env)


def listed_if_small(s: SetValue, limit: int = LISTED_AT_MOST) -> SetValue:
    """Return `s`, listed if it has few elements."""
    return s.expand() if isinstance(s, SymbolicSet) and is_small(s, limit) else s


def list_or_defer(
    rule: Rule, function: Callable[[], FunctionRule] | None, env: Env, *, patient: bool = False
) -> SetValue:
    """Return the set of a rule: listed if that ends soon, else as a rule.

    `patient`: what is ill-defined somewhere is noted and stays a rule, to be used elsewhere.
    """
    hopeless = not rule.plan.bounded
    dear = hopeless and _plainly_dear(rule, env)
    if not hopeless:
        gaps = env[GAPS]
        before = len(gaps)
        try:
            elements = _listed_soon(rule, env)
            if elements is not None and len(gaps) == before:
                return frozenset(elements)
            hopeless = len(gaps) > before
            dear = not hopeless
        except Undecided:
            hopeless = True
        except IllDefined as error:
            if not patient:
                raise
            env[FAULTS].append(error)
            hopeless = True
        del gaps[before:]
    set_ = RuleSet(rule, env) if function is None else RuleRelation(rule, function, env)
    set_.hopeless = hopeless and not dear
    set_.dear = dear
    return set_


def _plainly_dear(rule: Rule, env: Env) -> bool:
    """Whether a lambda has so many arguments that there is no need to try and list it."""
    if rule.box is None:
        return False
    try:
        arguments = rule.box(env)
    except (IllDefined, Undecided):
        return False  # whoever needs the elements will be told
    if isinstance(arguments, SymbolicSet) and arguments.is_dear():
        return True
    return steps_for(rule, arguments, unknown=0) > TO_LIST


def _listed_soon(rule: Rule, env: Env) -> list[Value] | None:
    """Return the elements that a rule admits, None if that takes too long or they are too many."""

    def elements() -> list[Value]:
        return elements_of(rule, env)

    meter = env[METER]
    try:
        found = within(meter, SOON, elements)
    except IllDefined:
        if not _plainly_dear(rule, env):
            raise
        return None  # of so many arguments, nobody asked for this one
    if found is None and not _plainly_dear(rule, env):
        found = within(meter, TO_LIST, elements)
    return found if found is None or len(found) <= LISTED_AT_MOST else None
