"""`python -m tools.symbolic`: states one by one against sets, over the corpus; 1 if they differ."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from secateur.engine.symbolic.images.registry import IMAGES
from tools.corpus.choose import add_choice, chosen
from tools.corpus.differing import run_and_tell
from tools.corpus.runner import Job, Limits
from tools.symbolic.compare import compare


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and return whether they agree."""
    parser = argparse.ArgumentParser(prog="python -m tools.symbolic", description=__doc__)
    add_choice(parser, "core,tiny")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit per run (10)")
    names = [row.name for row in IMAGES]
    parser.add_argument(
        "--image", choices=names, action="append", help="orders of actions; all, if none is given"
    )
    parser.add_argument("--output", type=Path, default=Path("build/symbolic.jsonl"))
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    images = args.image or names
    jobs = [Job(r, partial(compare, folder / r.path, args.seconds, images)) for r in models]
    limits = Limits(8 * args.seconds, 8.0, args.jobs)
    seen, differing = run_and_tell(
        jobs, limits, args.output, lambda one: one.get("differences") or ()
    )
    compared = [one for one in seen if "times" in one]
    partly = [one for one in compared if one.get("unfinished")]
    print(
        f"{len(compared)} of {len(seen)} models compared, {differing} differ; "
        f"{len(partly)} were not finished in every order of actions"
    )
    for one in partly:
        print(f"unfinished {one['path']}: {', '.join(one['unfinished'])}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
