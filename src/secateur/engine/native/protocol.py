"""What the native engine needs of a model: packed states, code, and an evaluator behind both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from secateur.kernel.language import Program
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, Outgoing, PropertyKind, State, Transition


class Part(Protocol):
    """An action or a property.  Masks are bits of a packed state, word by word."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def reads(self) -> Sequence[int]:
        """The bits that it looks at, or may leave as they are where it may write."""

    @property
    def writes(self) -> Sequence[int]:
        """The bits that it may change."""

    @property
    def reason(self) -> str | None:
        """Why it is not compiled; None if it is."""

    @property
    def coded(self) -> bool:
        """Whether there is code of it: that of an action that is not compiled says where it is impossible."""

    @property
    def kind(self) -> PropertyKind | None:
        """What kind of property it is; None for an action."""


class End(Protocol):
    """Where a run may end, so that a state without successors is no deadlock."""

    @property
    def reads(self) -> Sequence[int]:
        """The bits that say so."""

    @property
    def program(self) -> Program | None:
        """A program of one predicate; None if it is not compiled."""


class Packed(Protocol):
    """A system whose states are words.

    The program's actions and predicates are those parts of which there is code, in order.
    """

    @property
    def program(self) -> Program:
        """The code."""

    @property
    def bits(self) -> Sequence[int]:
        """How many low bits of each word are used."""

    @property
    def actions(self) -> Sequence[Part]:
        """The operations, in the order of the system."""

    @property
    def properties(self) -> Sequence[Part]:
        """What is to be checked in a state."""

    @property
    def end(self) -> End | None:
        """Where a run may end; None if it may nowhere."""

    @property
    def variables(self) -> Sequence[tuple[str, Sequence[int]]]:
        """The variables with the bits that they occupy."""

    def encode(self, state: State) -> Sequence[int]:
        """Return the words of a state; raise `Misfit` if something does not fit."""

    def decode(self, words: Sequence[int]) -> State:
        """Return the state."""

    def value(self, variable: str, words: Sequence[int]) -> Any:
        """Return the value of one variable."""

    def tighten(self, seen: Mapping[str, Iterable[Any]]) -> None:
        """Provide for no more than some values of variables; code and masks are new then."""

    def narrower(self, seen: Mapping[str, Iterable[Any]]) -> Callable[[], None] | None:
        """Return what makes states a word wide, with room for what was seen; None if it cannot be."""

    def widen(self, misfit: Misfit) -> None:
        """Provide for a value that did not fit; code and masks are new then."""

    def step(
        self, action: int, words: Sequence[int]
    ) -> tuple[list[Sequence[int]], list[Breach | Fault | Gap]]:
        """Let the evaluator perform an action: the targets of its transitions, and the rest."""

    def performed(self, words: Sequence[int]) -> Sequence[Transition]:
        """Return the transitions of a state that the evaluator has performed and that are remembered."""

    def outcomes(self, action: int, state: State) -> Iterator[Outgoing]:
        """Let the evaluator perform an action in a state."""

    def check(self, number: int, words: Sequence[int]) -> list[Breach | Fault | Gap]:
        """Let the evaluator look at a property."""

    def may_end(self, words: Sequence[int]) -> bool:
        """Let the evaluator say whether a run may end in a state."""
