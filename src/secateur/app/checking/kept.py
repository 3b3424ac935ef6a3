"""What was found out about a model's actions, kept with it for the next reduced search.

Relations do not depend on which reduction or proviso asks for them.  Who tries several on one
model, or checks it again, pays for the analysis once.
"""

from __future__ import annotations

from typing import Final

from secateur.analysis.assumptions import Assumptions
from secateur.analysis.effort import Effort
from secateur.analysis.relations import EventRelations
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.slots.shapes import Shape
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind

_MOST: Final = 2
"""Relations of all states and of those without a fault may be needed by turns."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What the relations are asked for; another occasion has others."""

    kinds: frozenset[PropertyKind]
    effort: Effort
    assumptions: Assumptions


class Kept:
    """A machine taken apart, in one layout, with its relations."""

    def __init__(self, unfolded: UnfoldedMachine, relations: EventRelations) -> None:
        self.machine = unfolded.machine
        self.unfolded = unfolded
        self.relations = relations
        self._shapes: dict[str, Shape] = unfolded.machine.layout.shapes
        self._solutions = len(unfolded.machine.solutions)

    def fits(self, machine: CompiledMachine) -> bool:
        """Whether this is that machine, and its states are as they were."""
        unchanged = machine.layout.shapes == self._shapes
        return self.machine is machine and unchanged and self._counted

    @property
    def _counted(self) -> bool:
        """Whether the constants have no more solutions than there is room for."""
        return len(self.machine.system.solutions) == self._solutions

    @property
    def usable(self) -> bool:
        """Whether a later run finds out as much with it as it would by itself."""
        return self._counted and not self.relations.purse.disturbed


def taken(system: MachineSystem, occasion: Occasion) -> Kept | None:
    """Return what was kept for an occasion; nobody else gets it meanwhile."""
    found = system.kept.pop(occasion, None)
    if not isinstance(found, Kept) or not found.usable:
        return None
    found.relations.resume()
    return found


def keep(system: MachineSystem, occasion: Occasion, what: Kept) -> None:
    """Keep something for the next time, if that is worth while."""
    if not what.usable:
        return
    system.kept[occasion] = what
    while len(system.kept) > _MOST:
        system.kept.pop(next(iter(system.kept)))
