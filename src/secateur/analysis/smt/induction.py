"""Which checks an action may violate, asked of Z3 for many of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import z3

from secateur.analysis.smt.formulas import Formulas
from secateur.analysis.smt.lawful import Symbols
from secateur.analysis.smt.values import Truth, both, either
from secateur.source.records import dataclass
from secateur.system.events import EventSystem


@dataclass(frozen=True, slots=True)
class Induction:
    """Asks about steps from states in which some checks hold."""

    system: EventSystem
    formulas: Formulas
    symbols: Symbols
    solver: Callable[[], Any]

    def violated(
        self, action: int, checks: Iterable[int], assumed: Mapping[int, Truth]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate, and what is needed for the others.

        A model shows some that it does; where the solver gives up, each is asked for alone.
        """
        step = _Step(self, action, assumed)
        left = {n: self.formulas.violated(action, n) for n in checks}
        violated: set[int] = set()
        while left:
            gone = step.shown(left)
            if gone is None:
                gone = {n for n, truth in left.items() if step.shown({n: truth}) != set()}
                violated |= gone
                break
            if not gone:
                break
            violated |= gone
            left = {n: truth for n, truth in left.items() if n not in gone}
        return frozenset(violated), frozenset(step.needed)


class _Step:
    """A step of an action, in a solver that knows all about it."""

    def __init__(self, of: Induction, action: int, assumed: Mapping[int, Truth]) -> None:
        self._labels = {f"check {number}": number for number in assumed}
        self.needed: set[int] = set()
        """The checks that were needed to show that something is impossible."""
        known = of.system.actions[action]
        mask = known.sees | known.may_write
        self._solver = of.solver()
        for number, truth in assumed.items():
            mask |= of.system.checks[number].reads
            self._solver.add(z3.Implies(z3.Bool(f"check {number}"), truth))
        slots = of.symbols.space.touching(mask)
        self._solver.add(both(*of.symbols.lawful(slots, of.formulas.facts)))

    def shown(self, wrong: Mapping[int, Truth]) -> set[int] | None:
        """Return some of what can be wrong, nothing if nothing can, None if that is not known."""
        self._solver.push()
        self._solver.add(either(*wrong.values()))
        found = self._solver.check(*map(z3.Bool, self._labels))
        shown: set[int] | None = None
        if found == z3.unsat:
            names = (label.decl().name() for label in self._solver.unsat_core())
            self.needed.update(self._labels[name] for name in names)
            shown = set()
        elif found == z3.sat:
            model = self._solver.model()
            shown = {n for n, truth in wrong.items() if _true(model, truth)}
        self._solver.pop()
        return shown or None if found == z3.sat else shown


def _true(model: Any, truth: Truth) -> bool:
    if isinstance(truth, bool):
        return truth
    return bool(z3.is_true(model.eval(truth, model_completion=True)))
