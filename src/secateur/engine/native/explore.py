"""The driver of the native explorer: from a task to a result.

Importing this module loads the compiled one and LLVM; `available.py` says whether it can be.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any, Final

from secateur._native import Explorer
from secateur.engine.limits import Interrupted, Meter, states_reached
from secateur.engine.native.describe import describe, describe_end
from secateur.engine.native.evaluator import Evaluator
from secateur.engine.native.notes import Notes
from secateur.engine.native.omission import hash_compaction
from secateur.engine.native.protocol import Packed
from secateur.engine.native.pruning import NativePruning
from secateur.engine.native.symmetry import NativeMerging
from secateur.engine.native.tiers import Tiers
from secateur.engine.native.variables import told_variables, values_seen
from secateur.engine.native.watching import watching
from secateur.engine.native.ways import Ways
from secateur.engine.search.beginning import begun
from secateur.engine.search.findings import Explored, Findings
from secateur.engine.search.protocol import Task
from secateur.kernel.jit import Compiled, compile_program
from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.packing import Misfit
from secateur.system.result import Result
from secateur.system.system import PropertyKind, State, Step
from secateur.system.verdict import FOUND_WITHOUT_WAY

_ENDINGS: Final = frozenset({"violation", "states", "memory", "interrupted"})
"""The ways to end early whose reason is told."""
_CUT_SHORT: Final = frozenset({"memory", "interrupted"})
"""Those that may come before anything was done."""

_UNHEARD_OF: Final = "the native engine found a transition that the evaluator does not"

NO_MEMORY: Final = "the machine ran out of memory"

_SAMPLE: Final = 20_000
"""How many states are looked at to see which values variables take."""
_MANY: Final = 200_000
"""So many states are likely to show them; then it pays if they are narrower from there on."""


class _Narrower(Exception):
    """States can be narrower: the exploration begins anew once `make` has made them so."""

    def __init__(self, make: Callable[[], None]) -> None:
        super().__init__()
        self.make = make


@dataclass(frozen=True, slots=True)
class Manner:
    """How to explore, and what to do instead where nothing can be compiled."""

    search: str
    threads: int = 1
    compress: bool = False
    fingerprint: bool = False
    otherwise: Callable[[Task], Result] | None = None
    prune: Callable[[Packed], NativePruning | None] | None = None
    """What is left out in a packed system, if anything is."""
    fitted: bool = False
    """Whether there is no more room for values than an earlier run has needed."""
    merge: NativeMerging | None = None
    """Which states are taken for the same, if any are."""
    aside: Callable[[Engine], None] | None = None
    """What is done now and then while nothing else is; it may raise something to end the run."""


def explore(task: Task, pack: Callable[[], Packed], manner: Manner) -> Result:
    """Return what the native engine finds; setting up and initialising is left to the evaluator."""
    found = Findings(task)
    run: _Run | None = None
    waiting = 0
    try:
        with task.meter.running():
            initial, waiting = begun(task, found)
            if initial:
                packed = pack()
                if manner.otherwise is not None and _all_evaluated(packed):
                    return manner.otherwise(task)
                run = _Run(task, found, initial, manner)
                run.go(packed)
    except Interrupted:
        found.incomplete(task.meter.why_interrupted())
    except MemoryError:
        found.incomplete(NO_MEMORY)
    return replace(found.result(waiting), engine=PYTHON if run is None else run.engine)


def _all_evaluated(packed: Packed) -> bool:
    """Whether no operation is compiled: packing states would be in vain."""
    return all(part.reason is not None for part in packed.actions)


class _Run:
    """One exploration, begun anew where a value does not fit."""

    def __init__(
        self,
        task: Task,
        found: Findings,
        initial: dict[State, tuple[State, Step]],
        manner: Manner,
    ) -> None:
        self.task = task
        self.found = found
        self.initial = initial
        self.manner = manner
        self.engine = PYTHON
        self._fitted = manner.fitted
        ways = (manner.prune, manner.merge, manner.compress or None, manner.fingerprint or None)
        self._narrows = all(way is None for way in ways)
        """Whether it is still to be found out if states could be narrower."""
        self._spent = 0.0
        self._tiers: Tiers | None = None
        """The code that the explorer runs, which must live as long as that does."""
        self._end: Compiled | None = None
        """Likewise, that which says where a run may end."""
        self.ways: dict[State, tuple[State, Step]] = {}
        """Each state on the way to something seen, with the state and step before."""

    def go(self, packed: Packed) -> None:
        """Explore, and tell the findings."""
        while True:
            try:
                states = [packed.encode(state) for state in self.initial]
            except Misfit as misfit:
                packed.widen(misfit)
                continue
            if self.manner.prune is not None and not self._fitted:
                self._fit(packed, states)
                continue
            if self.manner.threads > 1 and self._may_narrow(packed):
                self._narrow_first(packed, states)
                continue
            code = compile_program(packed.program, optimise=False)
            self.engine = self._engine(packed, code)
            explorer = self._explorer(packed)
            notes = Notes(self.task, explorer)
            _describe(explorer, packed, code, self.task)
            self._tiers = Tiers(explorer, code, self._code_time(explorer))
            self._end = describe_end(explorer, packed)
            for words in states:
                explorer.add_initial(words)
            if self.manner.merge is not None:
                self.manner.merge.install(packed, explorer)
            evaluator = Evaluator(packed, notes, self.task.kinds)
            try:
                pruning = self.manner.prune(packed) if self.manner.prune is not None else None
                ending = self._run(explorer, evaluator, pruning)
            except Misfit as misfit:
                packed.widen(misfit)
                continue
            except _Narrower as narrower:
                narrower.make()
                continue
            self.engine = replace(self.engine, search_seconds=self._spent)
            with self.task.meter.telling():
                if self.manner.merge is not None:
                    self.manner.merge.tell(explorer)
                self._tell(explorer, packed, ending)
                self._tell_seen(explorer, evaluator)
                if self.manner.fingerprint:
                    self.found.incomplete(hash_compaction(explorer.states, error=self.found.error))
            return

    def _engine(self, packed: Packed, code: Compiled) -> Engine:
        compiled = sum(part.reason is None for part in packed.actions)
        threads, operations = self.manner.threads, len(packed.actions)
        return Engine("native", threads, compiled, operations, compile_seconds=code.seconds)

    def _explorer(self, packed: Packed) -> Explorer:
        actions = len(packed.actions)
        properties = len(packed.properties) + (packed.end is not None)
        explorer = Explorer(packed.bits, packed.program.label_words, actions, properties)
        explorer.search, explorer.threads = self.manner.search, self.manner.threads
        explorer.seed, explorer.ratio = self.task.seed, self.task.ratio
        explorer.compress = self.manner.compress
        explorer.lean = True
        explorer.fingerprint = self.manner.fingerprint
        limits = self.task.meter.limits
        if limits.states is not None:
            explorer.max_states = max(0, limits.states - len(self.found.visited))
        return explorer

    def _code_time(self, explorer: Explorer) -> Callable[[], float] | None:
        """Return what says how long the code has run; where steps are left out, it is not measured."""
        return None if self.manner.prune is not None else lambda: explorer.code_seconds

    def _fit(self, packed: Packed, states: Sequence[Sequence[int]]) -> None:
        """Leave no room for values that a sample does not have.

        Relations are found by trying values: the fewer there are, the better.
        """
        seen = self._values_in_sample(packed, states, _SAMPLE)
        if seen is not None:
            self._fitted = True
            packed.tighten(seen)

    def _may_narrow(self, packed: Packed) -> bool:
        """Whether states should be narrower: more than a word is kept elsewhere than in the table.

        Where the evaluator is asked, that is what takes time; in other orders than breadth-first
        states are not at hand.
        """
        if not self._narrows or len(packed.bits) == 1 or self.manner.search != "bf":
            return False
        looked_at = [part for part in packed.properties if any(part.reads)]
        return all(part.reason is None for part in (*packed.actions, *looked_at))

    def _narrow_first(self, packed: Packed, states: Sequence[Sequence[int]]) -> None:
        """Make states a word wide if a sample says so; where threads run, none can be asked for."""
        seen = self._values_in_sample(packed, states, _MANY)
        if seen is not None:
            self._narrows = False
            make = packed.narrower(seen)
            if make is not None:
                make()

    def _narrow(self, explorer: Explorer, packed: Packed) -> None:
        """Begin anew with states of a word, if the values that were met so far leave room."""
        self._narrows = False
        make = packed.narrower(values_seen(explorer, packed))
        if make is not None:
            raise _Narrower(make)  # not here: whoever is interrupted tells of states as they are

    def _values_in_sample(
        self, packed: Packed, states: Sequence[Sequence[int]], size: int
    ) -> dict[str, set[Any]] | None:
        """Return the values of the variables in a sample; of none that has too many.

        Where one does not fit, there is room for it afterwards, and nothing is returned.
        """
        explorer = self._explorer(packed)
        explorer.search, explorer.threads = "bf", 1
        explorer.compress = explorer.fingerprint = False
        asked = explorer.max_states
        explorer.max_states = size if asked is None else min(asked, size)
        notes = Notes(self.task, explorer)
        code = compile_program(packed.program, optimise=False)
        _describe(explorer, packed, code, self.task)
        self._end = describe_end(explorer, packed)
        explorer.stop_at([], deadlock=False)
        for words in states[:size]:
            explorer.add_initial(words)
        evaluator = Evaluator(packed, notes, self.task.kinds)
        try:
            with self._watched(explorer, self.task.meter):
                explorer.run(evaluator.step, evaluator.check)
        except Misfit as misfit:
            packed.widen(misfit)
            return None
        return values_seen(explorer, packed)

    def _run(self, explorer: Explorer, evaluator: Evaluator, pruning: NativePruning | None) -> str:
        with self._watched(explorer, self.task.meter, self._tiers):
            began = time.thread_time()
            try:
                poll = partial(self._now_and_then, explorer, evaluator.packed)
                if pruning is None:
                    return explorer.run(evaluator.step, evaluator.check, poll=poll)
                if pruning.reduction.caveat is not None:
                    self.found.doubt(pruning.reduction.caveat)
                pruning.install(explorer)
                ending = explorer.run(evaluator.step, evaluator.check, pruning.row, poll)
                pruning.tell(explorer)
                return ending
            except Interrupted:  # while the evaluator was at work
                self.found.incomplete(self.task.meter.why_interrupted())
                return "interrupted"
            except MemoryError:
                return "memory"
            finally:
                self._spent += time.thread_time() - began

    def _now_and_then(self, explorer: Explorer, packed: Packed, words: Sequence[int]) -> None:
        """Do what is done while nothing else is: look for growth, and what was asked for."""
        states = explorer.states
        if self.found.growing.due(states):
            self.found.look_for_growth(states, self.task.system.values(packed.decode(words)))
        if self.manner.aside is not None and self.manner.prune is None:
            self.manner.aside(self.engine)
        if states >= _MANY and self.manner.threads == 1 and self._may_narrow(packed):
            self._narrow(explorer, packed)

    def _retrace(self, explorer: Explorer, evaluator: Evaluator) -> bool:
        """Find the ways to what was seen, where they were not kept; return whether they are known."""
        # What was found is not to be lost: the ways are found whatever the limits are, and in less
        # than twice the time that the search took.  But who asks for an end now has had enough.
        stop = self.task.meter.stop
        asked = stop.requests

        def look() -> bool:
            if stop.requests > asked:
                explorer.interrupt()
            return False

        known = False
        try:
            with watching(look):
                sparing = self.task.meter.limits.memory is not None
                known = explorer.retrace(evaluator.step, evaluator.check, sparing)
        finally:  # whatever has ended it
            if not known:
                self.found.incomplete(FOUND_WITHOUT_WAY)
        return known

    def _watched(
        self, explorer: Explorer, meter: Meter, tiers: Tiers | None = None
    ) -> AbstractContextManager[None]:
        """Look at the limits, and after the code, while the explorer runs."""

        def look() -> bool:
            states = explorer.states + len(self.found.visited)
            reason = meter.reason_to_stop(states, explorer.transitions, explorer.waiting)
            if reason is not None:
                self.found.incomplete(reason)
                explorer.interrupt()
            return reason is not None

        return watching(look, tiers)

    # -- results --------------------------------------------------------------------------------

    def _tell(self, explorer: Explorer, packed: Packed, ending: str) -> None:
        limit = self.task.meter.limits.states
        if ending == "states" and limit is not None:
            self.found.incomplete(states_reached(limit))
        if ending == "memory":
            self.found.incomplete(NO_MEMORY)
        if ending in _CUT_SHORT and not explorer.states:
            return  # before the first state was entered: there is nothing that could be asked for
        operations: Counter[str] = Counter()
        for part, count in zip(packed.actions, explorer.transitions_by_action, strict=True):
            operations[part.name] += count
        began = time.thread_time()
        covered = told_variables(
            explorer, packed, self.task, self.initial
        )  # now, for to find the ways is to begin anew
        spent = time.thread_time() - began
        self.engine = replace(self.engine, memory=explorer.memory, statistics_seconds=spent)
        self.ways = dict(self.found.visited)
        states, waiting = explorer.states, explorer.waiting
        fresh = self._fresh(explorer, packed)
        explored = Explored(states, operations, waiting, self.ways, covered, fresh)
        # A search that ends at an error after its last level has left nothing out.
        finished = ending == "complete" or (ending == "violation" and not explorer.waiting)
        self.found.explored(explored, stopped=not finished)
        if not finished and ending not in _ENDINGS:
            raise AssertionError(f"the native engine ended in an unknown way: {ending}")

    def _tell_seen(self, explorer: Explorer, evaluator: Evaluator) -> None:
        packed, notes = evaluator.packed, evaluator.notes
        if not any(notes.seen()) or not self._retrace(explorer, evaluator):
            return
        for sighting in notes.sightings():
            end = self._remember(explorer, packed, sighting.first)
            sighting.tell(self.found, packed, packed.encode(end))

    def _fresh(self, explorer: Explorer, packed: Packed) -> dict[str, int]:
        fresh = Counter(step.operation for _, step in self.initial.values())
        fresh.update(step.operation for _, step in self.found.visited.values())
        for part, count in zip(packed.actions, explorer.fresh_by_action, strict=True):
            fresh[part.name] += count
        return dict(fresh)

    def _remember(self, explorer: Explorer, packed: Packed, index: int) -> State:
        """Note a way to a state, and return where it leads; the evaluator executes each step.

        Where states are taken for the same, that may be another state than the explorer says.
        """
        indices = explorer.path(index)
        # Where the evaluator knows one way to go on, states in between need not be compared: the
        # way is its own, and it is enough that it leads to the state that was looked for.
        way = None
        ways = Ways(self.task.system, packed, explorer, self.manner.merge)
        if self.manner.merge is None:
            way = ways.through(indices, straight=True)
            if way and way[-1].target != packed.decode(explorer.state(index)):
                way = None
        if way is None:
            way = ways.through(indices, straight=False)
        if way is None:
            raise AssertionError(_UNHEARD_OF)
        here = packed.decode(explorer.state(indices[0]))
        self.ways[here] = self.initial[here]
        for transition in way:
            self.ways.setdefault(transition.target, (here, transition.step))
            here = transition.target
        return here


def _describe(explorer: Explorer, packed: Packed, code: Compiled, task: Task) -> None:
    """Tell the explorer about the model, and about what ends the search."""
    describe(explorer, packed, code)
    asked = task.ends & task.kinds
    ending = [i for i, part in enumerate(packed.properties) if part.kind in asked]
    explorer.stop_at(ending, PropertyKind.DEADLOCK in asked)
