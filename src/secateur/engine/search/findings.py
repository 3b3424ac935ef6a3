"""What a search has seen so far, and what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from secateur.engine.growing import Growing
from secateur.engine.search.protocol import Task
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.result import Result
from secateur.system.statistics import Statistics, VariableCoverage, coverage, shares
from secateur.system.system import Breach, Fault, Gap, PropertyKind, State, Step, Transition
from secateur.system.trace import Trace
from secateur.system.verdict import Holds, Incomplete, Verdict, Violated, Violation

NO_INITIAL_STATE = "no initial state"
NO_INITIALISATION = "the constants cannot be completed to an initial state"
NO_OPERATION_ENABLED = "no operation is enabled"


_Mistake = tuple[PropertyKind, str, Span | None]
"""Kind, name and place: an operation can be ill-defined in several places."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What another engine has explored, beginning with the initialised states.

    `ways` has the states on the way to what it found, with the states and steps before.
    """

    states: int
    operations: Mapping[str, int]
    waiting: int
    ways: Mapping[State, tuple[State, Step]]
    coverage: tuple[VariableCoverage, ...]
    fresh: Mapping[str, int] = field(default_factory=dict)


class Findings:
    """The table of visited states, the counts and the violations of one run."""

    def __init__(self, task: Task) -> None:
        self.visited: dict[State, tuple[State, Step]] = {}
        """Each state with the state and step that first led to it (the root leads to the first)."""
        self._task = task
        self._operations: Counter[str] = Counter()
        self._transitions = 0
        self._violations: dict[_Mistake, Violation] = {}
        self._seen_in: Counter[_Mistake] = Counter()
        self._last_in: dict[_Mistake, State] = {}
        self._gaps: dict[str, None] = {}
        if task.reduction is not None and task.reduction.caveat is not None:
            self.doubt(task.reduction.caveat)
        self._found = False
        """Whether a violation was seen that is to end the search."""
        self._stopped = False
        self._initialised = False
        self._explored: Explored | None = None
        self.growing = Growing()

    @property
    def error(self) -> bool:
        """Whether a violation was seen, with the way to it."""
        return bool(self._violations)

    def count(self, transition: Transition) -> None:
        """Note one transition more."""
        self._operations[transition.step.operation] += 1
        self._transitions += 1

    def check(self, state: State) -> None:
        """Look for properties that fail in `state`."""
        if not self._task.system.is_initialised(state):
            return
        self._initialised = True
        for item in self._task.system.breaches(state, self._task.kinds):
            self.note(state, item)

    def explored(self, explored: Explored, *, stopped: bool) -> None:
        """Remember what another engine has done; `stopped`: it has not come to its end."""
        self._explored = explored
        self._operations.update(explored.operations)
        self._transitions = self._operations.total()
        self._initialised = True
        self._stopped = self._stopped or stopped

    def note(self, state: State, item: Breach | Fault | Gap, count: int = 1) -> None:
        """Remember what was found in `state` or on the way out of it, in `count` states in all."""
        match item:
            case Breach(kind, name) if kind in self._task.kinds:
                self._violated(state, (kind, name), item, count)
            case Fault(where):
                self._violated(state, (PropertyKind.WELL_DEFINEDNESS, where), item, count)
            case Gap(where, reason):
                self._gaps[f"{where}: {reason}"] = None

    def check_deadlock(self, state: State, count: int = 1) -> None:
        """Note that nothing leads out of `state`, if that is an error.

        It is none where a run may end.  A state that an ill-defined or undecided operation might have left is not
        reported: the fault or the gap is, and it comes first.
        """
        if PropertyKind.DEADLOCK not in self._task.kinds or state not in self._ways:
            return
        initialised = self._task.system.is_initialised(state)
        if initialised and self._task.system.may_end(state):
            return
        name = NO_OPERATION_ENABLED if initialised else NO_INITIALISATION
        self._violated(state, (PropertyKind.DEADLOCK, name), None, count)

    def doubt(self, reason: str) -> None:
        """Note why the verdict cannot be that everything holds, however the search ends."""
        self._gaps[reason] = None

    def incomplete(self, reason: str) -> None:
        """Note that the search ends before its time."""
        self._gaps[reason] = None
        self._stopped = True

    def over(self, waiting: int, *, may_stop: bool) -> bool:
        """Whether the search should end: it has hit a limit, or found what it looked for.

        The latter only where it `may_stop`.
        """
        if self._stopped or (self._found and may_stop):
            self._stopped = True
            return True
        if self.growing.due(len(self.visited)):
            self._look_for_growth()
        reason = self._task.meter.reason_to_stop(len(self.visited), self._transitions, waiting)
        if reason is not None:
            self.incomplete(reason)
        return self._stopped

    def _look_for_growth(self) -> None:
        last = next(reversed(self.visited))
        if self._task.system.is_initialised(last):
            self.look_for_growth(len(self.visited), self._task.system.values(last))

    def look_for_growth(self, states: int, values: Iterable[tuple[str, Any]]) -> None:
        """Look at the values in the state found last, and tell who watches if they only grow."""
        news = self.growing.look(states, values)
        if news is not None:
            self._task.meter.alarm(news)

    def result(self, waiting: int) -> Result:
        """Return the verdict with its traces; nothing in them has been executed twice yet."""
        if not (self._initialised or self._violations or self._gaps):
            self._report_no_initial_state()
        violations = tuple(
            replace(each, count=self._seen_in[mistake])
            for mistake, each in self._violations.items()
        )
        seconds = self._task.meter.seconds
        verdict = self._verdict(violations)
        # Where everything was visited, whatever has grown has come to an end.
        notes = () if isinstance(verdict, Holds) else tuple(self.growing.alarms.values())
        return Result(verdict, self._statistics(waiting), seconds, notes=notes)

    def _verdict(self, violations: tuple[Violation, ...]) -> Verdict:
        reasons = tuple(self._gaps)
        if violations:
            return Violated(violations, not (reasons or self._stopped), reasons)
        if self._stopped:  # a search that was stopped never shows that anything holds
            reasons = reasons or ("the search has ended before its time",)
        return Incomplete(reasons) if reasons else Holds()

    def _statistics(self, waiting: int) -> Statistics:
        system = self._task.system
        elsewhere = self._explored
        return Statistics(
            states=len(self.visited) + (0 if elsewhere is None else elsewhere.states),
            transitions=self._transitions,
            operations={name: self._operations[name] for name in self._counted()},
            never_enabled=tuple(n for n in system.operations if not self._operations[n]),
            waiting=waiting if elsewhere is None else elsewhere.waiting,
            coverage=self._coverage() if elsewhere is None else elsewhere.coverage,
            fresh=self._fresh() if elsewhere is None else elsewhere.fresh,
        )

    def _coverage(self) -> tuple[VariableCoverage, ...]:
        system = self._task.system
        states = list(filter(system.is_initialised, self.visited))
        found = coverage(system, states)
        if not self._task.shares:
            return found
        without = shares(system, states)
        return tuple(replace(each, without=without[each.name]) for each in found)

    def _fresh(self) -> dict[str, int]:
        first = Counter(step.operation for _, step in self.visited.values())
        return {name: first[name] for name in self._counted()}

    def _counted(self) -> list[str]:
        declared = self._task.system.operations
        return [*(n for n in self._operations if n not in set(declared)), *declared]

    def _report_no_initial_state(self) -> None:
        system = self._task.system
        trace = self._trace_to(next(iter(self.visited))) if self.visited else Trace(system)
        message = system.why_no_initial_state()
        violation = Violation(PropertyKind.DEADLOCK, NO_INITIAL_STATE, trace, message)
        mistake = violation.kind, violation.name, None
        self._violations[mistake] = violation
        self._seen_in[mistake] = 1

    def _violated(
        self, state: State, what: tuple[PropertyKind, str], item: Breach | Fault | None, count: int
    ) -> None:
        kind, name = what
        span = item.span if item is not None else None
        mistake = kind, name, span
        known = self._violations.get(mistake)
        if known is not None:
            if self._last_in.get(mistake) != state:  # a state counts once
                self._seen_in[mistake] += count
                self._last_in[mistake] = state
            return
        self._last_in[mistake] = state
        message = item.message if isinstance(item, Fault) else None
        witness = item.witness if isinstance(item, Breach) else ()
        trace = self._trace_to(state)
        self._violations[mistake] = Violation(kind, name, trace, message, span, witness)
        self._seen_in[mistake] = count
        self._found = self._found or kind in self._task.ends

    @property
    def _ways(self) -> Mapping[State, tuple[State, Step]]:
        return self.visited if self._explored is None else self._explored.ways

    def _trace_to(self, state: State) -> Trace:
        path: list[Transition] = []
        ways = self._ways
        while state in ways:
            before, step = ways[state]
            path.append(self._executed(before, Transition(step, state)))
            state = before
        return Trace(self._task.system, tuple(reversed(path)))

    def _executed(self, before: State, known: Transition) -> Transition:
        """Return a transition as the system tells it.

        A reduction knows actions and states: of the step itself, say its results, it need not
        know all.
        """
        if self._task.reduction is None or before not in self.visited:
            return known
        offered = [
            item
            for item in self._task.system.successors(before)
            if isinstance(item, Transition)
            and item.target == known.target
            and item.step.operation == known.step.operation
        ]
        assert offered, f"{known.step.operation} does not lead to the state that it was said to"
        alike = [item for item in offered if item.step.arguments == known.step.arguments]
        return known if known in offered else (alike or offered)[0]


def key_of(item: Breach | Fault | Gap) -> object:
    """Return what tells an item apart: what has one name and place is one."""
    match item:
        case Breach(kind, name, span):
            return "breach", kind, name, span
        case Fault(where, _, span):
            return "fault", where, span
        case Gap(where, reason):
            return "gap", where, reason
