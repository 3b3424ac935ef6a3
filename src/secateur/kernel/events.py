"""Events: a guard in parts, a body, and parameters that are bound by each instance.

All instances of an event share its machine code, which gets the numbers of the parameters
(native/ABI.md).  What an instance touches is seen where they are put in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from secateur.kernel.effects import Effects, effects_of
from secateur.kernel.evaluate import Trapped, holds
from secateur.kernel.language import Action, Block, Local, Number, Predicate, Program, Trap
from secateur.kernel.ranges import Bounds, bounds_of_locals, can_trap
from secateur.kernel.unroll import with_values
from secateur.kernel.verify import verify
from secateur.kernel.walk import expressions, statements
from secateur.source.records import dataclass

MOST_CONJUNCTS: Final = 63
"""What is left of a longer guard is one conjunct."""


@dataclass(frozen=True, slots=True)
class Event:
    """What instances have in common.

    Each conjunct is evaluated by itself and may trap.  The body emits the results in a
    state in which all of them hold.
    """

    name: str
    parameters: tuple[Local, ...]
    bounds: tuple[Bounds, ...]
    """The least and the greatest number of each parameter."""
    guard: tuple[Predicate, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class InstanceCode:
    """Where the code of an instance is, and what it is called with; 0 if the evaluator does it."""

    guard: int
    perform: int
    parameters: Sequence[int]
    operation: int
    """The number of its operation."""


@dataclass(frozen=True, slots=True)
class EventProgram:
    """All events of a model; states are as in `Program`."""

    words: int
    scratch: int
    events: tuple[Event, ...]

    @property
    def program(self) -> Program:
        """The same as a program without instances, whose parameters are locals that nobody sets."""
        return Program(
            self.words,
            self.scratch,
            tuple(Action(e.name, e.body) for e in self.events),
            tuple(p for e in self.events for p in e.guard),
        )


def verify_events(program: EventProgram) -> None:
    """Raise Unlawful if something is wrong with an event."""
    for event in program.events:
        assert len(event.guard) <= MOST_CONJUNCTS, event.name
        assert len(event.parameters) == len(event.bounds), event.name
    verify(program.program)


def instance(event: Event, numbers: Sequence[int]) -> Event:
    """Return an event with its parameters bound; what becomes known by that is folded."""
    values = {p.name: Number(n) for p, n in zip(event.parameters, numbers, strict=True)}
    if not values:
        return event
    guard: list[Predicate] = []
    for each in event.guard:
        body, (result,) = with_values(each.body, (each.result,), values)
        guard.append(Predicate(each.name, body, result))
    body, _ = with_values(event.body, (), values)
    return Event(event.name, (), (), tuple(guard), body)


def may_hold(conjunct: Predicate, numbers: Mapping[str, int], words: int) -> bool:
    """Whether a conjunct that does not look at the state is true of some numbers, or traps."""
    values = {name: Number(n) for name, n in numbers.items()}
    body, (result,) = with_values(conjunct.body, (conjunct.result,), values)
    try:
        return holds(Program(words), Predicate(conjunct.name, body, result), (0,) * words)
    except Trapped:
        return True


def may_trap(conjunct: Predicate) -> bool:
    """Whether a conjunct may have no value somewhere."""
    known = bounds_of_locals(conjunct.body)
    within = list(statements(conjunct.body))
    computed = (conjunct.result, *(e for s in within for e in expressions(s)))
    return any(isinstance(s, Trap) for s in within) or any(can_trap(e, known) for e in computed)


def effects_of_guard(bound: Event, words: int) -> tuple[Effects, ...]:
    """Return the effects of each conjunct of an instance."""
    return tuple(effects_of(p.body, words, p.result) for p in bound.guard)


def effects_of_body(bound: Event, words: int) -> Effects:
    """Return the effects of the body of an instance."""
    return effects_of(bound.body, words)
