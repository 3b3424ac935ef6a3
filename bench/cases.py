"""What is measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.corpus.records import corpus_folder

MODELS: Final = Path(__file__).resolve().parent / "models"
CORPUS: Final = corpus_folder() / "prob-examples" / "B"


@dataclass(frozen=True, slots=True)
class Case:
    """A model, what it must have, and the twin for Spin if there is one.

    Transitions are those of operations.
    """

    model: Path
    states: int
    transitions: int
    twin: Path | None = None
    variants: tuple[str, ...] = ()
    """Options that are worth a run of their own."""

    def __str__(self) -> str:
        return self.model.stem


def _own(name: str, states: int, transitions: int, *variants: str) -> Case:
    return Case(
        MODELS / f"{name}.mch", states, transitions, MODELS / f"{name}.pml", tuple(variants)
    )


OWN: Final = (
    _own("Counters7", 10_000_000, 63_000_000, "--threads 2", "--compress"),
    _own("Philosophers12", 1_684_801, 14_610_252, "--threads 2", "--compress"),
    _own("TokenRing16", 1_572_864, 13_893_632),
    _own("Scheduler12", 2_129_860, 31_276_176, "--threads 2"),
    _own("Registers7", 818_504, 34_377_168, "--threads 2"),
    # What can be done takes longer to find out than whether a state is new.
    Case(MODELS / "Dependencies6.mch", 338_532, 2_293_800, variants=("--threads 2",)),
)

_FROM_CORPUS: Final = (
    ("Benchmarks/CAN_BUS.mch", 132_598, 340_265),
    ("Benchmarks/CAN_BUS_tlc.mch", 132_599, 340_266),
    ("Benchmarks/Cruise_finite1.mch", 1_360, 25_696),
    ("Benchmarks/obsw_M001_eventb.mch", 589_278, 5_186_706),
    ("Demo/Simpson/Simpson_Four_Slot.mch", 46_657, 112_754),
    ("PerformanceTests/PartialEvaluation/scheduler6.mch", 5_231, 47_848),
    ("Ivo/BenchmarksEnablingAnalysis/other/USB_4Endpoints.mch", 693, 22_018),
)
"""Transitions of these include what leads to the initial states."""


def corpus() -> Iterator[Case]:
    """Yield the models of the corpus; wide ones also compressed."""
    for name, states, transitions in _FROM_CORPUS:
        wide = ("--compress",) if "CAN_BUS" in name or "Simpson" in name else ()
        yield Case(CORPUS / name, states, transitions, variants=wide)
