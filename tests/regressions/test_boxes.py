"""Rules that say no more than which set each identifier is in."""

from __future__ import annotations

import pytest

from secateur.app.evaluate import evaluate_closed
from secateur.system.answer import Decided


@pytest.mark.parametrize(
    "formula",
    [
        "dom(%x.(x : INTEGER | x + x)) = INTEGER",
        "%x.(x : INTEGER | x + x) : INTEGER --> INTEGER",
        "%(x, y).(x : NATURAL & y : BOOL | x) : NATURAL * BOOL --> INTEGER",
        "dom(%(x, y).(x : NATURAL & x > 4 & y : BOOL | x)) = (NATURAL - (0..4)) * BOOL",
        "{x, y | x : INTEGER & y : NATURAL} = INTEGER * NATURAL",
        "{x, y | x : 1..2 & y : 1..x} = {1 |-> 1, 2 |-> 1, 2 |-> 2}",
        "{x, y | x : {} /\\ 1..2 & y : 1..{1 |-> 1}(9)} = {}",
    ],
)
def test_a_box_is_the_product_of_its_sides(formula: str) -> None:
    assert evaluate_closed(formula, {}) == Decided(True)
