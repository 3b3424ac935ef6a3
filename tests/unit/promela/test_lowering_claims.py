"""Formulas, claims and labels: verdicts are Spin's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.promela.explored import judged, loaded

_WRITTEN = Path(__file__).with_name("claims_of_spin.txt")


def _cases() -> list[object]:
    cases: list[object] = []
    for block in _WRITTEN.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *text, holds, violated = block.strip().splitlines()
        expected = dict.fromkeys(holds.split()[1:], True)
        expected |= dict.fromkeys(violated.split()[1:], False)
        cases.append(pytest.param("\n".join(text), expected, id=title))
    return cases


@pytest.mark.parametrize(("text", "expected"), _cases())
def test_claim(tmp_path: Path, text: str, expected: dict[str, bool]) -> None:
    found = {
        name.removeprefix("ASSERT_LTL_"): holds for name, holds in judged(tmp_path, text).items()
    }
    assert found == expected


def test_an_assertion_that_fails_does_not_end_a_run(tmp_path: Path) -> None:
    text = (
        "byte x; active proctype P() { do :: assert(x > 3); x = 1 - x od } ltl p { []<>(x == 1) }"
    )
    (found,) = loaded(tmp_path, text).temporal()
    assert found.holds is True
