"""Types, variables and expressions."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from secateur.lang.promela.ast.place import place
from secateur.source import Span
from secateur.source.records import dataclass


class Basic(Enum):
    """The types without structure."""

    BIT = "bit"
    BOOL = "bool"
    BYTE = "byte"
    PID = "pid"
    SHORT = "short"
    INT = "int"
    UNSIGNED = "unsigned"
    MTYPE = "mtype"
    CHAN = "chan"


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable without structure: a field of a structure is a variable of its own.

    The fields `x` of an array `s` of three structures are one variable `s.x` of dimension 3.
    Two variables are the same only if they are one object.
    """

    name: str
    """As users see it: `x`, `s.x`; `x_2` for the second of one name in one proctype."""
    type: Basic
    width: int = 0
    """The bits of an `unsigned`; 8 for an array of bits, which are bytes in Spin; 0 for others."""
    dimensions: tuple[int, ...] = ()
    subtype: str = ""
    """Of `mtype`."""
    initial: tuple[Expr, ...] = ()
    """One for all elements, or one per element; none for 0."""
    channel: Channel | None = None
    """What each element is initialised with, if that is a new channel."""
    owner: str | None = None
    """The proctype; None if it is global."""
    hidden: bool = False
    parameter: bool = False
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ChannelField:
    """One number of a message."""

    type: Basic
    width: int = 0
    subtype: str = ""


@dataclass(frozen=True, slots=True)
class Channel:
    """What a channel can hold; structures in messages are their fields, one after the other."""

    capacity: int
    fields: tuple[ChannelField, ...]
    typedef: str = ""
    """The name of the structure that a message is, if it is exactly one."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer; `name` is the constant's (an element of `mtype`, `true`, `false`), if it has one."""

    value: int
    name: str = ""
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Text:
    """A string, quotes removed, escapes as written; only in `printf`."""

    value: str
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, before it is resolved; also `_`, `_pid`, `_nr_pr`, `_last`, `np_`."""

    text: str
    span: Span = place()
    passed: bool = field(default=False, compare=False)
    """Whether it is from an argument of an `inline`: there, a constant is a mere number."""


@dataclass(frozen=True, slots=True)
class Index:
    """`a[i]`."""

    base: Expr
    index: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Member:
    """`s.field`."""

    base: Expr
    field: str
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Use:
    """A variable without structure, after names are resolved; one index per dimension.

    An array as a whole (the subject of `for (x in a)`) has none.
    """

    variable: Variable
    indices: tuple[Expr, ...] = ()
    span: Span = place()


class Special(Enum):
    """What the system itself knows."""

    PID = "_pid"
    NR_PR = "_nr_pr"
    LAST = "_last"
    NP = "np_"
    TIMEOUT = "timeout"
    SCRATCH = "_"
    """The variable that forgets what is written to it."""


@dataclass(frozen=True, slots=True)
class Known:
    """`_pid`, `_nr_pr`, `_last`, `np_`, `timeout` or `_`, after names are resolved."""

    special: Special
    span: Span = place()


@dataclass(frozen=True, slots=True)
class RemoteLabel:
    """`P[e]@label`; without an index (`P@label`) the only process of that type."""

    proctype: str
    pid: Expr | None
    label: str
    span: Span = place()


@dataclass(frozen=True, slots=True)
class RemoteVariable:
    """`P[e]:x`, with the variable as written (`Name`, `Index`, `Member`) until it is a `Use`."""

    proctype: str
    pid: Expr | None
    variable: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Unary:
    """`-e`, `!e`, `~e`."""

    op: str
    operand: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / % << >> & | ^ && || == != < <= > >=`, as in C."""

    op: str
    left: Expr
    right: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Conditional:
    """`(c -> a : b)`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Run:
    """`run P(args)`, with a priority if one is given."""

    proctype: str
    args: tuple[Expr, ...]
    priority: Expr | None = None
    span: Span = place()


class ChannelQuestion(Enum):
    """What can be asked of a channel."""

    LEN = "len"
    EMPTY = "empty"
    NEMPTY = "nempty"
    FULL = "full"
    NFULL = "nfull"


@dataclass(frozen=True, slots=True)
class ChannelTest:
    """`len(c)`, `empty(c)`..."""

    question: ChannelQuestion
    channel: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Eval:
    """`eval(e)` as an argument of a receive: the value must be that of `e`."""

    value: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Poll:
    """`c?[args]`, `c??[args]`: whether the receive could be executed."""

    channel: Expr
    args: tuple[Expr, ...]
    any_place: bool
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Enabled:
    """`enabled(e)`: whether process `e` has a statement that can be executed."""

    pid: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class PcValue:
    """`pc_value(e)`: the number of the state in which process `e` is."""

    pid: Expr
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Priority:
    """`get_priority(e)`, or `set_priority(e, value)`."""

    pid: Expr
    value: Expr | None = None
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Temporal:
    """A temporal operator, in `ltl` blocks only: `[]`, `<>`, `X`, `U`, `W`, `V`, `->`, `<->`.

    `!`, `&&` and `||` of formulas are `Unary` and `Binary`.
    """

    op: str
    operands: tuple[Expr, ...]
    span: Span = place()


Expr = (
    Number
    | Text
    | Name
    | Index
    | Member
    | Use
    | Known
    | RemoteLabel
    | RemoteVariable
    | Unary
    | Binary
    | Conditional
    | Run
    | ChannelTest
    | Eval
    | Poll
    | Enabled
    | PcValue
    | Priority
    | Temporal
)
