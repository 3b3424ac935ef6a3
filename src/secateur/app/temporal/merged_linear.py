"""One formula of LTL at work where symmetric states are taken for the same."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Judgement, Linear
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.product import Fairness
from secateur.engine.symmetry.protocol import StrategyRow, told
from secateur.engine.symmetry.quotient import Quotient
from secateur.engine.symmetry.unrolled import unrolled
from secateur.lang.symmetry.findings import Found, find_symmetry
from secateur.lang.symmetry.states import MachineSymmetry
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.formula import atoms
from secateur.ltl.specification import Specification
from secateur.maths.ast import Expr, Name
from secateur.maths.values import Element
from secateur.source.records import dataclass
from secateur.system.reduced import Merged
from secateur.system.symmetry import Asymmetric
from secateur.system.system import State, Transition

_COMPARING = frozenset(
    {
        Kind.SINK,
        Kind.UNCHANGED,
        Kind.CHANGED,
        Kind.INCREASING,
        Kind.DECREASING,
        Kind.BEFORE_AFTER,
    }
)
"""Atoms that compare a state with the next one, which may have got other names in between."""


def symmetry_of_formula(linear: Linear) -> Found:
    """Return what may be exchanged without the formula noticing; raise Asymmetric if nothing may.

    E. A. Emerson, A. P. Sistla: *Symmetry and Model Checking*, CAV 1993: the atoms must be
    symmetric, each by itself.
    """
    asked = list(_formulas(linear))
    found = find_symmetry(linear.binding.model, asked)
    if not found.free:
        reasons = [r for f in found.findings for r in f.reasons if "the formula" in r]
        reasons = reasons or [r for f in found.findings for r in f.reasons]
        raise Asymmetric("; ".join(reasons[:3]) or "there is no given set of several elements")
    return found


def _formulas(linear: Linear) -> Iterator[tuple[str, Expr]]:
    binding = linear.binding
    for atom in atoms(linear.formula):
        where = f"{atom} of the formula"
        if atom.kind in _COMPARING:
            raise Asymmetric(f"{atom} compares a state with the next one")
        yield from ((where, Name(e.name)) for _, value, _ in atom.bound for e in _elements(value))
        predicate = binding.predicate_of(atom)
        if predicate is not None:
            yield where, predicate
        for event in atom.events:
            yield from ((where, e) for e in _patterns(binding, event, atom))
    for case in linear.cases:
        for events in linear.fair_events(case):
            for event in events:
                yield from ((f"{event} of the formula", e) for e in _patterns(binding, event, None))


def _patterns(binding: Binding, event: Event, atom: Atom | None) -> Iterator[Expr]:
    asked = atom or Atom(Kind.EVENT, events=(event,))
    for text, parameter in binding.patterns(event):
        yield binding.argument_is(text, parameter, asked).formula


def _elements(value: object) -> Iterator[Element]:
    match value:
        case Element():
            yield value
        case frozenset() | tuple():
            for each in value:
                yield from _elements(each)


@dataclass(frozen=True, slots=True)
class MergedLinear:
    """A formula on the quotient of a system; what it finds is told of the system itself."""

    merged: Linear
    real: Linear
    quotient: Quotient
    strategy: StrategyRow
    found: Found

    def told(self) -> Merged:
        """Return what was made one."""
        return told(self.strategy, self.found.free)

    def judge(self) -> Judgement:
        """Say whether all fair paths satisfy the formula; a path that does not is a real one."""
        judgement = Judgement()
        for case in self.merged.cases:
            fairness = self.merged.fairness(case)
            lasso, nodes = self.merged.search(fairness)
            judgement.nodes += nodes
            if lasso is not None:
                graph = self.merged.graph
                with graph.meter.telling():
                    if graph.doubtful.isdisjoint(_states(lasso)):
                        other = self.real.fairness(case)
                        self.real.tell(self._unfolded(lasso, fairness), other, judgement)
                return judgement
        judgement.holds = True
        return judgement

    def _unfolded(self, lasso: Lasso, fairness: Fairness) -> Lasso:
        """Return a real path that looks like one of the quotient."""
        turns = list(zip(_states(lasso), lasso.transitions, strict=False))

        def alike(here: State, turn: tuple[State, Transition]) -> Transition:
            state, wanted = turn
            letter, fair = self.merged.letter(state, wanted), _fair(fairness, wanted)
            for each in self.real.graph.outgoing(here):
                if (
                    each.step.operation == wanted.step.operation
                    and self.quotient.merging.representative(each.target) == wanted.target
                    and self.real.letter(here, each) == letter
                    and _fair(fairness, each) == fair
                ):
                    return each
            raise AssertionError("a step of the quotient is none of the system")

        return unrolled(lasso.start, turns, lasso.loop, alike, open_=lasso.open)


def _fair(fairness: Fairness, transition: Transition) -> list[bool]:
    return [occurs(transition.step) for occurs in (*fairness.weak, *fairness.strong)]


def _states(lasso: Lasso) -> list[State]:
    return [lasso.start, *(t.target for t in lasso.transitions)]


def merged_linear(
    linear: Linear, specification: Specification, strategy: StrategyRow, found: Found
) -> MergedLinear:
    """Return the same formula on the quotient by what was found to be symmetric."""
    binding = linear.binding
    symmetry = MachineSymmetry(binding.system, found.free)
    quotient = Quotient(binding.system, strategy.build(symmetry))
    graph = Graph(quotient, linear.graph.meter, lenient=linear.graph.lenient)
    graph.initial()
    merged = Linear(Binding(binding.model, binding.system, graph), specification)
    return MergedLinear(merged, linear, quotient, strategy, found)
