"""Numbers too long to be written down are owned up to; all others are exact."""

from __future__ import annotations

import pytest

from secateur.app.evaluate import evaluate_closed
from secateur.report.answer import render_answer
from secateur.system.answer import Evaluated, Unknown


@pytest.mark.parametrize(
    "text",
    [
        "2 ** (2 ** 70)",
        "card(POW(POW(1..100)))",
        "card(POW(1..100) <-> POW(1..100))",
        "card(1..30 --> POW(1..2 ** 70))",
        "card(POW(1..100) >+> POW(1..100))",
        "card(POW(1..40) +->> 1..10)",
        "card(iseq(POW(1..40)))",
        "card(perm(POW(1..40)))",
        "FACTORIAL(10 ** 9)",
        "BLSHIFT(1, 2 ** 70)",
    ],
)
def test_too_long(text: str) -> None:
    answer = evaluate_closed(text, {})
    assert isinstance(answer, Unknown)
    assert "too many digits" in answer.reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 ** 20000 mod 1000", 2**20000 % 1000),
        ("0 ** (2 ** 80)", 0),
        ("(-1) ** (2 ** 80)", 1),
        ("card(POW(1..20000)) mod 1000", 2**20000 % 1000),
        ("card(1..3 >+> 1..3)", 34),
        ("card(1..4 +->> 1..2)", 3**4 - 2 * 2**4 + 1),
        ("card(perm(1..5))", 120),
        ("card(iseq(1..3))", 16),
    ],
)
def test_exact(text: str, value: int) -> None:
    assert evaluate_closed(text, {}) == Evaluated(value)


def test_long_numbers_are_read_and_printed() -> None:
    digits = "7" * 5000
    assert render_answer(evaluate_closed(digits, {})) == digits
