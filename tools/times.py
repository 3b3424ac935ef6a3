"""`python -m tools.times`: the time from loading to a verdict, beside ProB's recorded times.

What is asked is what the records answer: all states, deadlocks, invariants and
well-definedness, but no assertions.  One model runs at a time, each in a process of its own, which
loads the modules before its clock starts.

Where others use the machine as well, the best of several rounds tells more than one.  So does the
Python that runs it: one that is built with profiles and not as a shared library, as those of most
distributions are, takes about an eighth less time than one that is built with neither.

Some records are of runs that ProB did not finish.  What takes longer than the limit, or finds more
states than were recorded, is run once more until as many states are found as were recorded; the
time of that run counts, and it is said which ones these are.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from secateur.app.model import CheckOptions
from tools.corpus.drive import examine
from tools.corpus.outcome import Grade, Outcome, Status, judged
from tools.corpus.records import ROOT, Record, corpus_folder, records
from tools.corpus.runner import Job, Limits, run_all

AS_RECORDED: Final[CheckOptions] = {"all": True, "assertions": False}
LOADED_FIRST: Final = (
    "secateur.app.checking.native",
    "secateur.app.checking.aside",
    "secateur.lang.b.frontend",
    "secateur.lang.eventb.frontend",
)
SLOW: Final = 1000
"""Milliseconds: below, ProB's times are mostly those of its start."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print what takes long, what differs and the sums."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.times", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--tier", default="core,stress", help="tiers, separated by commas")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only paths that contain it")
    parser.add_argument("--seconds", type=float, default=150.0, help="limit per model (150)")
    parser.add_argument(
        "--rounds",
        type=int,
        default=1,
        choices=range(1, 11),
        metavar="N",
        help="runs of each; the best one counts (1)",
    )
    parser.add_argument("--show", type=int, default=20, metavar="N", help="slow models listed (20)")
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "build" / "times.jsonl",
        help="where times are written",
    )
    args = parser.parse_args(argv)
    folder = corpus_folder()
    if not folder.is_dir():
        print(f"no corpus at {folder}; set SECATEUR_CORPUS", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()} ({os.path.realpath(sys.executable)})")
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8") as file:
        for tier in args.tier.split(","):
            chosen = [
                r
                for r in records(folder)
                if r.tier == tier and r.milliseconds > SLOW and args.filter in r.path
            ]
            if not chosen:
                print(f"tier {tier} has no such model", file=sys.stderr)
                return 2
            rounds = [_measured(chosen, folder, args.seconds) for _ in range(args.rounds)]
            seen = [min(each, key=_worth) for each in zip(*rounds, strict=True)]
            for record, outcome in seen:
                row = {"path": record.path, "seconds": outcome.seconds, "grade": outcome.grade}
                print(json.dumps(row), file=file, flush=True)
            _tell(tier, seen, args.show)
    return 0


def _worth(seen: tuple[Record, Outcome]) -> tuple[bool, float]:
    """Return what is less for a better round: one that was not finished tells nothing of the time."""
    outcome = seen[1]
    return outcome.status is not Status.EXPLORED, outcome.seconds


def _measured(
    chosen: Sequence[Record], folder: Path, seconds: float
) -> list[tuple[Record, Outcome]]:
    limits = Limits(seconds, 12.0, 1, LOADED_FIRST)
    jobs = [Job(r, partial(examine, folder / r.path, AS_RECORDED)) for r in chosen]
    outcomes = {
        record: judged(Outcome(record.path, record.tier, **seen), record)
        for record, seen in run_all(jobs, limits)
    }
    beyond = [r for r, o in outcomes.items() if _goes_beyond(o, r)]
    as_far = [Job(r, partial(examine, folder / r.path, _up_to(r.states))) for r in beyond]
    for record, seen in run_all(as_far, limits):
        outcome = judged(Outcome(record.path, record.tier, **seen), record)
        if outcome.grade is not Grade.TIMEOUT:
            first = outcomes[record]
            far = "" if first.grade is Grade.TIMEOUT else f", {first.states} states"
            print(
                f"{record.path} {first.seconds:.1f} s{far}: as far as the record's {record.states}"
            )
            outcomes[record] = outcome
    return [(record, outcomes[record]) for record in chosen]


def _goes_beyond(outcome: Outcome, record: Record) -> bool:
    """Whether a run has gone on where the recorded one may have been stopped."""
    return outcome.grade is Grade.TIMEOUT or outcome.states > record.states


def _up_to(states: int) -> CheckOptions:
    return {**AS_RECORDED, "max_states": states}


def _tell(tier: str, seen: Sequence[tuple[Record, Outcome]], show: int) -> None:
    ours = sum(o.seconds for _, o in seen)
    theirs = sum(r.milliseconds for r, _ in seen) / 1000
    slower = sum(o.seconds > r.milliseconds / 1000 for r, o in seen)
    equal = sum(o.grade is Grade.EQUAL for _, o in seen)
    print(
        f"{tier}: {len(seen)} models, {ours:.1f} s, ProB {theirs:.1f} s: "
        f"1/{theirs / max(ours, 1e-9):.1f}; {slower} slower than ProB; {equal} equal"
    )
    for record, outcome in sorted(seen, key=lambda s: -s[1].seconds)[:show]:
        print(
            f"  {outcome.seconds:8.2f} s, ProB {record.milliseconds / 1000:8.2f} s  "
            f"{outcome.grade:16} {record.path}"
        )


if __name__ == "__main__":
    sys.exit(main())
