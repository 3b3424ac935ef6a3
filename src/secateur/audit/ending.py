"""What a run said in the end: whether that fits together, and fits the states that it recorded."""

from __future__ import annotations

from secateur.audit.certificate import TRAPPED, Chosen, Claimed
from secateur.audit.states import Evaluated, Look
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.system import Transition


def misfit_of(claimed: Claimed) -> str | None:
    """Return in which way a run contradicts itself; None if it does not."""
    verdict, named = claimed.verdict, bool(claimed.violations)
    if (verdict == "violated") != named:
        return f"the verdict is '{verdict}', and {'a' if named else 'no'} violation is named"
    if verdict == "holds" and not claimed.exhaustive:
        return "the verdict is 'holds', and the run does not claim to be complete"
    if verdict == "incomplete" and claimed.exhaustive:
        return "the verdict is 'incomplete', and the run claims to be complete"
    if claimed.exhaustive and claimed.reasons:
        return f"the run claims to be complete, and says why it is not: {claimed.reasons[0]}"
    return None


@dataclass()
class Counts:
    """What a run can have counted, as far as its records tell."""

    setups: int = 0
    """Valuations of the constants, each of which is a state."""
    recorded: int = 0
    reached: int = 0
    """States that are recorded, initial, or a step away from those recorded."""
    distinct: int = 0
    """Transitions to initial states, and those of the records; what is the same is counted once."""
    expanded: int = 0
    """The same, each counted."""
    happening: int = 0
    """The same with those that were left out."""

    def begin(self, transitions: list[Transition]) -> None:
        """Count what comes before recorded states."""
        self.distinct += len(set(transitions))
        self.expanded += len(transitions)
        self.happening += len(transitions)

    def add(self, system: EventSystem, look: Look, chosen: Chosen, evaluated: Evaluated) -> None:
        """Count what leads out of a recorded state."""
        every = sum(map(len, look.results.values()))
        self.happening += max(every, evaluated.transitions)
        if chosen == TRAPPED:
            self.distinct += sum(map(len, evaluated.targets.values()))
            self.expanded += evaluated.transitions
            return
        taken = look.results.keys() & chosen if isinstance(chosen, tuple) else look.results.keys()
        self.expanded += sum(len(look.results[a]) for a in taken)
        names = {a: (system.actions[a].operation, system.actions[a].arguments) for a in taken}
        self.distinct += len({(names[a], r) for a in taken for r in look.results[a]})

    def objection(self, claimed: Claimed, *, reopened: bool) -> str | None:
        """Return which count cannot be; None if both can.

        What a run that was stopped had found is known within bounds only, and so is what one
        has expanded that opened states again.
        """
        states = range(self.recorded, self.setups + self.reached + 1)
        transitions = range(claimed.states, self.happening + 1)
        if claimed.exhaustive:
            all_states = self.setups + self.recorded
            states = range(all_states, all_states + 1)
            most = self.happening if reopened else self.expanded
            transitions = range(self.distinct, most + 1)
        for name, count, allowed in (
            ("states", claimed.states, states),
            ("transitions", claimed.transitions, transitions),
        ):
            if count not in allowed:
                return (
                    f"the run says that there are {count} {name}, its records say {_told(allowed)}"
                )
        return None


def _told(allowed: range) -> str:
    first, last = allowed.start, allowed.stop - 1
    return f"{first}" if first == last else f"{first} to {last}"
