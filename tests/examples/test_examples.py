"""The shipped models are as their comments and the docs say."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import secateur
from tests.examples.test_readme import ROOT


@dataclass(frozen=True)
class Expected:
    file: str
    states: int
    transitions: int
    kinds: frozenset[str] = frozenset()


def _expected(file: str, states: int, transitions: int, *kinds: str) -> Expected:
    return Expected(file, states, transitions, frozenset(kinds))


EXPECTED = (
    _expected("BoundedBuffer.mch", 32, 74, "invariant"),
    _expected("Colouring.mch", 36, 36, "deadlock"),
    _expected("Interlocking.mch", 30, 74),
    _expected("Lift.mch", 96, 275),
    _expected("Philosophers.mch", 14, 28, "deadlock"),
    _expected("Queens.mch", 184, 184, "deadlock"),
    _expected("SendMoreMoney.mch", 2, 2, "deadlock"),
    _expected("Stack.mch", 12, 20),
    _expected("StackArray.ref", 24, 48),
    _expected("TrafficLight.mch", 6, 7),
)


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda e: e.file)
def test_example(expected: Expected) -> None:
    result = secateur.load(ROOT / "examples" / expected.file).check(all=True)
    counts = (result.statistics.states, result.statistics.transitions)
    assert {v.kind.value for v in result.violations} == expected.kinds
    assert counts == (expected.states, expected.transitions)
    # It is not `check` that looks at what relates a refinement to its abstraction.
    assert result.exhaustive is not expected.file.endswith(".ref")


def test_every_example_is_tested() -> None:
    everything = (ROOT / "examples").iterdir()
    files = {p.name for p in everything if p.is_file() and p.suffix != ".md"}
    assert files == {e.file for e in EXPECTED}


def test_shortest_way_to_the_full_buffer() -> None:
    trace = secateur.load(ROOT / "examples" / "BoundedBuffer.mch").check().trace
    assert trace is not None
    assert [s.operation for s in trace.steps[:2]] == ["SETUP_CONSTANTS", "INITIALISATION"]
    assert len(trace) == 6
