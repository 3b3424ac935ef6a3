"""The buffers of queues: what is written where a message is put in, or taken out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.promela import terms
from secateur.lang.promela.expressions import Expressions
from secateur.lang.promela.terms import Term, Width
from secateur.lang.promela.variants import Write
from secateur.lang.promela.view import View
from secateur.lang.promela.world import Queue
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Buffers:
    """The buffers of the queues in one world."""

    expressions: Expressions

    def appended(self, queue: Queue, values: Sequence[Term], view: View) -> Iterator[Write]:
        """Yield what puts a message behind all others."""
        length = self.expressions.length(queue, view)
        index = length if queue.channel.capacity > 1 else None
        for j, value in enumerate(values):
            yield Write(queue.field(j), value, index)
        yield Write(queue.length, terms.add(length, terms.number(1)))

    def put_in_order(
        self, queue: Queue, given: Sequence[Term], values: Sequence[Term], view: View
    ) -> Iterator[Write]:
        """Yield what puts a message before the first that is greater; it is compared as given."""
        length = self.expressions.length(queue, view)
        capacity = queue.channel.capacity
        fields = range(len(values))
        cells = [
            [self.expressions.cell(queue, j, i, view) for j in fields] for i in range(capacity)
        ]
        before = [
            terms.any_of(
                (terms.compare("<=", length, terms.number(i)), terms.before(given, cells[i]))
            )
            for i in range(capacity)
        ]
        for i in range(capacity):
            for j in fields:
                new = values[j]
                if i > 0:
                    new = terms.choose(before[i - 1], cells[i - 1][j], new)
                # a place after the last message stays as it is, unless something gets there
                used = terms.compare("<=", terms.number(i), length)
                value = terms.choose(terms.all_of((before[i], used)), new, cells[i][j])
                yield Write(queue.field(j), value, _place(queue, i))
        yield Write(queue.length, terms.add(length, terms.number(1)))

    def removed(self, queue: Queue, place: int, view: View) -> Iterator[Write]:
        """Yield what takes the message at a place out; those behind it move up."""
        capacity = queue.channel.capacity
        length = self.expressions.length(queue, view)
        yield Write(queue.length, terms.subtract(length, terms.number(1)))
        for j in range(len(queue.channel.fields)):
            for i in range(place, capacity):
                following = terms.number(0)
                if i + 1 < capacity:
                    following = self.expressions.cell(queue, j, i + 1, view)
                yield Write(queue.field(j), following, _place(queue, i))


def _place(queue: Queue, i: int) -> Term | None:
    """Return the index of a place; the buffer of a single message is no array."""
    return terms.number(i) if queue.channel.capacity > 1 else None


def width_of_length(queue: Queue) -> Width:
    """Return how the number of messages in a queue is stored."""
    return Width(max(1, queue.channel.capacity.bit_length()))
