"""The kernel language: what compiled steps and predicates are made of.

A state is `words` words of 64 bits.  A `Field` names numbers within it, a `Region` a set
of bits.  Code is structured: expressions have no effect, statements assign locals, store
into copies of the state and emit successors.  Whatever cannot be done exactly (an
overflow, a number outside its field, an undefined expression) is a *trap*: the step is
then given up as a whole and the reference evaluator does it instead.

| type          | values                                          |
|---------------|-------------------------------------------------|
| `INT`         | integers of 64 bits, with sign                  |
| `BOOL`        | true and false                                  |
| `Bits(width)` | subsets of 0..width-1                           |

`operators.py` has the operators, `evaluate.py` says what code means; `to_llvm.py` makes machine code of it.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Final

from secateur.kernel.operators import Op
from secateur.source.records import dataclass

WORD: Final = 64
STATE: Final = 0
"""The buffer that holds the state a step starts from; it is never written."""


class Scalar(Enum):
    """The types of one machine word."""

    __hash__ = object.__hash__  # that of Enum is not in C, and asked for often

    INT = "int"
    BOOL = "bool"


INT: Final = Scalar.INT
BOOL: Final = Scalar.BOOL


@dataclass(frozen=True, slots=True)
class Bits:
    """Subsets of 0..width-1; `width` is at least 1."""

    width: int


Type = Scalar | Bits


# -- places in a state --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """`count` numbers of `width` bits each, none of which straddles a word.

    If all of them fit into what is left of a word, number i is at bit
    `shift + i * width` of `word`; otherwise `shift` is 0 and there are `64 // width`
    numbers in each word.  The stored bits b stand for `b + least`; they are below
    `size`.  A width of 64 holds every `INT` as it is (`least` and `size` do not matter).
    """

    word: int
    shift: int
    width: int
    count: int = 1
    least: int = 0
    size: int = 2

    @property
    def in_one_word(self) -> bool:
        """Whether all of the numbers are in one word."""
        return self.shift + self.count * self.width <= WORD


@dataclass(frozen=True, slots=True)
class Region:
    """A set of `width` bits: in one word, or from the beginning of one (`shift` is 0) onwards.

    `Field(word, shift, 1, width)` is the same place, bit by bit.
    """

    word: int
    shift: int
    width: int


# -- expressions ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class SetOf:
    """A known set, as a mask: bit i of `mask` is set if i is an element."""

    width: int
    mask: int


@dataclass(frozen=True, slots=True)
class Local:
    """The value of a local variable; names are unique within a program part."""

    name: str
    type: Type
    range: tuple[int, int] | None = field(default=None, compare=False)
    """Between which bounds a number is wherever it is used, if that is known."""


@dataclass(frozen=True, slots=True)
class Load:
    """A number of a field, in one of the buffers; the index is within 0..count-1."""

    field: Field
    index: Expr = Number(0)
    buffer: int = STATE


@dataclass(frozen=True, slots=True)
class LoadBits:
    """The set in a region of a buffer."""

    region: Region
    buffer: int = STATE


@dataclass(frozen=True, slots=True)
class Binary:
    """An operation with two operands."""

    op: Op
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Unary:
    """An operation with one operand."""

    op: Op
    operand: Expr


@dataclass(frozen=True, slots=True)
class Choose:
    """`then` or `otherwise`, of one type; only that one is looked at."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Has:
    """Whether a number is in a set; false for numbers outside 0..width-1."""

    set: Expr
    element: Expr


@dataclass(frozen=True, slots=True)
class With:
    """A set with one element more, which is within 0..width-1."""

    set: Expr
    element: Expr


@dataclass(frozen=True, slots=True)
class Slice:
    """`width` bits of a set from `start` on, as a set of that width; all within the set's width."""

    set: Expr
    start: Expr
    width: int


@dataclass(frozen=True, slots=True)
class Place:
    """A set moved up by `start`, as a set of `width` bits; no bit is lost."""

    set: Expr
    start: Expr
    width: int


