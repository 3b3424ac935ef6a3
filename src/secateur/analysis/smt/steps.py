"""Actions and checks in a state of formulas: when they happen, hold, or are at fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from secateur.analysis.smt.execute import Emitted, Execution
from secateur.analysis.smt.memory import Memory
from secateur.analysis.smt.values import Truth, both, either, negated
from secateur.kernel.events import Event
from secateur.kernel.language import Predicate
from secateur.source.records import dataclass
from secateur.system.events import Action

_SCRATCH: Final = 1 << 16
"""More words than any code uses besides the state."""


@dataclass(frozen=True, slots=True)
class Condition:
    """When something is true, and when it has no value."""

    true: Truth
    undefined: Truth

    @property
    def false(self) -> Truth:
        """When it is false."""
        return negated(either(self.true, self.undefined))

    @property
    def not_true(self) -> Truth:
        """When it is false or has no value."""
        return negated(self.true)

    @property
    def perhaps(self) -> Truth:
        """When it is true or has no value."""
        return either(self.true, self.undefined)


@dataclass(frozen=True, slots=True)
class Performed:
    """An action in a state.

    `possible`: it is not so that it surely does not happen; `happens`: it does, not at
    fault.  The `results` are told for where it happens.
    """

    guard: tuple[Condition, ...]
    has_result: Condition
    possible: Truth
    happens: Truth
    results: tuple[Emitted, ...]

    @property
    def at_fault(self) -> Truth:
        """When the action is at fault."""
        return both(self.possible, negated(self.happens))


@dataclass(slots=True)
class Steps:
    """Translates code, and collects what is known of every lawful state."""

    words: int
    facts: dict[str, Truth] = field(default_factory=dict)

    def condition(self, predicate: Predicate, state: Memory) -> Condition:
        """Return when a predicate holds."""
        execution = Execution(self.words, _SCRATCH, state, facts=self.facts)
        true = execution.run(predicate.body, predicate.result)
        return Condition(true, execution.traps)

    def perform(self, action: Action, code: Event, state: Memory) -> Performed:
        """Return when an action happens, and its results."""
        guard = tuple(self.condition(predicate, state) for predicate in code.guard)
        body = Execution(self.words, _SCRATCH, state, facts=self.facts)
        body.run(code.body)
        holds = both(*(c.true for c in guard))
        some: Truth = True if action.total else either(*(e.when for e in body.emitted))
        missing = both(holds, negated(body.traps), negated(some))
        impossible = either(_disabled(action, guard), missing)
        return Performed(
            guard,
            Condition(negated(either(missing, both(holds, body.traps))), both(holds, body.traps)),
            negated(impossible),
            both(holds, negated(body.traps), some),
            tuple(body.emitted),
        )


def _disabled(action: Action, guard: Sequence[Condition]) -> Truth:
    """Return when a guard keeps an action from happening, as `system.events.disabled` says."""
    found: list[Truth] = []
    so_far: list[Truth] = []
    for condition in guard[: action.ordered]:
        found.append(both(*so_far, condition.false))
        so_far.append(condition.true)
    found.append(both(*so_far, either(*(c.false for c in guard[action.ordered :]))))
    return either(*found)
