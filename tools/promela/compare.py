"""`python -m tools.promela.compare`: ours beside Spin over the corpus, model by model.

Compared are states, transitions and kinds of errors of full searches without a claim; times are
those of the processor.  Where Spin's transitions are more by exactly as many as our own run comes
again to states inside of sequences that it cuts, the difference is explained.  Ours is the engine,
or (`--engine interpreter`) the interpreter of the tests.  Spin runs depth-first: its breadth-first search also counts what is halfway through a
rendezvous or an atomic sequence, and overlooks deadlocks there (`--bfs` compares the interpreter
with that search).
"""

from __future__ import annotations

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Final

import secateur
from secateur.source import InputError
from tests.naive import promela as naive
from tools.promela import ours, spin


@dataclass(frozen=True, slots=True)
class Side:
    """What one side says; None for what it does not know."""

    states: int | None
    transitions: int | None
    errors: frozenset[str] | None
    seconds: float
    note: str = ""
    load: float = 0.0
    """The seconds that it takes before the search begins."""
    again: int = 0
    """How often states inside of sequences that were cut are come to beyond the first time."""


Ours = Callable[[Path, float], Side]
"""Any of our engines, asked about a model, with a limit in seconds."""
_KINDS: Final = {"deadlock": "invalid end state", "assertion": "assertion violated"}
"""What Spin calls our errors; others are those that end a run there."""
_SPARE: Final = 3
"""How many times the limit somebody may take to load a model and come to an end."""


class Late(Exception):
    """The time is up."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `Late` where it takes longer."""

    def late(_number: int, _frame: FrameType | None) -> None:
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def engine(model: Path, seconds: float) -> Side:
    """The explicit engine without reductions, in a process of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_engine, args=(model, seconds, sender))
    process.start()
    sender.close()
    found = Side(None, None, None, 0.0, "too slow")
    if receiver.poll(_SPARE * seconds):
        try:
            found = receiver.recv()
        except EOFError:
            found = Side(None, None, None, 0.0, "ended without an answer")
    process.kill()
    process.join()
    return found


def _engine(model: Path, seconds: float, answer: Connection) -> None:
    begin = time.process_time()
    try:
        loaded = secateur.load(model)
    except InputError as why:
        answer.send(Side(None, None, None, 0.0, f"refused: {why}"))
        return
    ready = time.process_time()
    result = loaded.check(
        all=True, por="none", symmetry="none", engine="explicit", max_seconds=seconds
    )
    errors = {_KINDS.get(v.kind.value, v.kind.value) for v in result.violations}
    note = "" if result.exhaustive else f"incomplete: {'; '.join(result.reasons)}"
    counted = result.statistics
    spent = time.process_time() - ready
    # A sequence that is cut has states that are none to Spin, and steps that lead there.
    inner = loaded.typed.inner
    states = counted.states - sum(counted.fresh.get(name, 0) for name in inner)
    arrivals = sum(counted.operations.get(name, 0) for name in inner)
    transitions = counted.transitions - arrivals
    again = arrivals - (counted.states - states)
    figures = states, transitions, frozenset(errors), spent, note
    answer.send(Side(*figures, load=ready - begin, again=again))


def interpreter(model: Path, seconds: float) -> Side:
    """The naive interpreter, counting as Spin's depth-first search does."""
    return _interpreted(model, seconds, naive.stable)


def interpreter_bfs(model: Path, seconds: float) -> Side:
    """The naive interpreter, counting as Spin's breadth-first search does."""
    return _interpreted(model, seconds, naive.halfway)


def _interpreted(model: Path, seconds: float, search: Callable[..., naive.Found]) -> Side:
    try:
        with within(seconds):
            found = search(ours.program(model), states=100_000)
    except InputError as why:
        return Side(None, None, None, 0.0, f"refused: {why}")
    except Late:
        return Side(None, None, None, 0.0, "too slow")
    except NotImplementedError as why:
        return Side(None, None, None, 0.0, f"not in the interpreter: {why}")
    note = "" if found.complete else "incomplete"
    return Side(found.stored, found.transitions, frozenset(found.errors), 0.0, note)


