"""Who is asked about a program: Spin, the interpreter of the tests, and our engines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import secateur
from secateur.app.model import CheckOptions, Model
from secateur.engine.limits import Limits
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.source import InputError
from tests.naive import promela as naive
from tools.promela import ours, spin
from tools.promela_fuzz.generate import Program

SECONDS: Final = 10.0
_STATES: Final = 50_000
_ACCEPTED: Final = ("acceptance cycle", "accept stutter")
_CYCLES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "accept": ("-a", _ACCEPTED),
    "progress": ("-l", ("non-progress cycle",)),
    "formula": ("-a", _ACCEPTED),
}
"""How Spin is asked about infinite runs, and what it says if there is a wrong one."""
_VIOLATED: Final = r"assertion violated .*"


class Unanswered(Exception):
    """Somebody has not come to an end, or does not take the program."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody says of a program; None for what was not asked."""

    assertion: bool | None = None
    """Whether an assertion can be violated."""
    end: bool | None = None
    """Whether there is an invalid end state."""
    cycle: bool | None = None
    """Whether there is an infinite run that is wrong."""
    states: int | None = None
    transitions: int | None = None

    def differences(self, other: Judgement) -> list[str]:
        """Return which verdicts are not alike."""
        found = []
        for name in ("assertion", "end", "cycle"):
            mine, its = getattr(self, name), getattr(other, name)
            if mine is not None and its is not None and mine != its:
                found.append(f"{name}: {mine} and {its}")
        return found

    def same_size(self, other: Judgement) -> bool:
        """Whether states and transitions are alike, as far as both tell them."""
        sizes = (self.states, self.transitions), (other.states, other.transitions)
        return None in sizes[0] or None in sizes[1] or sizes[0] == sizes[1]


def by_spin(program: Program, file: Path) -> Judgement:
    """Ask Spin: depth-first, in full, first about states and then about cycles."""
    small = spin.Search(breadth_first=False, flags=("-O0",), options=("-m100000", "-w18"))
    safety = replace(small, flags=("-O0", "-DNOCLAIM"))
    how, called = _CYCLES[program.kind]
    cycles = replace(small, liveness=how, ends=False)
    found, circular = _asked(file, safety), _asked(file, cycles)
    wrong = any(kind.startswith(called) for kind in circular.kinds)
    if program.kind == "formula":  # one that is violated after finitely many steps is an assertion
        wrong = wrong or bool(_assertions(circular) - _assertions(found))
    # A claim is a process to Spin, but for `accept` labels: a program that counts processes is another.
    counted = program.kind != "accept" and "_nr_pr" in program.text
    return Judgement(
        assertion=any(kind.startswith("assertion") for kind in found.kinds),
        end="invalid end state" in found.kinds,
        cycle=None if counted else wrong,
        states=found.states,
        transitions=found.transitions,
    )


def _assertions(figures: spin.Figures) -> set[str]:
    """Return the assertions that are violated, as they are written."""
    return {line.partition(" (at depth")[0] for line in re.findall(_VIOLATED, figures.said)}


def _asked(file: Path, search: spin.Search) -> spin.Figures:
    figures = spin.run(file, search, seconds=SECONDS)
    if not figures.complete:
        raise Unanswered("Spin has not finished")
    return figures


def by_interpreter(_: Program, file: Path) -> Judgement:
    """Ask the definition of Promela in our tests, which counts as Spin does."""
    found = naive.stable(ours.program(file), states=_STATES)
    if not found.complete:
        raise Unanswered("too many states for the interpreter")
    return Judgement(
        assertion=any(kind.startswith("assertion") for kind in found.errors),
        end="invalid end state" in found.errors,
        states=found.stored,
        transitions=found.transitions,
    )


def _by_engine(options: CheckOptions, *, counted: bool) -> Callable[[Program, Path], Judgement]:
    def judge(program: Program, file: Path) -> Judgement:
        model = secateur.load(file)
        asked: CheckOptions = {**options, "all": True, "max_seconds": SECONDS}
        result = model.check(**asked)
        if any("seconds was reached" in reason for reason in result.reasons):
            raise Unanswered("not finished in time")
        kinds = {violation.kind.value for violation in result.violations}
        statistics = result.statistics
        return Judgement(
            assertion="assertion" in kinds,
            end="deadlock" in kinds,
            cycle=_wrong_run(program, model),
            states=statistics.states if counted else None,
            transitions=statistics.transitions if counted else None,
        )

    return judge


def _wrong_run(program: Program, model: Model) -> bool | None:
    """Return whether the formula of the program is violated, or what is asked of its labels."""
    asked = {"accept": "acceptance", "progress": "progress"}.get(program.kind)
    results = model.temporal(limits=Limits(seconds=SECONDS))
    about = [r for r in results if asked is None or r.name == f"ASSERT_LTL_{asked}"]
    if not about:  # Spin asks for progress even where no label is; it is no claim of the program
        return None
    if any(result.holds is None for result in about):
        raise Unanswered("a formula is not decided in time")
    return any(result.holds is False for result in about)


Judge = Callable[[Program, Path], Judgement]
WAYS: Final[Mapping[str, Judge]] = {
    "interpreter": by_interpreter,
    "full": _by_engine({"por": "none", "symmetry": "none"}, counted=True),
    **{
        row.name: _by_engine({"por": row.name, "symmetry": "none"}, counted=False)
        for row in REDUCTIONS
        if row.name != "none"
    },
    "symbolic": _by_engine({"engine": "symbolic"}, counted=False),
}
"""Everybody who must agree with Spin."""


def judged(way: str, program: Program, file: Path) -> Judgement:
    """Ask one of them; what is not taken is not answered."""
    try:
        return WAYS[way](program, file)
    except InputError as why:
        raise Unanswered(f"refused: {why}") from why
