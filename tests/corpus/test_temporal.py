"""Temporal formulas of the corpus, with what is recorded about them."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from secateur import load
from secateur.app.model import Model
from secateur.app.temporal.claims import USUAL, Claim, Manner
from secateur.engine.limits import Limits
from secateur.engine.symbolic.fair import CYCLES
from secateur.engine.symbolic.reduce.registry import REACHES
from tools.corpus.records import corpus_folder

CORPUS: Final = corpus_folder()
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus at {CORPUS}")
SECONDS: Final = 30.0

MISREAD: Final = {
    # The comment says "violated without GF[requestPedLight]"; with it, ProB finds it true.
    ("TLC/NoError/TrafficLight_tlm2.mch", "ASSERT_LTL_FUN_9"),
    ("TLC/NoError/TrafficLight_tlm2.mch", "ASSERT_LTL_FUN_10"),
    # It names an operation EmergencyWarning; the machine has Emergency_Warning.
    ("B/PragmasUnits/CaseStudies/TrafficLightWarning/System.mch", "ASSERT_LTL2"),
}


def _rows() -> Iterator[dict[str, str]]:
    if not CORPUS.is_dir():
        return
    with (CORPUS / "temporal.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = row["path"].removeprefix("prob-examples/")
            if row["quality"] in "AV" and (path, row["name"]) not in MISREAD:
                yield row


@cache
def _model(path: Path) -> Model:
    return load(path)


def _judge(row: dict[str, str], manner: Manner = USUAL) -> None:
    text = row["formula"].replace("\\\\", "\\")  # as it stands in a string of B
    claim = Claim(row["name"] or text, row["logic"], text)
    (result,) = _model(CORPUS / row["path"]).temporal([claim], Limits(seconds=SECONDS), manner)
    assert result.holds is (row["holds"] == "true"), (row, result.reasons)


@needs_corpus
def test_a_sample() -> None:
    for row in list(_rows())[::8]:
        _judge(row)


@needs_corpus
def test_a_sample_reduced() -> None:
    """`make ltl-por` compares all of them, with sizes."""
    rows = [row for row in _rows() if row["logic"] == "ltl" and "Cruise" not in row["path"]]
    for row in rows[::24]:
        _judge(row, Manner(por="stubborn"))


MODES: Final = [
    Manner(engine="symbolic", por=reach.name, cycles=cycles.name)
    for reach in REACHES
    for cycles in CYCLES
]
"""All ways to search sets of states."""


@needs_corpus
def test_a_sample_as_sets() -> None:
    for place, row in enumerate(list(_rows())[::16]):
        _judge(row, MODES[place % len(MODES)])


@needs_corpus
@pytest.mark.slow
@pytest.mark.skipif("SECATEUR_SLOW" not in os.environ, reason="many minutes; set SECATEUR_SLOW")
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: f"{mode.por} {mode.cycles}")
def test_every_formula_as_sets(mode: Manner) -> None:
    for row in _rows():
        _judge(row, mode)


@needs_corpus
@pytest.mark.slow
@pytest.mark.skipif("SECATEUR_SLOW" not in os.environ, reason="two minutes; set SECATEUR_SLOW")
def test_every_formula() -> None:
    for row in _rows():
        _judge(row)
