"""`python -m tools.promela.spin FILE...`: what Spin says of a model, full search, no reduction.

Statements are not merged and dead variables are not reset (`-o1 -o2 -o3`), so that what is
counted is what the model says.  Breadth-first, Spin also stores the states inside `atomic` and
between the two halves of a rendezvous; `nominal` are those without them.  Depth-first, it
stores the nominal ones only.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PLAIN: Final = ("-o1", "-o2", "-o3")
"""No optimisation that changes what is counted."""
MEGABYTES: Final = 4000
_DEPTH: Final = 5_000_000
_PATIENCE: Final = 20
"""How many seconds of the clock may pass for each one of the processor."""
_NUMBERS: Final = {
    "states": re.compile(r"^\s*([\d.e+]+) states, stored", re.MULTILINE),
    "nominal": re.compile(r"^\s*([\d.e+]+) nominal states", re.MULTILINE),
    "matched": re.compile(r"^\s*([\d.e+]+) states, matched", re.MULTILINE),
    "transitions": re.compile(r"^\s*([\d.e+]+) transitions", re.MULTILINE),
    "atomic": re.compile(r"^\s*([\d.e+]+) atomic steps", re.MULTILINE),
    "errors": re.compile(r"errors: (\d+)"),
    "depth": re.compile(r"depth reached (\d+)"),
}
_NAMES: Final = {
    "assertion violated - invalid array index": "invalid array index",
    "assertion violated": "assertion violated",
    "event_trace error": "assertion violated",
    "ref to uninitialized chan": "uninitialized channel",
    "polling rv chan": "polled rendezvous channel",
    "error to poll rendezvous channel": "polled rendezvous channel",
    "block in d_step": "block in d_step",
    "blocking sel in d_step": "block in d_step",
    "rv-attempt in d_step": "rendezvous in d_step",
}
_ERROR: Final = re.compile(r"^pan: ?\d*: (.*?) ?\(at depth [-\d]+\)", re.MULTILINE)
_UNREACHED: Final = re.compile(r"^unreached in (proctype|claim|init) ?(.*)$")
_STATE: Final = re.compile(r"^\s+(.*):(\d+), state (\d+), \"(.*)\"$")


class Refused(Exception):
    """Spin, or the C compiler, does not take the model."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run has found; -1 for a number that it does not say."""

    states: int
    nominal: int
    matched: int
    transitions: int
    atomic: int
    errors: int
    depth: int
    complete: bool
    seconds: float
    """Of the processor, without generating and compiling."""
    kinds: Counter[str] = field(default_factory=Counter)
    """The errors by what Spin calls them."""
    unreached: tuple[tuple[str, int, int], ...] = ()
    """What was never reached, claims aside: proctype, number of the state, line."""
    said: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Search:
    """How Spin is asked to search."""

    breadth_first: bool = True
    liveness: str = ""
    """`-a` or `-l` of the verifier, where cycles are asked for."""
    ends: bool = True
    """Whether invalid end states are errors."""
    claim: str = ""
    """The claim or `ltl` block that is checked, if there are several."""
    reduced: bool = False
    flags: tuple[str, ...] = ()
    """More for the C compiler."""
    defines: tuple[str, ...] = ()
    """More for Spin: `-DN=3`."""
    quick_to_compile: bool = False
    optimised: bool = False
    """Whether dead variables are reset."""
    merged: bool = False
    """Whether all is as Spin does it unless told otherwise: statements are merged, too."""
    options: tuple[str, ...] = ()
    """More for the verifier: `-m1000`, `-w16`."""
    compiler: str = "gcc"


def quick_compiler() -> str:
    """Return a compiler that is done soon: for small models it takes longer than the search."""
    return "tcc" if shutil.which("tcc") is not None else "gcc"


def missing() -> str | None:
    """Return which program is missing, or None."""
    return next((name for name in ("spin", "gcc") if shutil.which(name) is None), None)


def run(model: Path, search: Search | None = None, *, seconds: float = 60.0) -> Figures:
    """Generate, compile and run the verifier of `model`."""
    with tempfile.TemporaryDirectory() as folder:
        search = search or Search()
        _source(model, folder, search)
        return _figures(folder, search, seconds)


def run_all(model: Path, searches: Sequence[Search], *, seconds: float = 60.0) -> list[Figures]:
    """Do so for each search, with one source for all: they differ in what is compiled of it.

    The first that does not come to its end is the last.
    """
    found: list[Figures] = []
    with tempfile.TemporaryDirectory() as folder:
        _source(model, folder, searches[0])
        for search in searches:
            found.append(_figures(folder, search, seconds))
            if not found[-1].complete:
                break
    return found


def generate(model: Path, folder: str, search: Search) -> None:
    """Make the program `pan` in `folder`."""
    _source(model, folder, search)
    _compile(folder, search)


