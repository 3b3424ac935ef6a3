"""Sets of sequences that are written out."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.parse_formula import parse_formula
from secateur.lang.eventb.sequences import sequences_in
from secateur.maths.ast import Apply, Name
from secateur.maths.operators.sequences import SEQUENCES
from secateur.source import Source

SETS = frozenset({"T"})


@pytest.mark.parametrize(
    "text",
    [
        "{n, f · n ∈ ℕ ∧ f ∈ 1‥n → s ∣ f}",
        "{f, n · f ∈ 1‥n → s ∧ n ∈ ℕ ∣ f}",
        "{n, f · n ∈ ℤ ∧ f ∈ ℙ(ℤ × T) ∧ n ∈ ℕ ∧ f ∈ 1‥n → s ∣ f}",
    ],
)
def test_sequences_are_recognised(text: str) -> None:
    assert sequences_in(parse_formula(Source("f", text)), SETS) == Apply(SEQUENCES, (Name("s"),))


@pytest.mark.parametrize(
    "text",
    [
        "{n, f · n ∈ ℕ1 ∧ f ∈ 1‥n → s ∣ f}",
        "{n, f · n ∈ ℤ ∧ f ∈ 1‥n → s ∣ f}",
        "{n, f · n ∈ ℕ ∧ n < 3 ∧ f ∈ 1‥n → s ∣ f}",
        "{n, f · n ∈ ℕ ∧ f ∈ 0‥n → s ∣ f}",
        "{n, f · n ∈ ℕ ∧ f ∈ 1‥n ⇸ s ∣ f}",
        "{n, f · n ∈ ℕ ∧ f ∈ ℙ(ℤ × s) ∧ f ∈ 1‥n → T ∣ f}",
        "{n, f · n ∈ ℕ ∧ f ∈ 1‥n → 0‥n ∣ f}",
        "{n, f · n ∈ ℕ ∧ f ∈ 1‥n → s ∣ n}",
        "{n, f · n ∈ ℕ ∧ f ∈ 1‥n → s ∧ f ∈ 1‥n → t ∣ f}",
    ],
)
def test_anything_else_is_left_alone(text: str) -> None:
    formula = parse_formula(Source("f", text))
    assert sequences_in(formula, SETS) == formula
