"""Kernel code as readable text."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.kernel.language import (
    STATE,
    Assign,
    Between,
    Binary,
    Block,
    Break,
    Choose,
    Copy,
    Emit,
    Expr,
    Field,
    For,
    ForEach,
    Has,
    If,
    Load,
    LoadBits,
    Local,
    Lookup,
    Loop,
    Number,
    Place,
    Program,
    Region,
    SetOf,
    Slice,
    Statement,
    Store,
    StoreBits,
    Trap,
    Truth,
    Unary,
    With,
)

_INDENT = "  "
_LONGEST_TABLE = 8


def show_program(program: Program) -> str:
    """Return a whole program."""
    lines: list[str] = []
    for action in program.actions:
        distinct = "" if action.distinct else " (successors may be the same)"
        lines += [f"action {action.name}{distinct}", *_block(action.body, 1), ""]
    for predicate in program.predicates:
        lines += [f"predicate {predicate.name}", *_block(predicate.body, 1)]
        lines += [f"{_INDENT}result {show(predicate.result)}", ""]
    return "\n".join(lines)


def show_block(block: Block) -> str:
    """Return a block, one statement a line."""
    return "\n".join(_block(block, 0))


def _block(block: Block, depth: int) -> Iterator[str]:
    for s in block:
        yield from _statement(s, depth)


def _statement(s: Statement, depth: int) -> Iterator[str]:
    here = _INDENT * depth
    match s:
        case Assign(target, value):
            yield f"{here}{target.name} := {show(value)}"
        case Store(field, value, index, buffer):
            yield f"{here}{_field(field, index, buffer)} := {show(value)}"
        case StoreBits(region, value, buffer):
            yield f"{here}{_region(region, buffer)} := {show(value)}"
        case Copy(to, source):
            yield f"{here}{_buffer(to)} := {_buffer(source)}"
        case If(condition, then, otherwise):
            yield f"{here}if {show(condition)}"
            yield from _block(then, depth + 1)
            if otherwise:
                yield f"{here}else"
                yield from _block(otherwise, depth + 1)
        case For(variable, low, high, body):
            yield f"{here}for {variable.name} in {show(low)}..{show(high)}"
            yield from _block(body, depth + 1)
        case ForEach(variable, set_, body):
            yield f"{here}for {variable.name} in {show(set_)}"
            yield from _block(body, depth + 1)
        case Loop(body):
            yield f"{here}loop"
            yield from _block(body, depth + 1)
        case Break():
            yield f"{here}break"
        case Emit(buffer, labels):
            text = f" with {', '.join(map(show, labels))}" if labels else ""
            yield f"{here}emit {_buffer(buffer)}{text}"
        case Trap(reason):
            yield f"{here}trap: {reason}"


def show(e: Expr) -> str:
    """Return an expression; every operation has its parentheses."""
    match e:
        case Number(value):
            return str(value)
        case Truth(truth):
            return "true" if truth else "false"
        case SetOf(width, mask):
            return _set(width, mask)
        case Local(name):
            return name
        case Load(field, index, buffer):
            return _field(field, index, buffer)
        case LoadBits(region, buffer):
            return _region(region, buffer)
        case Binary(op, left, right):
            return f"({show(left)} {op.value} {show(right)})"
        case Unary(op, operand):
            return f"{op.value}({show(operand)})"
        case Choose(condition, then, otherwise):
            return f"(if {show(condition)} then {show(then)} else {show(otherwise)})"
        case Has(set_, element):
            return f"({show(element)} in {show(set_)})"
        case With(set_, element):
            return f"({show(set_)} with {show(element)})"
        case Slice(set_, start, width):
            return f"{show(set_)}[{show(start)} for {width}]"
        case Place(set_, start, width):
            return f"({show(set_)} up {show(start)} to {width})"
        case Between(width, low, high):
            return f"{{{show(low)}..{show(high)} below {width}}}"
        case Lookup(table, index):
            return f"{_table(table)}[{show(index)}]"


def _set(width: int, mask: int) -> str:
    elements = [str(i) for i in range(width) if mask >> i & 1]
    if len(elements) > _LONGEST_TABLE:
        return f"{{{mask:#x} below {width}}}"
    return f"{{{', '.join(elements)}}}"


def _table(table: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, table[:_LONGEST_TABLE]))
    return f"({shown}{', ...' if len(table) > _LONGEST_TABLE else ''})"


def _buffer(buffer: int) -> str:
    return "state" if buffer == STATE else f"new{buffer}"


def _field(field: Field, index: Expr, buffer: int) -> str:
    place = f"{_buffer(buffer)}.{field.word}:{field.shift}+{field.width}"
    return place if field.count == 1 else f"{place}[{show(index)}]"


def _region(region: Region, buffer: int) -> str:
    return f"{_buffer(buffer)}.{region.word}:{region.shift}*{region.width}"
