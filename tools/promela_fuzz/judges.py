"""Who is asked about a program: Spin, the interpreter of the tests, and our engines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import secateur
from secateur.app.model import CheckOptions, Model
from secateur.app.temporal.claims import USUAL, Manner
from secateur.engine.limits import Limits
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.source import InputError
from tests.naive import promela as naive
from tools.promela import ours, spin
from tools.promela_fuzz.generate import KINDS, Program

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
    """Somebody does not take the program, or does not say what was asked."""


class Late(Unanswered):
    """Somebody has not come to an end."""


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

    def agrees(self, other: Judgement) -> bool:
        """Whether both say the same, as far as both say something."""
        return not self.differences(other) and self.same_size(other)

    def same_size(self, other: Judgement) -> bool:
        """Whether states and transitions are alike, as far as both tell them."""
        sizes = (self.states, self.transitions), (other.states, other.transitions)
        return None in sizes[0] or None in sizes[1] or sizes[0] == sizes[1]


@dataclass
class Asked:
    """A program that everybody is asked about, in a file; it is loaded once for all engines."""

    program: Program
    file: Path

    @cached_property
    def model(self) -> Model:
        """The program as our engines have it."""
        return secateur.load(self.file)


def by_spin(asked: Asked, compiler: str = "gcc") -> Judgement:
    """Ask Spin: depth-first, in full, first about states and then about cycles."""
    program = asked.program
    small = spin.Search(
        breadth_first=False,
        quick_to_compile=True,
        options=("-m100000", "-w18"),
        compiler=compiler,
    )
    how, called = _CYCLES[program.kind]
    searches = replace(small, flags=("-DNOCLAIM",)), replace(small, liveness=how, ends=False)
    figures = spin.run_all(asked.file, searches, seconds=SECONDS)
    if not figures[-1].complete:
        raise Late("Spin has not finished")
    found, circular = figures
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


def by_interpreter(asked: Asked) -> Judgement:
    """Ask the definition of Promela in our tests, which counts as Spin does."""
    found = naive.stable(ours.program(asked.file), states=_STATES)
    if not found.complete:
        raise Late("too many states for the interpreter")
    return Judgement(
        assertion=any(kind.startswith("assertion") for kind in found.errors),
        end="invalid end state" in found.errors,
        states=found.stored,
        transitions=found.transitions,
    )


@dataclass(frozen=True, slots=True)
class Engine:
    """A way of ours: how states are searched, and how infinite runs are, if they are."""

    options: CheckOptions
    manners: tuple[Manner | None, ...] = (None,)
    """By turns, for what takes long need not be done for every program."""
    counted: bool = False
    """Whether nothing is left out, so that numbers are those of Spin."""

    def __call__(self, asked: Asked) -> Judgement:
        """Ask it."""
        options: CheckOptions = {**self.options, "all": True, "max_seconds": SECONDS}
        result = asked.model.check(**options)
        if any("seconds was reached" in reason for reason in result.reasons):
            raise Late("not finished in time")
        kinds = {violation.kind.value for violation in result.violations}
        statistics = result.statistics
        # one program in `len(KINDS)` is of the same kind
        manner = self.manners[asked.program.seed // len(KINDS) % len(self.manners)]
        return Judgement(
            assertion="assertion" in kinds,
            end="deadlock" in kinds,
            cycle=None if manner is None else _wrong_run(asked, manner),
            states=statistics.states if self.counted else None,
            transitions=statistics.transitions if self.counted else None,
        )


def _wrong_run(asked: Asked, manner: Manner) -> bool | None:
    """Return whether the formula of the program is violated, or what is asked of its labels."""
    label = {"accept": "acceptance", "progress": "progress"}.get(asked.program.kind)
    results = asked.model.temporal(limits=Limits(seconds=SECONDS), manner=manner)
    about = [r for r in results if label is None or r.name == f"ASSERT_LTL_{label}"]
    if not about:  # Spin asks for progress even where no label is; it is no claim of the program
        return None
    for result in about:
        if result.holds is None:
            why = "; ".join([*(d.message for d in result.errors), *result.reasons])
            raise (Unanswered if result.errors else Late)(f"a formula is not decided: {why}")
    return any(result.holds is False for result in about)


Judge = Callable[[Asked], Judgement]
_MANNERS: Final = {"best": (USUAL,), "stubborn": (Manner(por="stubborn"), None, None)}
"""With which reductions infinite runs are searched as well: those that are for formulas."""
WAYS: Final[Mapping[str, Judge]] = {
    "interpreter": by_interpreter,
    "full": Engine({"por": "none", "symmetry": "none"}, (Manner(por="none"),), counted=True),
    **{
        row.name: Engine({"por": row.name, "symmetry": "none"}, _MANNERS.get(row.name, (None,)))
        for row in REDUCTIONS
        if row.name != "none"
    },
    "symbolic": Engine({"engine": "symbolic"}, (None, Manner(engine="symbolic"), None)),
}
"""Everybody who must agree with Spin."""


SMALL: Final = 5_000
"""So many states are enough for sets of states: diagrams of numbers and channels take long."""


def judged(way: str, asked: Asked, states: int = 0) -> Judgement:
    """Ask one of them about a program of so many states; what is not taken is not answered."""
    if way == "symbolic" and states > SMALL:
        raise Late(f"{states} states are not tried")
    try:
        return WAYS[way](asked)
    except InputError as why:
        raise Unanswered(f"refused: {why}") from why
