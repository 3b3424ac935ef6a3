"""From a program to a model: variables, and one operation per step of a process.

Every step is a guard and an assignment of all values at once, in terms of the state before
it, so that nothing of Promela is left for those who explore, reduce and explain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from secateur.lang.guards import split_guard
from secateur.lang.model import Model, Obligation, Operation, Settled, Words
from secateur.lang.promela import terms, told
from secateur.lang.promela.ast import Program, Variable
from secateur.lang.promela.automaton import Automaton
from secateur.lang.promela.births import Room, first_processes
from secateur.lang.promela.buffers import width_of_length
from secateur.lang.promela.companion import Provided
from secateur.lang.promela.courses import Fault, Leap
from secateur.lang.promela.events import PLACE as EVENT
from secateur.lang.promela.events import EventTrace
from secateur.lang.promela.expressions import LAST, PROCESSES, Expressions, Here
from secateur.lang.promela.formulas import Formulas, with_operators
from secateur.lang.promela.names import Namer
from secateur.lang.promela.never import with_claim
from secateur.lang.promela.opened import opened
from secateur.lang.promela.paths import Paths, TooLong
from secateur.lang.promela.ranges import Found, Step, Variables, settled_values
from secateur.lang.promela.shown import shown, wording
from secateur.lang.promela.statements import Statements
from secateur.lang.promela.terms import BYTE, Term, Width, all_of, any_of, literal
from secateur.lang.promela.values import Values, between, rounded
from secateur.lang.promela.variants import Write
from secateur.lang.promela.view import UNCHANGED, View
from secateur.lang.promela.world import Instance, Queue, Site, World, elements
from secateur.maths import substitution as sub
from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Expr,
    Name,
    SetDisplay,
    Text,
    conjuncts,
)
from secateur.maths.operators import comparison, function_spaces, relations, sets
from secateur.maths.replace import Replacement
from secateur.maths.types import INTEGER, relation
from secateur.source import NOWHERE
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind

HOLDER: Final = "_atomic"
"""Who alone may go on: 1 more than its number, or 0."""
WORDS: Final = Words(
    deadlock="invalid end state",
    nothing="no process can go on",
    formulas="ltl block, never claim, or place with a label accept... or progress...",
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable of the model."""

    name: str
    width: Width
    size: int | None = None
    """How many elements it has, if it is an array."""
    low: int | None = None
    high: int | None = None
    """Its least and greatest value, if these are fewer than its width allows."""

    @property
    def binder(self) -> Binder:
        """The variable with its type."""
        return Binder(self.name, INTEGER if self.size is None else relation(INTEGER, INTEGER))

    @property
    def greatest(self) -> int:
        """Its greatest value."""
        return self.width.high if self.high is None else self.high

    @property
    def typing(self) -> Expr:
        """What its values are."""
        values = interval(self.width.low if self.low is None else self.low, self.greatest)
        space: Expr = values
        if self.size is not None:
            space = Apply(function_spaces.TOTAL_FUNCTIONS, (interval(0, self.size - 1), values))
        return Apply(comparison.MEMBER, (Name(self.name), space))


def interval(low: int, high: int) -> Expr:
    """Return the numbers from one to another."""
    return Apply(sets.INTERVAL, (literal(low), literal(high)))


