"""Values of different types that Python takes for equal: TRUE and 1, a record and a pair."""

from __future__ import annotations

from typing import Any

from secateur.app.evaluate import evaluate_closed
from secateur.system.answer import Evaluated


def value(text: str) -> Any:
    answer = evaluate_closed(text, {})
    assert isinstance(answer, Evaluated)
    return answer.value


def test_tables_of_functions_are_not_shared_between_types() -> None:
    assert value("[1, 2](1)") is not True
    assert value("{1 |-> TRUE, 2 |-> FALSE}(1)") is True
    assert value("{1 |-> 1, 2 |-> 0}(1)") is not True
    assert value("first([(1, FALSE)])") == (1, False)
    assert value("(first([rec(p : 1, q : FALSE)]))'p") == 1


def test_images_are_not_shared_between_types() -> None:
    assert value("({7 |-> 1} ; {1 |-> TRUE})(7)") is True
    assert value("({7 |-> 1} ; {1 |-> 1})(7)") is not True
    assert value("{5 |-> TRUE, 6 |-> FALSE}[{5}]") == frozenset({True})
    (image,) = value("{5 |-> 1, 6 |-> 0}[{5}]")
    assert image is not True
