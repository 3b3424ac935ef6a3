"""The house limits and habits that a linter does not know."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.tree import Module, modules

LONGEST_FUNCTION = 60
LONGEST_FILE = 450

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|raise NotImplementedError)\b")


def _functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_short() -> None:
    wrong = [
        f"{m.name}.{f.name}: {_length(f)} lines"
        for m in modules()
        for f in _functions(m)
        if _length(f) > LONGEST_FUNCTION
    ]
    assert not wrong, "\n".join(wrong)


def test_files_are_short() -> None:
    lengths = {m.name: m.text.count("\n") for m in modules()}
    wrong = [f"{name}: {n} lines" for name, n in lengths.items() if n > LONGEST_FILE]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_left_unfinished() -> None:
    wrong = [
        f"{m.name}:{number}: {line.strip()}"
        for m in modules()
        for number, line in enumerate(m.text.splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    assert not wrong, "\n".join(wrong)


def _is_print(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="print" | "input")):
            return True
        case ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr" | "stdin" | "exit"):
            return True
        case _:
            return False


def test_only_the_command_line_prints_and_exits() -> None:
    wrong = [
        f"{m.name}:{getattr(node, 'lineno', 0)}"
        for m in modules()
        for node in ast.walk(m.tree)
        if m.part not in {"cli", "web"} and m.name != "secateur.__main__" and _is_print(node)
    ]
    assert not wrong, "\n".join(wrong)


def test_no_exception_is_swallowed_unnamed() -> None:
    wrong = [
        f"{m.name}:{node.lineno}"
        for m in modules()
        for node in ast.walk(m.tree)
        if isinstance(node, ast.ExceptHandler) and node.type is None
    ]
    assert not wrong, "\n".join(wrong)
