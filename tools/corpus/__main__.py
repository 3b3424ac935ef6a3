"""`python -m tools.corpus`: run over the corpus, print a table, write what was seen."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from secateur.app.model import CheckOptions
from tools.corpus.drive import EVERYTHING, errors_only, examine
from tools.corpus.expressions import score_expressions
from tools.corpus.outcome import (
    Grade,
    Outcome,
    judged,
    may_be_unfinished,
    read_outcomes,
    to_line,
)
from tools.corpus.records import EXPLORED, LOADED, ROOT, Record, corpus_folder, records, sample
from tools.corpus.rodin import score_rodin
from tools.corpus.runner import Job, Limits, run_all
from tools.corpus.table import comparison, describe, differences, tier_table
from tools.corpus.unfinished import explain

EXPRESSIONS = "expressions"
RODIN = "rodin"
RESULTS = ROOT / "build" / "corpus" / "results.jsonl"


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.corpus", description=__doc__)
    add = parser.add_argument
    every = ",".join((*EXPLORED, *LOADED, EXPRESSIONS))
    add("--tier", default=every, help=f"tiers, separated by commas ({every}), or {RODIN}")
    add("--formalism", default="b", help="b or eventb")
    add("--limit", type=int, metavar="N", help="at most N models")
    add("--sample", type=int, metavar="N", help="N small models, always the same ones")
    add("--filter", default="", metavar="TEXT", help="only paths that contain TEXT")
    add("--seconds", type=float, default=60.0, help="limit per model (60)")
    add("--gigabytes", type=float, default=6.0, help="limit per model (6)")
    add("--jobs", type=int, default=2, help="models at a time (2)")
    add("--only-failures", type=Path, metavar="FILE", help="only what differed in that run")
    add("--compare", type=Path, metavar="FILE", help="say what changed since that run")
    add("--shortest-first", action="store_true", help="small models first")
    add("--explore-stress", action="store_true", help="explore tier stress instead of loading it")
    add("--load-only", action="store_true", help="explore nothing")
    add("--output", type=Path, default=RESULTS, metavar="FILE", help="where outcomes are written")
    add("--show", type=int, default=40, metavar="N", help="differences listed per kind (40)")
    add("--verbose", action="store_true", help="a line per difference as it comes in")
    return parser.parse_args(argv)


def _selected(args: argparse.Namespace, folder: Path) -> list[Record]:
    tiers = set(args.tier.split(","))
    only: set[str] | None = None
    if args.only_failures:
        only = {o.path for o in read_outcomes(args.only_failures) if o.grade is not Grade.EQUAL}
    chosen = [
        r
        for r in records(folder)
        if r.formalism == args.formalism
        and r.tier in tiers
        and args.filter in r.path
        and (only is None or r.path in only)
    ]
    if args.sample:
        chosen = sample(chosen, args.sample)
    if args.shortest_first:
        chosen.sort(key=lambda r: r.effort)
    return chosen[: args.limit]


def _progress(total: int, *, verbose: bool) -> Callable[[int, Outcome], None]:
    started = time.monotonic()
    live = sys.stderr.isatty()

    def show(number: int, outcome: Outcome) -> None:
        if verbose and outcome.grade is not Grade.EQUAL:
            print(f"{outcome.grade}: {describe(outcome)}", file=sys.stderr)
        if live or number % 100 == 0:
            end = "\r" if live else "\n"
            elapsed = time.monotonic() - started
            print(f"{number} of {total} models, {elapsed:.0f} s ", end=end, file=sys.stderr)

    return show


def _limits(args: argparse.Namespace) -> Limits:
    return Limits(args.seconds, args.gigabytes, args.jobs)


def _options(args: argparse.Namespace, tier: str) -> CheckOptions | None:
    """Return how models of a tier are explored, None if they are not."""
    explored = {*EXPLORED, *(["stress"] if args.explore_stress else [])}
    if args.load_only or tier not in explored:
        return None
    return errors_only(args.seconds) if tier == "error" else EVERYTHING


def _run(args: argparse.Namespace, chosen: Sequence[Record], folder: Path) -> list[Outcome]:
    jobs = [Job(r, partial(examine, folder / r.path, _options(args, r.tier))) for r in chosen]
    show = _progress(len(jobs), verbose=args.verbose)
    outcomes: list[Outcome] = []
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8") as file:
        try:
            for record, seen in run_all(jobs, _limits(args)):
                outcome = judged(Outcome(record.path, record.tier, **seen), record)
                outcomes.append(outcome)
                print(to_line(outcome), file=file, flush=True)
                show(len(outcomes), outcome)
        except KeyboardInterrupt:
            print("interrupted; this is what there is so far", file=sys.stderr)
    return outcomes


def _explain(args: argparse.Namespace, outcomes: Sequence[Outcome], folder: Path) -> None:
    """Find out which of the records are those of runs that ProB did not finish."""
    jobs = [
        Job(o, partial(explain, folder / o.path, (o.expected["states"], o.expected["transitions"])))
        for o in outcomes
        if may_be_unfinished(o) and o.expected is not None
    ]
    limits = replace(_limits(args), seconds=args.seconds / 2)
    for outcome, seen in run_all(jobs, limits):
        if "unfinished" in seen:
            outcome.unfinished = seen["unfinished"]
            outcome.grade = Grade.UNFINISHED
    lines = "".join(f"{to_line(o)}\n" for o in outcomes)
    args.output.write_text(lines, encoding="utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """Run, print, and return 0: how good is good enough is not this program's to say."""
    args = _arguments(argv)
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    folder = corpus_folder()
    if not folder.is_dir():
        print(f"no corpus at {folder}; set SECATEUR_CORPUS", file=sys.stderr)
        return 2
    if args.tier == RODIN:
        for line in score_rodin(folder / "rodin", _limits(args), args.filter):
            print(line)
        return 0
    # Read first: the file to compare with may be the one that is about to be written.
    old = list(read_outcomes(args.compare)) if args.compare else None
    chosen = _selected(args, folder)
    started = time.monotonic()
    outcomes = _run(args, chosen, folder)
    _explain(args, outcomes, folder)
    lines = [*differences(outcomes, limit=args.show), ""]
    lines += tier_table(outcomes, {r.path: r for r in chosen})
    lines.append(f"{len(outcomes)} models in {time.monotonic() - started:.0f} s; see {args.output}")
    if old is not None:
        lines += comparison(old, outcomes)
    if EXPRESSIONS in args.tier.split(",") and not (
        args.filter or args.only_failures or args.sample
    ):
        lines += score_expressions(folder / "expressions.jsonl", _limits(args), args.show)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
