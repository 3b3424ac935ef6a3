"""`python -m tools.promela.reduced`: partial order reduction on Promela, ours beside Spin's.

Per model: the states of the full search and of each of our reductions, those of Spin's
depth-first search with its own reduction (statements not merged, then merged), and whether all
verdicts are equal.  Everything is explored also after an error.  Numbers are compared where those
of the full searches are equal, or where neither ends; Spin goes on behind a violated assertion and
we do not.  Both count the states in which a process may be interrupted, so none inside of `atomic`.

Limits are seconds of the processor.  With `--rows FILE` rows are kept as they end, and those
that the file has are not measured again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Final

from secateur.app.model import CheckOptions
from tools.corpus.records import ROOT
from tools.por_tables.measure import head, line
from tools.promela import ours, spin
from tools.promela.rows import INVALID, NOT_ASKED, UNFINISHED, Asked, Kept, Limits, Row, Side
from tools.promela.ways import ours_of

REDUCTIONS: Final = ("best", "stubborn", "process-ample")
"""What is measured if nothing else is asked for; `stubborn/open` is one with a proviso by name, `best/none` one without (C2i)."""
_CASES: Final = "case-studies"
_EXAMPLES: Final = "spin-examples"
CORPUS: Final = (
    f"{_CASES}/Tests/leader",
    f"{_CASES}/Tests/leader2",
    f"{_CASES}/Tests/mobile1",
    f"{_CASES}/Tests/peterson3",
    f"{_CASES}/Tests/pftp",
    f"{_CASES}/Tests/sort",
    f"{_CASES}/giop/giop1.nomig.pr",
    f"{_EXAMPLES}/abp.pml",
    f"{_EXAMPLES}/cambridge.pml",
    f"{_EXAMPLES}/dtp.pml",
    f"{_EXAMPLES}/eratosthenes.pml",
    f"{_EXAMPLES}/hajek.pml",
    f"{_EXAMPLES}/leader0.pml",
    f"{_EXAMPLES}/pathfinder.pml",
    f"{_EXAMPLES}/peterson.pml",
    f"{_EXAMPLES}/snoopy.pml",
    f"{_EXAMPLES}/werkplaats.pml",
)
"""The models of the corpus that are measured if none is named."""
_QUICK: Final = 4.0
"""So long the verifier of a quick compiler may search; after that a better one is worth its time."""

_FULL: Final = spin.Search(breadth_first=False, flags=("-DNOCLAIM",))
_REDUCED: Final = replace(_FULL, reduced=True)
_MERGED: Final = replace(_REDUCED, merged=True)


def spins(model: Path, search: spin.Search, seconds: float) -> Side:
    """Let Spin search."""
    quick = replace(search, compiler=spin.quick_compiler(), quick_to_compile=True)
    try:
        found = spin.run(model, quick, seconds=min(_QUICK, seconds))
        if not found.complete and seconds > _QUICK:
            found = spin.run(model, search, seconds=seconds)
    except spin.Refused:
        return Side(-1, note="refused")
    note = "" if found.complete else UNFINISHED
    return Side(found.states, frozenset(found.kinds), note)


def measure(model: Path, asked: Asked) -> Row:
    """Run everything on one model; nothing but Spin's reduction if that does not end."""
    limits = asked.limits
    reduced = spins(model, _REDUCED, limits.spin)
    if reduced.note:
        return Row(model, NOT_ASKED, spin=reduced)
    options: CheckOptions = {"assertions": False, "invariant": False} if asked.deadlocks else {}
    own = ours_of(model, ["none", *asked.names], limits.ours, options)
    return Row(
        model,
        own.pop("none"),
        own,
        spins(model, _FULL, limits.spin),
        reduced,
        spins(model, _MERGED, limits.spin),
    )


