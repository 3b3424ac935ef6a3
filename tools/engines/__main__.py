"""`python -m tools.engines`: both engines over the corpus; exit code 1 if they differ anywhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from tools.corpus.choose import add_choice, chosen
from tools.corpus.records import sample
from tools.corpus.runner import Job, Limits, run_all
from tools.engines.compare import compare


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and return whether they agree."""
    parser = argparse.ArgumentParser(prog="python -m tools.engines", description=__doc__)
    add_choice(parser, "core,tiny,convention")
    parser.add_argument("--sample", type=int, metavar="N", help="N small models")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit per run (20)")
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    if args.sample:
        models = sample(models, args.sample)
    jobs = [Job(r, partial(compare, folder / r.path, args.seconds)) for r in models]
    agreed = differing = partly = skipped = 0
    for record, seen in run_all(jobs, Limits(7 * args.seconds, 8.0, args.jobs)):
        wrong = seen.get("differences") or ([seen["error"]] if "error" in seen else [])
        if wrong:
            differing += 1
            print(f"DIFFER {record.path}", *(f"  {d[:600]}" for d in wrong), sep="\n", flush=True)
        elif "times" in seen:
            agreed += 1
        elif "as far as" in seen:
            partly += 1
            print(f"{record.path}: {seen['skipped']}, alike as far as {seen['as far as']} states")
        else:
            skipped += 1
            print(f"skipped {record.path}: {seen.get('skipped', 'not finished')}", flush=True)
    print(
        f"{agreed} models agree, {partly} as far as they were explored, "
        f"{differing} differ, {skipped} were not compared"
    )
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
