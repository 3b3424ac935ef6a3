"""What a temporal formula costs beside plain exploration: `python -m bench --ltl`.

Both explore everything in the native engine, in turn and in one process: once without a formula,
once in a product with the automaton of one that holds, so that nothing ends early.  The time is
that of the processors from the model in memory to the verdict, compiling included, and the best
of several rounds counts.  A violated formula is there to show how little has to be explored.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, TypeVar

import secateur
from bench.cases import CORPUS, MODELS
from secateur.app.model import Model
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.limits import NO_LIMITS
from secateur.report.temporal import WORDS
from secateur.system.temporal import TemporalResult

HEADER: Final = (
    f"{'model':16}{'states':>9}{'nodes':>9}{'plain s':>9}{'LTL s':>8}{'ns/state':>10}"
    f"{'ns/node':>9}{'ratio':>7}{'B/state':>9}  formula"
)
_NATIVE: Final = Manner(por="none", native=True)


@dataclass(frozen=True, slots=True)
class Case:
    """A model with formulas about it."""

    model: Path
    formulas: tuple[str, ...]


CASES: Final = (
    Case(
        MODELS / "Philosophers12.mch",
        (
            "G({pc(0) = 2} => {fork(0) = FALSE})",
            "G([put_right(0)] => X {fork(1) = TRUE})",
            "WF(put_left(0)) & WF(put_right(0)) => G([take_right(0)] => F [put_left(0)])",
            "SF(put_left(0)) & SF(put_right(0)) => G([take_right(0)] => F [put_left(0)])",
            "G F [take_right(0)]",
        ),
    ),
    Case(
        CORPUS / "PragmasUnits/CaseStudies/TrafficLightWarning/System.mch",
        ("G {speed >= 0}", "G([OneTick_Acc] => X {speed >= 0})"),
    ),
    Case(
        CORPUS / "Benchmarks/Cruise_finite_k.mch",
        (
            "G(e(SetCruiseSpeed) => e(CruiseBecomesNotAllowed))",
            "G(e(CruiseOff) => Y O [SetCruiseSpeed])",
        ),
    ),
)


def measure_temporal(rounds: int, only: str) -> None:
    """Measure, and print a table; `ratio` is the cost of a node beside that of a state."""
    for module in ("secateur.app.checking.native", "secateur.app.temporal.linear_native"):
        import_module(module)  # loaded once, whatever is explored
    print(HEADER)
    for case in CASES:
        if only.lower() not in case.model.stem.lower():
            continue
        if not case.model.exists():
            print(f"NOT MEASURED: {case.model}, which is not there")
            continue
        _measure(case, rounds)


def _measure(case: Case, rounds: int) -> None:
    model = secateur.load(case.model)
    plain: list[float] = []
    judged: dict[str, list[tuple[float, TemporalResult]]] = {f: [] for f in case.formulas}
    states = 0
    for _ in range(rounds):  # in turn: a busy machine slows all of them
        for formula, runs in judged.items():
            seconds, states = _timed(lambda: _explored(model))
            plain.append(seconds)
            runs.append(_timed(partial(_judged, model, formula)))
    for runs in judged.values():
        seconds, result = min(runs, key=lambda run: run[0])
        print(_line(case, result, seconds, min(plain) / states), flush=True)


def _line(case: Case, result: TemporalResult, seconds: float, cost: float) -> str:
    each, node = seconds / max(1, result.states), seconds / max(1, result.nodes)
    memory = (result.engine.memory or 0) / max(1, result.states)
    costs = f"{each * 1e9:>10.0f}{node * 1e9:>9.0f}{node / cost:>7.2f}{memory:>9.0f}"
    if result.holds is False:  # most of the time goes into compiling
        costs = f"{'':35}"
    return (
        f"{case.model.stem:16}{result.states:>9}{result.nodes:>9}{cost * result.states:>9.2f}"
        f"{seconds:>8.2f}{costs}  {WORDS[result.holds]}: {result.formula}"
    )


def _explored(model: Model) -> int:
    return model.check(all=True, deadlock=False, native=True, por="none").statistics.states


def _judged(model: Model, formula: str) -> TemporalResult:
    (result,) = model.temporal([Claim(formula, "ltl", formula)], NO_LIMITS, _NATIVE)
    return result


T = TypeVar("T")


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = work()
    return time.process_time() - started, result
