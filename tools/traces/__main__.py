"""`python -m tools.traces`: write, replay, and have ProB replay the traces of corpus models."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import secateur
from tools.corpus.records import ROOT, corpus_folder, records, sample
from tools.traces.prolog import NotInProlog, to_prolog

SUFFIXES = (".prob2trace", ".itf.json", ".json")
SUCCESS = "Trace checking successful"
MANY = "99999"


def main(argv: Sequence[str] | None = None) -> int:
    """Go through the sample, print a line for each trace and a summary."""
    args = _arguments(argv)
    folder = corpus_folder()
    chosen = [
        record
        for record in records(folder)
        if record.formalism in args.formalism.split(",")
        and (args.animate or record.invariant_violated or (record.deadlock and not args.invariants))
    ]
    examine = _animated if args.animate else _examine
    seen: Counter[str] = Counter()
    for record in sample(chosen, args.sample):
        with tempfile.TemporaryDirectory() as scratch:
            for what, outcome in examine(folder / record.path, Path(scratch), args):
                seen[f"{what}: {outcome.partition(':')[0]}"] += 1
                print(f"{outcome:40} {what:12} {record.path}", flush=True)
    print(*(f"{count:5} {what}" for what, count in sorted(seen.items())), sep="\n")
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.traces", description=__doc__)
    add = parser.add_argument
    add("--sample", type=int, default=40, metavar="N", help="so many models with errors (40)")
    add("--formalism", default="b,eventb", help="b, eventb or both")
    add("--invariants", action="store_true", help="only models with a violated invariant")
    add("--seconds", type=float, default=30.0, help="limit for each command (30)")
    add("--probcli", metavar="COMMAND", help="how to start ProB, to have it replay the traces, too")
    add(
        "--animate",
        type=int,
        metavar="N",
        help="instead, have ProB take N random steps in models with or without errors, and replay what it writes",
    )
    add(
        "--json-replay",
        action="store_true",
        help="that ProB reads .prob2trace itself (-trace_replay json); older ones get their steps as terms",
    )
    return parser.parse_args(argv)


def _examine(path: Path, scratch: Path, args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    files = [scratch / f"trace{suffix}" for suffix in SUFFIXES]
    wanted = [word for file in files for word in ("-o", str(file))]
    done = _run([*_OURS, "check", str(path), "--quiet", *wanted], args.seconds)
    if done is None:
        yield "check", "timeout"
        return
    for file in files:
        if not file.exists():
            yield file.name, "none"
            continue
        again = _run([*_OURS, "replay", str(path), str(file), "--quiet"], args.seconds)
        yield file.name, "timeout" if again is None else _said(again)
    if args.probcli and files[0].exists():
        yield "ProB", _by_prob(path, files[0], scratch, args)


def _animated(path: Path, scratch: Path, args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Replay a trace that ProB wrote of a random walk."""
    model = _linked(path, scratch)
    file = scratch / "walk.prob2trace"
    command = [*shlex.split(args.probcli), str(model), "-animate", str(args.animate)]
    _run([*command, "-his", str(file), "-his_option", "json"], args.seconds)
    if not file.exists():
        yield "ProB's walk", "none"
        return
    again = _run([*_OURS, "replay", str(path), str(file), "--quiet"], args.seconds)
    yield "ProB's walk", "timeout" if again is None else _said(again)


_OURS = (sys.executable, "-m", "secateur")


def _said(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == 0:
        still = "still violated" in done.stdout
        return "replays" if still or "in the last state" in done.stdout else "replays without error"
    first = next((line for line in done.stdout.splitlines() if line.startswith("stops")), "")
    return f"exit {done.returncode}: {first}"


def _by_prob(path: Path, trace: Path, scratch: Path, args: argparse.Namespace) -> str:
    """Have ProB execute a trace."""
    model = _linked(path, scratch)
    limits = ["-p", "MAX_OPERATIONS", MANY, "-p", "MAX_INITIALISATIONS", MANY]
    command = [*shlex.split(args.probcli), str(model), *limits]
    if args.json_replay:
        done = _run([*command, "-trace_replay", "json", str(trace), "-strict"], args.seconds)
        return "timeout" if done is None else f"exit {done.returncode}"
    try:
        terms = to_prolog(trace, secateur.load(path))
    except NotInProlog as why:
        return f"not tried: {why}"
    model.with_suffix(".trace").write_text(terms, encoding="utf-8")
    done = _run([*command, "-t", "-strict"], args.seconds)
    if done is None:
        return "timeout"
    return "replays" if SUCCESS in done.stdout else f"fails: {_last(done.stdout + done.stderr)}"


def _linked(path: Path, scratch: Path) -> Path:
    """Return the model in a folder that may be written to, with all that lies beside it."""
    beside = scratch / "beside"
    beside.mkdir()
    for each in path.parent.iterdir():
        if each.suffix not in (".trace", ".prob"):
            (beside / each.name).symlink_to(each)
    return beside / path.name


def _last(text: str) -> str:
    lines = [line for line in text.splitlines() if "FAIL" in line or "rror" in line or "<-" in line]
    return lines[-1][:120] if lines else "without a word"


def _run(command: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str] | None:
    """Return what a command said; None if it took too long, and was ended with all that it had started."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=ROOT,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
    return subprocess.CompletedProcess(command, process.returncode, out, err)


if __name__ == "__main__":
    sys.exit(main())
