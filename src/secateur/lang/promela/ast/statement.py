"""Statements."""

from __future__ import annotations

from secateur.lang.promela.ast.declaration import Declaration
from secateur.lang.promela.ast.expression import Expr
from secateur.lang.promela.ast.place import place
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression as a statement: executable where it is not 0.  `skip` is `Condition(1)`."""

    condition: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Else:
    """Executable where no other option is."""

    span: Span = place()


@dataclass(frozen=True, slots=True)
class Assign:
    """`x = e`; `x++` is `Assign(x, x + 1)`."""

    target: Expr
    value: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Send:
    """`c!args`, or `c!!args` (`sorted`)."""

    channel: Expr
    args: tuple[Expr, ...]
    sorted: bool = False
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Receive:
    """`c?args`; `c??args` (`any_place`); `c?<args>` and `c??<args>` leave the message (`copy`).

    An argument is a variable (it gets the value), `_`, a constant or `Eval` (which must match).
    """

    channel: Expr
    args: tuple[Expr, ...]
    any_place: bool = False
    copy: bool = False
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert(e)`."""

    condition: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Print:
    """`printf(format, args)`, or `printm(e)` with no format."""

    format: str | None
    args: tuple[Expr, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Exclusive:
    """`xr c, d` or `xs c, d`: the process alone receives from, or sends to, these channels."""

    receives: bool
    channels: tuple[Expr, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Sequence:
    """`{ s; t; u }`: the statements of a block, which has a scope of its own."""

    statements: tuple[Statement, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class If:
    """`if :: s :: t fi`."""

    options: tuple[Sequence, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Do:
    """`do :: s :: t od`."""

    options: tuple[Sequence, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ForRange:
    """`for (i : low .. high) { body }`."""

    variable: Expr
    low: Expr
    high: Expr
    body: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ForIn:
    """`for (x in a) { body }`: of an array its indices, of a channel its messages."""

    variable: Expr
    subject: Expr
    body: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Select:
    """`select (i : low .. high)`: any of these numbers."""

    variable: Expr
    low: Expr
    high: Expr
    span: Span = place()
    literal: bool = False
    """Whether Spin sees from the text alone which numbers these are."""


@dataclass(frozen=True, slots=True)
class Atomic:
    """`atomic { body }`."""

    body: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class DStep:
    """`d_step { body }`."""

    body: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Unless:
    """`body unless escape`."""

    body: Sequence
    escape: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Goto:
    """`goto label`."""

    label: str
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Break:
    """`break`."""

    span: Span = place()


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label: s`."""

    label: str
    statement: Statement
    span: Span = place()


Statement = (
    Declaration
    | Condition
    | Else
    | Assign
    | Send
    | Receive
    | Assert
    | Print
    | Exclusive
    | Sequence
    | If
    | Do
    | ForRange
    | ForIn
    | Select
    | Atomic
    | DStep
    | Unless
    | Goto
    | Break
    | Labelled
)
