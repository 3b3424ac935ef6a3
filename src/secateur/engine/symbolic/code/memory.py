"""What code remembers while it is executed on all states at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from secateur.engine.symbolic.code.numbers import Number
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.source.records import dataclass

Set = list[Diagram]
"""A set: for each of its possible elements, where it is one."""

Value = Diagram | Number | Set
"""A truth value, a number or a set."""


@dataclass(slots=True)
class Memory:
    """Buffers bit by bit, and locals; what was never written is 0, false or {}.

    `state` tells where a bit of the state is set.
    """

    state: Callable[[int], Diagram]
    buffers: dict[int, dict[int, Diagram]] = field(default_factory=dict)
    locals: dict[str, Value] = field(default_factory=dict)
