"""`python -m tools.error_index`: write docs/errors/README.md from the codes in the source."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import secateur
from secateur.source import Code

PAGES = Path(__file__).resolve().parent.parent / "docs" / "errors"

HEAD = """# Errors

Every complaint about the input carries one of these codes. A code keeps its meaning for good. Messages go to stderr and the exit code is 2.

| code | meaning |
|---|---|
"""


def codes() -> Iterator[Code]:
    """Yield every code that a `codes.py` of the package declares."""
    for module in pkgutil.walk_packages(secateur.__path__, "secateur."):
        if module.name.endswith(".codes"):
            found = vars(importlib.import_module(module.name)).values()
            yield from (value for value in found if isinstance(value, Code))


def index() -> str:
    """Return the text of the index."""
    rows = sorted({code.number: code for code in codes()}.items())
    return HEAD + "".join(f"| [{code}]({code}.md) | {code.title} |\n" for _, code in rows)


if __name__ == "__main__":
    (PAGES / "README.md").write_text(index(), encoding="utf-8")
