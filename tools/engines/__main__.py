"""`python -m tools.engines`: both engines over the corpus; exit code 1 if they differ anywhere.

With `--agreed FILE` the models that agree are written down as they do, and those in the file count
without being compared again: a first run with few seconds for each model, a second one with more
for those that the Python engine had not finished.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tools.corpus.choose import add_choice, chosen
from tools.corpus.records import sample
from tools.corpus.runner import Job, Limits, run_all
from tools.engines.compare import compare


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print, and return whether they agree."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.engines", description=__doc__.partition("\n")[0]
    )
    add_choice(parser, "core,tiny,convention")
    parser.add_argument("--sample", type=int, metavar="N", help="N small models")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit per run (20)")
    parser.add_argument(
        "--agreed", type=Path, metavar="FILE", help="those that agree, to go on from there"
    )
    args = parser.parse_args(argv)
    found = chosen(args)
    if found is None:
        return 2
    folder, models = found
    if args.sample:
        models = sample(models, args.sample)
    known = _read(args.agreed)
    asked = [r for r in models if r.path not in known]
    jobs = [Job(r, partial(compare, folder / r.path, args.seconds)) for r in asked]
    agreed = len(models) - len(asked)
    differing = partly = skipped = 0
    for record, seen in run_all(jobs, Limits(7 * args.seconds, 8.0, args.jobs)):
        wrong = seen.get("differences") or ([seen["error"]] if "error" in seen else [])
        if wrong:
            differing += 1
            print(f"DIFFER {record.path}", *(f"  {d[:600]}" for d in wrong), sep="\n", flush=True)
        elif "times" in seen:
            agreed += 1
            if args.agreed:
                with args.agreed.open("a") as file:
                    file.write(f"{record.path}\n")
        elif "as far as" in seen:
            partly += 1
            far = f"{seen['skipped']}, alike as far as {seen['as far as']} states"
            print(f"{record.path}: {far}", flush=True)
        else:
            skipped += 1
            print(f"skipped {record.path}: {seen.get('skipped', 'not finished')}", flush=True)
    print(
        f"{agreed} models agree, {partly} as far as they were explored, "
        f"{differing} differ, {skipped} were not compared"
    )
    return 1 if differing else 0


def _read(file: Path | None) -> frozenset[str]:
    """Return the paths that are written down."""
    return frozenset(file.read_text().splitlines()) if file and file.is_file() else frozenset()


if __name__ == "__main__":
    sys.exit(main())
