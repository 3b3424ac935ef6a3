"""What can be asked about two actions, or an action and a check: whether there is such a state."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Verb(Enum):
    """What the state that is looked for shows."""

    CLASH = "both happen and the order matters"
    MEET = "both can happen"
    ENABLE = "the first makes a conjunct of the second true"
    DISABLE = "the first makes a conjunct of the second not true"
    VIOLATE = "the action makes the check fail"
    REPAIR = "the action makes the check hold"
    FAULT = "the action is at fault"
    PROVOKE = "the first brings the second to be at fault"
    HEAL = "the first ends a fault of the second"


class Question(NamedTuple):
    """A verb with its objects: the numbers of two actions, or of an action and a check.

    `conjunct` is one of the second action's guard.
    """

    verb: Verb
    first: int
    second: int
    conjunct: int = -1


UNDER_ASSUMPTIONS: Final = frozenset({Verb.CLASH, Verb.MEET, Verb.ENABLE, Verb.DISABLE})
"""Checks may be assumed where commuting and enabling are asked for, and only there."""

ABOUT_CONDITIONS: Final = frozenset(set(Verb) - {Verb.CLASH, Verb.MEET, Verb.FAULT})
"""Where an action is asked to change a condition."""

JOINT: Final = frozenset({Verb.CLASH, Verb.MEET, Verb.HEAL})
"""Where nothing is left to ask if the guards of two actions exclude each other: what surely does
not happen is not at fault either, so that its fault cannot be ended."""
