"""The second table: what each cycle proviso costs, on models that we wrote for it.

> D. Bošnački, S. Leue, A. Lluch Lafuente: *Partial-Order Reduction for General State
> Exploring Algorithms*, STTT 11 (2009), Table 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from secateur.app.model import CheckOptions
from tools.corpus.records import ROOT
from tools.por_tables.measure import CLASSES, Run, head, line, measure

FOLDER: Final = ROOT / "bench" / "models" / "provisos"
PROVISOS: Final = ("none", "reliance", "open", "visited", "static")
REDUCTIONS: Final = ("stubborn", "ample")
_SIGNS: Final = ("C2i", "C2r", "C2o", "C2v", "C2s")
_PAPER: Final[Mapping[str, tuple[int, ...]]] = {
    "leader(6)": (445_776, 3_160, 3_160, 5_209, 11_921),
    "bus(4)": (32_920, 27_919, 27_919, 31_206, 27_919),
    "brp": (848_662, 425_736, 518_473, 589_877, 432_648),
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A model explored in full and, with one reduction, under every proviso."""

    full: Run
    reduced: Mapping[str, Run]

    def complaints(self) -> list[str]:
        """Return what is not as in the paper.

        That C2v implies C2o in a state does not make the explored states of one search a part
        of the other's: a set that is refused is replaced by another, and all that follows may
        be different.  The order is what is to be expected, not what is proven.
        """
        sizes = {"full": self.full.states} | {p: r.states for p, r in self.reduced.items()}
        pairs = [("none", "reliance"), ("reliance", "open"), ("open", "visited")]
        pairs += [("visited", "full")]
        pairs += [("none", "static"), ("static", "full")]
        wrong = [f"{a} > {b}" for a, b in pairs if sizes[a] > sizes[b]]
        for name, run in {"full": self.full, **self.reduced}.items():
            # without a proviso errors may be missed: the verdict is never that it holds
            if name != "none" and run.verdict != self.full.verdict:
                wrong.append(f"{name}: {run.verdict}, in full {self.full.verdict}")
            if not run.finished:
                wrong.append(f"{name}: not finished")
        return wrong


def compared(file: Path, por: str, seconds: float) -> Comparison:
    """Return the sizes under every proviso, the invariant asked for."""
    asked: CheckOptions = CLASSES["invariant"]
    full = measure(file, {**asked, "por": "none"}, seconds)
    reduced = {}
    for name in PROVISOS:
        options: CheckOptions = {**asked, "por": por, "proviso": name, "experiment": name == "none"}
        reduced[name] = measure(file, options, seconds)
    return Comparison(full, reduced)


def print_provisos(only: str, seconds: float) -> int:
    """Print the table of states and return the number of rows that are not as expected."""
    names = [f"`{name}` ({sign})" for name, sign in zip(PROVISOS, _SIGNS, strict=True)]
    print(head(["model", "reduction", "full", *names, "order"]))
    wrong = 0
    engines: dict[str, set[str]] = {name: set() for name in PROVISOS}
    for file in sorted(FOLDER.glob("*.mch")):
        if only.lower() not in file.stem.lower():
            continue
        for por in REDUCTIONS:
            found = compared(file, por, seconds)
            complaints = found.complaints()
            wrong += bool(complaints)
            runs = [found.full, *(found.reduced[name] for name in PROVISOS)]
            sizes = [f"{run.states:,}" for run in runs]
            verdict = "; ".join(complaints) or "as expected"
            print(line([file.stem, f"`{por}`", *sizes, verdict]), flush=True)
            for name, run in found.reduced.items():
                engines[name].add(run.engine)
    for model, row in _PAPER.items():
        full, none, *others = (f"{n:,}" for n in row)
        print(line([model, "HSF-SPIN", full, none, "", *others, ""]))
    slow = [f"`{name}`" for name in PROVISOS if "python" in engines[name]]
    if slow:
        print(f"\n{', '.join(slow)}: explored by the Python engine; all others by the native one")
    print(
        f"\n{wrong} rows are not as expected: none <= reliance <= open <= visited <= full, "
        "none <= static <= full"
    )
    return wrong
