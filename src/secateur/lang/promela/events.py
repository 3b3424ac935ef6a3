"""`trace` and `notrace`: the order in which messages may be sent and received, or must not be.

The assertion is an automaton whose place is part of the state.  It goes on whenever a message is
sent to or received from a channel that it speaks of; of a channel that it speaks of with `!`
only, what is received does not matter, and the other way round.
A `trace` is violated where it cannot go on; a `notrace` where it comes to its end, and of an
event that does not fit it is content for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from secateur.lang.promela import ast, terms
from secateur.lang.promela.ast import Special
from secateur.lang.promela.automata import automaton
from secateur.lang.promela.automaton import Automaton, Edge, Terminate
from secateur.lang.promela.codes import EVENT_TRACE
from secateur.lang.promela.expressions import PROCESSES, Expressions, Here
from secateur.lang.promela.terms import BYTE, Term, Width
from secateur.lang.promela.variants import Variant, Write
from secateur.lang.promela.view import UNCHANGED, View
from secateur.lang.promela.world import Queue
from secateur.maths.ast import Expr
from secateur.source import InputError, Span, fail
from secateur.source.records import dataclass

PLACE: Final = "_event"
"""The variable that tells where the assertion is."""


@dataclass(frozen=True, slots=True)
class Event:
    """A message that takes the assertion from one place to another; None for a field that may be anything."""

    source: int
    target: int
    queue: Queue
    sent: bool
    fields: tuple[int | None, ...]

    @property
    def scope(self) -> tuple[Queue, bool]:
        """What it makes the assertion look at."""
        return self.queue, self.sent

    def overlaps(self, other: Event) -> bool:
        """Whether one message may be both."""
        alike = (self.source, *self.scope) == (other.source, *other.scope)
        return alike and all(
            a is None or b is None or a == b
            for a, b in zip(self.fields, other.fields, strict=False)
        )


class EventTrace:
    """The assertion of a program at work."""

    def __init__(self, trace: ast.EventTrace, expressions: Expressions) -> None:
        self.trace = trace
        self._expressions = expressions
        self.graph: Automaton = automaton(trace.proctype, claim=True)
        self.events = [
            self._event(edge) for edge in self.graph.edges if not isinstance(edge.step, Terminate)
        ]
        self._scopes = {event.scope for event in self.events}
        self._refuse_choices()
        self.most = max(place.number for place in self.graph.locations)

    # -- what is written ----------------------------------------------------------------------------

    def _event(self, edge: Edge) -> Event:
        step = edge.step
        if not isinstance(step, ast.Send | ast.Receive) or _out_of_order(step) or _copies(step):
            raise _refused(
                f"nothing but simple sends and receives may stand in a {self.word}", edge.span
            )
        queues = self._expressions.queues(step.channel, Here(None, UNCHANGED))
        assigned = self._expressions.world.assigned
        fixed = isinstance(step.channel, ast.Use) and step.channel.variable not in assigned
        if len(queues) != 1 or not fixed:
            raise _refused(f"it is not known which channel the {self.word} means", edge.span)
        if queues[0][1].channel.capacity == 0:
            raise _refused(f"a {self.word} cannot speak of a rendezvous", edge.span)
        fields = tuple(self._field(arg, edge.span) for arg in step.args)
        return Event(edge.source, edge.target, queues[0][1], isinstance(step, ast.Send), fields)

    def _field(self, arg: ast.Expr, span: Span) -> int | None:
        if isinstance(arg, ast.Known) and arg.special is Special.SCRATCH:
            return None
        inner = arg.value if isinstance(arg, ast.Eval) else arg
        found = self._expressions.number(inner, Here(None, UNCHANGED)).constant
        if found is None:
            raise _refused("a field of a message must be a constant or _ here", span)
        return found

    def _refuse_choices(self) -> None:
        for number, event in enumerate(self.events):
            if any(event.overlaps(other) for other in self.events[:number]):
                message = f"the {self.word} is not deterministic: a message fits twice"
                raise _refused(message, self.trace.span)

    @property
    def word(self) -> str:
        """What it is called in the language."""
        return "notrace" if self.trace.negated else "trace"

    # -- what happens -------------------------------------------------------------------------------

    @property
    def width(self) -> Width:
        """How its place is stored."""
        return Width(self.most.bit_length())

    def over(self) -> Expr:
        """Return whether it may be where it is when nobody goes on, or there is nobody any more."""
        place = UNCHANGED.read(PLACE, self.width)
        ends = (terms.equal(place, terms.number(p.number)) for p in self.graph.locations if p.end)
        nobody = terms.equal(UNCHANGED.read(PROCESSES, BYTE), terms.number(0))
        return terms.any_of((nobody, *ends))

    def followed(self, variants: Iterable[Variant], step: object, view: View) -> Iterator[Variant]:
        """Yield the ways to execute a statement, with what the assertion makes of them."""
        for variant in variants:
            yield variant if variant.message is None else self._followed(variant, step, view)

    def _followed(self, variant: Variant, step: object, view: View) -> Variant:
        assert variant.message is not None
        queue, values = variant.message
        if not isinstance(step, ast.Send | ast.Receive) or _copies(step):
            return variant
        scope = queue, isinstance(step, ast.Send)
        if scope not in self._scopes:
            return variant
        if _out_of_order(step):
            message = f"!! and ?? of a channel that a {self.word} speaks of are not supported"
            raise _refused(message, step.span)
        place = view.read(PLACE, self.width)
        events = [event for event in self.events if event.scope == scope]
        fits = [_fits(event, place, values) for event in events]
        following = terms.number(self.graph.end) if self.trace.negated else place
        for fit, event in zip(fits, events, strict=True):
            following = terms.choose(fit, terms.number(event.target), following)
        right = self._right(events, fits)
        asserted = right, ast.Assert(ast.Number(0, "", self.trace.span), self.trace.span)
        return variant._replace(
            writes=(*variant.writes, Write(PLACE, following)),
            asserted=(*variant.asserted, asserted),
        )

    def _right(self, events: Sequence[Event], fits: Sequence[Expr]) -> Expr:
        """Return whether it is not violated by an event; `fits` says where it is which one."""
        if not self.trace.negated:
            return terms.any_of(fits)
        last = [f for f, event in zip(fits, events, strict=True) if event.target == self.graph.end]
        return terms.negated(terms.any_of(last))


def _fits(event: Event, place: Term, values: tuple[Term, ...]) -> Expr:
    wanted = [
        terms.equal(value, terms.number(field))
        for value, field in zip(values, event.fields, strict=False)  # as many as are written
        if field is not None
    ]
    return terms.all_of((terms.equal(place, terms.number(event.source)), *wanted))


def _out_of_order(step: ast.Send | ast.Receive) -> bool:
    return step.sorted if isinstance(step, ast.Send) else step.any_place


def _copies(step: ast.Send | ast.Receive) -> bool:
    """Whether the message stays where it is, which is no event."""
    return isinstance(step, ast.Receive) and step.copy


def _refused(message: str, span: Span) -> InputError:
    return fail(EVENT_TRACE, message, span, "state the property with 'ltl' or a never claim")