def _source(model: Path, folder: str, search: Search) -> None:
    copied = Path(folder, "model")
    shutil.copytree(model.parent, copied, ignore=_only_files)
    options = [] if search.merged else ["-o3"] if search.optimised else list(PLAIN)
    _build(["spin", "-a", *options, *search.defines, f"model/{model.name}"], folder)


def _compile(folder: str, search: Search) -> None:
    _build([search.compiler, *_flags(search), "-o", "pan", "pan.c"], folder)


def _figures(folder: str, search: Search, seconds: float) -> Figures:
    _compile(folder, search)
    text, spent, complete = _timed([f"{folder}/pan", *_options(search)], folder, seconds)
    return _parsed(text, spent, complete=complete)


def _only_files(folder: str, names: list[str]) -> list[str]:
    """Folders beside a model, and what is large, is no part of it."""
    return [n for n in names if not Path(folder, n).is_file() or Path(folder, n).is_symlink()]


def _flags(search: Search) -> list[str]:
    flags = [
        "-O0" if search.quick_to_compile else "-O2",
        "-w",
        f"-DMEMLIM={MEGABYTES}",
        "-DNOFAIR",
        *search.flags,
    ]
    if not search.reduced:
        flags.append("-DNOREDUCE")
    if search.breadth_first:
        flags.append("-DBFS")
    if not search.liveness:
        flags.append("-DSAFETY")
    if search.liveness == "-l":
        flags.append("-DNP")
    return flags


def _options(search: Search) -> list[str]:
    options = ["-c0", f"-m{_DEPTH if not search.breadth_first else 1_000_000}"]
    if search.liveness:
        options.append(search.liveness)
    if not search.ends:
        options.append("-E")
    if search.claim:
        options += ["-N", search.claim]
    return [*options, *search.options]


def _build(command: list[str], folder: str) -> None:
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, errors="replace", cwd=folder
    )
    if done.returncode != 0 or (command[0] == "spin" and not Path(folder, "pan.c").exists()):
        raise Refused((done.stdout + done.stderr).strip())


def _timed(command: list[str], folder: str, seconds: float) -> tuple[str, float, bool]:
    """What the command says, its time on the processor, and whether it came to its end."""
    said = Path(folder, "said")
    with said.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, cwd=folder)
        # On a busy machine it gets less of the processor than of the clock.
        most = math.ceil(seconds)
        with suppress(ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most + 1))
        limit = time.monotonic() + _PATIENCE * seconds
        complete = True
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > limit:
                complete = False
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.01)
        # it is not for Python to wait for it once more
        process.returncode = os.waitstatus_to_exitcode(status)
        complete = complete and not os.WIFSIGNALED(status)
    text = said.read_text(errors="replace")
    return text, usage.ru_utime + usage.ru_stime, complete


def _parsed(text: str, spent: float, *, complete: bool) -> Figures:
    numbers = {name: _number(pattern, text) for name, pattern in _NUMBERS.items()}
    kinds = Counter(_kind(found) for found in _ERROR.findall(text))
    stopped = "out of memory" in text or "max search depth too small" in text
    stopped = stopped or "Search not completed" in text
    finished = complete and numbers["states"] >= 0 and not stopped
    return Figures(
        **numbers,
        complete=finished,
        seconds=spent,
        kinds=kinds,
        unreached=_unreached(text),
        said=text,
    )


def _kind(said: str) -> str:
    """An error by the name that we have for it."""
    for begin, name in _NAMES.items():
        if said.startswith(begin):
            return name
    return said.partition(" (")[0].strip()


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(float(found[1])) if found else -1


def _unreached(text: str) -> tuple[tuple[str, int, int], ...]:
    found: list[tuple[str, int, int]] = []
    proctype = ""
    for line in text.splitlines():
        if heading := _UNREACHED.match(line):
            proctype = "" if heading[1] == "claim" else heading[2].strip() or "init"
        elif proctype and (state := _STATE.match(line)):
            found.append((proctype, int(state[3]), int(state[2])))
    return tuple(found)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of every model."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.spin", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--dfs", action="store_true", help="depth-first")
    parser.add_argument("--reduced", action="store_true", help="with partial order reduction")
    parser.add_argument(
        "--seconds", type=float, default=60.0, help="limit per model (60), of the processor"
    )
    parser.add_argument("--text", action="store_true", help="all that the verifier says")
    args = parser.parse_args(argv)
    if (lacking := missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    for model in args.models:
        search = Search(breadth_first=not args.dfs, reduced=args.reduced)
        try:
            figures = run(model, search, seconds=args.seconds)
        except Refused as why:
            print(f"{model}: refused\n{why}")
            continue
        print(f"{model}: {figures}")
        if args.text:
            print(figures.said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
