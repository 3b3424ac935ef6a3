"""What a built-in operator is.

Adding one: a value of `Operator` in the topic file it belongs to (`sets.py`,
`relations.py`, ...) and its name in that file's tuple.  Lexing, parsing, typing,
evaluation, printing and the reference manual follow from the value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from enum import Enum
from typing import Any

from secateur.maths.types import Type, Variable
from secateur.source.records import dataclass


class Fixity(Enum):
    """Where an operator stands among its operands."""

    INFIX = "a op b"
    PREFIX = "op a"
    POSTFIX = "a op"
    CALL = "op(a, b)"
    CONSTANT = "op"


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers a user may set, and what is tried where nothing bounds a value."""

    maxint: int = 3
    minint: int = -1
    texts: tuple[str, ...] = ()
    """The strings that the model speaks of."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Operand types and result type; `Variable`s in them are generic."""

    operands: tuple[Type, ...]
    result: Type


@dataclass(frozen=True, slots=True, eq=False)
class Operator:
    """A built-in operator: everything the project knows about it, in one value.

    `apply` gets the operands' values.  An operator that depends on the settings
    (`MAXINT`, `INT`) has `constant` instead.  An operator whose spelling means
    several things (`-`, `*`) lists them in `overloads` and has neither: inference
    replaces it by the one that fits.
    """

    name: str
    spellings: tuple[str, ...]
    fixity: Fixity
    signature: Signature | None = None
    apply: Callable[..., Any] | None = None
    priority: int = 0
    right_associative: bool = False
    partial: bool = False
    """Whether it can be ill-defined (division, function application, `min`)."""
    tells_apart: bool = False
    """Whether it sees more of a value than B does: how it is written, or its place in an order.
    Then elements of a given set cannot be exchanged for each other."""
    constant: Callable[[Settings], Any] | None = None
    overloads: tuple[Operator, ...] = ()
    variadic: bool = False
    """A call with any number of operands, each of the (single) operand type."""
    carriers: tuple[Variable, ...] = ()
    """Type variables of the signature.  For each, elaboration appends one more operand: an
    expression for the set of all values of the type found (`closure(r)` holds the identity
    on the whole type, which `r` itself does not tell).  `apply` gets them after the rest."""
    undo: Callable[[Any], tuple[Any, ...]] | None = field(default=None, repr=False)
    """For an operator whose result tells its operands, such as a constructor: what they were.
    Raises IllDefined for what is no result of it."""
    doc: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.spellings[0]
