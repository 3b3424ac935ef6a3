"""`python -m tools.ltl_por`: temporal formulas on the whole graph and on a reduced one.

The formulas of LTL of the corpus (temporal.csv), as far as they do without X and Y, and some about
models of our own that are made of parts.  Both graphs are explored to their ends (`--approach
static`), so that their sizes can be compared.  Exits with 1 if a verdict differs.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from secateur import load
from secateur.app.model import Model
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.limits import Limits
from secateur.engine.liveness.lawful import provisos_for_formulas
from secateur.ltl.formula import One, Unary, parts
from secateur.ltl.parse import parse_ltl
from secateur.source import InputError
from secateur.system.temporal import TemporalResult
from tools.corpus.records import corpus_folder
from tools.corpus.runner import Job, Seen, run_all
from tools.corpus.runner import Limits as JobLimits

PROVISOS: Final = [row.name for row in provisos_for_formulas()]
MODELS: Final = Path(__file__).resolve().parent.parent / "bench" / "models"
OWN: Final = (
    ("provisos/LeaderElection.mch", "F {phase(0) = leader}"),
    ("provisos/LeaderElection.mch", "G ({phase(0) = leader} => G {phase(0) = leader})"),
    ("provisos/TokenRing.mch", "G ({phase(0) = printing} => {holder(0) = TRUE})"),
    ("provisos/TokenRing.mch", "G ({phase(0) = wanting} => F {phase(0) = printing})"),
    ("provisos/TokenRing.mch", "G ([print(0)] => F [finish(0)])"),
    ("provisos/BusArbiter.mch", "G ({phase(0) = sending} => {busy = TRUE})"),
    ("provisos/BusArbiter.mch", "G ({phase(0) = asking} => F {phase(0) = sending})"),
    ("provisos/BoundedRetransmission.mch", "G ({sender = given_up} => F {sender = idle})"),
    ("provisos/BoundedRetransmission.mch", "G not ({handed_on = 3} & {sender = given_up})"),
    ("Philosophers6.mch", "G ({0 |-> 0 : holder} => F {1 |-> 0 : holder})"),
    ("Philosophers6.mch", "G not deadlock"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, print both tables, and return whether all verdicts are the same."""
    parser = argparse.ArgumentParser(prog="python -m tools.ltl_por", description=__doc__)
    parser.add_argument("--por", default="stubborn", help="the reduction (stubborn)")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit per run (60)")
    parser.add_argument("--jobs", type=int, default=2, help="formulas at a time (2)")
    parser.add_argument("--own", action="store_true", help="only models of our own")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("build/ltl-por.jsonl"),
        help="where outcomes are written",
    )
    args = parser.parse_args(argv)
    found = [(str(MODELS / name), text) for name, text in OWN]
    if not args.own:
        folder = corpus_folder()
        if not folder.is_dir():
            print(f"no corpus at {folder}; set SECATEUR_CORPUS", file=sys.stderr)
            return 2
        found = [*_corpus(folder), *found]
    jobs = [
        Job(key, partial(_compare, Path(key[0]), key[1], (args.por, args.seconds))) for key in found
    ]
    longest = (1 + len(PROVISOS)) * args.seconds + 30
    args.output.parent.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    with args.output.open("w", encoding="utf-8") as file:
        for (path, text), seen in run_all(jobs, JobLimits(longest, 6.0, args.jobs)):
            seen |= {"path": path, "formula": text, "own": path.startswith(str(MODELS))}
            rows.append(seen)
            file.write(json.dumps(seen) + "\n")
            file.flush()
            if seen.get("differs"):
                print(f"DIFFER {path} {text}: {seen}", flush=True)
    _report(rows)
    return 1 if any(row.get("differs") for row in rows) else 0


def _corpus(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the formulas without X and Y; each model once for each of its formulas."""
    with (folder / "temporal.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = row["formula"].replace("\\\\", "\\")  # as it stands in a string of B
            if row["logic"] == "ltl" and not _counts_steps(text):
                yield str(folder / row["path"]), text


def _counts_steps(text: str) -> bool:
    try:
        formula = parse_ltl(text, "").formula
    except InputError:
        return True
    stepping = (Unary.NEXT, Unary.YESTERDAY)
    return any(isinstance(f, One) and f.operator in stepping for f in parts(formula))


def _compare(file: Path, text: str, how: tuple[str, float], _tell: Callable[[Seen], None]) -> Seen:
    por, seconds = how
    try:
        model = load(file)
        full = _run(model, text, Manner(por="none", approach="static"), seconds)
        reduced = [
            _run(model, text, Manner(por=por, proviso=proviso, approach="static"), seconds)
            for proviso in PROVISOS
        ]
    except InputError:
        return {"skipped": "not loaded"}
    results = [full, *reduced]
    if any(r.errors for r in results):
        return {"skipped": "no formula of this model"}
    unfinished = any("was reached" in reason for r in results for reason in r.reasons)
    return {
        "unfinished": unfinished,
        "differs": not unfinished and any(r.holds is not full.holds for r in reduced),
        "holds": [r.holds for r in results],
        "states": [r.states for r in results],
        "transitions": [r.transitions for r in results],
        "times": [r.seconds for r in results],
        "remark": reduced[0].remark,
    }


def _run(model: Model, text: str, manner: Manner, seconds: float) -> TemporalResult:
    (result,) = model.temporal([Claim(text, "ltl", text)], Limits(seconds=seconds), manner)
    return result


def _report(rows: Sequence[dict[str, Any]]) -> None:
    corpus = [row for row in rows if not row["own"]]
    done = [row for row in corpus if "states" in row and not row["unfinished"]]
    lawful = [row for row in done if row["remark"] is None]
    smaller = [row for row in lawful if min(row["states"]) < row["states"][0]]
    if corpus:
        print(
            f"{len(corpus)} formulas of the corpus without X and Y, {len(done)} checked in both ways"
        )
        print(f"reduction lawful for {len(lawful)}; fewer states for {len(smaller)}")
        for remark, number in Counter(r["remark"] for r in done if r["remark"]).most_common():
            print(f"  {number} {remark}")
    print(f"\n| model | formula | verdict | full | {' | '.join(PROVISOS)} | seconds |")
    print("|---" * (5 + len(PROVISOS)) + "|")
    for row in sorted([*smaller, *(r for r in rows if r["own"])], key=lambda r: str(r["path"])):
        print(_line(row))
    print(f"{sum(bool(row.get('differs')) for row in rows)} verdicts differ")


def _line(row: dict[str, Any]) -> str:
    name = Path(row["path"]).stem
    formula = row["formula"].replace("|", "\\|")
    if "states" not in row:
        return f"| {name} | `{formula}` | {row.get('skipped', 'not finished')} |"
    word = {True: "holds", False: "violated", None: "not finished"}
    sizes = " | ".join(f"{n:,}" for n in row["states"])
    seconds = ", ".join(f"{s:.1f}" for s in row["times"])
    verdicts = ", ".join(dict.fromkeys(word[v] for v in row["holds"]))
    return f"| {name} | `{formula}` | {verdicts} | {sizes} | {seconds} |"


if __name__ == "__main__":
    sys.exit(main())
