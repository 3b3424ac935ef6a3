"""`python -m tools.promela.reduced`: partial order reduction on Promela, ours beside Spin's.

Per model: the states of the full search and of each of our reductions, those of Spin's
depth-first search with its own reduction (statements not merged, then merged), and whether all
verdicts are equal.  Everything is explored also after an error.  Numbers are compared where those
of the full searches are equal, or where neither ends; Spin goes on behind a violated assertion and
we do not.  Both count the states in which a process may be interrupted, so none inside of `atomic`.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import secateur
from secateur.app.model import CheckOptions, Model
from secateur.engine.pruning import CAVEAT
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.records import ROOT
from tools.por_tables.measure import head, line
from tools.promela import ours, spin

REDUCTIONS: Final = ("best", "stubborn", "process-ample")
"""What is measured if nothing else is asked for; `stubborn/open` is one with a proviso by name, `best/none` one without (C2i)."""
_CASES: Final = "case-studies"
_EXAMPLES: Final = "spin-examples"
CORPUS: Final = (
    f"{_CASES}/Tests/leader",
    f"{_CASES}/Tests/leader2",
    f"{_CASES}/Tests/mobile1",
    f"{_CASES}/Tests/peterson3",
    f"{_CASES}/Tests/pftp",
    f"{_CASES}/Tests/sort",
    f"{_CASES}/giop/giop1.nomig.pr",
    f"{_EXAMPLES}/abp.pml",
    f"{_EXAMPLES}/cambridge.pml",
    f"{_EXAMPLES}/dtp.pml",
    f"{_EXAMPLES}/eratosthenes.pml",
    f"{_EXAMPLES}/hajek.pml",
    f"{_EXAMPLES}/leader0.pml",
    f"{_EXAMPLES}/pathfinder.pml",
    f"{_EXAMPLES}/peterson.pml",
    f"{_EXAMPLES}/snoopy.pml",
    f"{_EXAMPLES}/werkplaats.pml",
)
"""The models of the corpus that are measured if none is named."""
LOADING: Final = 120.0
"""How long it may take to read a model."""
_GRACE: Final = 60.0
"""A search may come to its end a little late."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one search says: states, kinds of errors, and a note if it did not end."""

    states: int
    errors: frozenset[str] = frozenset()
    note: str = ""

    def __str__(self) -> str:
        return self.note or f"{self.states:,}"


@dataclass(frozen=True, slots=True)
class Row:
    """A model: full searches, our reductions by their names, and Spin's ways to reduce."""

    model: Path
    full: Side
    reduced: Mapping[str, Side] = field(default_factory=dict)
    spin_full: Side = Side(-1, note="-")
    spin: Side = Side(-1, note="-")
    spin_merged: Side = Side(-1, note="-")

    @property
    def sound(self) -> Mapping[str, Side]:
        """Our reductions but for those without a proviso, which are there to compare with."""
        return {n: s for n, s in self.reduced.items() if not n.endswith("/none")}

    @property
    def best(self) -> Side | None:
        """The smallest of our reduced searches that came to its end."""
        ended = [side for side in self.sound.values() if not side.note]
        return min(ended, key=lambda side: side.states, default=None)

    @property
    def differing(self) -> list[str]:
        """The reductions whose verdict is not that of the full search."""
        if self.full.note:
            return []
        sides = {**self.sound, "Spin": self.spin}
        return [n for n, s in sides.items() if not s.note and bool(s.errors) != self.failing]

    @property
    def failing(self) -> bool:
        """Whether the full search has found an error."""
        return bool(self.full.errors)

    @property
    def comparable(self) -> bool:
        """Whether numbers of states mean the same on both sides."""
        if self.spin.note or self.best is None:
            return False
        if self.full.note or self.spin_full.note:
            return bool(self.full.note and self.spin_full.note)
        return self.full.states == self.spin_full.states

    @property
    def as_small(self) -> bool:
        """Whether we need no more states than Spin."""
        return self.best is not None and self.best.states <= self.spin.states


