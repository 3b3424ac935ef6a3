"""The whole graph first, then the product."""

from __future__ import annotations

from collections import deque

from secateur.engine.liveness.approach.protocol import ApproachRow
from secateur.engine.liveness.graph import Graph
from secateur.system.system import State


def everything(graph: Graph) -> None:
    """Expand every state that can be reached, nearest first.

    A reduction then knows nothing of the product, as I. Dobrikov, M. Leuschel: *Optimising the
    ProB Model Checker for B using Partial Order Reduction*, 2016, section 5, have it.
    """
    todo: deque[State] = deque(graph.initial())
    seen = set(todo)
    while todo:
        for transition in graph.edges(todo.popleft()):
            if transition.target not in seen:
                seen.add(transition.target)
                todo.append(transition.target)


STATIC = ApproachRow("static", "the whole graph first", everything)
