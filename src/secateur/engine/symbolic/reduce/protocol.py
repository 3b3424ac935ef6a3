"""What a symbolic reachability is: the nodes that suffice, from the initial ones on.

Adding one: a file whose last lines are its row, and that row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.source.records import dataclass

Processes = Sequence[tuple[int, ...]]
"""A safe process model: the actions of each process, by their numbers (`processes.py`)."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A set of nodes, the initial ones among them, each reached from those inside the set."""

    nodes: Diagram
    rounds: int


@dataclass(frozen=True, slots=True)
class ReachRow:
    """A member of the family: its name on the command line, and what it can do."""

    name: str
    title: str
    reach: Callable[[SymbolicProduct, Processes], Reached]
    reference: str
    preserves: frozenset[Preserved]
    """What is preserved if the processes are safe."""
    reduces: bool = True
