"""Formulas say of the reduced graphs of random machines what they say of the full ones.

Both engines reduce.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur import load
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.limits import Limits
from secateur.engine.native.available import why_not_native
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept

MOST_STATES: Final = 300
FORMULAS: Final = (
    "G ({n > 1} => F {n = 0})",
    "G F {b = TRUE}",
    "{n = 0} U {b = TRUE}",
    "F deadlock",
    "G ({a = {}} => deadlock)",
    "G ([op0] => {e = s1})",
    "G (e(op0) => F [op0])",
    "WF(op0) => F {n > 0}",
    "SF(op0) => G F {a = {}}",
    "G ({card(a) = 1} => O {a = {}})",
    "G (changed({f}) => {b = FALSE})",
    "G (unchanged({n}) or {n > 0})",
    "!x.({x : S} => G F {x : a})",
    "#x.({x : 0..2} & F G {n = x})",
    "G deterministic(op0)",
    "G ({f(s1) = 0} or {g = {}} or F {u > 0})",
)
REDUCTIONS: Final = ("stubborn", "ample", "process-ample")
ENGINES: Final = (False, True) if why_not_native() is None else (False,)


@given(machines(), st.lists(st.sampled_from(FORMULAS), min_size=2, max_size=4, unique=True))
@settings(
    deadline=None,
    max_examples=max(5, settings().max_examples // 10),  # each takes a while to compile
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_random_machines(tmp_path: Path, text: str, formulas: list[str]) -> None:
    path = tmp_path / "random.mch"
    path.write_text(text)
    with recursion_limit_kept():
        model = load(path)
        for number, formula in enumerate(formulas):
            claim = Claim(formula, "ltl", formula)
            limits = Limits(states=MOST_STATES)
            (full,) = model.temporal([claim], limits, Manner(por="none", approach="static"))
            if full.states >= MOST_STATES:
                return
            por = REDUCTIONS[number % len(REDUCTIONS)]
            for native in ENGINES:
                (reduced,) = model.temporal([claim], manner=Manner(por=por, native=native))
                assert reduced.holds is full.holds, f"{formula} {por} {reduced}\n{text}"
                assert reduced.states <= full.states
