"""Sets and functions given by a rule: comprehensions and lambdas that are not listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from secateur.maths.evaluate.environment import FAULTS, GAPS, Code, Env, Plan, every_solution
from secateur.maths.show import brief
from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.symbolic.space import is_small
from secateur.maths.values import (
    IllDefined,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    ordered,
)

REMEMBERED_AT_MOST: Final = 10_000
LISTED_AT_MOST: Final = 100_000
"""A comprehension with more elements than this stays a rule until its elements are needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A compiled `{x, y | P}` or `%(x, y).(P | E)`.

    `element` computes the element from an environment in which the binders have values;
    `bind` puts a candidate element into an environment and says whether it fits (None:
    it must be searched for, because the element is an expression of the binders).
    """

    text: str
    plan: Plan
    test: Code
    element: Code
    bind: Callable[[Env, Value], None] | None
    captured: tuple[int, ...]
    """The places of the identifiers that the rule uses from outside."""
    simple: bool = False
    """Whether it costs little to try and list the elements: no sets among the binders."""


@dataclass(frozen=True, slots=True, eq=False)
class FunctionRule:
    """What a rule whose elements are pairs can do beyond its elements.

    `argument` binds the domain side; `value` computes the image once it is bound
    (lambda); otherwise `images` searches for the range side (comprehension).
    """

    argument: Callable[[Env, Value], None]
    test: Code | None
    value: Code | None
    images: tuple[Plan, Code] | None
    domain: Rule
    box: Code | None = None
    """The domain itself, where it is plainly a set or a product of sets."""


class RuleSet(SymbolicSet):
    """The set of the elements that a rule admits in an environment."""

    __slots__ = ("_elements", "_tried", "env", "hopeless", "rule")

    def __init__(self, rule: Rule, env: Env) -> None:
        self.rule = rule
        self.env = env.copy()
        self.env[GAPS] = []
        self._elements: frozenset[Value] | None = None
        self._tried = False
        self.hopeless = not rule.plan.bounded
        """Whether there is no point in trying to list the elements."""

    def __contains__(self, value: object) -> bool:
        if self._elements is not None:
            return value in self._elements
        env = self.env.copy()
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
        if self._elements is None:
            env = self.env.copy()
            if self.rule.plan.bounded:
                self._elements = frozenset(self.rule.element(env) for _ in self._solutions(env))
            else:
                self._elements = frozenset(self._elements_after_all(env))
        return self._elements

    def _elements_after_all(self, env: Env) -> Iterator[Value]:
        """Yield the elements once it is clear that nothing was left out.

        A recursive function must not be computed for arguments that were only tried.
        """
        places = self.rule.plan.places
        found = [[env[place] for place in places] for _ in self._solutions(env)]
        for values in found:
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
        if self.worth_listing():
            try:
                return hash(self.expand())
            except (IllDefined, Undecided):
                self._tried = True
        return hash(self.structure())

    def worth_listing(self) -> bool:
        """Whether the elements can be listed, or might be found without much effort."""
        plan = self.rule.plan
        if self._tried and self._elements is None:
            return False
        return self.listable() or self.rule.simple or (plan.finite and not plan.bounded)

    def listable(self) -> bool:
        """Whether the elements can be listed, as far as that is known without trying."""
        return self._elements is not None or not self.hopeless

    def __repr__(self) -> str:
        return self.rule.text


class RuleRelation(RuleSet, SymbolicRelation):
    """A rule set of pairs: it can be applied without being listed."""

    __slots__ = ("_known", "_make_function")

    def __init__(self, rule: Rule, function: Callable[[], FunctionRule], env: Env) -> None:
        super().__init__(rule, env)
        self._make_function = function
        self._known: dict[Value, tuple[Value, ...]] = {}

    @property
    def function(self) -> FunctionRule:
        """How the relation is applied, compiled when it first is."""
        return self._make_function()

    def is_function(self) -> bool | None:
        """Whether no argument has two images: so it is for a lambda."""
        return None if self.function.value is None else True

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
        return frozenset(y for x in arguments for y in self._images(x))

    def domain(self) -> SetValue:
        """Return the arguments that have an image."""
        if self.function.box is not None:
            return listed_if_small(self.function.box(self.env))
        return list_or_defer(self.function.domain, None, self.env)


def listed_if_small(s: SetValue) -> SetValue:
    """Return `s`, listed if it has few elements."""
    return s.expand() if isinstance(s, SymbolicSet) and is_small(s, LISTED_AT_MOST) else s


def list_or_defer(
    rule: Rule, function: Callable[[], FunctionRule] | None, env: Env, *, patient: bool = False
) -> SetValue:
    """Return the set of a rule: listed if that ends soon, else as a rule.

    `patient`: what is ill-defined somewhere is noted and stays a rule, to be used elsewhere.
    """
    hopeless = not rule.plan.bounded
    if not hopeless:
        gaps = env[GAPS]
        before = len(gaps)
        try:
            elements = list(islice(_elements(rule, env), LISTED_AT_MOST + 1))
            if len(gaps) == before and len(elements) <= LISTED_AT_MOST:
                return frozenset(elements)
            hopeless = len(gaps) > before
        except Undecided:
            hopeless = True
        except IllDefined as error:
            if not patient:
                raise
            env[FAULTS].append(error)
            hopeless = True
        del gaps[before:]
    set_ = RuleSet(rule, env) if function is None else RuleRelation(rule, function, env)
    set_.hopeless = hopeless
    return set_


def _elements(rule: Rule, env: Env) -> Iterator[Value]:
    element = rule.element
    for _ in rule.plan.run(env):
        yield element(env)
