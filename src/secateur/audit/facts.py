"""What a certificate may claim about actions: each says that there is no state of some kind."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Verb(Enum):
    """What two actions, or an action and a check, never do to each other."""

    INDEPENDENT = "independent"
    """Where both happen, neither ends the other, and both orders lead to the same states."""
    NO_ENABLE = "never enables"
    """The first never makes a conjunct of the second true that was not."""
    NO_DISABLE = "never disables"
    """The first never makes a conjunct of the second not true that was."""
    NO_VIOLATE = "never violates"
    """The action never makes a check fail that did not."""
    NO_REPAIR = "never repairs"
    """The action never makes a check hold that did not."""
    NO_FAULT = "never at fault"
    """The action is never ill-defined, and never leaves the codes of a slot."""
    NO_PROVOKE = "never provokes"
    """The first never brings the second to be at fault."""
    NO_HEAL = "never heals"
    """The first never ends a fault of the second."""
    NO_STRAND = "never strands"
    """The action never leads to a state in which nothing happens."""


ABOUT_CHECKS = frozenset({Verb.NO_VIOLATE, Verb.NO_REPAIR})
ABOUT_CONJUNCTS = frozenset({Verb.NO_ENABLE, Verb.NO_DISABLE})
ABOUT_ONE = frozenset({Verb.NO_FAULT, Verb.NO_STRAND})


class Fact(NamedTuple):
    """A verb with its objects: numbers of actions, of a check, of a conjunct; -1 for none."""

    verb: Verb
    first: int
    second: int = -1
    conjunct: int = -1


def independent(a: int, b: int) -> Fact:
    """Return that the order of two actions does not matter; it is the same for either order."""
    return Fact(Verb.INDEPENDENT, min(a, b), max(a, b))
