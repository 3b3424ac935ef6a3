"""Rodin projects of the corpus: they load, and from checked and unchecked files alike.

A fair sample: components are chosen by a hash of their names.
"""

from __future__ import annotations

import hashlib

import pytest

from tools.corpus.records import corpus_folder
from tools.corpus.rodin import Component, Found, components, survey
from tools.corpus.runner import Limits

SIZE = 16
SECONDS = 8


def sample() -> list[Component]:
    """Return some components, the same ones each time; skip if there is no corpus."""
    folder = corpus_folder() / "rodin"
    if not folder.is_dir():
        pytest.skip(f"NO CORPUS at {folder}: nothing was compared; set SECATEUR_CORPUS")
    found = components(folder)
    return sorted(found, key=lambda c: hashlib.sha256(c.shown.encode()).digest())[:SIZE]


def test_checked_and_unchecked_files_are_one_system() -> None:
    found = list(survey(sample(), Limits(SECONDS, 4.0, 1)))
    assert len(found) == SIZE
    wrong = [f for f in found if not f.loaded or f.same is False or f.is_equal is False]
    assert not wrong, "\n".join(map(_told, wrong))
    assert any(f.is_equal for f in found)


def _told(found: Found) -> str:
    return f"{found.component.shown}: {found.reason}"
