"""Processes of a model: what is written for them, where each may be, and what a step executes.

For reports only: guards and bodies of operations say all that matters to a run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from secateur.maths.ast import Expr
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is written in a unit (a proctype) that processes execute."""

    unit: str
    place: int
    """Where it begins."""
    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    awaits: str | None = field(default=None, compare=False)
    """What it waits for, where that is something that other processes do."""
    target: int = field(default=-1, compare=False)
    """Where it leads; -1 if the process is no more."""
    silent: bool = field(default=False, compare=False)
    """Whether it does nothing but lead somewhere."""
    number: int = field(default=0, compare=False)
    """Which one of the unit it is: the same one may begin at several places."""


@dataclass(frozen=True, slots=True)
class Message:
    """What goes through a channel; `values` are in terms of the state before the step.

    A rendezvous has both a sender and a receiver.
    """

    channel: str
    values: tuple[Expr, ...]
    sender: str | None = None
    receiver: str | None = None
    names: tuple[Mapping[int, str], ...] = ()
    """Of each value: what numbers are called that stand for something."""
    stays: bool = False
    """Whether it stays in the channel, though it is received."""


@dataclass(frozen=True, slots=True)
class Execution:
    """A statement that a step executes, and by whom."""

    process: str
    statement: Statement
    message: Message | None = None
    answer: Statement | None = None
    """The statement by which the other process receives in a rendezvous."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a process may be: what it can execute there, and whether it may stay for good."""

    statements: tuple[Statement, ...]
    end: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Process:
    """A process; the value of a variable tells at which of its places it is."""

    name: str
    variable: str
    places: Mapping[int, Place]
    """By that value; with any other it is not alive."""
