"""Traces made shorter and untangled: never longer, still violating, each step executed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import secateur
from secateur.app.readable import Clarity
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.traces.paths import Paths
from secateur.engine.traces.shorten import shortened
from secateur.engine.traces.untangle import processes, switches, untangled
from secateur.system.result import confirm, shows
from secateur.system.trace import Trace
from secateur.system.verdict import Violation

TWO_CLERKS = """
MACHINE TwoClerks
SETS CLERK = {ann, bob}
VARIABLES done, coffee
INVARIANT done : CLERK --> 0..3 & coffee : 0..2 & (done(ann) = 3 & done(bob) = 3 => 1 = 2)
INITIALISATION done := CLERK * {0} || coffee := 0
OPERATIONS
  work(c) = PRE c : CLERK & done(c) < 3 THEN done(c) := done(c) + 1 END;
  drink = coffee := (coffee + 1) mod 3
END
"""


@pytest.fixture
def clerks(tmp_path: Path) -> secateur.Model:
    file = tmp_path / "TwoClerks.mch"
    file.write_text(TWO_CLERKS)
    return secateur.load(file)


def _wandering(model: secateur.Model, seed: int) -> Violation:
    """Return the violation at the end of a random walk to it."""
    found = model.check(shorten=False).violations[0]
    chance = random.Random(seed)
    while True:
        path = [next(iter(model.initial_transitions()))]
        for _ in range(200):
            path.append(chance.choice(list(model.transitions(path[-1].target))))
            trace = Trace(model.system, tuple(path))
            if shows(trace, found):
                return Violation(found.kind, found.name, trace, span=found.span)


@pytest.mark.parametrize("seed", range(5))
def test_only_what_is_needed_is_left(clerks: secateur.Model, seed: int) -> None:
    violation = _wandering(clerks, seed)
    paths = Paths(clerks.system, 10_000)

    def good(path: tuple[secateur.Transition, ...]) -> bool:
        return shows(Trace(clerks.system, path), violation)

    short = shortened(violation.trace.transitions, paths, good)
    assert len(short) == 7
    assert {t.step.operation for t in short} == {"INITIALISATION", "work"}
    Trace(clerks.system, short).replay()
    clear = untangled(short, paths, good)
    Trace(clerks.system, clear).replay()
    assert clear[-1].target == short[-1].target
    process = processes([t.step for t in clear])
    assert switches(clear, process) == 2
    assert sorted(map(str, (t.step for t in clear))) == sorted(map(str, (t.step for t in short)))


def test_steps_that_mind_do_not_change_places(tmp_path: Path) -> None:
    file = tmp_path / "Turns.mch"
    file.write_text(
        """
MACHINE Turns
SETS P = {p, q}
VARIABLES turn, n
INVARIANT turn : P & n < 4
INITIALISATION turn := p || n := 0
OPERATIONS
  go(x) = PRE x : P & x = turn & n < 4 THEN n := n + 1 || turn :: P - {x} END
END
"""
    )
    model = secateur.load(file)
    (violation,) = model.check(untangle=True, shorten=True).violations
    assert [dict(s.arguments).get("x") for s in violation.trace.steps[1:]] == [
        model.evaluate(name).value  # type: ignore[union-attr]
        for name in ("p", "q", "p", "q")
    ]
    assert "none of the 5 steps could be left out" in violation.remarks
    assert violation.remarks[1].startswith("untangled: 4 changes between processes instead of 4")


def test_results_say_what_was_done(clerks: secateur.Model) -> None:
    (violation,) = clerks.check(search="df", shorten=True, untangle=True).violations
    assert violation.remarks[0].startswith(("7 steps suffice, instead of", "none of the 7"))
    confirm(violation)


def test_lassos(clerks: secateur.Model) -> None:
    claim = Claim("f", "ltl", "G F [drink]")
    found = [
        clerks.temporal([claim], manner=Manner(clarity=clarity))[0]
        for clarity in (Clarity(), Clarity(shorten=True, untangle=True))
    ]
    assert [f.holds for f in found] == [True, True]
    claim = Claim("g", "ltl", "F {done(ann) = 3}")
    plain, clear = (
        clerks.temporal([claim], manner=Manner(clarity=clarity))[0].evidence
        for clarity in (Clarity(), Clarity(shorten=True, untangle=True))
    )
    assert plain is not None
    assert clear is not None
    assert len(clear.trace) <= len(plain.trace)
    assert clear.loop >= 1
    assert any("suffice" in remark or "left out" in remark for remark in clear.remarks)
