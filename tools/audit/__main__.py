"""`python -m tools.audit`: certificates of reduced runs over the corpus; exit code 1 if one is rejected.

Or if a certificate that was made wrong is not.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tools.audit.certify import PLANS, certify
from tools.audit.sample import SAMPLE
from tools.corpus.choose import add_choice, chosen
from tools.corpus.differing import run_and_tell
from tools.corpus.runner import Job, Limits


def main(argv: Sequence[str] | None = None) -> int:
    """Certify, audit, print a table, and return whether all is as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tools.audit", description=__doc__)
    add_choice(parser, "core,tiny,convention,error,stress,ext")
    parser.add_argument("--all", action="store_true", help="not only the sample, with every plan")
    parser.add_argument("--limit", type=int, metavar="N", help="the N smallest models")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth model")
    parser.add_argument(
        "--plans",
        type=int,
        default=3,
        metavar="N",
        help="so many plans for each model, by turns (3)",
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="limit per run (10)")
    parser.add_argument(
        "--output", type=Path, default=Path("build/audit.jsonl"), help="where outcomes are written"
    )
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    if not args.all:
        args.plans = len(PLANS)
        models = [r for r in models if r.path in SAMPLE]
    smallest = sorted(models, key=lambda r: r.effort)[: args.limit][:: args.every]
    jobs = [
        Job(r, partial(certify, folder / r.path, args.seconds, plans_for(n, args.plans)))
        for n, r in enumerate(smallest)
    ]
    limits = Limits(30 * args.seconds, 8.0, args.jobs)
    all_seen, differing = run_and_tell(
        jobs, limits, args.output, lambda seen: seen.get("differences", [])
    )
    _summary(all_seen)
    print(f"{differing} models differ")
    return 1 if differing else 0


def plans_for(number: int, count: int) -> list[str]:
    """Return some plans, others for the next number."""
    names = list(PLANS)
    return [names[(number * count + i) % len(names)] for i in range(min(count, len(names)))]


def _summary(all_seen: Sequence[dict[str, Any]]) -> None:
    models = [s for s in all_seen if any(r.get("reduced") for r in s.get("runs", {}).values())]
    print(f"{len(all_seen)} models, {len(models)} of them with something left out")
    for name in PLANS:
        runs = [s["runs"][name] for s in all_seen if name in s.get("runs", {})]
        reduced = [r for r in runs if r.get("reduced")]
        outcomes = Counter(r.get("outcome", "not certified") for r in reduced)
        print(f"{name}: {len(reduced)} of {len(runs)} runs reduced: {dict(outcomes)}")
    tampered = Counter(
        f"{what}: {outcome}"
        for s in models
        for r in s["runs"].values()
        for what, outcome in r.get("tampered", {}).items()
    )
    careless = Counter(str(s.get("careless")).partition(":")[0] for s in models)
    for what, count in sorted(tampered.items()):
        print(f"{what}: {count}")
    print(f"without a proviso: {dict(careless)}")


if __name__ == "__main__":
    sys.exit(main())
