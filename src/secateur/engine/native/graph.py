"""All states and transitions, as the native engine finds them.

Importing this module loads the compiled one and LLVM; `available.py` says whether it can be.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from secateur._native import Explorer
from secateur.engine.limits import Interrupted, Meter, states_reached
from secateur.engine.native.describe import describe
from secateur.engine.native.explore import NO_MEMORY
from secateur.engine.native.protocol import Packed
from secateur.engine.native.tiers import Tiers
from secateur.engine.native.watching import watching
from secateur.kernel.call import CallablePredicates
from secateur.kernel.jit import Compiled, compile_program
from secateur.kernel.places import join_words
from secateur.source.records import dataclass
from secateur.system.graph import said_of
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, PropertyKind, State

Words = Sequence[int]
Trouble = dict[tuple[int, ...], str]
"""What is wrong where the bits that somebody reads have these values."""

GOAL_REACHED: Final = ""
"""What is said of a state in which the goal is reached: nothing is wrong with it."""


@dataclass(slots=True)
class Found:
    """States as words, and the transitions between them: who, by which action, to whom.

    The states from `expanded` on may have more transitions.
    """

    states: list[Words] = field(default_factory=list)
    sources: array[int] = field(default_factory=lambda: array("I"))
    actions: array[int] = field(default_factory=lambda: array("I"))
    targets: array[int] = field(default_factory=lambda: array("I"))
    expanded: int = 0
    flaws: dict[int, list[str]] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)
    memory: int = 0
    compile_seconds: float = 0.0


def graph_of(packed: Packed, initial: Sequence[State], meter: Meter, before: int) -> Found:
    """Return everything that can be reached; `before` states are known already.

    Begins anew where a value does not fit.
    """
    while True:
        try:
            states = [packed.encode(state) for state in initial]
            return _Run(packed, meter, before).go(states)
        except Misfit as misfit:
            packed.widen(misfit)


class _Run:
    """One exploration."""

    def __init__(self, packed: Packed, meter: Meter, before: int) -> None:
        self.packed = packed
        self.meter = meter
        self.before = before
        self.found = Found()
        self.code: Compiled = compile_program(packed.program, optimise=False)
        self.steps: dict[int, Trouble] = {}
        self.checks: dict[int, Trouble] = {}
        actions, properties = len(packed.actions), len(packed.properties)
        self.explorer = Explorer(packed.bits, packed.program.label_words, actions, properties)
        self.explorer.keep_edges = True
        describe(self.explorer, packed, self.code)
        self.explorer.stop_at([], deadlock=False)
        limit = meter.limits.states
        if limit is not None:
            self.explorer.max_states = max(0, limit - before)
        self.note = self.explorer.add_note(stops=False)

    def go(self, initial: Sequence[Words]) -> Found:
        """Explore, and look once more at states of which something is wrong."""
        for words in initial:
            self.explorer.add_initial(words)
        ending = self._run()
        with self.meter.telling():
            self._tell(ending)
            self._blame()
        return self.found

    def _run(self) -> str:
        with watching(self._look, Tiers(self.explorer, self.code)):
            try:
                return self.explorer.run(self._step, self._check)
            except Interrupted:  # while the evaluator was at work
                self.found.reasons[self.meter.why_interrupted()] = None
                return "interrupted"
            except MemoryError:
                return "memory"

    def _look(self) -> bool:
        explorer = self.explorer
        reason = self.meter.reason_to_stop(
            self.before + explorer.states, explorer.transitions, explorer.waiting
        )
        if reason is not None:
            self.found.reasons[reason] = None
            explorer.interrupt()
        return reason is not None

    def _tell(self, ending: str) -> None:
        found, explorer = self.found, self.explorer
        limit = self.meter.limits.states
        if ending == "states" and limit is not None:
            found.reasons[states_reached(limit)] = None
        elif ending == "memory":
            found.reasons[NO_MEMORY] = None
        found.memory, found.compile_seconds = explorer.memory, self.code.seconds
        for source, action, target in explorer.edges():
            found.sources.append(source)
            found.actions.append(action)
            found.targets.append(target)
        found.states = [explorer.state(i) for i in range(explorer.states)]
        found.expanded = len(found.states)
        if ending != "complete":
            # The last one may have been in the middle of it.
            last = found.sources[-1] if found.sources else 0
            found.expanded = min(found.expanded - explorer.waiting, last)

    # -- what is wrong ----------------------------------------------------------------------------

    def _step(self, action: int, words: tuple[int, ...]) -> tuple[list[Words], list[int]]:
        targets, items = self.packed.step(action, words)
        reads = self.packed.actions[action].reads
        return targets, self._noted(items, self.steps.setdefault(action, {}), _seen(words, reads))

    def _check(self, number: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        items = self.packed.check(number, words)
        fails = any(isinstance(item, Breach) for item in items)
        rest = [item for item in items if not isinstance(item, Breach)]
        reads = self.packed.properties[number].reads
        known = self.checks.setdefault(number, {})
        return not fails, self._noted(rest, known, _seen(words, reads))

    def _noted(
        self, items: Sequence[Breach | Fault | Gap], known: Trouble, seen: tuple[int, ...]
    ) -> list[int]:
        for item in items:
            if isinstance(item, Gap):
                self.found.reasons[f"{item.where}: {item.reason}"] = None
            else:
                known[seen] = said_of(item)
        return [self.note] if items else []

    def _blame(self) -> None:
        """Find all states with which something is wrong: the explorer knows how many there are."""
        for parts, troubles in (
            (self.packed.actions, self.steps),
            (self.packed.properties, self.checks),
        ):
            for number, known in troubles.items():
                reads = parts[number].reads
                for i, words in enumerate(self.found.states if known else ()):
                    if (said := known.get(_seen(words, reads))) is not None:
                        self._add(i, said)
        checked = [i for i, part in enumerate(self.packed.properties) if part.reason is None]
        compiled = CallablePredicates(self.code) if checked else None
        for number, (count, _) in enumerate(self.explorer.violations):
            if not count:
                continue
            part = self.packed.properties[number]
            said = GOAL_REACHED if part.kind is PropertyKind.GOAL else part.name
            place = checked.index(number) if number in checked else None
            for i, words in enumerate(self.found.states):
                holds = None
                if compiled is not None and place is not None:
                    holds = compiled.holds(place, join_words(words))
                if holds is None:
                    holds = self._evaluated(number, words)
                if not holds:
                    self._add(i, said)

    def _evaluated(self, number: int, words: Words) -> bool:
        return not any(isinstance(item, Breach) for item in self.packed.check(number, words))

    def _add(self, state: int, said: str) -> None:
        listed = self.found.flaws.setdefault(state, [])
        if said not in listed:
            listed.append(said)


def _seen(words: Words, mask: Words) -> tuple[int, ...]:
    return tuple([w & m for w, m in zip(words, mask, strict=True)])
