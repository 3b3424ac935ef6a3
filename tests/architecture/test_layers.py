"""Imports point down only, and are where a reader looks for them."""

from __future__ import annotations

import ast

from tests.architecture.tree import PACKAGE, imports, modules

# Top first; what shares a line must not import each other.
LAYERS = (
    {"cli", "web"},
    {"app"},
    {"lang", "analysis", "engine", "report", "audit"},
    {"maths", "ltl"},
    {"system", "kernel"},
    {"source"},
    {"version", "_native", "compiled_module"},
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

# `import secateur` offers the API of `app`, and `python -m secateur` starts `cli`.
ROOTS = {"secateur": {"app", "version"}, "secateur.__main__": {"cli"}}

DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "tools", "shared"}


def _part(target: str) -> str:
    return target.split(".")[1] if "." in target else ""


def test_every_part_has_a_layer() -> None:
    parts = {p.stem for p in PACKAGE.iterdir() if p.is_dir() or p.suffix == ".py"}
    assert parts - {"__init__", "__main__", "__pycache__", "py"} <= RANK.keys()


def test_arrows_point_down() -> None:
    wrong = [
        str(i)
        for i in imports()
        if i.home.part in RANK
        and _part(i.target) != i.home.part
        and RANK.get(_part(i.target), -1) <= RANK[i.home.part]
    ]
    assert not wrong, "\n".join(wrong)


def test_roots_import_only_their_door() -> None:
    wrong = []
    for i in imports():
        if i.home.name in ROOTS:
            below = {p for p in RANK if RANK[p] > min(RANK[q] for q in ROOTS[i.home.name])}
            if _part(i.target) not in ROOTS[i.home.name] | below:
                wrong.append(str(i))
    assert not wrong, "\n".join(wrong)


def test_no_import_inside_a_function() -> None:
    wrong = [str(i) for i in imports() if i.inside_function]
    assert not wrong, "\n".join(wrong)


def test_imports_are_absolute() -> None:
    wrong = [
        f"{m.name}:{node.lineno}"
        for m in modules()
        for node in ast.walk(m.tree)
        if isinstance(node, ast.ImportFrom) and node.level > 0
    ]
    assert not wrong, "\n".join(wrong)


def test_no_drawers() -> None:
    wrong = [m.name for m in modules() if DRAWERS & set(m.name.split("."))]
    assert not wrong, "\n".join(wrong)
