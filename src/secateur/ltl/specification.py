"""A formula with what is assumed of the paths that it is about."""

from __future__ import annotations

from secateur.ltl.atoms import Fair
from secateur.ltl.formula import Formula, show
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Specification:
    """All paths that are fair in one of the `cases` satisfy the formula.

    No case at all means that nothing is assumed.
    """

    formula: Formula
    cases: tuple[frozenset[Fair], ...] = ()

    def __str__(self) -> str:
        if not self.cases:
            return show(self.formula)
        cases = (" & ".join(sorted(map(str, case))) for case in self.cases)
        return f"({' or '.join(f'({c})' for c in cases)}) => ({show(self.formula)})"
