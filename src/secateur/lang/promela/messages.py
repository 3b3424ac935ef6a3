"""Messages with more or fewer fields than those of the channel."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.promela import ast
from secateur.lang.promela.variants import Variant
from secateur.lang.promela.wording import fields_of
from secateur.lang.promela.world import Queue
from secateur.maths.ast import Expr


def unfitting(queue: Queue, step: ast.Send | ast.Receive, *conditions: Expr) -> Iterator[Variant]:
    """Yield that a statement has more or fewer fields than the messages of a queue.

    As in Spin, it is executed nevertheless: what is missing is sent as 0, and is not kept when
    received; what is too much is not sent.  But what is not there cannot be received.
    """
    fields, given = len(queue.channel.fields), len(step.args)
    receives = isinstance(step, ast.Receive)
    if given == fields or (isinstance(step, ast.Receive) and step.copy and given < fields):
        return
    fault = fields_of(queue.name, fields, given)
    yield Variant(conditions, fault=fault, besides=not receives or given < fields)
