"""What comes of evaluating an expression or a predicate in a state."""

from __future__ import annotations

from typing import Any

from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The value of an expression."""

    value: Any


@dataclass(frozen=True, slots=True)
class Decided:
    """Whether a predicate holds; `solution` binds its free identifiers, if it has any."""

    truth: bool
    solution: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no value: the expression is not well-defined here."""

    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """There may be a value, but it could not be found out."""

    reason: str


Answer = Evaluated | Decided | Undefined | Unknown
