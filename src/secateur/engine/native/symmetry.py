"""A symmetry handed over to the native explorer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol

from secateur._native import Explorer, Product
from secateur.engine.native.protocol import Packed
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.engine.symmetry.flood import FLOOD
from secateur.engine.symmetry.markers import MARKERS
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.source.records import dataclass

_SAMPLE: Final = 500
"""Of so many states it is found out how many each of them stands for."""


class PackedSymmetry(Protocol):
    """A symmetry of packed states: which numbers in them are moved, and how."""

    @property
    def elements(self) -> int:
        """How many elements may be exchanged."""

    @property
    def spaces(self) -> Sequence[Any]:
        """What may be stored as a number."""

    @property
    def units(self) -> Sequence[Any]:
        """The numbers that are moved."""

    @property
    def solution_bits(self) -> tuple[int, int, int]:
        """Where the number of the constants' solution is."""

    def stabilisers(
        self, *, everything: bool = False
    ) -> Iterable[tuple[list[list[int]], list[list[int]]]]:
        """Yield for each solution the cells and renamings that keep it.

        With `everything`, all permutations are among the renamings.
        """

    def image(self, space: int, code: int, names: Sequence[int]) -> int:
        """Return what becomes of a value that is known by its number only."""

    def require_no_rule(self) -> None:
        """Raise Asymmetric if a value was met that may depend on elements in secret."""


@dataclass(slots=True)
class NativeMerging:
    """A strategy with a native twin, and how the symmetry of a packed system is found."""

    strategy: StrategyRow
    pack: Callable[[Packed], PackedSymmetry]
    orbits: float | None = None
    """How many states each one that was explored stands for, on average; None if unknown."""
    _symmetry: PackedSymmetry | None = None

    @property
    def canonical(self) -> bool:
        """Whether what is explored are canonical forms."""
        return self.strategy.name == CANONICAL.name

    def install(self, packed: Packed, explorer: Explorer | Product) -> None:
        """Tell the explorer what may be exchanged, before it runs."""
        symmetry = self._symmetry = self.pack(packed)
        if self.strategy.name == MARKERS.name:
            assert isinstance(explorer, Explorer)
            explorer.fingerprint = True
        explorer.set_symmetry(self.strategy.name, symmetry.elements, symmetry.image)
        for row in symmetry.spaces:
            explorer.add_space(row.kind, row.members, row.left, row.right, row.right_size)
        for unit in symmetry.units:
            explorer.add_unit(
                unit.bits,
                unit.presence.bits,
                unit.presence.least,
                unit.space,
                unit.place,
                unit.coordinates,
                unit.mentions,
            )
        explorer.set_solutions(symmetry.solution_bits)
        for cells, renamings in symmetry.stabilisers(everything=self.strategy.name == FLOOD.name):
            explorer.add_stabiliser(cells, renamings)

    def require_no_rule(self) -> None:
        """Raise Asymmetric if a value was met that may depend on elements in secret."""
        assert self._symmetry is not None
        self._symmetry.require_no_rule()

    def tell(self, explorer: Explorer) -> None:
        """Take over what the explorer has to say of it; raise Asymmetric if it was in vain."""
        self.require_no_rule()
        if explorer.states and not self.canonical and self.strategy.exact:
            self.orbits = (explorer.states + explorer.flooded) / explorer.states
        elif self.canonical:
            sample = explorer.sample(_SAMPLE)
            sizes = [explorer.orbit(words) for words in sample]
            self.orbits = sum(sizes) / len(sizes) if sizes else None
