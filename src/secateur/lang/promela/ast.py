"""The syntax of Promela, after the preprocessor and with `inline`s put in.

One tree serves before and after names are resolved: the parser makes `Name`, `Index` and
`Member`, `resolve.py` puts `Use` (a variable without structure, with its indices) and
`Number` (constants, elements of `mtype`) in their place.  Nodes are immutable and compare
without their places.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from secateur.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


# -- types and declarations -----------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as written: `byte`, `mtype:colour`, `unsigned` with a width per variable, a typedef."""

    basic: Basic | None
    name: str = ""
    """Of the typedef, if `basic` is None; of the subtype of `mtype`, if it has one."""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ChannelInit:
    """`[capacity] of {fields}`."""

    capacity: Expr
    fields: tuple[TypeName, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Declarator:
    """One variable of a declaration: `x`, `a[3] = 1`, `n : 4`, `c = [2] of {byte}`, `a = {1, 2}`."""

    name: str
    length: Expr | None = None
    width: Expr | None = None
    initial: Expr | ChannelInit | ListInit | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ListInit:
    """`{1, 2, 3}` as the initial value of an array."""

    items: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Declaration:
    """Variables of one type; as a statement where it stands in a body."""

    type: TypeName
    variables: tuple[Declarator, ...]
    hidden: bool = False
    local: bool = False
    show: bool = False
    span: Span = _span()


# -- expressions ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """An integer; `name` is the constant's (an element of `mtype`, `true`, `false`), if it has one."""

    value: int
    name: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    """A string, quotes removed, escapes as written; only in `printf`."""

    value: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier, before it is resolved; also `_`, `_pid`, `_nr_pr`, `_last`, `np_`."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Index:
    """`a[i]`."""

    base: Expr
    index: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Member:
    """`s.field`."""

    base: Expr
    field: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Use:
    """A variable without structure, after names are resolved; one index per dimension.

    An array as a whole (the subject of `for (x in a)`) has none.
    """

    variable: Variable
    indices: tuple[Expr, ...] = ()
    span: Span = _span()


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
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RemoteLabel:
    """`P[e]@label`; without an index (`P@label`) the only process of that type."""

    proctype: str
    pid: Expr | None
    label: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RemoteVariable:
    """`P[e]:x`, with the variable as written (`Name`, `Index`, `Member`) until it is a `Use`."""

    proctype: str
    pid: Expr | None
    variable: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unary:
    """`-e`, `!e`, `~e`."""

    op: str
    operand: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    """`+ - * / % << >> & | ^ && || == != < <= > >=`, as in C."""

    op: str
    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Conditional:
    """`(c -> a : b)`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Run:
    """`run P(args)`, with a priority if one is given."""

    proctype: str
    args: tuple[Expr, ...]
    priority: Expr | None = None
    span: Span = _span()


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
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Eval:
    """`eval(e)` as an argument of a receive: the value must be that of `e`."""

    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Poll:
    """`c?[args]`, `c??[args]`: whether the receive could be executed."""

    channel: Expr
    args: tuple[Expr, ...]
    any_place: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Enabled:
    """`enabled(e)`: whether process `e` has a statement that can be executed."""

    pid: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class PcValue:
    """`pc_value(e)`: the number of the state in which process `e` is."""

    pid: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Priority:
    """`get_priority(e)`, or `set_priority(e, value)`."""

    pid: Expr
    value: Expr | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Temporal:
    """A temporal operator, in `ltl` blocks only: `[]`, `<>`, `X`, `U`, `W`, `V`, `->`, `<->`.

    `!`, `&&` and `||` of formulas are `Unary` and `Binary`.
    """

    op: str
    operands: tuple[Expr, ...]
    span: Span = _span()


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


# -- statements -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Condition:
    """An expression as a statement: executable where it is not 0.  `skip` is `Condition(1)`."""

    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Else:
    """Executable where no other option is."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assign:
    """`x = e`; `x++` is `Assign(x, x + 1)`."""

    target: Expr
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Send:
    """`c!args`, or `c!!args` (`sorted`)."""

    channel: Expr
    args: tuple[Expr, ...]
    sorted: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Receive:
    """`c?args`; `c??args` (`any_place`); `c?<args>` and `c??<args>` leave the message (`copy`).

    An argument is a variable (it gets the value), `_`, a constant or `Eval` (which must match).
    """

    channel: Expr
    args: tuple[Expr, ...]
    any_place: bool = False
    copy: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assert:
    """`assert(e)`."""

    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Print:
    """`printf(format, args)`, or `printm(e)` with no format."""

    format: str | None
    args: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Exclusive:
    """`xr c, d` or `xs c, d`: the process alone receives from, or sends to, these channels."""

    receives: bool
    channels: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sequence:
    """`{ s; t; u }`: the statements of a block, which has a scope of its own."""

    statements: tuple[Statement, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """`if :: s :: t fi`."""

    options: tuple[Sequence, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Do:
    """`do :: s :: t od`."""

    options: tuple[Sequence, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ForRange:
    """`for (i : low .. high) { body }`."""

    variable: Expr
    low: Expr
    high: Expr
    body: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ForIn:
    """`for (x in a) { body }`: of an array its indices, of a channel its messages."""

    variable: Expr
    subject: Expr
    body: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Select:
    """`select (i : low .. high)`: any of these numbers."""

    variable: Expr
    low: Expr
    high: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Atomic:
    """`atomic { body }`."""

    body: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class DStep:
    """`d_step { body }`."""

    body: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Unless:
    """`body unless escape`."""

    body: Sequence
    escape: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Goto:
    """`goto label`."""

    label: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Break:
    """`break`."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label: s`."""

    label: str
    statement: Statement
    span: Span = _span()


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


# -- units ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MtypeDeclaration:
    """`mtype = {a, b}`, `mtype:colour = {red, green}`: names as they stand."""

    subtype: str
    names: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Typedef:
    """`typedef T { declarations }`."""

    name: str
    fields: tuple[Declaration, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ProctypeDeclaration:
    """`active [n] proctype P(parameters) priority e provided (e) { body }`; also `init`.

    `active` is None if it is not active, and `Number(1)` where no number is given.
    """

    name: str
    parameters: tuple[Declaration, ...]
    body: Sequence
    active: Expr | None = None
    priority: Expr | None = None
    provided: Expr | None = None
    deterministic: bool = False
    """`D_proctype`."""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class NeverClaim:
    """`never name { body }`."""

    name: str
    body: Sequence
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class LtlBlock:
    """`ltl name { formula }`; blocks without a name are called `ltl_0`, `ltl_1`..."""

    name: str
    formula: Expr
    span: Span = _span()


Unit = MtypeDeclaration | Typedef | Declaration | ProctypeDeclaration | NeverClaim | LtlBlock


@dataclass(frozen=True, slots=True)
class File:
    """All units of a model, those of included files in their places."""

    units: tuple[Unit, ...]


# -- after names are resolved -------------------------------------------------------------------------


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
    span: Span = _span()


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


@dataclass(frozen=True, slots=True)
class Proctype:
    """A process type with its names resolved."""

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    """All that are declared anywhere in the body, in the order written; not the parameters."""
    body: Sequence
    """Its declarations are gone, except as said in `resolve.py`."""
    active: int = 0
    """How many there are to begin with."""
    priority: int = 0
    provided: Expr | None = None
    deterministic: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Program:
    """A model with its names resolved; `init` is a proctype of that name, active once."""

    name: str
    mtypes: tuple[tuple[str, tuple[str, ...]], ...]
    """Per subtype ("" for none) the names, the i-th of which (from 1) has the number i."""
    globals: tuple[Variable, ...]
    proctypes: tuple[Proctype, ...]
    """In the order written."""
    nevers: tuple[Proctype, ...] = ()
    ltl: tuple[LtlBlock, ...] = ()
    notes: tuple[str, ...] = ()
