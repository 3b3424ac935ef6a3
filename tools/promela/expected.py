"""`python -m tools.promela.expected`: write what Spin says of our examples to `EXPECTED.csv`.

Tests compare with that file, so that they need no Spin.  `states` and `transitions` are those of
a depth-first search, in which what goes on inside `atomic` is no state of its own; `stored` and
`steps` those of a breadth-first search, which has them all.  Verdicts are those of the former: breadth
first, Spin misses end states in which somebody waits for a rendezvous, and says so.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final

from tools.corpus.records import ROOT
from tools.promela.spin import Figures, Search, missing, run

FOLDER: Final = ROOT / "examples" / "promela"
FILE: Final = FOLDER / "EXPECTED.csv"
HOLDS: Final = "holds"
CASES: Final = (
    ("brp.pml", ("", "-DN=3", "-DN=3 -DMAX=3", "-DFAULT")),
    ("bus.pml", ("", "-DN=4", "-DN=5", "-DN=2 -DFAULT", "-DFAULT")),
    ("leader.pml", ("", "-DN=4", "-DN=5", "-DN=6", "-DN=7", "-DFAULT", "-DN=5 -DFAULT")),
    ("marriers.pml", ("", "-DN=4", "-DN=5", "-DFAULT", "-DN=4 -DFAULT")),
    ("peterson.pml", ("", "-DFAULT")),
    ("philosophers.pml", ("", "-DN=5", "-DN=7", "-DORDERED", "-DN=5 -DORDERED")),
    ("pots.pml", ("", "-DMENDED")),
    ("producer_consumer.pml", ("", "-DN=3", "-DSIZE=3 -DITEMS=4", "-DCONSUMERS=2")),
)
FORMULAS: Final = (("bus.pml", "served"), ("peterson.pml", "enters"))


@dataclass(frozen=True, slots=True)
class Row:
    """What is expected of one instance of a model, or of one of its formulas."""

    file: str
    defines: str
    formula: str
    verdict: str
    states: str = ""
    transitions: str = ""
    stored: str = ""
    steps: str = ""


def expected() -> list[Row]:
    """Return the rows of the file."""
    with FILE.open(encoding="utf-8", newline="") as text:
        return [Row(**row) for row in csv.DictReader(text)]


def verdict(found: Figures) -> str:
    """Return the kinds of errors, or that there are none."""
    kinds = {"assertion" if k.startswith("assertion") else k for k in found.kinds}
    return " + ".join(sorted(kinds)) or HOLDS


def _measured() -> Iterator[Row]:
    for name, instances in CASES:
        for defines in instances:
            yield _safety(name, defines)
    for name, formula in FORMULAS:
        yield _temporal(name, formula)


def _safety(name: str, defines: str) -> Row:
    given = tuple(defines.split())
    flags = ("-DNOCLAIM",)
    deep = run(FOLDER / name, Search(breadth_first=False, defines=given, flags=flags))
    broad = run(FOLDER / name, Search(defines=given, flags=flags))
    numbers = (deep.states, deep.transitions, broad.states, broad.transitions)
    if not (deep.complete and broad.complete):
        raise SystemExit(f"{name} {defines}: Spin has not finished\n{deep.said}\n{broad.said}")
    return Row(name, defines, "", verdict(deep), *map(str, numbers))


def _temporal(name: str, formula: str) -> Row:
    asked = Search(breadth_first=False, liveness="-a", ends=False, claim=formula)
    found = run(FOLDER / name, asked)
    return Row(name, "", formula, "violated" if found.errors else HOLDS)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and write the file that is given, or the one that is shipped."""
    if (lacking := missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    given = list(sys.argv[1:] if argv is None else argv)
    target = Path(given[0]) if given else FILE
    with target.open("w", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(each.name for each in fields(Row))
        for row in _measured():
            writer.writerow(astuple(row))
            text.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