class Lowering:
    """Makes the model of a program with room for some processes."""

    def __init__(
        self,
        program: Program,
        automata: Mapping[str, Automaton],
        room: Room,
    ) -> None:
        self.program = program
        self.room = room
        self._prepare(automata, frozenset())
        self.unprovided: dict[str, tuple[Site, int | None]] = {}
        """The operations that stand for processes without room."""
        self.faults: dict[str, Fault] = {}
        """The operations that cannot be executed, and why."""
        self.inner: set[str] = set()
        """The operations that end inside of a sequence that was cut."""

    def _prepare(self, automata: Mapping[str, Automaton], apart: frozenset[int]) -> None:
        """Settle who and what there is; a d_step that is not one step is taken apart."""
        self._given = automata, apart
        shown = {name: opened(graph, apart) for name, graph in automata.items()}
        first = first_processes(self.program)
        self.world = World(self.program, shown, self.room.births, first, automata)
        self.expressions = Expressions(self.world, self._constants())
        trace = self.program.trace
        self.trace = None if trace is None else EventTrace(trace, self.expressions)
        self.statements = Statements(self.world, self.expressions, trace=self.trace)
        self.paths = Paths(self.statements)

    def _constants(self) -> dict[tuple[Instance, Variable], int]:
        """Return the parameters that have one value for as long as their process lives."""
        return {
            (instance, parameter): value
            for instance in self.world.instances
            for parameter, value in zip(
                instance.proctype.parameters,
                self.room.passed.get((instance.pid, instance.proctype.name), ()),
                strict=False,
            )
            if value is not None and parameter not in self.world.assigned
        }

    def _leaps(self) -> list[Leap]:
        """Return all steps."""
        while True:
            try:
                return self.paths.leaps()
            except TooLong as found:
                self.take_apart(found.graph)

    def take_apart(self, graph: Automaton) -> None:
        """Begin anew, with the statements of a d_step one by one."""
        automata, apart = self._given
        self._prepare(automata, apart | {id(graph)})

    def model(self) -> Model:
        """Return the model, with what is claimed of its runs."""
        namer = Namer()
        leaps = self._leaps()
        self.declared = list(self._declared())
        operations = tuple(self._operation(leap, namer) for leap in leaps)
        found = self._found(operations)
        self.declared = list(self._narrowed(found))
        formulas = Formulas(self.expressions)
        texts = [(block.name, formulas.text(block.formula)) for block in self.program.ltl]
        model = replace(self._model(operations), settled=_told(found))
        claims = {
            f"ASSERT_LTL_{name}": Text(text) for name, text in (*texts, *formulas.about_labels())
        }
        products = {
            claim.name: with_claim(model, claim, self.statements) for claim in self.program.nevers
        }
        notes = (*model.notes, *self.expressions.processes.notes)
        return replace(model, definitions=claims, products=products, notes=notes)

    def _model(self, operations: tuple[Operation, ...]) -> Model:
        return Model(
            name=self.program.name,
            sets=(),
            freetypes=(),
            constants=(),
            properties=(),
            variables=tuple(d.binder for d in self.declared),
            invariants=(),
            assertions=(),
            initialisation=self._initialisation(),
            operations=operations,
            callable={},
            notes=self.program.notes,
            companion=Provided(self.unprovided, self.faults),
            typing=tuple(d.typing for d in self.declared),
            ends=self._ends(),
            inner=frozenset(self.inner),
            stutters=True,
            processes=told.processes(self.world),
            statements=told.written(self.world.automata),
            words=WORDS,
            shown=shown(self.world),
            wording=wording(self.world),
            expand=self._expanded,
        )

    def _expanded(self, formula: Expr, taken: frozenset[str]) -> Expr:
        """Return a formula of a user with the values of parameters that are no variables."""
        parameters = {
            instance.local(each): self.expressions.seen(
                each, instance, (None, NOWHERE), UNCHANGED
            ).expr
            for instance, each in self.expressions.constants
        }
        found = Replacement(parameters).without(taken).in_expression(formula)
        return with_operators(found, taken)

    # -- variables ----------------------------------------------------------------------------------

    def _declared(self) -> Iterator[Declared]:
        instances = self.world.instances
        yield Declared(PROCESSES, BYTE)
        if self.paths.cuts:
            yield Declared(HOLDER, Width(8), high=max(i.pid for i in instances) + 1)
        if self.world.asks_last:
            yield Declared(LAST, BYTE)
        if self.trace is not None:
            yield Declared(EVENT, self.trace.width, high=self.trace.most)
        for variable in self.program.globals:
            yield from self._variable(variable, None)
        for instance in instances:
            most = max(place.number for place in instance.automaton.locations)
            yield Declared(instance.place, Width(most.bit_length()), high=most)
            if self.world.priority(instance) is None:
                yield Declared(instance.rank, BYTE)
            for variable in instance.variables:
                yield from self._variable(variable, instance)

    def _variable(self, variable: Variable, owner: Instance | None) -> Iterator[Declared]:
        for queue in self.world.made_by(variable, owner):
            yield from self._queue(queue)
        if self.statements.lifetimes.is_stored(variable, owner):
            name = variable.name if owner is None else owner.local(variable)
            size = elements(variable) if variable.dimensions else None
            yield Declared(name, self.world.width(variable), size)

    def _queue(self, queue: Queue) -> Iterator[Declared]:
        capacity = queue.channel.capacity
        if capacity == 0:
            return
        yield Declared(queue.length, width_of_length(queue), high=capacity)
        for j in range(len(queue.channel.fields)):
            size = capacity if capacity > 1 else None
            yield Declared(queue.field(j), self.world.field_width(queue, j), size)

    def _initialisation(self) -> sub.Substitution:
        view = self.start()
        targets = tuple(Name(d.name) for d in self.declared)
        return sub.Assign(targets, tuple(self._value(d, view) for d in self.declared))

    def start(self) -> View:
        """Return the values that all variables have to begin with."""
        view = _after(UNCHANGED, self._zeros())
        view = _after(view, [Write(PROCESSES, terms.number(len(self.world.defaults)))])
        if self.trace is not None:
            view = _after(view, [Write(EVENT, terms.number(self.trace.graph.start))])
        lifetimes = self.statements.lifetimes
        for variable in self.program.globals:
            view = _after(view, lifetimes.initial(variable, Here(None, view)))
        for instance in self._first():
            zeros = tuple(terms.number(0) for _ in instance.proctype.parameters)
            view = _after(view, lifetimes.created(instance, zeros, view))
            view = _after(view, self.statements.priorities.begun(instance, None))
        return view

    def _zeros(self) -> Iterator[Write]:
        for each in self._declared():
            for place in range(each.size or 1):
                index = terms.number(place) if each.size is not None else None
                yield Write(each.name, terms.number(0), index)

    def _first(self) -> list[Instance]:
        known = set(self.world.defaults)
        return [i for i in self.world.instances if (i.pid, i.proctype.name) in known]

    def _value(self, declared: Declared, view: View) -> Expr:
        if declared.size is None:
            return view.read(declared.name, declared.width).expr
        written = view.arrays[declared.name].known
        pairs = (Apply(relations.PAIR, (literal(i), written[i].expr)) for i in range(declared.size))
        return SetDisplay(tuple(pairs))

    def _ends(self) -> Expr:
        """Return where it is no mistake that nobody goes on: everybody is at an end."""
        everybody = all_of(
            any_of(
                self.expressions.processes.at(instance, place, UNCHANGED)
                for place in (0, *(p.number for p in instance.automaton.locations if p.end))
            )
            for instance in self.world.instances
        )
        return everybody if self.trace is None else all_of((everybody, self.trace.over()))

    def _found(self, operations: Sequence[Operation]) -> Found:
        """Return which values steps can lead to."""
        start = self.start()
        widest = {d.name: (d.width.low, d.greatest) for d in self.declared}
        initial = {d.name: _span_of(_values(d, start)) for d in self.declared}
        arrays = {d.name: d.size for d in self.declared if d.size is not None}
        places = [instance.place for instance in self.world.instances]
        variables = Variables(initial, widest, places, arrays)
        return settled_values(variables, [_step(o) for o in operations])

    def _narrowed(self, found: Found) -> Iterator[Declared]:
        """Yield the variables with no more values than steps can lead to, in whole bits."""
        for each in self.declared:
            widest = each.width.low, each.greatest
            low, high = rounded(found.everywhere[each.name].range, widest)
            yield replace(each, low=low, high=high)

    # -- operations ---------------------------------------------------------------------------------

    def _operation(self, leap: Leap, namer: Namer) -> Operation:
        course = leap.course
        at = self.expressions.processes.at(leap.instance, leap.place, UNCHANGED)
        guard = all_of(
            (at, *self._alone(leap), *course.conditions, *course.implied, *course.demanded)
        )
        name = namer.name(leap)
        if leap.holder is not None:
            self.inner.add(name)
        span = course.taken[0].edge.span
        body: sub.Substitution
        if leap.unprovided is not None:
            count = course.view.scalars.get(PROCESSES)
            self.unprovided[name] = leap.unprovided, None if count is None else count.constant
            body = sub.Assertion(terms.FALSE, sub.Skip(), span)
        elif leap.fault is not None:
            self.faults[name] = leap.fault
            body = sub.Assertion(terms.FALSE, sub.Skip(), span)
        else:
            body = self._body(leap)
        return Operation(
            name,
            (),
            (),
            sub.Select((sub.Branch(guard, body, span),), None, span),
            span,
            tuple(
                Obligation(
                    PropertyKind.ASSERTION,
                    assertion.span.text,
                    replace(condition, span=assertion.span),
                )
                for condition, assertion in course.asserted
                if condition is not terms.TRUE
            ),
            process=leap.instance.name,
            executions=told.executions(course.taken, self.world),
        )

    def _alone(self, leap: Leap) -> Iterator[Expr]:
        """Yield that nobody else has the right to go on alone."""
        if not self.paths.cuts:
            return
        holder = UNCHANGED.read(HOLDER, Width(8))
        free = terms.equal(holder, terms.number(0))
        if (leap.instance, leap.place) in self.paths.cuts:
            own = terms.equal(holder, terms.number(leap.instance.pid + 1))
            yield any_of((free, own))
        else:
            yield free

    def _body(self, leap: Leap) -> sub.Substitution:
        targets: list[Expr] = []
        values: list[Expr] = []
        view = leap.course.view
        scalars = dict(view.scalars)
        if self.paths.cuts:
            holder = 0 if leap.holder is None else leap.holder.pid + 1
            if leap.holder is not None or (leap.instance, leap.place) in self.paths.cuts:
                scalars[HOLDER] = terms.number(holder)
        for name, value in scalars.items():
            if value.expr != Name(name) and leap.settled.get(name) != value:
                targets.append(Name(name))
                values.append(value.expr)
        for name, written in view.arrays.items():
            for index, value in written.pairs():
                target = Call(Name(name), (index.expr,))
                if value.expr != target:
                    targets.append(target)
                    values.append(value.expr)
        if not targets:
            return sub.Skip(leap.course.taken[0].edge.span)
        return sub.Assign(tuple(targets), tuple(values), leap.course.taken[0].edge.span)


