"""Rodin projects of the corpus: they load, and from checked and unchecked files alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from secateur.app.load import load
from secateur.lang.model import Level, Model
from secateur.lang.registry import load as read
from secateur.maths.print import show
from secateur.source import InputError
from tools.corpus.records import corpus_folder

STEP = 9
"""Every so many components are compared."""
CHECKED = {".bum": ".bcm", ".buc": ".bcc"}


def folder(name: str) -> Path:
    """Return a folder of the corpus; skip if there is none."""
    found = corpus_folder() / name
    if not found.is_dir():
        pytest.skip(f"NO CORPUS at {found}: nothing was compared; set SECATEUR_CORPUS")
    return found


def components() -> list[Path]:
    """Return some of the unchecked files beside which there are checked ones.

    Where Rodin lacked a theory, its checked files leave out what it could not check.
    """
    files = sorted((corpus_folder() / "rodin" / "xml").rglob("*.bu[mc]"))
    both = [f for f in files if f.with_suffix(CHECKED[f.suffix]).is_file()]
    return [f for f in both if "StandardTheory" not in f.parts][::STEP]


def levels(found: tuple[Level, ...]) -> Iterator[object]:
    """Yield what abstract events demand."""
    for level in found:
        yield level.name, frozenset(show(c.predicate) for c in level.conditions)
        yield from levels(level.refines)


def outline(typed: Model) -> object:
    """Return what two readings of one component must have in common."""
    return (
        {(s.name, s.elements) for s in typed.sets},
        {(b.name, b.type) for b in (*typed.constants, *typed.variables)},
        {p.name for p in (*typed.properties, *typed.invariants)},
        {p.name for p in typed.assertions},
        {
            (o.name, frozenset(b.name for b in o.parameters), frozenset(levels(o.refines)))
            for o in typed.operations
        },
    )


def test_checked_and_unchecked_files_are_one_system() -> None:
    folder("rodin/xml")
    different = []
    for path in components():
        try:
            unchecked = outline(read(path))
        except InputError:
            continue  # theories that the project does not define
        if unchecked != outline(read(path.with_suffix(CHECKED[path.suffix]))):
            different.append(path.name)
    assert not different


@pytest.mark.parametrize(
    ("name", "states", "transitions"),
    [
        ("Concurrent/phil_mch_v1_mch", 81, 233),
        ("Concurrent/phil_mch_v2_mch", 2350, 4527),
        ("Concurrent/fact_m_v3_mch", 812, 2173),
        ("MechanicalPressMachine/press_6_mch", 176, 697),
    ],
)
def test_the_models_of_the_reductions_paper(name: str, states: int, transitions: int) -> None:
    models = folder("prob-examples/B/Ivo/BenchmarksPOR")
    found = load(models / f"{name}.eventb").check()
    assert found
    assert (found.statistics.states, found.statistics.transitions) == (states, transitions)
