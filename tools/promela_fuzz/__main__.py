"""`python -m tools.promela_fuzz N`: N random Promela programs, Spin's verdicts against ours.

Each is searched by Spin (depth-first, in full), by the interpreter of the tests and by our
engines in full, with every reduction and symbolically: whether an assertion can be violated,
whether there is an invalid end state and whether an infinite run is wrong must be the same, and
the numbers of states and transitions wherever nothing is left out.  Exits with 1 if a
verdict differs or a program is refused (with `--sizes`, if a number differs).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tools.fuzz import gather
from tools.promela import spin
from tools.promela_fuzz.generate import generate
from tools.promela_fuzz.judges import WAYS, Asked, Judgement, Late, Unanswered, by_spin, judged
from tools.promela_fuzz.undone import by_spin_kept

BATCH: Final = 5


@dataclass(slots=True)
class Count:
    """What a batch has come to."""

    programs: int = 0
    runs: int = 0
    states: int = 0
    unfinished: int = 0
    found: Counter[str] = field(default_factory=Counter)
    """How many programs have which kind of error, according to Spin."""
    sizes: list[str] = field(default_factory=list)
    """Where states or transitions are not counted alike."""
    undone: list[str] = field(default_factory=list)
    """Where Spin says something else once it need not take back what was received: what we say."""
    late: list[str] = field(default_factory=list)
    """Who has come to no end, and with what."""
    complaints: list[str] = field(default_factory=list)


def main() -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tools.promela_fuzz", description=__doc__)
    parser.add_argument("programs", type=int, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work (2)")
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS))
    parser.add_argument("--sizes", action="store_true", help="complain about numbers as well")
    args = parser.parse_args()
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    started = time.monotonic()
    last = args.first + args.programs
    work = partial(_batch, last=last, ways=tuple(args.ways))
    total = gather(Count(), work, range(args.first, last, BATCH), args.jobs)
    _report(total, time.monotonic() - started)
    return 1 if total.complaints or (args.sizes and total.sizes) else 0


def _batch(first: int, last: int, ways: tuple[str, ...]) -> Count:
    count = Count()
    for seed in range(first, min(first + BATCH, last)):
        with TemporaryDirectory() as folder:
            _try(seed, Path(folder, f"program{seed}.pml"), ways, count)
    return count


def _try(seed: int, file: Path, ways: tuple[str, ...], count: Count) -> None:
    """Ask everybody about one program."""
    program = generate(seed)
    file.write_text(program.text, encoding="utf-8")
    count.programs += 1
    asked = Asked(program, file)
    try:
        expected = by_spin(asked, spin.quick_compiler())
    except Late:
        count.unfinished += 1
        return
    except spin.Refused as why:
        count.complaints.append(f"{seed}: Spin does not take it: {why}")
        return
    count.states += expected.states or 0
    count.found.update(n for n in ("assertion", "end", "cycle") if getattr(expected, n))
    # Who is first makes room for processes, and asks how actions are related: each in its turn.
    turn = seed % len(ways)
    for way in (*ways[turn:], *ways[:turn]):
        count.runs += 1
        try:
            found = judged(way, asked, expected.states or 0)
            _compare(way, asked, (expected, found), count)
        except Late as why:
            count.late.append(f"{seed}, {way}: {why}")
        except Unanswered as why:
            count.complaints.append(f"{seed}, {way}: {why}")


def _compare(way: str, asked: Asked, both: tuple[Judgement, Judgement], count: Count) -> None:
    expected, found = both
    if expected.agrees(found):
        return
    where = f"{asked.program.seed}, {way}"
    differences = expected.differences(found)
    sizes = f"{expected.states}/{expected.transitions} and {found.states}/{found.transitions}"
    again = by_spin_kept(asked, spin.quick_compiler())
    if again is not None and again.agrees(found):
        count.undone.append(f"{where}: {'; '.join(differences) or sizes}")
        return
    count.complaints += [f"{where}: {difference}" for difference in differences]
    if not expected.same_size(found):
        count.sizes.append(f"{where}: {sizes}")


def _report(total: Count, seconds: float) -> None:
    kinds = ", ".join(f"{kind} in {n}" for kind, n in sorted(total.found.items()))
    print(f"{total.programs} programs, {total.runs} runs, {seconds:.0f} s")
    print(f"{total.states} states by Spin; errors: {kinds or 'none'}")
    print(f"{total.unfinished} programs are too large for Spin and were left out")
    for each in total.late:
        print(f"not finished: {each}")
    for each in total.undone:
        print(f"Spin takes a step back wrongly: {each}")
    for each in total.sizes:
        print(f"counted differently: {each}")
    print(f"{len(total.late)} runs not finished, {len(total.sizes)} sizes differ")
    print(f"{len(total.undone)} more answers are alike if Spin keeps what it received")
    print(f"{len(total.complaints)} wrong answers")


if __name__ == "__main__":
    sys.exit(main())