def _values(declared: Declared, view: View) -> list[Term]:
    if declared.size is None:
        return [view.read(declared.name, declared.width)]
    return list(view.arrays[declared.name].known.values())


def _span_of(terms_: Sequence[Term]) -> Values:
    """Return the values that a variable begins with."""
    found = [between(t.low, t.high) for t in terms_]
    return reduce(Values.joined, found)


def _told(found: Found) -> Settled:
    """Return what is found out, as far as it is told value by value."""
    places: dict[str, set[int]] = {}
    for name, value in found.at:
        places.setdefault(name, set()).add(value)
    values = {name: values.listed for name, values in found.everywhere.items() if values.listed}
    return Settled(
        {**values, **{name: frozenset(numbers) for name, numbers in places.items()}},
        {
            place: {part: values.listed for part, values in here.items() if values.listed}
            for place, here in found.at.items()
        },
    )


def _step(operation: Operation) -> Step:
    """Return the conditions of an operation, and what it writes."""
    guard, body = split_guard(operation.body)
    conditions = [part for each in guard for part in conjuncts(each)]
    if not isinstance(body, sub.Assign):
        return conditions, ()
    written = zip(body.targets, body.values, strict=True)
    return conditions, tuple((*_target(target), value) for target, value in written)


def _target(target: Expr) -> tuple[str, Expr | None]:
    """Return a variable; or an array, and which of its elements."""
    if isinstance(target, Name):
        return target.text, None
    assert isinstance(target, Call)
    assert isinstance(target.function, Name)
    (index,) = target.args
    return target.function.text, index


def _after(view: View, writes: Iterable[Write]) -> View:
    """Return what is known after values were written whose places are known."""
    everything = tuple(writes)
    after, done = view.surely(everything)
    assert done == len(everything)
    return after
