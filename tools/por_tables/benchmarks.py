"""The first table: reductions beside those of the paper.

> I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial Order
> Reduction*, Formal Aspects of Computing 28 (2016), Table 1.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.por_tables.measure import CLASSES, Run, head, line, measure
from tools.por_tables.models import Benchmark, Printed, benchmarks

_COLUMNS: Final = (
    "model",
    "class",
    "full",
    "`best`",
    "`upset`",
    "paper: full -> reduced",
    "at most",
    "analysis s",
    "total s: full -> `best`, `upset`",
)


def print_benchmarks(only: str, seconds: float) -> int:
    """Print the table, states / transitions, and return how many verdicts differ."""
    print(head(_COLUMNS))
    differing = 0
    with TemporaryDirectory() as folder:
        for benchmark in benchmarks(Path(folder)):
            if only.lower() not in benchmark.name.lower():
                continue
            if not benchmark.file.is_file():
                print(line([benchmark.name, "not in the corpus", *[""] * 7]), flush=True)
                continue
            for name in benchmark.classes:
                differing += _row(benchmark, name, benchmark.seconds or seconds)
    print(f"\n{differing} verdicts differ")
    return differing


def _row(benchmark: Benchmark, name: str, seconds: float) -> int:
    """Measure and print one line; a model that is not finished in full is not reduced."""
    printed = _printed(benchmark.paper.get(name))
    full = measure(benchmark.file, {**CLASSES[name], "por": "none"}, seconds, benchmark.setups)
    if not full.finished:
        unfinished = f"not finished in {seconds:g} s"
        print(line([benchmark.name, name, unfinished, "", "", printed, "", "", ""]), flush=True)
        return 0
    runs = [
        measure(benchmark.file, {**CLASSES[name], "por": p}, seconds, benchmark.setups)
        for p in ("best", "upset")
    ]
    cells = [benchmark.name, name, full.size(), *map(_size, runs), printed]
    cells.append(_reached(runs, benchmark.at_most.get(name)))
    cells.append(", ".join(f"{r.analysis:.2f}" for r in runs))
    cells.append(f"{full.seconds:.2f} -> {', '.join(f'{r.seconds:.2f}' for r in runs)}")
    print(line(cells), flush=True)
    return _differing(full, runs, f"{benchmark.name}, {name}")


def _size(run: Run) -> str:
    return run.size() if run.finished else f"not finished ({run.size()})"


def _printed(paper: Printed | None) -> str:
    if paper is None:
        return ""
    (full, states), (all_steps, steps) = paper
    return f"{full:,} / {all_steps:,} -> {states:,} / {steps:,}"


def _reached(runs: list[Run], at_most: int | None) -> str:
    if at_most is None:
        return ""
    reached = min(r.states for r in runs if r.finished) <= at_most
    return f"{at_most:,}" if reached else f"{at_most:,}: missed"


def _differing(full: Run, runs: list[Run], where: str) -> int:
    """Say which reduced runs found something else; deadlocks are counted where all are wanted."""
    wrong = [
        r for r in runs if r.finished and (r.verdict, r.deadlocks) != (full.verdict, full.deadlocks)
    ]
    for run in wrong:
        print(f"DIFFER {where}: {full} but {run}")
    return len(wrong)
