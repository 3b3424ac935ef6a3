"""What the regression tests share: the counts of a model given as text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import secateur

Explore = Callable[..., secateur.Result]


@pytest.fixture
def explore(tmp_path: Path) -> Explore:
    """Return a function that explores the last of the machines given, whole."""

    def run(*machines: str) -> secateur.Result:
        for text in machines:
            name = text.split()[1]
            file = tmp_path / f"{name}.mch"
            file.write_text(text)
        return secateur.load(file).check(all=True)

    return run
