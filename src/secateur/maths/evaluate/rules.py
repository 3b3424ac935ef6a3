"""What comprehensions and lambdas are compiled to, and what it takes to go through their elements."""

from __future__ import annotations

from collections.abc import Callable

from secateur.maths.evaluate.effort import OutOfEffort
from secateur.maths.evaluate.environment import METER, Code, Env, Plan
from secateur.maths.values import SetValue, SymbolicSet, Undecided, Value, cardinality
from secateur.source.records import dataclass


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
    weight: float = 1.0
    """The steps that it takes to compute an element, or to test one."""
    box: Code | None = None
    """The domain of a lambda, or of what might be one, where it is plainly a product of sets."""
    enclosure: Code | None = None
    """A set that has all elements among its own, if the rule says so plainly."""


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
    bound: Code | None = None
    """Finds a set with all images, or None."""


def steps_for(rule: Rule, arguments: SetValue, *, unknown: float) -> float:
    """Return how many steps it takes at least to use a rule for all of `arguments`.

    `unknown`: the answer where nobody knows how many they are, or there is no end to them.
    """
    if isinstance(arguments, SymbolicSet) and not arguments.worth_listing():
        return unknown
    try:
        size = cardinality(arguments)
    except Undecided:
        return unknown
    return unknown if size is None else size * rule.weight


def elements_of(rule: Rule, env: Env) -> list[Value]:
    """Return the elements that a rule admits; raise OutOfEffort if that takes too many steps."""
    meter, weight, element = env[METER], rule.weight, rule.element
    elements = []
    for _ in rule.plan.run(env):
        meter.left -= weight
        if meter.left < 0:
            raise OutOfEffort
        elements.append(element(env))
    return elements
