"""The models in `examples/promela`: sizes and verdicts are as `EXPECTED.csv` says.

That file is what Spin says; `python -m tools.promela.expected` writes it again.
"""

from __future__ import annotations

import pytest

import secateur
from tests.naive import promela as naive
from tools.promela import ours
from tools.promela.expected import CASES, FOLDER, FORMULAS, HOLDS, Row, expected

ROWS = expected()
SAFETY = [row for row in ROWS if not row.formula]
SMALL = [row for row in SAFETY if int(row.states) <= 2_000]
CHECKED = [row for row in SAFETY if int(row.states) <= 50_000]
_KINDS = {"assertion": "assertion", "deadlock": "invalid end state"}
"""What Spin calls the kinds of violations."""


def _id(row: Row) -> str:
    return f"{row.file} {row.defines}{row.formula}".strip()


def _model(row: Row) -> secateur.Model:
    named = (define.removeprefix("-D").partition("=") for define in row.defines.split())
    defines = {name: value or "1" for name, _, value in named}
    return secateur.load(FOLDER / row.file, defines=defines)


def _is_cut(model: secateur.Model) -> bool:
    """Whether an atomic sequence takes several steps here, which are more states than Spin has."""
    return any(variable.name == "_atomic" for variable in model.typed.variables)


def test_every_model_is_expected() -> None:
    assert {file.name for file in FOLDER.glob("*.pml")} == {row.file for row in ROWS}


def test_every_case_is_measured() -> None:
    cases = [(name, defines) for name, instances in CASES for defines in instances]
    assert [(row.file, row.defines) for row in SAFETY] == cases
    assert [(row.file, row.formula) for row in ROWS if row.formula] == list(FORMULAS)


@pytest.mark.parametrize("name", sorted({row.file for row in ROWS}))
def test_the_header_says_what_to_expect(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    header = text[: text.index("*/")]
    assert " * Holds: " in header or " * Violated: " in header
    for row in (row for row in ROWS if row.file == name):
        for define in row.defines.split():
            assert define.partition("=")[0] in header
        assert not row.formula or f"`{row.formula}`" in header


@pytest.mark.parametrize("row", SMALL, ids=_id)
def test_definition(row: Row) -> None:
    found = naive.stable(ours.program(FOLDER / row.file, row.defines.split()))
    kinds = {"assertion" if kind.startswith("assertion") else kind for kind in found.errors}
    assert found.complete
    assert (str(found.stored), str(found.transitions)) == (row.states, row.transitions)
    assert (" + ".join(sorted(kinds)) or HOLDS) == row.verdict


@pytest.mark.parametrize("row", CHECKED, ids=_id)
def test_check(row: Row) -> None:
    model = _model(row)
    result = model.check(all=True, por="none", symmetry="none")
    kinds = {_KINDS[violation.kind.value] for violation in result.violations}
    assert (" + ".join(sorted(kinds)) or HOLDS) == row.verdict
    states, transitions = result.statistics.states, result.statistics.transitions
    if _is_cut(model):
        assert states > int(row.states)
        assert transitions > int(row.transitions)
    else:
        assert (str(states), str(transitions)) == (row.states, row.transitions)


@pytest.mark.parametrize("row", [row for row in ROWS if row.formula], ids=_id)
def test_formula(row: Row) -> None:
    (result,) = _model(row).temporal()
    assert result.holds is (row.verdict == HOLDS)
