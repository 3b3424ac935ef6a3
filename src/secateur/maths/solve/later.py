"""Propagators that ask the evaluator once everything they depend on is known."""

from __future__ import annotations

from secateur.maths.solve.network import Bool, Network, Propagator, Scalar
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.terms import Later, Needed, is_open, needs, value_of
from secateur.maths.values import IllDefined, Undecided


class Evaluate(Propagator):
    """`result` is the value of an expression, found when that is known.

    What turns out ill-defined or undecided stays open: the final check reports it.
    """

    __slots__ = ("_at", "evaluator", "needed", "result", "term")
    slow = True

    def __init__(self, result: Bool | Scalar, term: Later, evaluator: Evaluator) -> None:
        super().__init__()
        self.result = result
        self.term = term
        self.evaluator = evaluator
        self.needed: list[Needed] = list(dict.fromkeys(needs(term)))
        self._at = 0

    def attach(self, net: Network) -> None:
        """Wake whenever something it depends on becomes known."""
        watched = {v: None for v, _ in self.needed}
        watched.update((g, None) for _, guards in self.needed for g in guards)
        net.add_on_fix(self, *watched)

    def run(self, net: Network) -> None:
        """Evaluate if nothing is open any more."""
        needed = self.needed
        # What was open the last time is probably open still: look there first.
        if needed and is_open(needed[self._at]):
            return
        for i, each in enumerate(needed):
            if is_open(each):
                self._at = i
                return
        try:
            value = value_of(self.term, self.evaluator, net.found)
        except (IllDefined, Undecided):
            return
        if isinstance(self.result, Bool):
            net.set(self.result, value)
        else:
            net.assign(self.result, value)
