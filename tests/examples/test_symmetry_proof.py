"""The development in `examples/symmetry-proof`: its steps hold, and its mistakes are caught."""

from __future__ import annotations

import pytest

from secateur import refine
from tests.examples.test_readme import ROOT

PROOF = ROOT / "examples" / "symmetry-proof"

STATES = {"mc1": 960, "mc2": 1328, "rmc1": 1448, "rmc2": 1448}

MISTAKES = {
    "mc0/mc1": "pass: mc0 cannot do that here",
    "mc1": "pass: mc0 cannot do that here",
    "mc2": "remove: 'tr[rac - unex] <: rac \\/ err' holds for no outcome of mc1",
    "rmc1": "add_inv: 'unex <: rac' holds for no outcome of mc1",
    "rmc2": "add_inv: rmc1 cannot change rrac like that",
}


@pytest.mark.parametrize("component", STATES)
def test_each_step_holds(component: str) -> None:
    (step,) = refine(PROOF / f"{component}.ref", component=component, deadlock=True)
    assert step
    assert step.result.statistics.states == STATES[component]


def test_the_chains() -> None:
    def chain(component: str) -> list[tuple[str, str]]:
        steps = refine(PROOF / f"{component}.ref", set_sizes={"S": 2})
        assert all(steps)
        return [(step.abstract, step.concrete) for step in steps]

    assert chain("mc2") == [("mc0", "mc1"), ("mc1", "mc2")]
    assert chain("rmc2") == [("mc0", "mc1"), ("mc1", "rmc1"), ("rmc1", "rmc2")]


@pytest.mark.parametrize("file", MISTAKES)
def test_each_mistake_is_caught(file: str) -> None:
    component = file.rsplit("/", 1)[-1]
    (step,) = refine(PROOF / "mistakes" / f"{file}.ref", component=component)
    assert [v.name for v in step.result.violations] == [MISTAKES[file]]


def test_a_mistake_that_only_deadlocks_show() -> None:
    file = PROOF / "mistakes" / "stuck" / "rmc2.ref"
    assert refine(file, component="rmc2")[0]
    (step,) = refine(file, component="rmc2", deadlock=True)
    (violation,) = step.result.violations
    assert violation.name == "deadlock, though rmc1 could do remove"


def test_mistakes_have_their_own_machines_and_no_others() -> None:
    assert (PROOF / "mistakes/mc0/mc1.ref").read_text() == (PROOF / "mc1.ref").read_text()
