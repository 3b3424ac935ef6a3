"""`python -m bench`: how fast models are explored, beside Spin where that is installed.

A twin has the same states; Spin explores it breadth-first, all of it, without reduction.  Both
are measured in turn, and the best of several rounds counts: a busy machine slows both.  What is
compared is the time of the processors from the model in memory to the verdict, ours with the
compiling of the model, Spin's without.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bench import ours, por, spin
from bench.cases import CORPUS, OWN, Case, corpus
from bench.promela import measure_promela
from bench.symbolic import measure_symbolic
from bench.symmetry import measure_symmetry
from bench.temporal import measure_temporal
from bench.threads import measure_threads

HEADER = (
    f"{'model':28}{'states':>11}{'transitions':>12}{'CPU s':>8}{'wall s':>8}{'JIT s':>7}"
    f"{'states/s':>11}{'trans./s':>12}{'B/state':>9}{'Spin s':>8}{'ratio':>7}"
)
M = TypeVar("M", ours.Measured, spin.Measured)


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--only", default="", help="models whose names contain this")
    parser.add_argument(
        "--ltl", action="store_true", help="what formulas cost beside plain exploration"
    )
    parser.add_argument("--por", action="store_true", help="what partial order reduction costs")
    parser.add_argument(
        "--symmetry", action="store_true", help="how symmetric models grow with their sets"
    )
    parser.add_argument(
        "--symbolic", action="store_true", help="what sets of states cost, and what reductions save"
    )
    parser.add_argument(
        "--promela", action="store_true", help="models of the corpus in Promela, beside Spin"
    )
    parser.add_argument("--threads", action="store_true", help="what a second thread saves")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw that as SVG")
    args = parser.parse_args()
    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    if args.ltl:
        measure_temporal(args.rounds, args.only)
        return 0
    if args.symmetry:
        return measure_symmetry(args.only, args.plot)
    if args.symbolic:
        return measure_symbolic(args.only)
    if args.threads:
        return measure_threads(args.rounds, args.only)
    if args.promela:
        return measure_promela(args.only, args.rounds)
    if args.por:
        return por.table(args.rounds, args.only)
    absent = spin.missing()
    if absent is not None:
        print(f"NOT MEASURED: Spin, for {absent} is not installed")
    cases = list(OWN)
    if CORPUS.is_dir():
        cases += corpus()
    else:
        print(f"NOT MEASURED: the models of the corpus, for there is no {CORPUS}")
    cases = [case for case in cases if args.only.lower() in case.model.stem.lower()]
    if not cases:
        print(f"no model's name contains {args.only}", file=sys.stderr)
        return 2
    print(HEADER)
    right = [show(case, args.rounds, with_spin=absent is None) for case in cases]
    return 0 if all(right) else 1


def show(case: Case, rounds: int, *, with_spin: bool) -> bool:
    """Measure a model in all its variants; return whether the counts are right."""
    theirs: list[spin.Measured] = []
    runs: dict[str, list[ours.Measured]] = {}
    for _ in range(rounds):
        for options in ("", *case.variants):
            runs.setdefault(options, []).append(ours.measure(case.model, options))
        if with_spin and case.twin is not None:
            theirs.append(spin.measure(case.twin))
    reference = best(theirs, lambda each: each.cpu) if theirs else None
    lines = [
        line(case, options, best(measured, lambda each: each.wall), reference)
        for options, measured in runs.items()
    ]
    print("\n".join(lines), flush=True)
    return not any("DIFFER" in each for each in lines)


def best(measured: list[M], key: Callable[[M], float]) -> M:
    """Return the fastest run."""
    return min(measured, key=key)


def line(case: Case, options: str, we: ours.Measured, they: spin.Measured | None) -> str:
    """Return a line of the table."""
    name = f"{_short(case.model)} {options}".strip()
    beside = f"{'':15}"
    if they is not None:
        beside = f"{they.cpu:8.2f}{they.cpu / we.cpu:7.1f}"
    return (
        f"{name:28}{we.states:11}{we.transitions:12}{we.cpu:8.2f}{we.wall:8.2f}{we.jit:7.2f}"
        f"{we.states / we.cpu:11.0f}{we.transitions / we.cpu:12.0f}{we.bytes_per_state:9.1f}"
        f"{beside}{_remarks(case, we, they)}"
    )


def _short(model: Path) -> str:
    return model.stem.removesuffix("_eventb")


def _remarks(case: Case, we: ours.Measured, they: spin.Measured | None) -> str:
    remarks = "" if we.engine == "native" else f"  {we.engine} engine"
    slack = 2  # what leads to the initial states, with and without constants
    right = we.states == case.states and 0 <= we.transitions - case.transitions <= slack
    if they is not None:  # Spin has a state for an initialisation that takes a step
        right &= 0 <= they.states - we.states <= 1
        right &= abs(they.transitions - we.transitions) <= 1
    return remarks if right else f"{remarks}  COUNTS DIFFER"


if __name__ == "__main__":
    sys.exit(main())
