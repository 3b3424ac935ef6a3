"""Why a property fails, or why nothing can happen: claims that evaluation can confirm."""

from __future__ import annotations

from typing import Any

from secateur.source import Span
from secateur.source.records import dataclass

Bindings = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Term:
    """A part of a formula with its value; `since` is the number of the step that it has it from.

    None for what no step can change.
    """

    text: str
    value: Any
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Cause:
    """A part of a predicate that decides it, and whether that part holds.

    `bindings` are the values of quantified identifiers (or parameters) for which it does or does
    not; `remark` says what is wrong with a value where that is not plain; `since` is the number
    of the step from which on the part has been as it is.
    """

    text: str
    holds: bool
    span: Span | None = None
    bindings: Bindings = ()
    terms: tuple[Term, ...] = ()
    remark: str | None = None
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """Why an operation cannot happen.

    With these `bindings` of its parameters all of its guard up to the part `cause` holds;
    without a cause, no values of the parameters pass its guard, or its body has no outcome:
    `remark` says which.
    """

    operation: str
    cause: Cause | None = None
    bindings: Bindings = ()
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Stuck:
    """Where a process is, and why each statement that it could execute there cannot be."""

    process: str
    span: Span
    may_stay: bool
    """Whether it may be there for good."""
    blocked: tuple[Blocked, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What decides that a property fails; at a deadlock, what blocks each operation or process."""

    causes: tuple[Cause, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    stuck: tuple[Stuck, ...] = ()
