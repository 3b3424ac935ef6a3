"""Messages with more or fewer fields than those of the channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.promela import ast, terms
from secateur.lang.promela.terms import Term
from secateur.lang.promela.variants import Variant
from secateur.lang.promela.wording import fields_of
from secateur.lang.promela.world import Queue
from secateur.maths.ast import Expr


def as_sent(message: Sequence[Term], queue: Queue) -> list[Term]:
    """Return as many fields as the messages of a queue have."""
    count = len(queue.channel.fields)
    return [*message[:count], *[terms.number(0)] * (count - len(message))]


def unfitting(queue: Queue, step: ast.Send | ast.Receive, *conditions: Expr) -> Iterator[Variant]:
    """Yield that a statement has more or fewer fields than the messages of a queue.

    As in Spin, it is executed nevertheless: what is missing is sent as 0, and is not kept when
    received; what is too much is not sent.  But what there is not cannot be received or looked at,
    unless messages have one field only (`looked_at`).
    """
    fields, given = len(queue.channel.fields), len(step.args)
    looks = isinstance(step, ast.Receive) and step.copy
    impossible = isinstance(step, ast.Receive) and given > fields > 1
    if given != fields and (impossible or not looks):
        fault = fields_of(queue.name, fields, given)
        yield Variant(conditions, fault=fault, besides=not impossible)
