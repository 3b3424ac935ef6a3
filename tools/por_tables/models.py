"""The models of the first table, with the figures that the paper prints for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from tools.corpus.records import ROOT, corpus_folder

BOTH: Final = ("deadlock", "deadlock+invariant")
_BENCHMARKS: Final = "prob-examples/B/Ivo/BenchmarksPOR"


class Printed(NamedTuple):
    """States and transitions in the paper, without and with reduction."""

    states: tuple[int, int]
    transitions: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A model, the classes of properties to ask for, and what is known of them."""

    name: str
    file: Path
    classes: tuple[str, ...] = BOTH
    paper: Mapping[str, Printed] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    """The number of reduced states that we want to stay within, where there is one."""
    seconds: float | None = None
    """A limit of its own."""
    setups: int | None = None
    """How many valuations of the constants are looked at, if not all: ProB takes four."""


def benchmarks(folder: Path) -> tuple[Benchmark, ...]:
    """Return the rows of the table; what has to be generated is written to `folder`."""
    corpus = corpus_folder() / _BENCHMARKS
    press = sorted((corpus / "MechanicalPressMachine").glob("press_*.eventb"))
    return (
        Benchmark(
            "Counters",
            corpus / "other/ConcurrentCounters.mch",
            (*BOTH, "invariant"),
            {
                "deadlock": Printed((110_813, 152), (325_004, 154)),
                "deadlock+invariant": Printed((4_550, 944), (13_136, 1_769)),
            },
            {"deadlock": 152, "deadlock+invariant": 67, "invariant": 67},
        ),
        Benchmark(
            "Conc v1",
            corpus / "Concurrent_Program_Development/conc_1_mch_finite.eventb",
            paper={
                "deadlock": Printed((128_562, 91_312), (290_558, 143_382)),
                "deadlock+invariant": Printed((128_562, 128_562), (290_558, 267_669)),
            },
            at_most={"deadlock": 91_311},
        ),
        Benchmark(
            "BPEL v6, four valuations of the constants",
            corpus / "BPEL2B/Model_Machine_4_NoDeadlock_v6.eventb",
            paper={
                "deadlock": Printed((2_248, 570), (4_960, 634)),
                "deadlock+invariant": Printed((2_248, 2_248), (4_960, 4_960)),
            },
            at_most={"deadlock": 570},
            setups=4,
        ),
        Benchmark(
            "Token Ring, one `next` (paper: four)",
            one_ring(corpus / "other/TokenRing.mch", folder),
            paper={
                "deadlock": Printed((16_389, 14_287), (90_133, 36_292)),
                "deadlock+invariant": Printed((16_389, 16_218), (90_133, 67_516)),
            },
            at_most={"deadlock": 24},
        ),
        Benchmark(
            "Sieve (paper: a smaller instance)",
            corpus / "Sieve/sieve_parallel_mch.eventb",
            paper={
                "deadlock": Printed((8_328, 5_106), (28_436, 11_378)),
                "deadlock+invariant": Printed((8_328, 8_109), (28_436, 24_374)),
            },
        ),
        Benchmark(
            "Phil v2",
            corpus / "Concurrent/phil_mch_v2_mch.eventb",
            paper={
                "deadlock": Printed((2_351, 2_332), (4_528, 4_149)),
                "deadlock+invariant": Printed((2_351, 2_338), (4_528, 4_257)),
            },
            at_most={"deadlock": 2_331},
        ),
        *(Benchmark(file.stem.removesuffix("_mch"), file) for file in press),
        Benchmark(
            "Two threads",
            corpus_folder()
            / "prob-examples/B/PerformanceTests/ModelChecking/POR_TwoThreads_WithSync.mch",
            at_most={"deadlock": 208},
        ),
        Benchmark(
            "Philosophers (12)",
            ROOT / "bench/models/Philosophers12.mch",
            ("deadlock",),
            at_most={"deadlock": 398},
        ),
    )


def one_ring(file: Path, folder: Path) -> Path:
    """Return a copy of the token ring in which the servers are named and lie in one cycle.

    The model leaves `next` open: 40,320 bijections on eight servers, with equally many states
    each.  The paper's figure is for four of them, where ProB stops by default.
    """
    copy = folder / file.name
    if not file.is_file():
        return copy
    servers = [f"server{i}" for i in range(1, 9)]
    ring = ", ".join(
        f"{a} |-> {b}" for a, b in zip(servers, servers[1:] + servers[:1], strict=True)
    )
    text = file.read_text(encoding="utf-8")
    for old, new in (
        ("SETS\n Servers\n", f"SETS\n Servers = {{{', '.join(servers)}}}\n"),
        ("next: Servers >-> Servers\n", f"next: Servers >-> Servers & next = {{{ring}}}\n"),
        ("scope_Servers == 1..8;", ""),
    ):
        if old not in text:
            raise ValueError(f"{file} is not the token ring that was expected: no {old!r}")
        text = text.replace(old, new)
    copy.write_text(text, encoding="utf-8")
    return copy
