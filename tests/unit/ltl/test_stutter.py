"""A formula that is called steady holds of a path whatever silent steps are put into it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import Formula, atoms, show
from secateur.ltl.parse import parse_ltl
from secateur.ltl.path import Path, satisfied
from secateur.ltl.stutter import SILENT, why_not_steady
from tests.unit.ltl.systems import formulas

seeds = st.integers(0, 2**32)
Letter = dict[Atom, bool]


def steps_of(formula: Formula) -> set[Atom]:
    return {a for a in atoms(formula) if a.kind in SILENT}


@pytest.mark.parametrize(
    "text",
    [
        "G ([a] => F {p})",
        "F ([a] & {p})",
        "G F [a] => G F [b]",
        "(not [a]) U [b]",
        "(not [a]) U {p}",
        "{p} U ({p} & [a])",
        "G ({p} & ([a] => {q}))",
        "G (changed({x}) => {p})",
        "G (unchanged({x}) or {p})",
        "G ({p} => O {q})",
        "{p} S {q}",
        "F deadlock",
        "[a] or not [a] or {p}",
    ],
)
def test_steady(text: str) -> None:
    formula = parse_ltl(text, "f").formula
    assert why_not_steady(formula, steps_of(formula)) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("X {p}", "X counts steps"),
        ("G ({p} => Y {q})", "Y counts steps"),
        ("[a]", "may hold at a step"),
        ("{p} U [a]", "may change with silent steps"),
        ("G [a]", "may change with silent steps"),
        ("G ({p} => [a])", "may change with silent steps"),
        ("G ({p} => deadlock)", "may change with silent steps"),
        ("O [a]", "may hold at a step"),
    ],
)
def test_not_steady(text: str, why: str) -> None:
    formula = parse_ltl(text, "f").formula
    assert why in (why_not_steady(formula, steps_of(formula)) or "")


def with_silence(rng: Random, path: Path) -> Path:
    """Return the path with silent steps before some others; the loop goes past them, too."""
    letters: list[Letter] = []
    loop = path.loop
    for place, letter in enumerate(path.letters):
        for _ in range(rng.choice((0, 0, 1, 2))):
            silent = {a: SILENT.get(a.kind, holds) for a, holds in letter.items()}
            letters.append(silent)
        letters.append(dict(letter))
        if place == path.loop:
            loop = len(letters) - 1
    return Path(letters, loop)


def random_path(rng: Random, formula: Formula) -> Path:
    size = rng.randint(1, 4)
    letters = [{a: rng.random() < 0.5 for a in atoms(formula)} for _ in range(size)]
    ends = rng.random() < 0.4
    for place, letter in enumerate(letters):
        for atom in letter:
            if atom.kind is Kind.DEADLOCK:
                letter[atom] = ends and place == size - 1
            elif atom.kind is Kind.EVENT and ends and place == size - 1:
                letter[atom] = False
    return Path(letters, None if ends else rng.randrange(size))


def judge(seed: int) -> bool:
    rng = Random(seed)
    formula = formulas(rng, rng.randint(1, 3), past=True)
    if why_not_steady(formula, steps_of(formula)) is not None:
        return False
    for _ in range(5):
        path = random_path(rng, formula)
        before = satisfied(formula, path)
        after = satisfied(formula, with_silence(rng, path))
        assert before is after, f"{show(formula)} {path}"
    return True


@given(seeds)
def test_random_formulas(seed: int) -> None:
    judge(seed)


def test_many_formulas_are_steady() -> None:
    assert sum(judge(seed) for seed in range(300)) > 100
