"""Who can do something: what `enabled` and `timeout` ask of processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final

from secateur.lang.promela import terms
from secateur.lang.promela.codes import UNSUPPORTED
from secateur.lang.promela.processes import Processes
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Instance
from secateur.maths.ast import Expr
from secateur.maths.operators.channels import IN_CIRCLES
from secateur.source import Span, fail
from secateur.source.records import dataclass

MOST_QUESTIONS: Final = 200
"""The questions that one may lead to: where processes ask for one another by numbers that vary, there
is one for each way from process to process."""


@dataclass()
class Abilities:
    """Whether processes can go on; `able` tells it of a process that is at a place."""

    instances: Sequence[Instance]
    processes: Processes
    able: Callable[[Instance, int, View], Expr]
    without_timeout: bool = False
    """Whether what waits for a `timeout` is not looked at."""
    _questioned: list[Instance] = field(default_factory=list)
    """The processes of which is being found out whether they are enabled, each for the one before."""
    _questions: int = 0
    """How many questions the first of these has led to."""

    def of(self, instance: Instance, view: View) -> Expr:
        """Return whether a process can do something."""
        return terms.any_of(
            terms.all_of(
                (
                    self.processes.at(instance, place.number, view),
                    self.able(instance, place.number, view),
                )
            )
            for place in instance.automaton.locations
        )

    def enabled(self, instance: Instance, view: View, span: Span) -> Expr:
        """Return what `enabled` says: that there is a statement to execute, were it its turn."""
        if instance in self._questioned:
            return terms.nonzero(terms.unanswered(IN_CIRCLES, span))
        self._questions = self._questions + 1 if self._questioned else 0
        if self._questions > MOST_QUESTIONS:
            message = "processes ask for one another in too many ways whether they can go on"
            way_out = "ask for processes whose number does not vary, or for fewer at a time"
            raise fail(UNSUPPORTED, message, span, way_out)
        self._questioned.append(instance)
        try:
            return self.of(instance, view._replace(committed=True))
        finally:
            self._questioned.pop()

    def of_nobody(self, view: View) -> Expr:
        """Return whether nobody can do anything, other than by a `timeout`."""
        if self.without_timeout or view.inside:
            return terms.FALSE  # what waits for a timeout does not keep one from happening
        if view.committed:  # whoever is asked about by `enabled`, it may be anybody's turn
            view = view._replace(committed=False)
        # who asks for a timeout on the way to the answer gets none: that is no circle
        before = self._questioned, self._questions
        self._questioned, self.without_timeout = [], True
        try:
            able = terms.any_of(self.of(i, view) for i in self.instances)
        finally:
            self.without_timeout = False
            self._questioned, self._questions = before
        return terms.negated(able)
