"""Error codes are unique, within their package's range, and documented."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tests.architecture.tree import ROOT, Module, modules
from tools.error_index import index

PAGES = ROOT / "docs" / "errors"

RANGES = {
    "secateur.source": range(100),
    "secateur.maths": range(100, 200),
    "secateur.lang.b": range(200, 300),
    "secateur.lang.promela": range(330, 390),
    "secateur.lang": range(200, 300),
    "secateur.ltl": range(300, 400),
    "secateur.system": range(300, 400),
    "secateur.engine": range(300, 400),
    "secateur.app": range(400, 500),
    "secateur.audit": range(400, 500),
    "secateur.report": range(400, 500),
    "secateur.cli": range(400, 500),
}


@dataclass(frozen=True)
class Declared:
    """A code as it stands in the text."""

    module: Module
    number: int
    title: str
    line: int


def declared() -> Iterator[Declared]:
    """Yield every `Code(number, title)` of the package."""
    for module in modules():
        for node in ast.walk(module.tree):
            match node:
                case ast.Call(
                    func=ast.Name("Code"),
                    args=[ast.Constant(int(number)), ast.Constant(str(title))],
                ):
                    yield Declared(module, number, title, node.lineno)
                case ast.Call(func=ast.Name("Code")):
                    message = f"{module.name}:{node.lineno}: write Code(number, title) as literals"
                    raise AssertionError(message)


def test_codes_live_in_codes_modules() -> None:
    wrong = [f"{c.module.name}:{c.line}" for c in declared() if c.module.path.name != "codes.py"]
    assert not wrong, "\n".join(wrong)


def test_codes_are_unique() -> None:
    seen: dict[int, Declared] = {}
    for code in declared():
        other = seen.setdefault(code.number, code)
        assert other is code, f"SEC{code.number:03d} in {other.module.name}, {code.module.name}"


def test_codes_are_in_their_range() -> None:
    for code in declared():
        home = code.module.name.rpartition(".")[0]
        while home and home not in RANGES:
            home = home.rpartition(".")[0]
        assert code.number in RANGES[home], f"SEC{code.number:03d} in {code.module.name}"


def test_every_code_has_a_page() -> None:
    missing = [
        f"SEC{c.number:03d} ({c.title})"
        for c in declared()
        if not (PAGES / f"SEC{c.number:03d}.md").is_file()
    ]
    assert not missing, "\n".join(missing)


def test_every_page_has_a_code() -> None:
    known = {f"SEC{c.number:03d}" for c in declared()}
    stray = {p.stem for p in PAGES.glob("SEC*.md")} - known
    assert not stray, sorted(stray)


def test_the_index_is_current() -> None:
    """`python -m tools.error_index` writes it."""
    assert (PAGES / "README.md").read_text(encoding="utf-8") == index()
