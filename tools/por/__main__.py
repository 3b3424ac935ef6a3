"""`python -m tools.por`: reduced against full over the corpus; exit code 1 if a verdict differs."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

from tools.corpus.choose import add_choice, chosen
from tools.corpus.differing import run_and_tell
from tools.corpus.runner import Job, Limits
from tools.por.compare import CLASSES, compare

PROB: Final = {"deadlock": "17 % to 54 %", "invariant": "3.2 % to 76 %"}
"""What ProB's reduction does on its public examples (Dobrikov, Leuschel and others, VSTTE 2022)."""

LOADED_BEFORE: Final = (
    "secateur.analysis.smt.solver",
    "secateur.lang.b.frontend",
    "secateur.lang.eventb.frontend",
    "secateur.app.checking.native",
    "secateur.app.checking.pruned",
)
"""What is imported once, and not in the process of each model: it takes longer than most do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print the table, and return whether all verdicts are the same."""
    parser = argparse.ArgumentParser(prog="python -m tools.por", description=__doc__)
    add_choice(parser, "core,tiny,convention,stress")
    parser.add_argument("--limit", type=int, metavar="N", help="the N smallest models")
    parser.add_argument("--por", default="best", help="the reduction (best)")
    parser.add_argument("--seconds", type=float, default=30.0, help="limit per run (30)")
    parser.add_argument(
        "--output", type=Path, default=Path("build/por.jsonl"), help="where outcomes are written"
    )
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="only what was not compared there"
    )
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    smallest = sorted(models, key=lambda r: r.effort)[: args.limit]
    known = {} if args.again is None else finished(args.again)
    todo = [r for r in smallest if r.path not in known]
    jobs = [Job(r, partial(compare, folder / r.path, args.por, args.seconds)) for r in todo]
    for name in LOADED_BEFORE:
        import_module(name)
    limits = Limits(6 * args.seconds, 8.0, args.jobs)
    all_seen, differing = run_and_tell(jobs, limits, args.output, _differences)
    before = [known[r.path] for r in smallest if r.path in known]
    differing += sum(bool(_differences(seen)) for seen in before)
    all_seen += before
    for line in not_compared(all_seen):
        print(line)
    for name in CLASSES:
        _summary(name, all_seen)
    print(f"{differing} models differ")
    return 1 if differing else 0


def finished(outcomes: Path) -> dict[str, dict[str, Any]]:
    """Return what an earlier run has seen of the models that it compared in every way, by path."""
    lines = outcomes.read_text(encoding="utf-8").splitlines()
    seen = map(json.loads, lines)
    return {s["path"]: s for s in seen if s.get("classes", {}).keys() == CLASSES.keys()}


def _differences(seen: dict[str, Any]) -> list[str]:
    return [f"{n}: {d}" for n, c in seen.get("classes", {}).items() for d in c["differences"]]


def not_compared(all_seen: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line for each model and class of which both searches did not end, and why."""
    return [
        f"NOT COMPARED {seen['path']}, {name}: {why}"
        for seen in all_seen
        for name in CLASSES
        if (why := why_not(seen, name)) is not None
    ]


def why_not(seen: dict[str, Any], name: str) -> str | None:
    """Return why there is nothing to compare of a model; None if there is."""
    if name in seen.get("classes", {}):
        return None
    if name in seen.get("unfinished", {}):
        return str(seen["unfinished"][name])
    if "skipped" in seen:
        return str(seen["skipped"])
    ended = f"{seen.get('status', 'ended')} at {seen.get('at', 'the start')}"
    return f"{ended}: {seen['error']}" if "error" in seen else ended


def _summary(name: str, all_seen: Sequence[dict[str, Any]]) -> None:
    """Print how many models that have nothing to report are reduced, and to what size."""
    rows = [
        s["classes"][name]
        for s in all_seen
        if s.get("operations", 0) >= 2 and name in s.get("classes", {})
    ]
    missing = Counter(why for s in all_seen if (why := why_not(s, name)) is not None)
    compared = len(all_seen) - missing.total()
    sound = [r for r in rows if not r["violated"]]
    sizes = [r["reduced"] / r["full"] for r in sound if 0 < r["reduced"] < r["full"]]
    share = len(sizes) / len(sound) if sound else 0.0
    to = f"to {mean(sizes):.0%} on average, {median(sizes):.0%} in the middle" if sizes else ""
    print(
        f"{name}: {compared} of {len(all_seen)} models compared"
        + "".join(f"; {count} not, {why}" for why, count in missing.most_common())
    )
    print(
        f"{name}: {len(rows)} of these have two operations or more, {len(sound)} no violation; "
        f"{len(sizes)} of these reduced ({share:.0%}) {to}; ProB: {PROB[name]}"
    )


if __name__ == "__main__":
    sys.exit(main())
