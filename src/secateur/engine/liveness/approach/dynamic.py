"""On the fly: states are expanded when the search of the product comes to them."""

from __future__ import annotations

from secateur.engine.liveness.approach.protocol import ApproachRow
from secateur.engine.liveness.graph import Graph


def later(_graph: Graph) -> None:
    """Explore nothing: a violation may be found soon."""


DYNAMIC = ApproachRow("dynamic", "as the formula asks for states", later)
