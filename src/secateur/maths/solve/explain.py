"""Which constraint rules every solution out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from secateur.maths.ast import Binder, Expr
from secateur.maths.solve.network import OutOfWork
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.solver import Problem
from secateur.maths.values import IllDefined, Undecided

WORK: Final = 20_000
"""How often a network may settle before a set of constraints counts as satisfiable."""


def explain_unsatisfiable(
    unknowns: Sequence[Binder], constraints: Sequence[Expr], evaluator: Evaluator, work: int = WORK
) -> Expr | None:
    """Return the first constraint that cannot be met together with those before it.

    None if there is none, or if finding it takes more than `work`.  More constraints
    never have more solutions, so that halving finds the place.
    """
    whole = Problem(unknowns, constraints)
    low, high = 0, len(whole.constraints) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _is_unsatisfiable(whole, middle, evaluator, work):
            high = middle
        else:
            low = middle
    return whole.constraints[high - 1] if high <= len(whole.constraints) else None


def _is_unsatisfiable(whole: Problem, count: int, evaluator: Evaluator, work: int) -> bool:
    constraints = whole.constraints[:count]
    used = frozenset[str]().union(*map(whole.notes.names, constraints))
    unknowns = [b for b in whole.unknowns if b.name in used]
    gaps: list[str] = []
    try:
        solutions = Problem(unknowns, constraints, whole.notes).solutions(
            evaluator, gaps.append, work
        )
        return next(solutions, None) is None and not gaps
    except (IllDefined, Undecided, OutOfWork):
        return False
