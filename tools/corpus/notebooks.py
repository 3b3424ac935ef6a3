"""What the rows of expressions.jsonl mean that were taken from notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

DECLARED: Final[Mapping[str, frozenset[str]]] = {
    source: frozenset(names.split())
    for source, names in {
        "models/NFA_to_DFA.ipynb": "z0 z1 z2 z3 F L Z Σ δ δs",
        "presentations/BadHonnef_2019.ipynb": "z0 z1 z2 z3 F L Z Σ δ δs eltable",
        "presentations/ABZ 2021.ipynb": "z0 z1 F",
        "presentations/FMTea2022.ipynb": "z0 z1 F",
        "presentations/SETS_RODIN18.ipynb": "thomas gordon Trains Points",
        "presentations/LPOP18.ipynb": "thomas gordon Trains Points",
        "tests/SatSolverTests.ipynb": "y",
        "tests/language.ipynb": "ONE TWO",
        "tests/let.ipynb": "X Y hello n m",
        "tests/solve.ipynb": "z five",
    }.items()
}
"""The identifiers that a notebook's machine or its cells declare: no solution is sought for them."""

OTHER_LANGUAGE: Final = frozenset({"{2}**{3}"})
"""What stands after the notebook turned to Event-B, where `**` is the product."""

PROBS_OWN: Final = frozenset(
    [
        "HASH",
        "MACHINE_INFO",
        "PROB_INFO_STR",
        "PROB_STATISTICS",
        "PROJECT_INFO",
        "PROJECT_STATISTICS",
        "RAND",
        "READ_XML_FROM_STRING",
        "RNORMAL",
        "SHA_HASH",
        "SHA_HASH_HEX",
        "STRINGIFY",
    ]
)
"""External functions that tell about ProB itself, are random, or are not supported here."""

_COMMAND: Final = re.compile(r":(eval|table|solve\s+\w+)\s+", re.ASCII)

# The record's own spelling of what B writes otherwise.
_SPELLING: Final = str.maketrans({"\N{MINUS SIGN}": "-", "\N{ELEMENT OF}": ":", "\N{DIVIDES}": "|"})


def formula_of(text: str) -> tuple[str, str] | None:
    """Return the command (eval, table or solve) and its formula; None for other commands."""
    if text.startswith("MACHINE"):
        return None
    if not text.startswith(":"):
        return "eval", text
    found = _COMMAND.match(text)
    return None if found is None else (found[1].split()[0], text[found.end() :])


def readable(printed: str) -> str:
    """Return what was printed in the spelling of B, strings apart."""
    pieces = printed.split('"')
    pieces[::2] = [piece.translate(_SPELLING) for piece in pieces[::2]]
    return '"'.join(pieces)


def set_of_table(printed: str) -> str:
    """Return the set that was printed as a table: a line of headings, columns between tabs."""
    rows: Iterable[str] = printed.strip("\n").split("\n")[1:]
    tuples = ("(" + ",".join(readable(row).split("\t")) + ")" for row in rows)
    return "{" + ",".join(tuples) + "}"
