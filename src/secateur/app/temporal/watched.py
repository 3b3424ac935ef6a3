"""What temporal formulas look at in a model, and what is left of it if the rest may wait.

Importing this loads the compiler.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Linear
from secateur.engine.liveness.lawful import Lawful
from secateur.engine.liveness.reduced import ReducedGraph
from secateur.engine.liveness.visible import NotReducible, Watched, together, watched_by
from secateur.engine.native.pruning import NativePruning
from secateur.engine.reduce.reduction import Reduction
from secateur.kernel.places import join_words
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.model import Property
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.formula import atoms
from secateur.maths.ast import Expr, Name, free_names, rebuild, walk
from secateur.system.packing import Misfit
from secateur.system.reduced import Reduced
from secateur.system.system import State, Step

MOST_PREDICATES: Final = 100


class Pruner:
    """Says what need not be followed for one formula, in the present layout of the states.

    `system` has the `predicates` of the formula as its only properties.
    """

    def __init__(
        self,
        linear: Linear,
        rows: Lawful,
        patience: int | None = None,
        effort: Effort = USUAL,
    ) -> None:
        self.binding = linear.binding
        self.formula = linear.formula
        self.fair = [
            e for case in linear.cases for events in linear.fair_events(case) for e in events
        ]
        self.rows = rows
        self.patience = patience
        self.effort = effort
        self.predicates = predicates_in(self.binding, atoms(self.formula))
        if len(self.predicates) > MOST_PREDICATES:
            raise NotReducible(f"it has {len(self.predicates)} predicates, too many to look into")
        # Whether the formula can be reduced at all is known before anything is compiled.
        watched_by(self.formula, self._allow)
        self.system = self.binding.system.asking(
            [Property(str(atom), predicate) for atom, predicate in self.predicates.items()]
        )
        self._made: tuple[UnfoldedMachine, EventRelations, Reduction] | None = None

    def _allow(self, atom: Atom) -> Watched:
        """Raise NotReducible for an atom that nobody knows how to preserve."""
        if atom.kind not in _WATCHABLE:
            raise NotReducible(f"whether {atom} holds may change with any step")
        for event in atom.events:
            refuse_varying(self.binding, event, atom)
        return Watched()

    def _make(self, machine: CompiledMachine) -> tuple[UnfoldedMachine, Reduction]:
        """Return the instances of a machine, in its present layout, and a choice of them."""
        unfolded = UnfoldedMachine(machine)
        relations = relations_of(unfolded, self.effort, REACHABLE)
        watch = Watch(self.binding, machine, unfolded, list(self.predicates))
        watched = watched_by(self.formula, watch.atom) | together(
            # That fair events happen need not be seen: what happens on a path happens on the
            # one that is left of it, and more only makes it fairer.
            Watched(guards=watch.instances(event))
            for event in self.fair
        )
        reduction = self.rows.applied(unfolded, relations, watched)
        reduction.patience = self.patience
        self._made = unfolded, relations, reduction
        return unfolded, reduction

    def native(self, machine: CompiledMachine) -> NativePruning:
        """Return the choice for the native engine, which explores this machine."""
        return NativePruning(*self._make(machine))

    @cached_property
    def _machine(self) -> CompiledMachine:
        return CompiledMachine(self.system, self.system.solutions)

    def graph(self) -> ReducedGraph:
        """Return a graph for the present layout."""
        unfolded, reduction = self._make(self._machine)

        def pack(state: State) -> int:
            found = unfolded.pack(state)
            assert isinstance(found, int)
            return found

        graph = self.binding.graph
        return ReducedGraph(graph.system, graph.meter, reduction, pack)

    def widen(self, misfit: Misfit) -> None:
        """Provide room for a value; graphs made before are of no use any more."""
        self._machine.widen(misfit)

    def told(self, *, unfinished: bool) -> Reduced:
        """Return what was reduced; raise NotReducible if it was not enough to find no path."""
        assert self._made is not None
        unfolded, relations, reduction = self._made
        tally = reduction.tally
        if unfinished and tally.trapped:
            # What is known of actions is known of states that are reached without a fault.
            raise NotReducible("something is ill-defined on the way")
        row, proviso = self.rows
        visible = len(reduction.scene.question.visible or ())
        return Reduced(
            name=row.name,
            proviso=proviso.name,
            reference=row.reference,
            reason=f"{row.title}; the formula sees {visible} of {len(unfolded.actions)} actions",
            expanded=tally.expanded,
            reduced=tally.reduced,
            refused=tally.refused,
            trapped=tally.trapped,
            happening=tally.happening,
            taken=tally.taken,
            seconds=relations.purse.spent,
        )


def refuse_varying(binding: Binding, event: Event, atom: Atom) -> None:
    """Raise NotReducible if the arguments of an event are not the same in all states."""
    for text in event.arguments:
        if text != "_" and binding.variables & binding.names_in(text, atom.bound):
            raise NotReducible(f"{text} in {atom} is not the same in all states")


_WATCHABLE = frozenset(
    {
        Kind.PREDICATE,
        Kind.GOAL,
        Kind.EVENT,
        Kind.ENABLED,
        Kind.AVAILABLE,
        Kind.DEADLOCK,
        Kind.DETERMINISTIC,
        Kind.CONTROLLER,
        Kind.UNCHANGED,
        Kind.CHANGED,
        Kind.INCREASING,
        Kind.DECREASING,
    }
)


class Watch:
    """What atoms look at in an unfolded machine."""

    def __init__(
        self,
        binding: Binding,
        machine: CompiledMachine,
        unfolded: UnfoldedMachine,
        checked: list[Atom],
    ) -> None:
        self.binding = binding
        self.machine = machine
        self.unfolded = unfolded
        self.checks = {atom: number for number, atom in enumerate(checked)}

    def atom(self, atom: Atom) -> Watched:
        """Return what an atom looks at."""
        if atom in self.checks:
            return Watched(checks=frozenset({self.checks[atom]}))
        if atom.kind is Kind.EVENT:
            return Watched(steps=self.instances(atom.events[0], atom))
        if atom.events:
            return together(Watched(guards=self.instances(e, atom)) for e in atom.events)
        names = self.binding.names_in(atom.text, atom.bound)
        return Watched(slots=join_words(self.machine.layout.mask(names)))

    def instances(self, event: Event, atom: Atom | None = None) -> frozenset[int]:
        """Return the actions that are an event, or may be."""
        return frozenset(
            number
            for number, action in enumerate(self.unfolded.actions)
            if action.operation == event.name and self._may_be(number, event, atom)
        )

    def _may_be(self, number: int, event: Event, atom: Atom | None) -> bool:
        action = self.unfolded.actions[number]
        operations = self.binding.model.operations
        parameters = next(o for o in operations if o.name == event.name).parameters
        known = dict(action.arguments)
        wanted = [
            p.name for p, text in zip(parameters, event.arguments, strict=False) if text != "_"
        ]
        if any(name not in known for name in wanted):
            raise NotReducible(f"the instances of {event.name} are not told apart")
        arguments = tuple((p.name, known.get(p.name)) for p in parameters)
        occurs = self.binding.occurrence(event, atom)
        step = Step(event.name, arguments)
        return any(occurs(state, step) for state in self.binding.one_for_each_solution())


def predicates_in(binding: Binding, all_atoms: Iterable[Atom]) -> dict[Atom, Expr]:
    """Return the atoms that are predicates, each as one."""
    found = ((atom, _predicate(binding, atom)) for atom in all_atoms)
    return {atom: predicate for atom, predicate in found if predicate is not None}


def _predicate(binding: Binding, atom: Atom) -> Expr | None:
    """Return the predicate that an atom is, with the values of its quantified names put in.

    None if it is no predicate, or a value cannot be written.
    """
    formula = binding.predicate_of(atom)
    if formula is None or not atom.bound:
        return formula
    values: dict[str, Expr] = {}
    for name, value, _ in atom.bound:
        written = binding.literal(value)
        if written is None or free_names(written) & _binders(formula):
            return None
        values[name] = written
    return _with_values(formula, values)


def _binders(e: Expr) -> set[str]:
    return {b.name for part in walk(e) for b in getattr(part, "binders", ())}


def _with_values(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression with values in the place of names."""
    if not free_names(e) & values.keys():
        return e
    if isinstance(e, Name):
        return values.get(e.text, e)
    hidden = {b.name for b in getattr(e, "binders", ())}
    seen = {name: value for name, value in values.items() if name not in hidden}
    return rebuild(e, lambda part: _with_values(part, seen))
