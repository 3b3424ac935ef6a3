"""What lies around the recorded states: left-out paths, tried by definition as far as a bound allows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from secateur.audit.states import Look, States, members
from secateur.source.records import dataclass
from secateur.system.packing import Misfit
from secateur.system.system import PropertyKind

NO_OPERATION: Final = "no operation is enabled"
"""What a deadlock is called."""


@dataclass()
class Surroundings:
    """The states found by doing everything from the recorded ones."""

    looked: list[int] = field(default_factory=list)
    """Those of which all successors are known."""
    found: int = 0
    complete: bool = False
    """Whether these are all that can be reached."""
    why: str = ""


def explore(
    states: States, recorded: Sequence[int], bound: int, meet: Callable[[int], None]
) -> Surroundings:
    """Return what can be reached from recorded states; `meet` is told of all others."""
    around = Surroundings()
    seen = set(recorded)
    queue = deque(recorded)
    most = len(seen) + bound
    while queue:
        if len(seen) > most:
            around.why = f"more than {bound} states are around the recorded ones"
            break
        state = queue.popleft()
        following = states.next_to(state)
        if following is None:
            around.why = "a result of some action has no code"
            break
        for other in sorted(following):
            if other not in seen:
                seen.add(other)
                queue.append(other)
                meet(other)
        around.looked.append(state)
    around.found = len(seen)
    around.complete = not around.why
    return around


class Seen(NamedTuple):
    """What is wrong in a state or on the way out of it, and what could not be decided there."""

    wrong: list[tuple[str, str]]
    """Kind and name of each."""
    gaps: list[str]


def seen_at(states: States, state: int, *, by_evaluator: bool = False) -> Seen:
    """Return what is wrong and what is open in a state.

    The evaluator is asked about properties that do not hold as compiled, or about all of them.
    """
    look = states.look(state)
    seen = Seen([], [])
    if look.faulty:
        try:
            evaluated = states.evaluated(state)
        except Misfit as misfit:
            seen.gaps.append(f"{misfit.place}: a state has no room for a value")
            return seen
        seen.wrong.extend(evaluated.wrong)
        seen.gaps.extend(evaluated.gaps)
    if by_evaluator or any(states.holds(check, state) is not True for check in states.checks):
        wrong, gaps = states.wrong_in(state)
        seen.wrong.extend(wrong)
        seen.gaps.extend(gaps)
    stuck = not look.enabled and not look.faulty
    if PropertyKind.DEADLOCK in states.kinds and stuck and not states.system.may_end(state):
        seen.wrong.append((PropertyKind.DEADLOCK.value, NO_OPERATION))
    return seen


class Paths:
    """Follows the actions left out in a state, and sees whether they keep away from those chosen.

    That is the definition of a persistent set: on every path of others, what is chosen goes on
    happening, and each step of the path commutes with it.
    """

    def __init__(self, states: States, each: int, all_together: int) -> None:
        self.states = states
        self.each = each
        """So many states are followed from one."""
        self.left = all_together
        self.explored = 0
        self.bounded = 0
        self._fine: set[tuple[int, int]] = set()
        """States in which the others keep away from what was chosen."""

    def follow(self, start: int, chosen: int) -> tuple[int, int, int] | None:
        """Return where, and which chosen and other action, meet; None if none do."""
        seen = {start}
        queue = deque(seen)
        while queue:
            if len(seen) > self.each or self.left < 0:
                self.bounded += 1
                return None
            state = queue.popleft()
            look = self.states.look(state)
            if look.faulty:  # what comes after is found from there, in full
                continue
            if (state, chosen) not in self._fine:
                met = self._meeting(look, chosen)
                if met is not None:
                    return (state, *met)
                self._fine.add((state, chosen))
            for e in members(look.enabled & ~chosen):
                for r in look.results[e]:
                    if r not in seen:
                        seen.add(r)
                        queue.append(r)
        self.explored += 1
        return None

    def _meeting(self, look: Look, chosen: int) -> tuple[int, int] | None:
        others = members(look.enabled & ~chosen)
        for a in members(chosen):
            if not look.enabled >> a & 1:
                return a, -1
            for e in others:
                self.left -= 1
                if self._clash(look, a, e):
                    return a, e
        return None

    def _clash(self, look: Look, a: int, e: int) -> bool:
        one: set[int] = set()
        other: set[int] = set()
        for first, second, ends in ((a, e, one), (e, a, other)):
            for r in look.results[first]:
                after = self.states.look(r)
                if second in after.faulty or not after.enabled >> second & 1:
                    return True
                ends.update(after.results[second])
        return one != other
