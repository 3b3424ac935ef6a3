"""Models written as text, read as far as a test needs."""

from __future__ import annotations

import pytest

from secateur.lang.promela import ast
from secateur.lang.promela.parse import parse
from secateur.lang.promela.preprocess import preprocess
from secateur.lang.promela.resolve import resolve
from secateur.source import Diagnostic, InputError, Source


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
