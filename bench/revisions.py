"""`python -m bench.revisions`: states per second of this tree against another revision, in one run.

The two are measured in turn, so that a busy machine slows both; the best of several rounds
counts.  Only Python sources are exchanged: both run in the same environment.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = (
    "bench/models/Lift8.mch",
    "bench/models/Philosophers6.mch",
    "bench/models/Reach.mch",
    "bench/models/Sorting.mch",
    "examples/Queens.mch",
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: what was explored, and in what time."""

    states: int
    transitions: int
    seconds: float

    @property
    def rate(self) -> float:
        """States per second."""
        return self.states / max(self.seconds, 1e-6)


def measure(tree: Path, model: Path) -> Measured | None:
    """Check `model` with the sources of `tree`; None if that does not work."""
    command = [sys.executable, "-m", "secateur", "check", "--all", "--json", "--quiet", str(model)]
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    try:
        report = json.loads(done.stdout)
        return Measured(report["states"], report["transitions"], report["seconds"])
    except (ValueError, KeyError):
        return None


def worktree(revision: str) -> Path:
    """Return a folder with `revision` checked out."""
    commit = _git("rev-parse", "--verify", f"{revision}^{{commit}}")
    folder = ROOT / "build" / "bench" / commit[:12]
    if not folder.exists():
        _git("worktree", "prune")
        _git("worktree", "add", "--detach", str(folder), commit)
    return folder


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], check=False, capture_output=True, text=True, cwd=ROOT
    )
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    return done.stdout.strip()


def compare(model: Path, ours: Path, theirs: Path, rounds: int) -> str:
    """Return the line of the table about `model`."""
    best: dict[Path, Measured | None] = {}
    for _ in range(rounds):
        for tree in (ours, theirs):
            found = measure(tree, model)
            before = best.get(tree)
            if before is None or (found is not None and found.seconds < before.seconds):
                best[tree] = found
    new, old = best[ours], best[theirs]
    name = model.stem.ljust(16)
    if new is None or old is None:
        return f"{name} cannot be checked by {'this tree' if new is None else 'the base'}"
    remark = (
        "" if (new.states, new.transitions) == (old.states, old.transitions) else "  COUNTS DIFFER"
    )
    return f"{name} {new.states:8} {new.rate:12.0f} {old.rate:12.0f} {new.rate / old.rate:7.2f}{remark}"


def main() -> int:
    """Compare, model by model."""
    parser = argparse.ArgumentParser(prog="python -m bench.revisions", description=__doc__)
    parser.add_argument("--base", default="HEAD", help="the revision to compare with (HEAD)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("models", nargs="*", type=Path, help="instead of our own")
    args = parser.parse_args()
    models = args.models or [ROOT / name for name in MODELS]
    theirs = worktree(args.base)
    try:
        show(models, theirs, args)
    finally:
        _git("worktree", "remove", "--force", str(theirs))
    return 0


def show(models: list[Path], theirs: Path, args: argparse.Namespace) -> None:
    """Print the table."""
    print(
        f"{'model':16} {'states':>8} {'this tree/s':>12} {args.base[:10] + '/s':>12} {'ratio':>7}"
    )
    for model in models:
        print(compare(model.resolve(), ROOT, theirs, args.rounds), flush=True)


if __name__ == "__main__":
    sys.exit(main())
