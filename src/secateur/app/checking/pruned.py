"""Checking with partial order reduction: instances, their relations, and a lawful choice of them.

Importing this loads the compiler.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from secateur.analysis.assumptions import NOTHING, REACHABLE, Assumptions
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.app.checking.kept import Kept, Occasion, keep, taken
from secateur.app.checking.merged import Merge
from secateur.engine.limits import Interrupted
from secateur.engine.native.available import why_not_native
from secateur.engine.native.explore import Manner, explore
from secateur.engine.native.protocol import Packed
from secateur.engine.native.pruning import METHODS, PROVISOS, NativePruning
from secateur.engine.plan import Plan
from secateur.engine.provisos.static import Static
from secateur.engine.reduce.obstacles import told
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.findings import Findings
from secateur.engine.search.protocol import Task
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.system.events import EventSystem
from secateur.system.packing import Misfit
from secateur.system.reduced import Reduced
from secateur.system.relations import Relations
from secateur.system.result import Result
from secateur.system.system import Outgoing, State, Transition
from secateur.system.trace import Trace
from secateur.system.verdict import Violated


class Pruner:
    """Finds the reduction for a machine in its present layout."""

    def __init__(
        self,
        planned: Plan,
        assumptions: Assumptions = REACHABLE,
        effort: Effort = USUAL,
        merge: Merge | None = None,
    ) -> None:
        self.planned = planned
        self.assumptions = assumptions
        self.effort = effort
        self.merge = merge
        self.reduction: Reduction | None = None
        self.relations: EventRelations | None = None
        self.kept: Kept | None = None
        """What is known of the machine in its present layout."""

    @property
    def occasion(self) -> Occasion:
        """What the relations are found for."""
        return Occasion(self.planned.kinds, self.effort, self.assumptions)

    def pack(self, system: MachineSystem) -> CompiledMachine:
        """Return the machine of an earlier run, if something is known of it, or a new one."""
        return CompiledMachine(system, system.solutions) if self.kept is None else self.kept.machine

    def prepare(self, machine: CompiledMachine) -> UnfoldedMachine:
        """Take a machine apart, and choose what to leave out."""
        kinds = self.planned.kinds
        if self.kept is None or not self.kept.fits(machine):
            system = UnfoldedMachine(machine, kinds)
            system.compile()  # the search needs it as well: the analysis has its time for itself
            self.kept = Kept(system, relations_of(system, self.effort, self.assumptions))
        system, self.relations = self.kept.unfolded, self.kept.relations
        self.reduction = self.planned.pruning.applied(system, self.observed(self.relations), kinds)
        if self.merge is not None and self.reduction is not None:
            proviso = self.reduction.proviso
            if isinstance(proviso, Static):  # the native engine merges what this system does not
                proviso.respect_symmetry()
        return system

    def observed(self, relations: Relations) -> Relations:
        """Return what the reduction is told of the relations: here, just these."""
        return relations

    def native(self, packed: Packed) -> NativePruning | None:
        """Return the reduction for the native engine."""
        assert isinstance(packed, CompiledMachine)
        system = self.prepare(packed)
        return None if self.reduction is None else NativePruning(system, self.reduction)

    def merged(self, machine: CompiledMachine) -> tuple[UnfoldedMachine, EventSystem]:
        """Take a machine apart, merge what is symmetric, and choose what to leave out of that."""
        assert self.merge is not None
        unfolded = self.prepare(machine)
        system = self.merge.of_events(unfolded)
        assert self.relations is not None
        self.reduction = self.planned.pruning.applied(system, self.relations, self.planned.kinds)
        return unfolded, system

    def in_doubt(self, result: Result) -> bool:
        """Whether more is said than can be known after a fault that was passed.

        Relations are about states that are reached without one, if something is known of those.
        """
        reduction, relations = self.reduction, self.relations
        if reduction is None or relations is None or relations.reachable is None:
            return False
        verdict = result.verdict
        final = verdict.exhaustive if isinstance(verdict, Violated) else not result.reasons
        return final and reduction.tally.trapped > 0

    def report(self, result: Result) -> Result:
        """Return a result that says what was reduced."""
        reduction, relations = self.reduction, self.relations
        if reduction is None or relations is None:
            return result
        name, proviso = reduction.names
        tally = reduction.tally
        row = next(r for r in REDUCTIONS if r.name == name)
        told = Reduced(
            name=name,
            proviso=proviso,
            reference=row.reference,
            reason=row.title,
            expanded=tally.expanded,
            reduced=tally.reduced,
            refused=tally.refused,
            trapped=tally.trapped,
            happening=tally.happening,
            taken=tally.taken,
            seconds=relations.purse.spent,
            why_little=None if tally.reduced else _why_little(reduction),
        )
        return replace(result, reductions=(told,))


def _why_little(reduction: Reduction) -> str | None:
    """Say what stood in the way most."""
    tally = reduction.tally
    if tally.refused:
        sets = "the only set" if tally.refused == 1 else f"all {tally.refused} sets"
        return f"the proviso did not allow {sets} that would do otherwise"
    faults = reduction.scene.question.faults
    actions = reduction.scene.system.actions
    obstacle = told(reduction.scene.lookup)
    if obstacle is not None:
        return obstacle
    if faults:
        return f"{actions[faults[0]].operation} might be ill-defined somewhere"
    if tally.happening <= tally.expanded:
        return "hardly ever more than one action can happen"
    return None


def check_pruned(
    task: Task,
    system: MachineSystem,
    planned: Plan,
    effort: Effort = USUAL,
    merge: Merge | None = None,
) -> Result:
    """Return what a reduced search finds; the steps of its traces have been executed.

    With `merge`, symmetric states are taken for the same as well.
    """
    pruner = Pruner(planned, effort=effort, merge=merge)
    result = _searched(task, system, planned, pruner)
    if pruner.in_doubt(result):
        pruner = Pruner(planned, NOTHING, effort, merge)
        result = _searched(task, system, planned, pruner)
    return pruner.report(result)


def _searched(task: Task, system: MachineSystem, planned: Plan, pruner: Pruner) -> Result:
    if pruner.merge is None:
        pruner.kept = taken(system, pruner.occasion)
    result = _by_engine(task, system, planned, pruner)
    if pruner.merge is None and pruner.kept is not None:
        keep(system, pruner.occasion, pruner.kept)
    return result


def _by_engine(task: Task, system: MachineSystem, planned: Plan, pruner: Pruner) -> Result:
    merge = pruner.merge
    twin = _has_twin(planned) and (merge is None or merge.strategy.name == CANONICAL.name)
    if planned.native is not False and why_not_native() is None and twin:
        manner = Manner(
            planned.search.name,
            planned.threads,
            planned.compress,
            planned.fingerprint,
            prune=pruner.native,
            fitted=pruner.kept is not None,
            merge=None if merge is None else merge.native_merging,
        )
        if merge is not None:
            task = replace(task, system=merge.started)
        result = explore(task, lambda: pruner.pack(system), manner)
        return result if merge is None else merge.executed(result)
    return _in_python(task, system, planned, pruner)


def _has_twin(planned: Plan) -> bool:
    """Whether the native engine can do all that is planned."""
    pruning = planned.pruning
    return (
        planned.search.native
        and (pruning.reduction is None or pruning.reduction.name in METHODS)
        and (pruning.proviso is None or pruning.proviso.name in PROVISOS)
        and not pruning.random
    )


def _in_python(task: Task, system: MachineSystem, planned: Plan, pruner: Pruner) -> Result:
    machine: CompiledMachine | None = None
    while True:
        try:
            # To take a machine apart may take longer than the whole run is allowed to.
            with task.meter.running():
                machine = machine or _compiled(system, pruner)
                parts = None if machine is None else _taken_apart(machine, pruner)
                heuristic = (
                    None if parts is None else planned.pruning.guide(parts[0], planned.kinds)
                )
        except Interrupted:
            return _out_of_time(task)
        if machine is None or parts is None:  # there is nothing to leave out, and no code to make
            return planned.search.search(task)
        unfolded, explored = parts
        pruned = replace(task, system=explored, reduction=pruner.reduction, heuristic=heuristic)
        try:
            result = planned.search.search(pruned)
        except Misfit as misfit:
            machine.widen(misfit)
            continue
        return unpacked(result, system, unfolded, pruner.merge)


def _compiled(system: MachineSystem, pruner: Pruner) -> CompiledMachine | None:
    """Return the machine with the values of its constants; None if there are none."""
    find_constants(system)
    return pruner.pack(system) if system.solutions else None


def _taken_apart(machine: CompiledMachine, pruner: Pruner) -> tuple[UnfoldedMachine, EventSystem]:
    """Return the machine as instances, and what is explored of it."""
    if pruner.merge is not None:
        return pruner.merged(machine)
    unfolded = pruner.prepare(machine)
    return unfolded, unfolded


def _out_of_time(task: Task) -> Result:
    """Return the result of a run that ended before its search began."""
    found = Findings(task)
    found.incomplete(task.meter.why_interrupted())
    return found.result(0)


def find_constants(system: MachineSystem) -> None:
    """Let the system find the values of its constants, which code is made for."""
    for _ in system.initial():
        if not system.model.constants:
            return


def unpacked(
    result: Result, system: MachineSystem, unfolded: UnfoldedMachine, merge: Merge | None
) -> Result:
    """Return a result whose traces are of the machine itself, executed by the evaluator."""
    if not isinstance(result.verdict, Violated):
        return result
    if merge is not None:
        return merge.unfolded(result, unfolded.unpack)
    violations = tuple(
        replace(v, trace=_executed(system, [unfolded.unpack(s) for s in v.trace.states]))
        for v in result.violations
    )
    return replace(result, verdict=replace(result.verdict, violations=violations))


def _executed(system: MachineSystem, states: list[State]) -> Trace:
    """Return the trace through some states, beginning at the root."""
    if not states:
        return Trace(system)
    first = next(t for t in system.initial() if _leads_to(t, states[0]))
    transitions = [first]
    for before, after in pairwise(states):
        transitions.append(next(t for t in system.successors(before) if _leads_to(t, after)))
    return Trace(system, tuple(t for t in transitions if isinstance(t, Transition)))


def _leads_to(item: Outgoing, state: State) -> bool:
    return isinstance(item, Transition) and item.target == state
