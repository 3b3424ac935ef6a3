"""Models written as text, read as far as a test needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.promela import ast
from secateur.lang.promela.parse import parse
from secateur.lang.promela.preprocess import preprocess
from secateur.lang.promela.resolve import resolve
from secateur.source import Diagnostic, InputError, Source

_WRITTEN = Path(__file__).with_name("counts_of_spin.txt")


def file_of(text: str) -> ast.File:
    """Parse a model."""
    return parse(preprocess(Source("m.pml", text)))


def program_of(text: str) -> ast.Program:
    """Parse and resolve a model."""
    source = Source("m.pml", text)
    return resolve(parse(preprocess(source)), "m", source)


def body_of(text: str) -> tuple[ast.Statement, ...]:
    """Return the statements of the last unit, parsed."""
    unit = file_of(text).units[-1]
    assert isinstance(unit, ast.ProctypeDeclaration | ast.NeverClaim)
    return unit.body.statements


def statement_of(text: str) -> ast.Statement:
    """Return the only statement of `init`, parsed."""
    (found,) = body_of(f"init {{ {text} }}")
    return found


def expression_of(text: str) -> ast.Expr:
    """Return an expression, parsed."""
    found = statement_of(f"x = {text}")
    assert isinstance(found, ast.Assign)
    return found.value


def shown(expr: ast.Expr) -> str:
    """Return an expression with all its brackets."""
    match expr:
        case ast.Number(value):
            return str(value)
        case ast.Name(text):
            return text
        case ast.Unary(op, operand):
            return f"{op}{shown(operand)}"
        case ast.Binary(op, left, right):
            return f"({shown(left)} {op} {shown(right)})"
        case ast.Temporal(op, (operand,)):
            return f"{op} {shown(operand)}"
        case ast.Temporal(op, (left, right)):
            return f"({shown(left)} {op} {shown(right)})"
        case _:
            return str(expr)


def complaint(text: str) -> Diagnostic:
    """Return what is wrong with a model."""
    with pytest.raises(InputError) as caught:
        program_of(text)
    return caught.value.diagnostics[0]


def counted_by_spin() -> list[tuple[str, str, str, tuple[int, ...]]]:
    """Return models with their names, and what each search of Spin counts there."""
    cases = []
    for block in _WRITTEN.read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = block.strip().splitlines()
        counted = [line.split() for line in lines if line[:4] in ("dfs ", "bfs ")]
        text = "\n".join(lines[: -len(counted)])
        cases += [(name, text, search, tuple(map(int, rest))) for search, *rest in counted]
    return cases
