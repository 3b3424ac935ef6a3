"""The packages of diagrams; the first is the usual one."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from secateur.engine.symbolic.diagrams.protocol import DiagramsRow

OXIDD: Final = DiagramsRow("oxidd", "OxiDD", "secateur.engine.symbolic.diagrams.oxidd", "oxidd")
CUDD: Final = DiagramsRow(
    "cudd", "CUDD through dd", "secateur.engine.symbolic.diagrams.cudd", "dd", reorders=True
)

PACKAGES: Final[tuple[DiagramsRow, ...]] = (OXIDD, CUDD)


def installed() -> tuple[DiagramsRow, ...]:
    """Return those that are there."""
    return tuple(row for row in PACKAGES if find_spec(row.package) is not None)
