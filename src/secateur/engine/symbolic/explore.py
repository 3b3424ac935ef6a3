"""The driver of the symbolic engine: from a task to a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple, NoReturn

from secateur.engine.limits import Interrupted, states_reached
from secateur.engine.search.beginning import begun
from secateur.engine.search.findings import Explored, Findings, key_of
from secateur.engine.search.protocol import Task
from secateur.engine.symbolic.build import Builder
from secateur.engine.symbolic.diagrams.protocol import Diagram, DiagramsRow
from secateur.engine.symbolic.ends import deadlocks
from secateur.engine.symbolic.growth import Enough, Growth, Stage
from secateur.engine.symbolic.images.protocol import ImageRow
from secateur.engine.symbolic.learned import LearnedRelation
from secateur.engine.symbolic.protocol import Machine
from secateur.engine.symbolic.translated import Condition
from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.packing import Misfit
from secateur.system.result import Result
from secateur.system.system import Breach, Fault, Gap, PropertyKind, State, Step, Transition

ROOMS: Final = (1 << 20, 1 << 24, 1 << 27)
"""How many nodes there is room for; where that is not enough, everything is begun anew with more."""

BYTES: Final = 32
"""What a node takes, with its share of the tables."""

MOST_ASKED: Final = 10_000
"""So many states are asked one by one where relations do not tell what happens."""

NO_MEMORY: Final = "the machine ran out of memory"

_UNHEARD_OF: Final = "the symbolic engine found a step that the evaluator does not"


@dataclass(frozen=True, slots=True)
class Manner:
    """How sets of states are explored."""

    image: ImageRow
    package: DiagramsRow
    reorder: bool = False
    """Whether the order of variables changes on the way."""
    rooms: tuple[int, ...] = ROOMS


class _Sighting(NamedTuple):
    """Something that was seen in so many states, and one of them; a deadlock if it is no item."""

    state: int
    times: int
    item: Breach | Fault | Gap | None
    check: int | None = None


def explore(task: Task, machine: Machine, manner: Manner) -> Result:
    """Return what the symbolic engine finds; setting up and initialising is left to the evaluator."""
    found = Findings(task)
    engine = PYTHON
    waiting = 0
    try:
        with task.meter.running():
            initial, waiting = begun(task, found)
            if initial:
                engine = Engine("symbolic")
                engine = _explored(task, found, machine, initial, manner)
    except Interrupted:
        found.incomplete(task.meter.why_interrupted())
    except MemoryError:
        found.incomplete(NO_MEMORY)
    return replace(found.result(waiting), engine=engine)


def _explored(
    task: Task,
    found: Findings,
    machine: Machine,
    initial: Mapping[State, tuple[State, Step]],
    manner: Manner,
) -> Engine:
    """Explore, anew where a value does not fit or there is no room; tell the findings."""
    limit = task.meter.limits.memory
    rooms = [n for n in manner.rooms if limit is None or n * BYTES <= limit] or [manner.rooms[0]]
    while True:
        run = None
        try:
            states = [machine.pack(state) for state in initial]
            run = _begun(task, found, machine, rooms[0], manner)
            try:
                run.go(states, manner.image)
            except run.diagrams.out_of_nodes:
                if len(rooms) > 1:
                    run.forget()
                    rooms.pop(0)
                    continue
                found.incomplete(f"there is no room for more than {rooms[0]} nodes of diagrams")
            except Interrupted:
                found.incomplete(task.meter.why_interrupted())
            except MemoryError:
                found.incomplete(NO_MEMORY)
        except Misfit as misfit:
            if run is not None:
                run.forget()
            machine.widen(misfit)
            continue
        with task.meter.telling():
            try:
                engine = run.told(initial, manner)
            except run.diagrams.out_of_nodes:
                found.incomplete("there was no room to tell more")
                engine = Engine("symbolic")
        run.forget()
        return engine


def _begun(task: Task, found: Findings, machine: Machine, room: int, manner: Manner) -> _Run:
    builder = Builder(machine.prepare(), manner.package, room, reorder=manner.reorder)
    return _Run(task, found, machine, builder)


class _Run:
    """One exploration of a system in one layout, with so much room."""

    def __init__(self, task: Task, found: Findings, machine: Machine, builder: Builder) -> None:
        self.task = task
        self.found = found
        self.machine = machine
        self.builder = builder
        self.system = builder.system
        self.variables = builder.variables
        self.diagrams = builder.diagrams
        self.growth: Growth | None = None
        self._false = self.diagrams.false
        self._sightings: list[_Sighting] = []
        self._notes: dict[object, _Sighting] = {}
        self._noted: dict[object, Diagram] = {}
        self._asked: Counter[str] = Counter()
        """The steps that the evaluator has told of."""
        self._inspected = self._false
        self._counted = 0
        self._checks: dict[int, Condition | None] = {}
        self._violated: set[int] = set()
        self._finished = False

    # -- exploring --------------------------------------------------------------------------------

    def go(self, initial: list[int], image: ImageRow) -> None:
        """Explore until there is nothing new, or enough is known."""
        kinds = self.task.kinds
        for number, check in enumerate(self.system.checks):
            if check.kind in kinds:
                self._checks[number] = self.builder.check(number)
        model = self.builder.model(initial)
        growth = self.growth = Growth(model, self._look)
        try:
            new = model.initial
            self._look(new)
            while new != self._false:
                before = growth.reached
                image.sweep(growth, new)
                self._inspect(before)
                new = growth.reached & ~before
            self._ask_checks()
            self._finished = True
        except Enough:
            return

    def _look(self, new: Diagram) -> None:
        """Look for what is wrong in new states, and whether there is time for more."""
        for number, condition in self._checks.items():
            if condition is not None:
                self._check(number, new & ~condition.holds)
        meter = self.task.meter
        reason = meter.reason_to_stop(self._counted, 0, 0)
        limit = meter.limits.states
        if limit is not None and self.growth is not None:
            self._counted = self.variables.count(self.growth.reached)
            if self._counted + len(self.found.visited) > limit:
                reason = states_reached(limit)
        if reason is not None:
            self.found.incomplete(reason)
            raise Enough

    def _check(self, number: int, bad: Diagram) -> None:
        """Look at states in which a property is not known to hold.

        Where its code has no value, the evaluator may have one: there it is asked state by state.
        """
        condition = self._checks[number]
        assert condition is not None
        unknown = bad & condition.undefined
        violating = bad & ~condition.undefined
        if violating != self._false and number not in self._violated:
            self._violated.add(number)
            state = self.variables.pick(violating)
            self._sightings.append(_Sighting(state, 1, None, number))
            said = list(self._said(number, self.machine.unpack(state)))
            assert said, "a property fails as code and not for the evaluator"
            if any(map(self._ends, said)):
                raise Enough
        if unknown != self._false:
            self._ask_check(number, unknown)

    def _ask_check(self, number: int, states: Diagram) -> None:
        """Ask the evaluator about a property, once for each code that it looks at."""
        variables = self.variables
        reads = self.builder.whole(self.system.checks[number].reads)
        for place, code in enumerate(variables.states(variables.on(reads, states), reads)):
            if place == MOST_ASKED:
                self._too_many()
            alike = states & variables.of_state(code, reads)
            state = variables.pick(alike)
            for item in self._said(number, self.machine.unpack(state)):
                self._note(state, item, alike)

    def _too_many(self) -> NoReturn:
        self.found.incomplete(
            f"in more than {MOST_ASKED} states it is only known one by one what happens"
        )
        raise Enough

    def _said(self, number: int, state: State) -> Iterator[Breach | Fault | Gap]:
        """Yield what the evaluator says of a property in a state."""
        check = self.system.checks[number]
        for item in self.task.system.breaches(state, frozenset({check.kind})):
            match item:
                case Breach(_, name, span) if (name, span) != (check.name, check.span):
                    continue
                case Fault(where) if where != check.name:
                    continue
            yield item

    def _ends(self, item: Breach | Fault | Gap) -> bool:
        """Whether what was found ends the search."""
        kind = item.kind if isinstance(item, Breach) else PropertyKind.WELL_DEFINEDNESS
        return kind in self.task.ends and not isinstance(item, Gap)

    def _ask_checks(self) -> None:
        """Look for what is wrong with properties that have no code."""
        assert self.growth is not None
        for number, condition in self._checks.items():
            if condition is None:
                asked = self._checks[number] = self.builder.asked(number, self.growth.reached)
                self._check(number, self.growth.reached & ~asked.holds)

    def _inspect(self, states: Diagram) -> None:
        """Look for states from which nothing leads, and for those that relations do not tell of.

        All actions have been applied to these states.
        """
        growth = self.growth
        assert growth is not None
        states = states & ~self._inspected
        self._counted = self.variables.count(growth.reached)
        if states == self._false:
            return
        trouble = growth.model.troubled(states)
        stuck = growth.model.stuck(states & ~trouble)
        if stuck != self._false and PropertyKind.DEADLOCK in self.task.kinds:
            self._stuck(stuck)
        if trouble != self._false:
            self._ask(trouble)
        self._inspected = self._inspected | states

    def _stuck(self, states: Diagram) -> None:
        """Take down states from which nothing leads, but for those in which a run may end."""
        states = deadlocks(self.builder, states, (MOST_ASKED, self._too_many))
        if states == self._false:
            return
        count = self.variables.count(states)
        self._sightings.append(_Sighting(self.variables.pick(states), count, None))
        if PropertyKind.DEADLOCK in self.task.ends:
            raise Enough

    def _ask(self, trouble: Diagram) -> None:
        """Ask the evaluator what happens in states that relations do not tell of."""
        assert self.growth is not None
        ways: dict[int, int] = {}
        source = self._false
        states = self.variables.states(trouble, self.variables.everything)
        for place, state in enumerate(states):
            if place == MOST_ASKED:
                self._too_many()
            self._look(self._false)
            source = source | self.variables.of_state(state)
            for target in self._targets(state):
                ways.setdefault(target, state)
        reached = self.variables.of_states(list(ways))
        self.growth.grow(reached, Stage(source, (), ways))

    def _targets(self, state: int) -> Iterator[int]:
        """Yield where the evaluator says that a state leads, and take down what else it says."""
        here = self.variables.of_state(state)
        doubtful = {
            name
            for name, operation in self.builder.operations.items()
            if here & operation.trouble != self._false
        }
        stuck = True
        for item in self.task.system.successors(self.machine.unpack(state)):
            stuck = False
            if isinstance(item, Transition):
                if item.step.operation in doubtful:
                    self._asked[item.step.operation] += 1
                yield self.machine.pack(item.target)
            else:
                self._note(state, item, here)
        if stuck and PropertyKind.DEADLOCK in self.task.kinds:
            self._stuck(here)

    def _note(self, state: int, item: Breach | Fault | Gap, states: Diagram) -> None:
        """Take down what the evaluator says of states; of what it says often, the first.

        Properties may have one text and place: a state of which it is said twice counts once.
        """
        key = key_of(item)
        known = self._notes.get(key)
        told = states if known is None else self._noted[key] | states
        self._noted[key] = told
        times = self.variables.count(told)
        if known is not None:
            self._notes[key] = known._replace(times=times)
            return
        self._notes[key] = _Sighting(state, times, item)
        if self._ends(item):
            raise Enough

    # -- telling ----------------------------------------------------------------------------------

    def told(self, initial: Mapping[State, tuple[State, Step]], manner: Manner) -> Engine:
        """Tell the findings what was explored and seen; return what is told of the engine."""
        growth = self.growth
        if growth is None:  # there was no room to begin
            return Engine("symbolic")
        ways = dict(self.found.visited)
        sightings = [*self._sightings, *self._notes.values()]
        ends = {s.state: self._way(growth.way_to(s.state), initial, ways) for s in sightings}
        explored = Explored(
            self.variables.count(growth.reached),
            self._operations() if self._finished else {},
            0 if self._finished else self._waiting(growth.reached),
            ways,
            self.machine.coverage(self._codes, initial),
        )
        self.found.explored(explored, stopped=not self._finished)
        for sighting in sightings:
            self._tell_one(sighting, ends[sighting.state])
        return self._engine(manner)

    def forget(self) -> None:
        """Let go of what knows this run, for all diagrams would wait for the garbage collector."""
        self.growth = None

    def _waiting(self, reached: Diagram) -> int:
        """Return how many states were not looked into; something was left, if only a property."""
        return max(1, self.variables.count(reached & ~self._inspected))

    def _way(
        self,
        states: list[int],
        initial: Mapping[State, tuple[State, Step]],
        ways: dict[State, tuple[State, Step]],
    ) -> State:
        """Note a way to a state, each step executed by the evaluator; return where it leads."""
        unpacked = [self.machine.unpack(state) for state in states]
        ways.setdefault(unpacked[0], initial[unpacked[0]])
        for before, after in pairwise(unpacked):
            for item in self.task.system.successors(before):
                if isinstance(item, Transition) and item.target == after:
                    ways.setdefault(after, (before, item.step))
                    break
            else:
                raise AssertionError(_UNHEARD_OF)
        return unpacked[-1]

    def _tell_one(self, sighting: _Sighting, state: State) -> None:
        if sighting.item is not None:
            self.found.note(state, sighting.item, sighting.times)
        elif sighting.check is None:
            self.found.check_deadlock(state, sighting.times)
        else:
            self._tell_check(sighting.check, state)

    def _tell_check(self, number: int, state: State) -> None:
        condition = self._checks[number]
        assert condition is not None
        assert self.growth is not None
        bad = self.growth.reached & ~condition.holds & ~condition.undefined
        for item in self._said(number, state):
            self.found.note(state, item, self.variables.count(bad))

    def _operations(self) -> Counter[str]:
        """Return how many steps each operation makes: different (action, target) per state."""
        assert self.growth is not None
        counts = Counter(self._asked)
        reached = self.growth.reached
        for relation in self.growth.model.relations:
            operation = self.system.actions[relation.action].operation
            counts[operation] += relation.count(reached)
        return counts

    def _codes(self, mask: int, most: int) -> list[int] | None:
        """Return what some bits are in the reached states; None if that is too much."""
        assert self.growth is not None
        variables = self.variables
        seen = variables.on(mask, self.growth.reached)
        others = (variables.everything & ~mask).bit_count()
        if variables.count(seen) >> others > most:
            return None
        return list(variables.states(seen, mask & variables.everything))

    def _engine(self, manner: Manner) -> Engine:
        growth = self.growth
        assert growth is not None
        relations = growth.model.relations
        learned = sum(isinstance(r, LearnedRelation) for r in relations)
        size = self.diagrams.size(growth.reached)
        told = [
            manner.image.name,
            manner.package.title,
            f"{len(self.variables.order)} bits",
            f"{size} nodes for the states",
            f"{len(relations) - learned} of {len(relations)} actions translated",
        ]
        return Engine("symbolic", remark=", ".join(told))