def spins(model: Path, seconds: float, *, breadth_first: bool) -> Side:
    """What Spin says."""
    search = spin.Search(breadth_first=breadth_first, flags=("-DNOCLAIM",))
    figures = spin.run(model, search, seconds=seconds)
    note = "" if figures.complete else "incomplete"
    errors = frozenset(figures.kinds)
    return Side(figures.states, figures.transitions, errors, figures.seconds, note)


@dataclass(frozen=True, slots=True)
class Row:
    """A model, and what both sides say."""

    model: Path
    ours: Side
    spin: Side

    @property
    def comparable(self) -> bool:
        """Whether both sides came to an end."""
        return not self.ours.note and not self.spin.note

    @property
    def agrees(self) -> bool:
        """Whether states, transitions and the kinds of errors are the same."""
        return self._same and self.ours.transitions == self.spin.transitions

    @property
    def explained(self) -> bool:
        """Whether transitions alone differ, exactly by what Spin does again and we do not.

        It does not store what is inside of a sequence, and goes on from there each time.
        """
        if not self._same or self.ours.transitions is None or self.spin.transitions is None:
            return False
        return 0 < self.ours.again == self.spin.transitions - self.ours.transitions

    @property
    def _same(self) -> bool:
        mine = (self.ours.states, self.ours.errors)
        return mine == (self.spin.states, self.spin.errors)

    @property
    def verdict(self) -> str:
        """What the comparison comes to, in a word."""
        if not self.comparable:
            return "-"
        return "=" if self.agrees else "explained" if self.explained else "DIFFERS"


def compare(model: Path, way: Ours, seconds: float, *, breadth_first: bool) -> Row:
    """Both sides; what cannot be compared is said in the notes."""
    try:
        theirs = spins(model, seconds, breadth_first=breadth_first)
    except spin.Refused as why:
        lines = str(why).splitlines()
        theirs = Side(None, None, None, 0.0, f"refused: {lines[-1] if lines else ''}")
    return Row(model, way(model, seconds), theirs)


def _line(row: Row) -> str:
    told = []
    for name, side in (("ours", row.ours), ("Spin", row.spin)):
        kinds = ", ".join(sorted(side.errors or ())) or "none"
        times = f"{side.load:.1f} + {side.seconds:.1f} s" if side.load else f"{side.seconds:.1f} s"
        figures = f"{name} {side.states}/{side.transitions}, {times}, errors: {kinds} {side.note}"
        told.append(figures.strip())
    if row.verdict == "explained":
        told.append(f"{row.ours.again} times Spin comes again to what is inside of a sequence")
    return f"{row.verdict:9} {row.model.name:28} {' | '.join(told)}"


ENGINES: dict[str, Ours] = {"engine": engine, "interpreter": interpreter}


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table, and how many models agree."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.compare", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="all of the corpus if none is given")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit per side (10)")
    parser.add_argument("--bfs", action="store_true", help="as Spin counts breadth-first")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="engine")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only paths that contain it")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    way = interpreter_bfs if args.bfs else ENGINES[args.engine]
    models = [m for m in args.models or ours.corpus() if args.filter in str(m)]
    rows = []
    for model in models:
        rows.append(compare(model, way, args.seconds, breadth_first=args.bfs))
        print(_line(rows[-1]), flush=True)
    comparable = [row for row in rows if row.comparable]
    verdicts = Counter(row.verdict for row in comparable)
    print(f"{verdicts['=']} of {len(comparable)} models agree, {len(rows)} in all")
    if verdicts["explained"]:
        print(f"{verdicts['explained']} differ exactly by the steps that Spin takes again")
    return 1 if verdicts["DIFFERS"] else 0


if __name__ == "__main__":
    sys.exit(main())