def _told(row: Row, names: Sequence[str]) -> str:
    verdict = f"DIFFERS: {', '.join(row.differing)}" if row.differing else "equal"
    compared = "-" if not row.comparable else "yes" if row.as_small else "no"
    own = [row.reduced.get(n, NOT_ASKED) for n in names]
    counts = [row.full, *own, row.spin_full, row.spin, row.spin_merged]
    return line([row.model.name, *map(str, counts), compared, verdict])


def _models(asked: Sequence[Path], *, corpus: bool) -> Iterator[Path]:
    """Yield the models that are asked for; of equal ones in the corpus the first."""
    if asked:
        yield from asked
        return
    if corpus:
        texts = {hashlib.sha256(m.read_bytes()).digest(): m for m in reversed(ours.corpus())}
        yield from sorted(texts.values())
        return
    yield from sorted((ROOT / "examples" / "promela").glob("*.pml"))
    for name in CORPUS:
        model = ours.folder() / name
        if model.is_file():
            yield model
        else:
            print(f"NOT MEASURED: there is no {model}")


def _rows(models: Sequence[Path], asked: Asked, kept: Kept | None, jobs: int) -> Iterator[Row]:
    """Yield the row of each model, those that are kept first."""
    known = {model: row for model in models if kept is not None and (row := kept.get(model))}
    yield from known.values()
    with ProcessPoolExecutor(jobs) as pool:
        begun = [pool.submit(measure, model, asked) for model in models if model not in known]
        for done in as_completed(begun):
            row = done.result()
            if kept is not None:
                kept.put(row)
            yield row


def _report(rows: Sequence[Row]) -> int:
    """Print what the table comes to; return how many verdicts differ."""
    comparable = [row for row in rows if row.comparable]
    small = sum(row.as_small for row in comparable)
    wrong = sum(bool(row.differing) for row in rows)
    share = f" ({100 * small / len(comparable):.0f} %)" if comparable else ""
    print(f"\nno more states than Spin on {small} of {len(comparable)} models{share}")
    larger = [row.model.name for row in comparable if not row.as_small]
    if larger:
        print(f"more: {', '.join(sorted(larger))}")
    ended = [row for row in rows if not row.spin.note]
    print(f"Spin explores {len(ended)} of {len(rows)} models to their end with its reduction")
    left = sorted(row.model.name for row in ended if not row.comparable)
    if left:
        print(f"of these not compared: {', '.join(left)}")
    invalid = sorted(row.model.name for row in ended if INVALID in row.spin.errors)
    if invalid:
        print(f"Spin calls its own reduction invalid: {', '.join(invalid)}")
    print(f"{wrong} of them have a verdict that differs")
    return wrong


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; the exit code is 1 if a verdict differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.reduced", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="examples and corpus if none is given")
    parser.add_argument("--corpus", action="store_true", help="all models of the corpus")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="each Nth model, from the Kth")
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="of the processor, per search (30)"
    )
    parser.add_argument("--spin-seconds", type=float, default=30.0, help="and for Spin (30)")
    parser.add_argument("--por", default=",".join(REDUCTIONS), help="reductions, with commas")
    parser.add_argument("--deadlocks", action="store_true", help="nothing but deadlocks")
    parser.add_argument("--jobs", type=int, default=1, help="models at a time (1)")
    parser.add_argument("--rows", type=Path, metavar="FILE", help="go on with the rows in FILE")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    names = tuple(args.por.split(","))
    asked = Asked(names, Limits(args.seconds, args.spin_seconds), args.deadlocks)
    part, parts = map(int, args.part.split("/"))
    models = list(_models(args.models, corpus=args.corpus))[part - 1 :: parts]
    kept = None if args.rows is None else Kept(args.rows, asked)
    print(head(["model", "full", *names, "Spin", "Spin POR", "merged", "no more", "verdicts"]))
    rows: list[Row] = []
    for row in _rows(models, asked, kept, args.jobs):
        rows.append(row)
        print(_told(row, names), flush=True)
    return 1 if _report(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
