"""How many states, transitions and operations a run has seen, counted as probcli counts them.

The root is a state; a state is `live` if it was expanded and has a successor.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from secateur.source.records import dataclass
from secateur.system.result import Result
from secateur.system.statistics import VariableCoverage
from secateur.system.system import SETUP_CONSTANTS, PropertyKind, State, System, Transition


@dataclass(frozen=True, slots=True)
class Census:
    """The counts; `operations` has how often each occurs, SETUP_CONSTANTS included."""

    total: int
    transitions: int
    operations: Mapping[str, int]
    declared: tuple[str, ...]
    deadlocked: int = 0
    invariant_violated: int = 0
    invariant_not_checked: int = 0
    open: int = 0
    uninitialised: int = 1
    """States before the initialisation: the root, and one for each solution of the constants."""
    coverage: tuple[VariableCoverage, ...] = ()

    @property
    def covered(self) -> dict[str, int]:
        """The operations that occur, by name."""
        return {
            name: self.operations[name] for name in sorted(self.operations) if self.operations[name]
        }

    @property
    def uncovered(self) -> list[str]:
        """The declared operations that do not."""
        return sorted(name for name in self.declared if not self.operations.get(name))

    def line(self) -> str:
        """Return the line that scripts look at."""
        none_first = ("deadlocked", "invariant_violated", "invariant_not_checked", "open")
        some_last = ("deadlocked", "invariant_violated", "open", "invariant_not_checked")
        live = self.total - self.deadlocked - self.open
        parts = [f"STATES ({self.total})"]
        parts += [f"{name}:0" for name in none_first if not getattr(self, name)]
        parts.append(f"live:{live}")
        parts += [f"{name}:{getattr(self, name)}" for name in some_last if getattr(self, name)]
        parts += [f"total:{self.total}", "TOTAL_TRANSITIONS", str(self.transitions)]
        parts.append(f"COVERED_OPERATIONS ({len(self.covered)})")
        parts += [f"{name}:{count}" for name, count in self.covered.items()]
        parts += [f"UNCOVERED_OPERATIONS ({len(self.uncovered)})", *self.uncovered]
        return f"[{','.join(parts)}]"

    def summary(self) -> list[str]:
        """Return the same in words."""
        lines = [
            "Coverage:",
            f" States: {self.total}",
            f" Transitions: {self.transitions}",
            f" Uninitialised states: {self.uninitialised} (root and constants only)",
        ]
        if self.uncovered:
            missing = ", ".join(self.uncovered)
            lines.append(f" Uncovered operations ({len(self.uncovered)}): {missing}")
        else:
            lines.append(f" All {len(self.declared)} possible operations have been covered")
        return lines


def of_result(result: Result, declared: Sequence[str], *, invariants: bool) -> Census:
    """Return the counts of a search; `invariants`: whether it looked at the invariants."""
    statistics = result.statistics
    found = {kind: [v.count for v in result.violations if v.kind is kind] for kind in PropertyKind}
    uninitialised = 1 + statistics.operations.get(SETUP_CONSTANTS, 0)
    initialised = statistics.states + 1 - uninitialised
    empty = not statistics.states  # then it is the root that nothing leads out of
    return Census(
        total=statistics.states + 1,
        transitions=statistics.transitions,
        operations=statistics.operations,
        declared=tuple(declared),
        deadlocked=1 if empty else sum(found[PropertyKind.DEADLOCK]),
        invariant_violated=max(found[PropertyKind.INVARIANT], default=0),
        invariant_not_checked=statistics.waiting if invariants else initialised,
        open=statistics.waiting,
        uninitialised=uninitialised,
        coverage=statistics.coverage,
    )


@dataclass(slots=True)
class Footprint:
    """The states that an animation has come by, with all that leads out of them."""

    system: System
    declared: tuple[str, ...]
    expanded: set[State | None] = field(default_factory=set)
    _reached: set[State] = field(default_factory=set)
    _operations: dict[str, int] = field(default_factory=dict)
    _deadlocked: int = 0

    def add(self, state: State | None, enabled: Iterable[Transition]) -> None:
        """Note what leads out of a state (None is the root)."""
        if state in self.expanded:
            return
        self.expanded.add(state)
        outgoing = list(enabled)
        self._deadlocked += not outgoing
        for transition in outgoing:
            self._reached.add(transition.target)
            name = transition.step.operation
            self._operations[name] = self._operations.get(name, 0) + 1

    def census(self, violated: int) -> Census:
        """Return the counts; in `violated` states an invariant was seen to fail."""
        known = {state for state in self.expanded if state is not None} | self._reached
        waiting = known - self.expanded
        setups = sum(not self.system.is_initialised(state) for state in known)
        return Census(
            total=len(known) + 1,
            transitions=sum(self._operations.values()),
            operations=self._operations,
            declared=self.declared,
            deadlocked=self._deadlocked,
            invariant_violated=violated,
            invariant_not_checked=len(waiting),
            open=len(waiting) + (None not in self.expanded),
            uninitialised=1 + setups,
        )
