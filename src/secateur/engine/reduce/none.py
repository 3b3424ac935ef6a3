"""No reduction."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.engine.reduce.protocol import Choice, Here, Preserved, ReductionRow, Scene


class Unreduced:
    """Everything that happens is expanded."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def choices(self, _here: Here) -> Iterator[Choice]:
        """Yield nothing."""
        return iter(())


NONE = ReductionRow(
    "none",
    "no reduction",
    Unreduced,
    "every action of every state",
    frozenset(Preserved),
    cyclic=False,
)
