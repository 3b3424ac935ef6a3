"""`python -m bench.hsf_spin`: both tables of the paper, its figures, ours and Spin's.

Table 1 is complete exploration, breadth-first; Table 2 is the search for a violation, with A*
and breadth-first.  The exit code is 1 if provisos are not in the paper's order.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.hsf_spin.measure import REDUCTION, Cell, Manner, Subject
from bench.hsf_spin.models import COMPLETE, VIOLATION, Instance
from bench.hsf_spin.paper import COMPLETE as PRINTED_COMPLETE
from bench.hsf_spin.paper import PROVISOS
from bench.hsf_spin.paper import VIOLATION as PRINTED_VIOLATION
from tools.por_tables.measure import head, line
from tools.promela import spin

_ROUNDS: Final = 4
"""So often a row is measured, if something is still to be found out."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and return whether something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hsf_spin", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--table", type=int, choices=(1, 2), help="only this one")
    parser.add_argument("--only", default="", metavar="TEXT", help="only models so called")
    parser.add_argument("--seconds", type=float, default=120.0, help="limit per cell (120)")
    parser.add_argument(
        "--por",
        choices=("process-ample", "stubborn"),
        default=REDUCTION,
        help=f"the reduction ({REDUCTION})",
    )
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"NOT MEASURED: Spin, for {lacking} is not installed")
    wrong = 0
    if args.table != 2:
        wrong += _complete(args.only, Manner("bf", args.seconds, all_=True, por=args.por))
    if args.table != 1:
        _violation(args.only, Manner("astar", args.seconds, all_=False, por=args.por))
    return 1 if wrong else 0


def _chosen(instances: Sequence[Instance], only: str) -> Iterator[Subject]:
    """Yield those that are asked for and there, one after the other; say which are not there."""
    for instance in instances:
        if only.lower() not in f"{instance.row} {instance.name}".lower():
            continue
        if not instance.file.is_file():
            print(f"NOT MEASURED: {instance.row}, for there is no {instance.file}")
            continue
        with TemporaryDirectory() as folder:
            yield Subject(instance, Path(folder))


def _complete(only: str, manner: Manner) -> int:
    print("\n## Complete exploration, breadth-first (states)\n")
    print(head(["model", "by", *PROVISOS, "order"]))
    wrong = 0
    for subject in _chosen(COMPLETE, only):
        instance = subject.instance
        printed = PRINTED_COMPLETE[instance.row]
        print(line([instance.row, "paper", *(f"{n:,}" for n in printed), ""]), flush=True)
        cells = _cells(subject, [(proviso, manner) for proviso in PROVISOS])
        complaints = _disorder(dict(zip(PROVISOS, cells, strict=True)))
        wrong += bool(complaints)
        print(line([instance.name, "Secateur", *map(str, cells), "; ".join(complaints)]))
        theirs = _spins(subject, manner.seconds, all_=True)
        print(line([instance.name, "Spin", theirs[0], "", "", "", theirs[1], ""]), flush=True)
    print(f"\n{wrong} rows are not in order: C2i <= C2o <= C2v <= no, C2i <= C2s <= no")
    return wrong


def _cells(subject: Subject, asked: Sequence[tuple[str, Manner]]) -> list[Cell]:
    """Return the cells of a row, each with the same knowledge of how the actions are related.

    What one of them has to find out serves the others; so they are measured again if there was
    not time enough for that.
    """
    subject.get_ready(asked[0][1])
    cells: list[Cell] = []
    for _ in range(_ROUNDS):
        cells = [subject.cell(proviso, manner) for proviso, manner in asked]
        if not any(cell.learning for cell in cells):
            break
    return cells


def _disorder(cells: dict[str, Cell]) -> list[str]:
    """Return the pairs of provisos that are not in the order that is to be expected."""
    pairs = [("C2i", "C2o"), ("C2o", "C2v"), ("C2v", "no"), ("C2i", "C2s"), ("C2s", "no")]
    known = {name: c.states for name, c in cells.items() if c.states is not None and not c.said}
    return [f"{a} > {b}" for a, b in pairs if a in known and b in known and known[a] > known[b]]


def _violation(only: str, manner: Manner) -> None:
    print("\n## Until a violation is found (states)\n")
    print(head(["model", "by", *(f"A* + {p}" for p in PROVISOS), "BFS + C2o", "found"]))
    for subject in _chosen(VIOLATION, only):
        instance = subject.instance
        printed = PRINTED_VIOLATION[instance.row]
        print(line([instance.row, "paper", *(f"{n:,}" for n in printed), ""]), flush=True)
        asked = [(proviso, manner) for proviso in PROVISOS]
        cells = _cells(subject, [*asked, ("C2o", replace(manner, search="bf"))])
        print(line([instance.name, "Secateur", *map(str, cells), _found(cells)]))
        theirs = _spins(subject, manner.seconds, all_=False)
        print(
            line([instance.name, "Spin", f"BFS: {theirs[0]}", *[""] * 4, theirs[1], ""]), flush=True
        )


def _found(cells: Sequence[Cell]) -> str:
    """Return whether a violation was found, which is the same for all that may be relied on."""
    answers = {cell.violated for cell in cells if cell.states is not None and not cell.said}
    return {frozenset({True}): "yes", frozenset({False}): "no"}.get(frozenset(answers), "")


def _spins(subject: Subject, seconds: float, *, all_: bool) -> tuple[str, str]:
    """Return what Spin needs without and with its reduction."""
    if spin.missing() is not None:
        return "", ""
    plain, reduced = (subject.spins(seconds, reduced=r, all_=all_) for r in (False, True))
    return str(plain), str(reduced)


if __name__ == "__main__":
    sys.exit(main())
