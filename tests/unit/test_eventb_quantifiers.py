"""Quantifiers directly within each other."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.parse_formula import parse_formula
from secateur.lang.eventb.quantifiers import merged
from secateur.maths.ast import Expr
from secateur.source import Source


def formula(text: str) -> Expr:
    """Return a formula."""
    return parse_formula(Source("formula", text))


@pytest.mark.parametrize(
    ("nested", "flat"),
    [
        ("∀x·∀y·x = y ⇒ y = x", "∀x,y·x = y ⇒ y = x"),
        ("∀x·⊤ ⇒ (∀y·⊤ ⇒ (∀z·x = y ⇒ y = z))", "∀x,y,z·x = y ⇒ y = z"),
        ("∃x·∃y·x = y", "∃x,y·x = y"),
        ("∃x·⊤ ∧ (∃y·x = y)", "∃x,y·x = y"),
        ("¬(∀x·⊤ ⇒ (∀y·x = y))", "¬(∀x,y·x = y)"),
    ],
)
def test_they_are_one(nested: str, flat: str) -> None:
    assert merged(formula(nested)) == formula(flat)


@pytest.mark.parametrize(
    "text",
    [
        "∀x·x = 1 ⇒ (∀y·x = y)",
        "∀x·∃y·x = y",
        "∃x·∀y·x = y",
        "∃x·x = 1 ∧ (∃y·x = y)",
        "∀x·∀x·x = 1",
        "∀x·x = 1 ∨ (∀y·x = y)",
    ],
)
def test_others_are_left_alone(text: str) -> None:
    assert merged(formula(text)) == formula(text)
