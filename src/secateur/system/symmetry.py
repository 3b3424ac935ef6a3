"""What may be exchanged in a system without anybody noticing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from secateur.source.records import dataclass
from secateur.system.system import State


class Asymmetric(Exception):
    """Something in a state cannot be described without telling elements apart; says what."""


@dataclass(frozen=True, slots=True)
class Interchangeable:
    """Elements of a set that may be exchanged for each other, by their numbers."""

    name: str
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetFinding:
    """How many elements of a set may be exchanged; `reasons` say why it is not all of them."""

    name: str
    size: int
    free: int
    reasons: tuple[str, ...] = ()


class Symmetry(Protocol):
    """The automorphisms of a system: any permutation of each of some sets.

    If a step leads from one state to another, the step with its arguments permuted leads from
    the permuted state to the permuted other, and the same properties hold in both.
    """

    @property
    def sets(self) -> Sequence[Interchangeable]:
        """What may be exchanged: elements of one set for each other."""

    @property
    def elements(self) -> int:
        """How many elements all sets have together, also those that nobody exchanges."""

    def described(self, state: State, colour: Sequence[int]) -> Any:
        """Return what a state looks like to somebody who sees of each element its colour only.

        Descriptions can be compared, ordered and hashed.  States that a permutation turns into
        each other, colours included, have the same one; with a colour for each element, no
        others have.  Raise Asymmetric where something cannot be described.
        """
