"""The package's own source, as the architecture tests read it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "secateur"


@dataclass(frozen=True)
class Module:
    """A module of the package with its path and syntax tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def part(self) -> str:
        """The top-level part: `maths` for `secateur.maths.ast`, empty for the root."""
        _, _, rest = self.name.partition(".")
        return rest.partition(".")[0]


@cache
def modules() -> tuple[Module, ...]:
    """Return every module of the package."""
    return tuple(_read(path) for path in sorted(PACKAGE.rglob("*.py")))


def _read(path: Path) -> Module:
    parts = ["secateur", *path.relative_to(PACKAGE).with_suffix("").parts]
    if parts[-1] == "__init__":
        parts.pop()
    text = path.read_text(encoding="utf-8")
    return Module(".".join(parts), path, text, ast.parse(text))


@dataclass(frozen=True)
class Import:
    """An import of one of our modules: from where, of what, on which line."""

    home: Module
    target: str
    line: int
    inside_function: bool

    def __str__(self) -> str:
        return f"{self.home.name}:{self.line} imports {self.target}"


def imports() -> Iterator[Import]:
    """Yield every import of the package by the package."""
    for module in modules():
        for node, nested in _walk(module.tree, nested=False):
            for target in _targets(node):
                if target == "secateur" or target.startswith("secateur."):
                    yield Import(module, target, getattr(node, "lineno", 0), nested)


def _walk(node: ast.AST, *, nested: bool) -> Iterator[tuple[ast.AST, bool]]:
    for child in ast.iter_child_nodes(node):
        yield child, nested
        deeper = nested or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _walk(child, nested=deeper)


def _targets(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names):
            return [name.name for name in names]
        case ast.ImportFrom(module=str(base), names=names, level=0) if base == "secateur":
            return [f"{base}.{name.name}" for name in names]
        case ast.ImportFrom(module=str(base), level=0):
            return [base]
        case _:
            return []
