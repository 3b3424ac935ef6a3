"""What the condition of a LET must look like."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.maths.ast import Apply, Binder, Expr, Name, conjuncts, free_names
from secateur.maths.operators.comparison import EQUAL


def defines_all(binders: Sequence[Binder], condition: Expr) -> bool:
    """Whether `condition` is one equation `x = E` for each binder, none depending on itself."""
    names = {b.name for b in binders}
    equations: dict[str, Expr] = {}
    for conjunct in conjuncts(condition):
        match conjunct:
            case Apply(operator, (Name(name), value)) if (
                operator is EQUAL and name in names and name not in equations
            ):
                equations[name] = value
            case _:
                return False
    return equations.keys() == names and _is_acyclic(equations)


def _is_acyclic(equations: dict[str, Expr]) -> bool:
    needs = {name: free_names(e) & equations.keys() for name, e in equations.items()}
    known: set[str] = set()
    while len(known) < len(needs):
        ready = {name for name, others in needs.items() if name not in known and others <= known}
        if not ready:
            return False
        known |= ready
    return True
