"""Checking temporal formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from secateur.app.atoms import Binding, Bound
from secateur.engine.limits import Interrupted, Meter
from secateur.engine.liveness.branching import Branching
from secateur.engine.liveness.graph import Graph, OutOfBounds
from secateur.engine.liveness.lasso import Lasso, find
from secateur.engine.liveness.product import Fairness, Product
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.ltl.atoms import Atom, Event, Fair
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.ctl import Ctl, atoms_of, parse_ctl, show_ctl
from secateur.ltl.formula import Formula, atoms, negated
from secateur.ltl.parse import parse_ltl
from secateur.ltl.path import Path, satisfied
from secateur.ltl.specification import Specification
from secateur.ltl.tableau import Tableau
from secateur.maths.ast import Text
from secateur.system.system import State, Transition
from secateur.system.temporal import Evidence, TemporalResult
from secateur.system.trace import Trace


class _Ltl:
    """One formula at work on one graph."""

    def __init__(self, binding: Binding, formula: Formula) -> None:
        self.binding = binding
        self.formula = binding.expanded(formula)
        wrong = negated(self.formula)
        self.tableau = Automaton(wrong) if is_simple(wrong) else Tableau(wrong)
        self.bound: dict[Atom, Bound] = {a: binding.bind(a) for a in atoms(self.formula)}
        self._letters: dict[tuple[State, Transition | None], int] = {}

    def letter(self, state: State, taken: Transition | None) -> int:
        """Return which atoms hold."""
        key = state, taken
        found = self._letters.get(key)
        if found is None:
            found = self._letters[key] = self.tableau.letter(self.truths(state, taken))
        return found

    def truths(self, state: State, taken: Transition | None) -> dict[Atom, bool]:
        """Return for each atom whether it holds."""
        return {atom: holds(state, taken) for atom, holds in self.bound.items()}

    def find(self, case: frozenset[Fair]) -> tuple[Lasso | None, int]:
        """Return a fair path that violates the formula, and the size of the product."""
        graph = self.binding.graph
        product = Product(graph, self.tableau, self.letter, self._fairness(case))
        return find(product), product.nodes

    def _fairness(self, case: frozenset[Fair]) -> Fairness:
        weak: list[Event] = []
        strong: list[Event] = []
        for fair in sorted(case, key=str):
            every = [Event(name) for name in self.binding.system.operations]
            (strong if fair.strong else weak).extend(every if fair.event is None else [fair.event])
        occurs = self.binding.occurs
        return Fairness([occurs(e) for e in weak], [occurs(e) for e in strong])

    def evidence(self, lasso: Lasso) -> Evidence:
        """Return a path that has been replayed, and that violates the formula by its definition."""
        graph = self.binding.graph
        trace = Trace(graph.system, (*graph.before[lasso.start], *lasso.transitions))
        trace.replay()
        letters = list(self._positions(lasso))
        loop = len(lasso.transitions) - lasso.loop if lasso.loop else None
        ended = loop is None and not lasso.open
        path = Path(letters if ended else letters[:-1], loop)
        if satisfied(self.formula, path):
            raise AssertionError("a counterexample satisfies the formula")
        told = tuple(tuple((str(a), v) for a, v in letter.items()) for letter in letters)
        return Evidence(trace, lasso.loop, told, open=lasso.open)

    def _positions(self, lasso: Lasso) -> Iterator[dict[Atom, bool]]:
        states = accumulate(lasso.transitions, _target, initial=lasso.start)
        taken: list[Transition | None] = [*lasso.transitions, None]
        if lasso.loop:
            taken[-1] = lasso.transitions[-lasso.loop]
        for state, each in zip(states, taken, strict=True):
            yield self.truths(state, each)


def _target(_: State, transition: Transition) -> State:
    return transition.target


class _Ctl:
    """One formula of CTL at work on one graph."""

    def __init__(self, binding: Binding, formula: Ctl) -> None:
        self.formula = formula
        self.binding = binding
        bound = {atom: binding.bind(atom) for atom in atoms_of(formula)}
        self.branching = Branching(
            binding.graph, lambda atom, state: bound[atom](state, None), binding.occurrence
        )

    def judge(self) -> tuple[bool, Evidence | None]:
        """Return whether the formula holds in all initial states, and a path that shows it."""
        graph = self.binding.graph
        good = self.branching.where(self.formula)
        wrong = [s for s in graph.initial() if s not in good]
        start = (wrong or graph.initial())[0]
        lasso = self.branching.evidence(self.formula, start, holds=not wrong)
        if lasso is None:
            lasso = Lasso(start, ()) if wrong else None
        if lasso is None:
            return True, None
        trace = Trace(graph.system, (*graph.before[lasso.start], *lasso.transitions))
        trace.replay()
        return not wrong, Evidence(trace, lasso.loop)


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula, what it is called, and in which logic it is."""

    name: str
    logic: str
    text: str


def claims_of(model: Model) -> list[Claim]:
    """Return what a model says of itself: its definitions ASSERT_LTL... and ASSERT_CTL..."""
    return [
        Claim(name, logic, definition.value)
        for name, definition in model.definitions.items()
        for logic in ("ltl", "ctl")
        if name.startswith(f"ASSERT_{logic.upper()}") and isinstance(definition, Text)
    ]


def check_claim(claim: Claim, model: Model, system: MachineSystem, meter: Meter) -> TemporalResult:
    """Say whether a formula holds; raise InputError if it is none."""
    graph = Graph(system, meter)
    ltl = parse_ltl(claim.text, claim.name) if claim.logic == "ltl" else None
    ctl = parse_ctl(claim.text, claim.name) if ltl is None else None
    holds: bool | None = None
    evidence: Evidence | None = None
    nodes = 0
    with meter.running():
        try:
            if not graph.initial():
                graph.reasons["there is no initial state"] = None
            elif ltl is not None:
                holds, evidence, nodes = _judge_ltl(ltl, Binding(model, system, graph))
            elif ctl is not None:
                holds, evidence = _Ctl(Binding(model, system, graph), ctl).judge()
        except OutOfBounds:
            holds = None
        except Interrupted:
            graph.reasons[meter.why_interrupted()] = None
            holds = None
    # Of a path it is known that it exists; that there is none is only known of the whole.
    if graph.reasons and (holds or claim.logic == "ctl"):
        holds, evidence = None, None
    return TemporalResult(
        name=claim.name,
        logic=claim.logic,
        formula=claim.text,
        understood=str(ltl) if ltl is not None else show_ctl(ctl) if ctl is not None else "",
        holds=holds,
        evidence=evidence,
        states=graph.states,
        transitions=graph.transitions,
        nodes=nodes,
        seconds=meter.seconds,
        reasons=tuple(graph.reasons),
    )


def _judge_ltl(
    specification: Specification, binding: Binding
) -> tuple[bool | None, Evidence | None, int]:
    """Return whether all fair paths satisfy a formula, one that does not, and the effort."""
    ltl = _Ltl(binding, specification.formula)
    nodes = 0
    for case in specification.cases or (frozenset[Fair](),):
        lasso, size = ltl.find(case)
        nodes += size
        if lasso is not None:
            states = {lasso.start, *(t.target for t in lasso.transitions)}
            if states & binding.graph.doubtful:
                return None, None, nodes  # why is among the graph's reasons
            return False, ltl.evidence(lasso), nodes
    return True, None, nodes
