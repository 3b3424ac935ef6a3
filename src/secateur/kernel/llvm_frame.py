"""What the code of one action or predicate refers to: its locals, its buffers, its trap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from secateur.kernel.language import BOOL, WORD, Bits, Block, Expr, Local, Program, Scalar, Type
from secateur.kernel.llvm_buffers import Buffers
from secateur.kernel.llvm_function import FALSE, Flag, Function, Operand
from secateur.kernel.llvm_sets import FEW, element
from secateur.kernel.places import words_needed
from secateur.kernel.ranges import Bounds, Known, bounds_of_locals
from secateur.kernel.walk import Survey, uses_of
from secateur.source.records import dataclass

Value = Operand | Flag | list[Operand]
"""An i64, an i1 or the words of a set; unused bits of the last word are 0."""


class Tables:
    """The known tables of a module, each written once."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, tuple[int, ...]], str] = {}

    def name(self, bits: int, entries: tuple[int, ...]) -> str:
        """Return the name of a table of integers of so many bits."""
        return self._names.setdefault((bits, entries), f"@table{len(self._names)}")

    def text(self) -> str:
        """Return the definitions."""
        return "".join(
            f"{name} = private unnamed_addr constant [{len(entries)} x i{bits}]"
            f" [{', '.join(f'i{bits} {e}' for e in entries)}], align 8\n"
            for (bits, entries), name in self._names.items()
        )


@dataclass(slots=True)
class Unit:
    """What the program parts of one function share."""

    fn: Function
    program: Program
    tables: Tables
    survey: Survey
    buffers: Buffers
    stride: int
    """The words of a record."""


@dataclass(slots=True)
class Frame:
    """One action or predicate on its way to machine code."""

    unit: Unit
    trap: str
    """Where to go if a step is given up."""
    known: Known
    scoped: set[str]
    values: dict[str, Value] = field(default_factory=dict)
    memory: dict[str, tuple[str, Type]] = field(default_factory=dict)
    costs: dict[int, int] = field(default_factory=dict)
    leave: list[tuple[str, frozenset[int]]] = field(default_factory=list)
    """Where a `Break` goes to, innermost last, with what was known of the buffers."""

    @property
    def fn(self) -> Function:
        """The function that is written."""
        return self.unit.fn

    @property
    def buffers(self) -> Buffers:
        """The buffers."""
        return self.unit.buffers

    # -- locals ---------------------------------------------------------------------------

    def assign(self, local: Local, value: Value) -> None:
        """Give a local a value."""
        if local.name in self.scoped:
            self.values[local.name] = value
            return
        address, type_ = self.memory[local.name]
        if isinstance(value, list):
            for i, word in enumerate(value):
                self.fn.line(f"store i64 {word}, ptr {element(self.fn, address, i)}, align 8")
        else:
            self.fn.line(f"store {'i1' if type_ is BOOL else 'i64'} {value}, ptr {address}")

    def read(self, local: Local) -> Value:
        """Return the value of a local."""
        if local.name in self.scoped:
            return self.values[local.name]
        address, type_ = self.memory[local.name]
        if isinstance(type_, Scalar):
            return self.fn.new(f"load {'i1' if type_ is BOOL else 'i64'}, ptr {address}")
        return [
            self.fn.new(f"load i64, ptr {element(self.fn, address, i)}, align 8")
            for i in range(words_needed(type_.width))
        ]

    def address(self, local: Local) -> str | None:
        """Return where the words of a local are in memory, if they are."""
        return None if local.name in self.scoped else self.memory[local.name][0]


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter: what it is in machine code, and its bounds."""

    value: Value
    bounds: Bounds


NOTHING_GIVEN: Final[Mapping[str, Given]] = {}


def begin(
    unit: Unit,
    trap: str,
    body: Block,
    *results: Expr,
    parameters: Mapping[str, Given] = NOTHING_GIVEN,
) -> Frame:
    """Begin an action or a predicate: its locals are 0, false or {}, but for the parameters."""
    locals_ = unit.survey.locals(body) + uses_of(*results).locals
    scoped = unit.survey.scoped(body, *results) | parameters.keys()
    # what is looked for in a large set by its index is looked for in memory
    large = {v.name for v in locals_ if isinstance(v.type, Bits) and v.type.width > FEW * WORD}
    bounds = bounds_of_locals(body, scoped, {n: p.bounds for n, p in parameters.items()})
    values = {n: p.value for n, p in parameters.items()}
    frame = Frame(unit, trap, bounds, scoped - large, values)
    unit.buffers.begin_part(body)
    for local in locals_:
        if local.name in frame.scoped or local.name in frame.memory:
            continue
        address = unit.fn.slot(_stored_as(local.type), f"local {len(frame.memory)}")
        frame.memory[local.name] = address, local.type
        if local.name not in scoped:
            frame.assign(local, _zero(local.type))
    return frame


def _zero(type_: Type) -> Value:
    if isinstance(type_, Scalar):
        return FALSE if type_ is BOOL else 0
    return [0] * words_needed(type_.width)


def _stored_as(type_: Type) -> str:
    if isinstance(type_, Scalar):
        return "i1" if type_ is BOOL else "i64"
    return f"[{words_needed(type_.width)} x i64]"
