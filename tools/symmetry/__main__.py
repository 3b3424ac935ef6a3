"""`python -m tools.symmetry`: merged against full over the corpus; exit code 1 if a verdict differs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tools.corpus.choose import add_choice, chosen
from tools.corpus.differing import run_and_tell
from tools.corpus.runner import Job, Limits
from tools.symmetry.compare import WAYS, compare


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print the table, and return whether all verdicts are the same."""
    parser = argparse.ArgumentParser(prog="python -m tools.symmetry", description=__doc__)
    add_choice(parser, "core,tiny,convention,stress")
    parser.add_argument("--seconds", type=float, default=15.0, help="limit per run (15)")
    parser.add_argument(
        "--output", type=Path, default=Path("build/symmetry.jsonl"), help="where outcomes go"
    )
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    jobs = [Job(r, partial(compare, folder / r.path, args.seconds)) for r in models]
    limits = Limits(8 * args.seconds, 8.0, args.jobs)
    all_seen, differing = run_and_tell(jobs, limits, args.output, _differences)
    _summary(all_seen)
    print(f"{differing} models differ")
    return 1 if differing else 0


def _differences(seen: dict[str, Any]) -> list[str]:
    ways = seen.get("ways", {}).items()
    return [f"{name}: {d}" for name, way in ways for d in way.get("differences", ())]


def _summary(all_seen: Sequence[dict[str, Any]]) -> None:
    symmetric = [s for s in all_seen if "ways" in s]
    print(f"{len(symmetric)} of {len(all_seen)} models have elements that may be exchanged")
    for name in WAYS:
        rows = [
            (s["full"][0], s["ways"][name])
            for s in symmetric
            if "full" in s and "states" in s["ways"].get(name, {})
        ]
        full = sum(states for states, _ in rows)
        merged = sum(way["states"] for _, way in rows)
        fewer = sum(way["states"] < states for states, way in rows)
        print(f"{name}: {len(rows)} models, {fewer} with fewer states: {merged} of {full}")


if __name__ == "__main__":
    sys.exit(main())
