"""Channels that have no answer: those never made or outside of their array, and those without a buffer whose messages are asked for.

Such a question is a mistake where it comes to be asked: not where `&&`, `||` or `->` pass over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from secateur.lang.promela import ast, terms
from secateur.lang.promela.evaluated import where
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.variants import Variant
from secateur.lang.promela.walk import nodes
from secateur.maths.ast import Expr
from secateur.maths.operators.channels import OF_CHANNELS, POLLED
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
        for fault in OF_CHANNELS:
            asked = where(asking, self._asked(fault, here), self.expressions, here)
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

    def _asked(self, fault: str, here: Here) -> Callable[[object], Expr]:
        return lambda e: self._here(e, here, fault)

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