@dataclass(frozen=True, slots=True)
class Between:
    """The numbers of 0..width-1 from `low` to `high`, both included; any numbers will do."""

    width: int
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Lookup:
    """An entry of a known table; the index is within it.  `type` is INT or a `Bits`."""

    table: tuple[int, ...]
    index: Expr
    type: Type = INT


Expr = (
    Number
    | Truth
    | SetOf
    | Local
    | Load
    | LoadBits
    | Binary
    | Unary
    | Choose
    | Has
    | With
    | Slice
    | Place
    | Between
    | Lookup
)


# -- statements -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """A local variable gets a value; the first assignment declares it (0, false, {} before)."""

    target: Local
    value: Expr


@dataclass(frozen=True, slots=True)
class Store:
    """A number is written into a buffer; traps if it is not one of the field's."""

    field: Field
    value: Expr
    index: Expr = Number(0)
    buffer: int = 1


@dataclass(frozen=True, slots=True)
class StoreBits:
    """A set of the region's width is written into a buffer."""

    region: Region
    value: Expr
    buffer: int = 1


@dataclass(frozen=True, slots=True)
class Copy:
    """All words of one buffer are copied into another."""

    target: int
    source: int


@dataclass(frozen=True, slots=True)
class If:
    """One of two blocks."""

    condition: Expr
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class For:
    """The block for every number from `low` to `high`, upwards; both are computed once."""

    variable: Local
    low: Expr
    high: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class ForEach:
    """The block for every element of a set, upwards; the set is computed once."""

    variable: Local
    set: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Loop:
    """The block again and again, until a `Break`."""

    body: Block


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Emit:
    """The state part of a buffer is a successor.

    `labels` tell apart transitions to one state (arguments and results); they matter for
    actions that are not `distinct` by themselves.
    """

    buffer: int
    labels: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Trap:
    """The step is given up; `reason` is for the curious.

    Who takes over may look at more of the state than the code has: at the bits of `sees`, at least.
    """

    reason: str
    sees: int = 0


Statement = Assign | Store | StoreBits | Copy | If | For | ForEach | Loop | Break | Emit | Trap
Block = tuple[Statement, ...]


# -- programs ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """Emits the successors of a state by one action.

    `distinct`: no two emitted successors are equal together with their labels, so that
    nobody need look.  `label_types` are those of the labels of each `Emit`; where there are
    none, labels are not looked at.
    """

    name: str
    body: Block
    distinct: bool = True
    label_types: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Predicate:
    """Computes, by its statements, whether something holds in a state."""

    name: str
    body: Block
    result: Expr


@dataclass(frozen=True, slots=True)
class Program:
    """Everything about one model.

    Buffers hold `words` words of state, followed by `scratch` words for local values that
    are no scalars; in buffer `STATE` only the former exist.
    """

    words: int
    scratch: int = 0
    actions: tuple[Action, ...] = ()
    predicates: tuple[Predicate, ...] = field(default=())
    marks: int = 0
    """The words that the labels of a record take at least."""

    @property
    def label_words(self) -> int:
        """The words that the labels of a record take."""
        return max([self.marks, *(words_of(a.label_types) for a in self.actions)])


def words_of(types: tuple[Type, ...]) -> int:
    """Return how many words values of these types take, one after the other."""
    return sum(-(-t.width // WORD) if isinstance(t, Bits) else 1 for t in types)


def type_of(e: Expr) -> Type:
    """Return the type of an expression."""
    match e:
        case Number() | Load():
            return INT
        case Truth() | Has():
            return BOOL
        case SetOf(width) | Slice(_, _, width) | Place(_, _, width) | Between(width):
            return Bits(width)
        case Local(_, type_) | Lookup(_, _, type_):
            return type_
        case LoadBits(region):
            return Bits(region.width)
        case Binary(op, left):
            return BOOL if op in _COMPARISONS else type_of(left)
        case Unary(op, operand):
            return _UNARY.get(op) or type_of(operand)
        case Choose(_, then):
            return type_of(then)
        case With(set_):
            return type_of(set_)


_COMPARISONS: Final = frozenset({Op.EQUAL, Op.LESS, Op.LESS_EQUAL})
_UNARY: Final = dict.fromkeys((Op.COUNT, Op.LEAST, Op.GREATEST, Op.TO_INT), INT)
