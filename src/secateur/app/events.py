"""The relations between the events of a model, for people to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from secateur.analysis.cache import Cache, usual_folder
from secateur.analysis.effort import Effort
from secateur.analysis.operations import (
    Dependency,
    Influence,
    dependency,
    influence,
    sets_of,
    together,
)
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.app.codes import NO_CONSTANTS, NO_SUCH_EVENT
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.maths.print_value import show_value
from secateur.report.events import Cell, EventsOverview, PairOverview, Reason, Sides
from secateur.source import Diagnostic, InputError
from secateur.system.events import Action
from secateur.system.packing import Misfit
from secateur.system.relations import Answer

MOST_PAIRS: Final = 20
"""So many pairs of instances are explained."""


def unfolded(system: MachineSystem) -> UnfoldedMachine:
    """Return a machine as instances; raise InputError if the constants have no values."""
    for _ in system.initial():
        pass  # code depends on the values of the constants
    if not system.solutions:
        message = "nothing can be compiled: the constants have no values"
        raise InputError(Diagnostic(NO_CONSTANTS, message, help="run `secateur check` to see why"))
    machine = CompiledMachine(system, system.solutions)
    while True:
        found = UnfoldedMachine(machine)
        try:
            for _ in found.initial():
                pass  # the values at the beginning have to fit
        except Misfit as misfit:
            machine.widen(misfit)
        else:
            return found


class EventsAnalysis:
    """Relations of a model, by the names of its operations and instances."""

    def __init__(self, system: MachineSystem, seconds: float, *, use_cache: bool) -> None:
        self.machine = unfolded(system)
        effort = Effort(seconds=seconds, solving=seconds)
        cache = Cache(usual_folder()) if use_cache else None
        self.relations: EventRelations = relations_of(self.machine, effort, cache=cache)
        self.names = _names(self.machine.actions)
        self._influences: dict[tuple[int, int], Influence] = {}

    def overview(self, *, instances: bool) -> EventsOverview:
        """Return all relations, of operations or of instances."""
        actions = self.machine.actions
        groups: dict[str, list[int]] = {}
        for number, action in enumerate(actions):
            name = self.names[number] if instances else action.operation
            groups.setdefault(name, []).append(number)
        cells = tuple(self._cell((a, groups[a]), (b, groups[b])) for a in groups for b in groups)
        return EventsOverview(
            self.machine.name,
            len(actions),
            len(self.machine.slots),
            tuple(self._sides(name, numbers) for name, numbers in groups.items()),
            cells,
            tuple(self._grounds()),
            tuple(self.names[n] for n in sorted(self.relations.coarse)),
        )

    def why(self, first: str, second: str) -> tuple[list[PairOverview], int]:
        """Return the reasons for the relations of some pairs, and how many are left out.

        A name is that of an operation, and then of all its instances, or of an instance.
        """
        pairs = [(a, b) for a in self._named(first) for b in self._named(second) if a != b] or [
            (a, a) for a in self._named(first)
        ]
        if first == second:
            pairs = [(a, b) for a, b in pairs if a <= b]
        # those that say most come first
        pairs.sort(key=lambda pair: not self.relations.dependent(*pair).yes)
        shown = [self._pair(a, b) for a, b in islice(pairs, MOST_PAIRS)]
        return shown, len(pairs) - len(shown)

    def _named(self, name: str) -> list[int]:
        wanted = name.replace(" ", "")
        exact = [n for n, known in enumerate(self.names) if known.replace(" ", "") == wanted]
        found = exact or [n for n, a in enumerate(self.machine.actions) if a.operation == name]
        if not found:
            known = ", ".join(dict.fromkeys(a.operation for a in self.machine.actions))
            message = f"there is no event {name}"
            raise InputError(Diagnostic(NO_SUCH_EVENT, message, help=f"there are {known}"))
        return found

    # -- parts ------------------------------------------------------------------------------------

    def _sides(self, name: str, numbers: Sequence[int]) -> Sides:
        sets = sets_of(self.machine.actions[n] for n in numbers)
        guard, action, write = map(self._slots, sets)
        return Sides(name, guard, action, write, len(numbers))

    def _cell(self, first: tuple[str, list[int]], second: tuple[str, list[int]]) -> Cell:
        (a, lefts), (b, rights) = first, second
        kinds: Counter[Dependency] = Counter()
        for x in lefts:
            for y in rights:
                if x < y if a == b else x != y:
                    kinds[dependency(self.relations, x, y)] += 1
        pairs = sum(kinds.values())
        found = tuple(k.value for k in Dependency if kinds[k] and k is not Dependency.NONE)
        changes = together([self._influence(x, y) for y in rights] for x in lefts)
        return Cell(a, b, pairs, pairs - kinds[Dependency.NONE], found, changes.value)

    def _influence(self, a: int, b: int) -> Influence:
        found = self._influences.get((a, b))
        if found is None:
            found = self._influences[a, b] = influence(self.relations, a, b)
        return found

    def _grounds(self) -> Iterator[tuple[str, int]]:
        numbers = Counter(answer.ground for answer in self.relations.answers.values())
        for ground, number in sorted(numbers.items(), key=lambda item: -item[1]):
            yield ground.value, number

    def _pair(self, a: int, b: int) -> PairOverview:
        relations = self.relations
        conjuncts: list[tuple[str, str, str, Reason]] = []
        for x, y in ((a, b), (b, a)) if a != b else ((a, a),):
            action = self.machine.actions[y]
            texts = [c.text for c in action.guard]
            if not action.total:
                texts.append("it has a result")
            for j, text in enumerate(texts):
                for verb, answer in (
                    ("may enable", relations.enables(x, y, j)),
                    ("may disable", relations.disables(x, y, j)),
                ):
                    if answer.yes:
                        conjuncts.append((self.names[x], verb, text, self._reason(answer)))
        return PairOverview(
            self.names[a],
            self.names[b],
            self._reason(relations.dependent(a, b)),
            dependency(relations, a, b).value,
            self._reason(relations.excluded(a, b)),
            (self._influence(a, b).value, self._influence(b, a).value),
            tuple(conjuncts),
        )

    def _reason(self, answer: Answer) -> Reason:
        witness: tuple[tuple[str, str], ...] = ()
        if answer.witness is not None:
            values = self.machine.values(answer.witness)
            witness = tuple((name, show_value(value)) for name, value in values)
        slots = self._slots(answer.slots)
        return Reason(answer.yes, answer.ground.value, slots, witness, answer.remark)

    def _slots(self, mask: int) -> tuple[str, ...]:
        return tuple(self.relations.space.names(mask))


def _names(actions: Sequence[Action]) -> list[str]:
    """Return a name for each instance; alternatives with the same arguments are numbered."""
    names: list[str] = []
    seen: Counter[str] = Counter()
    for action in actions:
        arguments = ",".join(show_value(value) for _, value in action.arguments)
        name = f"{action.operation}({arguments})" if arguments else action.operation
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return names
