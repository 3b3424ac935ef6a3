"""A reduction handed over to the native engine: its instances, its question, its relations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from secateur.engine.provisos.static import Static
from secateur.engine.reduce.process_ample import ProcessAmple
from secateur.engine.reduce.reduction import Reduction
from secateur.kernel.events import InstanceCode
from secateur.kernel.places import split_words
from secateur.source.records import dataclass
from secateur.system.events import EventSystem

if TYPE_CHECKING:  # without it, Python explores what is left
    from secateur._native import Explorer, Product

METHODS: Final = frozenset({"stubborn", "upset", "best", "ample", "process-ample"})
PROVISOS: Final = frozenset(
    {None, "reliance", "open", "open-liveness", "visited", "static", "stack", "none"}
)
"""What has a native twin."""


class CompiledActions(EventSystem, Protocol):
    """An event system whose actions are machine code."""

    @property
    def words(self) -> int:
        """How many words a state has."""

    def machine_code(self, action: int) -> InstanceCode:
        """Return the code of an action."""


@dataclass(frozen=True, slots=True)
class NativePruning:
    """A reduction with a native twin, on a system that is compiled."""

    system: CompiledActions
    reduction: Reduction

    def install(self, native: Explorer | Product) -> None:
        """Tell native code what it needs to know before it runs."""
        for number, action in enumerate(self.system.actions):
            code = self.system.machine_code(number)
            native.add_instance(
                code.guard,
                code.perform,
                code.parameters,
                code.operation,
                len(action.guard),
                action.ordered,
                action.total,
            )
            reads = 0
            for conjunct in action.guard:
                reads |= conjunct.reads
            native.set_reads(number, split_words(reads, self.system.words))
        if isinstance(self.reduction.reducer, ProcessAmple):
            for instance, process in enumerate(self.reduction.reducer.belongings()):
                native.set_process(instance, process)
        if isinstance(self.reduction.proviso, Static):
            for instance in self.reduction.proviso.sticky:
                native.set_sticky(instance)
        method, proviso = self.reduction.names
        question = self.reduction.scene.question
        native.reduce(
            method,
            proviso or "none",
            question.deadlocks,
            question.checks,
            question.faults,
            None if question.visible is None else sorted(question.visible),
        )

    def row(self, relation: str, of: int, conjunct: int) -> Sequence[int]:
        """Return the numbers that a relation has on one side of a number."""
        scene = self.reduction.scene
        lookup, question = scene.lookup, scene.question
        if relation == "enablers":
            return lookup.enablers(of, conjunct)
        rows: dict[str, Callable[[int], Sequence[int]]] = {
            "dependents": lookup.dependents,
            "enabled": lookup.enabled_by,
            "violators": lookup.violators,
            "provokers": lookup.provokers,
            "disablers": lookup.disablers,
            "excluded": lookup.excluded,
            "stranders": lambda _: lookup.stranders(),
            "repaired": lambda a: [c for c in question.checks if lookup.repairs(a, c)],
            "healed": lambda a: [b for b in question.faults if lookup.heals(a, b)],
        }
        return rows[relation](of)

    def tell(self, native: Explorer | Product) -> None:
        """Take over what native code has counted."""
        tally = self.reduction.tally
        (
            tally.expanded,
            tally.reduced,
            tally.refused,
            tally.trapped,
            tally.happening,
            tally.taken,
        ) = native.pruned
