"""`python -m tools.engines`: both engines over the corpus; exit code 1 if they differ anywhere."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from tools.corpus.records import corpus_folder, records, sample
from tools.corpus.runner import Job, Limits, run_all
from tools.engines.compare import compare


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and return whether they agree."""
    parser = argparse.ArgumentParser(prog="python -m tools.engines", description=__doc__)
    parser.add_argument("--tier", default="core,tiny,convention", help="tiers, separated by commas")
    parser.add_argument("--formalism", default="b,eventb", help="b, eventb or both")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only paths that contain it")
    parser.add_argument("--sample", type=int, metavar="N", help="N small models")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit per run (20)")
    parser.add_argument("--jobs", type=int, default=2, help="models at a time (2)")
    args = parser.parse_args(argv)
    folder = corpus_folder()
    if not folder.is_dir():
        print(f"no corpus at {folder}; set SECATEUR_CORPUS", file=sys.stderr)
        return 2
    chosen = [
        r
        for r in records(folder)
        if r.tier in args.tier.split(",")
        and r.formalism in args.formalism.split(",")
        and args.filter in r.path
    ]
    if args.sample:
        chosen = sample(chosen, args.sample)
    jobs = [Job(r, partial(compare, folder / r.path, args.seconds)) for r in chosen]
    agreed = differing = skipped = 0
    for record, seen in run_all(jobs, Limits(5 * args.seconds, 8.0, args.jobs)):
        found = seen.get("differences") or ([seen["error"]] if "error" in seen else [])
        if found:
            differing += 1
            print(f"DIFFER {record.path}", *(f"  {d[:600]}" for d in found), sep="\n", flush=True)
        elif "times" in seen:
            agreed += 1
        else:
            skipped += 1
            print(f"skipped {record.path}: {seen.get('skipped', 'not finished')}", flush=True)
    print(f"{agreed} models agree, {differing} differ, {skipped} were not compared")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
