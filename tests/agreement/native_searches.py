"""The native explorer on systems of tables, reduced: the twin of `Case.run`.

Guards are callbacks in the place of code; everything else is asked of the tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from secateur.engine.native.available import why_not_native
from secateur.engine.native.pruning import METHODS, PROVISOS, NativePruning
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.reduce.reduction import Reduction
from secateur.system.events import disabled
from secateur.system.result import Result
from secateur.system.system import PropertyKind
from tests.agreement.native_products import Coded
from tests.witnesses.judge import NEVER, Case, Searched, Truth, searched

_ALIKE = ("bf", "df")
"""Searches that take states in the same order in both engines."""


@dataclass(frozen=True)
class Told:
    """What the native engine says."""

    states: int
    transitions: int
    names: frozenset[str]
    deadlocks: int
    ending: str

    @property
    def visited(self) -> tuple[int, int]:
        """States and transitions."""
        return self.states, self.transitions

    @property
    def wrong(self) -> bool:
        """Whether something was found."""
        return bool(self.names or self.deadlocks)


def has_twin(planned: Plan, reduction: Reduction | None) -> bool:
    """Whether the native engine can do what is planned."""
    if reduction is None or why_not_native() is not None:
        return False
    method, proviso = reduction.names
    random = planned.pruning.random
    return planned.search.native and method in METHODS and proviso in PROVISOS and not random


class NativeSearch:
    """One run."""

    def __init__(self, case: Case, planned: Plan, ends: frozenset[PropertyKind]) -> None:
        self.case = case
        self.ends = ends & case.kinds
        system = case.system
        width = max(1, max(system.states).bit_length())
        # Loaded here: the tables are used where there is no native module, too.
        make = import_module("secateur._native").Explorer
        self.explorer: Any = make([width], 0, len(system.actions), len(system.checks) + 1)
        self.explorer.search = planned.search.name
        self.explorer.seed, self.explorer.ratio = planned.seed, planned.ratio
        self.explorer.set_end(len(system.checks))
        stops = [i for i, check in enumerate(system.checks) if check.kind in self.ends]
        self.explorer.stop_at(stops, PropertyKind.DEADLOCK in self.ends)
        self.notes: dict[str, int] = {}

    def run(self, reduction: Reduction) -> Told:
        """Explore."""
        explorer, system = self.explorer, self.case.system
        for values in system.start:
            explorer.add_initial([system.pack(values)])
        coded: Any = Coded(self.case.system)
        pruning = NativePruning(coded, reduction)
        pruning.install(explorer)
        ending = explorer.run(self._step, self._check, pruning.row)
        pruning.tell(explorer)
        checks = [check.name for check in system.checks]
        names = {checks[i] for i, (count, _) in enumerate(explorer.violations) if count}
        names |= {name for name, i in self.notes.items() if explorer.notes[i][0]}
        deadlocks = explorer.deadlocks[0] if PropertyKind.DEADLOCK in self.case.kinds else 0
        transitions = explorer.transitions + len(system.start)
        return Told(explorer.states, transitions, frozenset(names), deadlocks, ending)

    def _note(self, name: str) -> int:
        if name not in self.notes:
            self.notes[name] = self.explorer.add_note(bool(self.ends))
        return self.notes[name]

    def _step(self, action: int, words: tuple[int, ...]) -> tuple[list[list[int]], list[int]]:
        system, state = self.case.system, words[0]
        guard, of = system.guards[action][state], system.actions[action]
        if disabled(of, guard):
            return [], []
        results = system.outcomes[action][state] if guard.holds else None
        if results is None:
            return [], [self._note(f"{of.operation} {of.arguments}")]
        return [[r] for r in results], []

    def _check(self, number: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        system = self.case.system
        if number == len(system.checks):
            return system.may_end(words[0]), []
        check, holds = system.checks[number], system.truths[number][words[0]]
        if check.kind not in self.case.kinds:
            return True, []
        return holds is not False, [self._note(check.name)] if holds is None else []


def judge_natively(case: Case, wish: Wish, expected: Truth) -> str | None:
    """Return what is wrong with the native twin of a lawful plan; None, too, if there is none."""
    planned = plan(wish)
    if not has_twin(planned, case.apply(planned)):
        return None
    return complaint_about_twin(case, planned, searched(case, planned), expected)


def complaint_about_twin(
    case: Case, planned: Plan, python: Searched, expected: Truth
) -> str | None:
    """Return what is wrong with the native twin of a plan, `python` being what its twin has found."""
    told = NativeSearch(case, planned, NEVER).run(_reduction(case, planned))
    if told.names != expected.names:
        return f"natively found {sorted(told.names)}, but {sorted(expected.names)} are wrong"
    if told.deadlocks != len(expected.deadlocks):
        return f"natively found {told.deadlocks} deadlocks of {len(expected.deadlocks)}"
    alike = planned.search.name in _ALIKE
    if alike and told.visited != _visited(python.everything):
        return f"natively {told.visited} states and transitions, not {_visited(python.everything)}"
    if python.first is python.everything:
        return None
    reduction = _reduction(case, planned)
    first = NativeSearch(case, planned, frozenset(PropertyKind)).run(reduction)
    if first.wrong != expected.wrong:
        return "a native search for the first error finds something else"
    if planned.search.name == "df" and not reduction.needs_stack:
        return None  # natively, it ends at once, and not after the other successors of a state
    if alike and first.visited != _visited(python.first):
        return f"natively {first.visited} up to the first error, not {_visited(python.first)}"
    return None


def _reduction(case: Case, planned: Plan) -> Reduction:
    reduction = case.apply(planned)
    assert reduction is not None
    return reduction


def _visited(result: Result) -> tuple[int, int]:
    return result.statistics.states, result.statistics.transitions
