"""`python -m tools.promela.compare`: ours beside Spin over the corpus, model by model.

Compared are states, transitions and errors of full searches without a claim.  Spin runs
depth-first: its breadth-first search also counts what is halfway through a rendezvous or an
atomic sequence, and overlooks deadlocks there (`--bfs` compares with that search).
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from secateur.lang.promela import ast
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


Ours = Callable[[ast.Program, Path], Side]
"""Any of our engines, asked about a program."""


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


def interpreter(program: ast.Program, _model: Path) -> Side:
    """The naive interpreter, counting as Spin's depth-first search does."""
    return _interpreted(naive.stable(program, states=100_000))


def interpreter_bfs(program: ast.Program, _model: Path) -> Side:
    """The naive interpreter, counting as Spin's breadth-first search does."""
    return _interpreted(naive.halfway(program, states=100_000))


def _interpreted(found: naive.Found) -> Side:
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
        mine = (self.ours.states, self.ours.transitions, self.ours.errors)
        return mine == (self.spin.states, self.spin.transitions, self.spin.errors)


def compare(model: Path, engine: Ours, seconds: float, *, breadth_first: bool) -> Row:
    """Both sides; what cannot be compared is said in the notes."""
    try:
        theirs = spins(model, seconds, breadth_first=breadth_first)
    except spin.Refused as why:
        lines = str(why).splitlines()
        theirs = Side(None, None, None, 0.0, f"refused: {lines[-1] if lines else ''}")
    try:
        with within(seconds):
            mine = engine(ours.program(model), model)
    except InputError as why:
        mine = Side(None, None, None, 0.0, f"refused: {why}")
    except Late:
        mine = Side(None, None, None, 0.0, "too slow")
    except NotImplementedError as why:
        mine = Side(None, None, None, 0.0, f"not in the interpreter: {why}")
    return Row(model, mine, theirs)


def _line(row: Row) -> str:
    verdict = "-" if not row.comparable else "=" if row.agrees else "DIFFERS"
    told = []
    for name, side in (("ours", row.ours), ("Spin", row.spin)):
        kinds = ", ".join(sorted(side.errors or ())) or "none"
        told.append(f"{name} {side.states}/{side.transitions} errors: {kinds} {side.note}".strip())
    return f"{verdict:8} {row.model.name:28} {' | '.join(told)}"


ENGINES: dict[str, Ours] = {"interpreter": interpreter}


def main(argv: Sequence[str] | None = None) -> int:
    """Print a table, and how many models agree."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.compare", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="all of the corpus if none is given")
    parser.add_argument("--seconds", type=float, default=10.0, help="limit per side (10)")
    parser.add_argument("--bfs", action="store_true", help="as Spin counts breadth-first")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="interpreter")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only paths that contain it")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    engine = interpreter_bfs if args.bfs else ENGINES[args.engine]
    models = [m for m in args.models or ours.corpus() if args.filter in str(m)]
    rows = []
    for model in models:
        rows.append(compare(model, engine, args.seconds, breadth_first=args.bfs))
        print(_line(rows[-1]), flush=True)
    comparable = [row for row in rows if row.comparable]
    agreeing = sum(row.agrees for row in comparable)
    print(f"{agreeing} of {len(comparable)} models agree, {len(rows)} in all")
    return 0 if agreeing == len(comparable) else 1


if __name__ == "__main__":
    sys.exit(main())
