"""`python -m tools.promela.fuzz`: small random programs, the naive interpreter against Spin.

Compared are the graphs, and what both searches of Spin count: states stored and matched,
atomic steps, errors.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from secateur.source import InputError
from tests.naive import promela as naive
from tools.promela import graphs, ours, spin
from tools.promela.compare import Late, within
from tools.promela.random_programs import program


def main(argv: Sequence[str] | None = None) -> int:
    """Compare many programs, and print those on which the two disagree."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.fuzz", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--programs", type=int, default=100, help="how many (100)")
    parser.add_argument("--seed", type=int, default=0, help="that of the first (0)")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit per search (10)")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.pml")
        for seed in range(args.seed, args.seed + args.programs):
            model.write_text(program(seed), encoding="utf-8")
            for verdict, told in _judged(model, args.seconds):
                tally[verdict] += 1
                if told:
                    print(f"{seed}: {verdict}: {told}", flush=True)
    print(", ".join(f"{verdict}: {count}" for verdict, count in sorted(tally.items())))
    return 1 if tally["differs"] else 0


def _judged(model: Path, seconds: float) -> list[tuple[str, str]]:
    try:
        differing = graphs.compared(model)
    except spin.Refused as why:
        return [("refused by Spin", " ".join(str(why).split())[:200])]
    except InputError as why:
        return [("refused by us", str(why))]
    found = [("differs", line) for line in differing]
    return found + [_searched(model, seconds, bfs=bfs) for bfs in (False, True)]


def _searched(model: Path, seconds: float, *, bfs: bool) -> tuple[str, str]:
    search = spin.Search(breadth_first=bfs, flags=("-DNOCLAIM",), quick_to_compile=True)
    theirs = spin.run(model, search, seconds=seconds)
    if not theirs.complete:
        return "not finished", ""
    run = naive.halfway if bfs else naive.stable
    try:
        with within(seconds):
            mine = run(ours.program(model), states=20_000)
    except Late:
        return "not finished", ""
    if not mine.complete:
        return "not finished", ""
    left = (mine.stored, mine.matched, mine.atomic, mine.errors.total())
    right = (theirs.states, theirs.matched, theirs.atomic, theirs.errors)
    if left == right:
        return "agrees", ""
    way = "breadth-first" if bfs else "depth-first"
    return "differs", f"{way}: {left}, Spin {right}; {dict(mine.errors)}, {dict(theirs.kinds)}"


if __name__ == "__main__":
    sys.exit(main())
