"""Channels that have no answer: those never made or outside of their array, and those without a buffer whose messages are asked for.

Such a question is a mistake where it comes to be asked: not where `&&`, `||` or `->` pass over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from secateur.lang.promela import ast, terms
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.variants import Variant
from secateur.lang.promela.walk import below, nodes
from secateur.maths.ast import Expr
from secateur.maths.operators.channels import POLLED, REASONS
from secateur.source.records import dataclass


@dataclass()
class Unanswered:
    """The mistakes of this kind in one world."""

    expressions: Expressions
    _asking: dict[int, tuple[object, bool]] = field(default_factory=dict)
    """Whether something asks anything of a channel, by identity; most does not."""

    def faults(self, asking: object, here: Here) -> Iterator[Variant]:
        """Yield where a statement, or a clause of a proctype, asks what has no answer."""
        if not self._asks(asking):
            return
        for fault in REASONS:
            asked = self._within(asking, here, fault)
            if asked is not terms.FALSE:
                yield Variant((asked,), fault=fault)

    def never_made(self, channel: ast.Expr, here: Here) -> Iterator[Variant]:
        """Yield where a channel that is sent to or received from was never made, or is none."""
        none = self._none(channel, here)
        if none is not terms.FALSE:
            yield Variant((none,), fault=self.expressions.no_queue(channel, here))

    def _none(self, channel: ast.Expr, here: Here) -> Expr:
        known = self.expressions.queues(channel, here)
        return terms.all_of(terms.negated(condition) for condition, _ in known)

    def _asks(self, asking: object) -> bool:
        found = self._asking.get(id(asking))
        if found is None:
            asks = any(isinstance(n, ast.ChannelTest | ast.Poll) for n in nodes(asking))
            found = self._asking[id(asking)] = asking, asks
        return found[1]

    def _within(self, e: object, here: Here, fault: str) -> Expr:
        """Return where a mistake is made while something is evaluated, from left to right."""
        match e:
            case ast.Binary("&&" | "||" as op, left, right):
                goes_on = self.expressions.condition(left, here)
                goes_on = goes_on if op == "&&" else terms.negated(goes_on)
                second = terms.all_of((goes_on, self._within(right, here, fault)))
                return terms.any_of((self._within(left, here, fault), second))
            case ast.Conditional(condition, then, otherwise):
                holds = self.expressions.condition(condition, here)
                first = terms.all_of((holds, self._within(then, here, fault)))
                second = terms.all_of((terms.negated(holds), self._within(otherwise, here, fault)))
                return terms.any_of((self._within(condition, here, fault), first, second))
        parts = terms.any_of(self._within(part, here, fault) for part in below(e))
        return terms.any_of((parts, self._here(e, here, fault)))

    def _here(self, e: object, here: Here, fault: str) -> Expr:
        match e:
            case ast.ChannelTest(_, channel) | ast.Poll(channel) if (
                fault == self.expressions.no_queue(channel, here)
            ):
                return self._none(channel, here)
            case ast.Poll(channel) if fault == POLLED:
                queues = self.expressions.queues(channel, here)
                return terms.any_of(c for c, queue in queues if not queue.channel.capacity)
            case _:
                return terms.FALSE