def ours_of(
    model: Path, names: Sequence[str], seconds: float, options: CheckOptions
) -> dict[str, Side]:
    """Check a model in each way, in a process of its own that loads it once.

    What is found out about its actions serves all reductions.  A way that comes to no end keeps
    those behind it from being tried.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_ours, args=(model, names, seconds, options, sender))
    process.start()
    sender.close()
    found: dict[str, Side] = {}
    wait = seconds + LOADING
    for name in names:
        if not receiver.poll(wait):
            break
        try:
            found[name] = receiver.recv()
        except EOFError:
            found[name] = Side(-1, note="ended without an answer")
            break
        wait = seconds + _GRACE
    process.kill()
    process.join()
    late = Side(-1, note="too slow" if found else "too slow to load")
    return {name: found.get(name, late) for name in names}


def _ours(
    model: Path, names: Sequence[str], seconds: float, options: CheckOptions, answer: Connection
) -> None:
    try:
        loaded = secateur.load(model)
    except InputError as why:
        for _ in names:
            answer.send(Side(-1, note=f"refused: {why.diagnostics[0].code}"))
        return
    for name in names:
        por, _, proviso = name.partition("/")
        asked: CheckOptions = {"por": por, "symmetry": "none", "engine": "explicit", "all": True}
        if proviso:
            asked |= {"proviso": proviso, "experiment": proviso == "none"}
        asked |= options
        asked["max_seconds"] = seconds
        result = loaded.check(**asked)
        answer.send(_side(loaded, result))


def _side(model: Model, result: Result) -> Side:
    counted = result.statistics
    # A sequence that is cut has states that are none to Spin.
    states = counted.states - sum(counted.fresh.get(name, 0) for name in model.typed.inner)
    errors = frozenset(v.kind.value for v in result.violations)
    cut = [reason for reason in result.reasons if reason != CAVEAT]
    return Side(states, errors, "unfinished" if cut else "")


def spins(model: Path, search: spin.Search, seconds: float) -> Side:
    """Let Spin search."""
    try:
        found = spin.run(model, search, seconds=seconds)
    except spin.Refused:
        return Side(-1, note="refused")
    note = "" if found.complete else "unfinished"
    return Side(found.states, frozenset(found.kinds), note)


_FULL: Final = spin.Search(breadth_first=False, flags=("-DNOCLAIM",))
_REDUCED: Final = replace(_FULL, reduced=True)
_MERGED: Final = replace(_REDUCED, merged=True)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search of ours may take, and one of Spin's."""

    ours: float
    spin: float


def measure(model: Path, names: Sequence[str], limits: Limits, options: CheckOptions) -> Row:
    """Run everything on one model; nothing but Spin's reduction if that does not end."""
    reduced = spins(model, _REDUCED, limits.spin)
    if reduced.note:
        return Row(model, Side(-1, note="-"), spin=reduced)
    own = ours_of(model, ["none", *names], limits.ours, options)
    return Row(
        model,
        own.pop("none"),
        own,
        spins(model, _FULL, limits.spin),
        reduced,
        spins(model, _MERGED, limits.spin),
    )


def _told(row: Row, names: Sequence[str]) -> str:
    verdict = f"DIFFERS: {', '.join(row.differing)}" if row.differing else "equal"
    compared = "-" if not row.comparable else "yes" if row.as_small else "no"
    own = [row.reduced.get(n, Side(-1, note="-")) for n in names]
    counts = [row.full, *own, row.spin_full, row.spin, row.spin_merged]
    return line([row.model.name, *map(str, counts), compared, verdict])


def _models(asked: Sequence[Path], *, corpus: bool) -> Iterator[Path]:
    """Yield the models that are asked for; of equal ones in the corpus the first."""
    if asked:
        yield from asked
        return
    if corpus:
        texts = {hashlib.sha256(m.read_bytes()).digest(): m for m in reversed(ours.corpus())}
        yield from sorted(texts.values())
        return
    yield from sorted((ROOT / "examples" / "promela").glob("*.pml"))
    for name in CORPUS:
        model = ours.folder() / name
        if model.is_file():
            yield model
        else:
            print(f"NOT MEASURED: there is no {model}")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; the exit code is 1 if a verdict differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.reduced", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="examples and corpus if none is given")
    parser.add_argument("--corpus", action="store_true", help="all models of the corpus")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="each Nth model, from the Kth")
    parser.add_argument("--seconds", type=float, default=30.0, help="limit per search (30)")
    parser.add_argument("--spin-seconds", type=float, default=30.0, help="and for Spin (30)")
    parser.add_argument("--por", default=",".join(REDUCTIONS), help="reductions, with commas")
    parser.add_argument("--deadlocks", action="store_true", help="nothing but deadlocks")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    names = args.por.split(",")
    limits = Limits(args.seconds, args.spin_seconds)
    options: CheckOptions = {"assertions": False, "invariant": False} if args.deadlocks else {}
    print(head(["model", "full", *names, "Spin", "Spin POR", "merged", "no more", "verdicts"]))
    rows: list[Row] = []
    part, parts = map(int, args.part.split("/"))
    for model in list(_models(args.models, corpus=args.corpus))[part - 1 :: parts]:
        rows.append(measure(model, names, limits, options))
        print(_told(rows[-1], names), flush=True)
    comparable = [row for row in rows if row.comparable]
    small = sum(row.as_small for row in comparable)
    wrong = sum(bool(row.differing) for row in rows)
    print(f"\nno more states than Spin's reduction on {small} of {len(comparable)} models")
    kept = sum(not row.spin.note for row in rows)
    print(f"Spin explores {kept} of {len(rows)} models to their end with its reduction")
    print(f"{wrong} of them have a verdict that differs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
