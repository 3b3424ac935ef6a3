"""One formula of LTL at work on one graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from secateur.app.temporal.atoms import Binding, Bound
from secateur.app.temporal.quantifiers import Expansion
from secateur.app.temporal.readable_lasso import clearer
from secateur.engine.liveness.approach.protocol import ApproachRow
from secateur.engine.liveness.lasso import Lasso, find
from secateur.engine.liveness.product import Fairness, Product
from secateur.engine.liveness.shorten import is_fair, shortened, states_of
from secateur.ltl.atoms import Atom, Event, Fair
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.formula import atoms, negated, show
from secateur.ltl.path import Path, satisfied
from secateur.ltl.specification import Specification
from secateur.ltl.tableau import Tableau
from secateur.ltl.why import why_not
from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.reduced import Merged, Reduced
from secateur.system.system import State, Transition
from secateur.system.temporal import Evidence
from secateur.system.trace import Trace


class NotNative(Exception):
    """A formula that is left to the evaluator; says why."""


class NotSymbolic(Exception):
    """A formula that sets of states cannot be asked about; the message says why."""


@dataclass(slots=True)
class Judgement:
    """Whether a formula holds, None if that is not known; a path that shows it, and the effort."""

    holds: bool | None = None
    evidence: Evidence | None = None
    nodes: int = 0
    states: int | None = None
    transitions: int | None = None
    """Those of the model, where it was not its graph that found them."""
    engine: Engine = PYTHON
    reduced: Reduced | None = None
    """What a reduction did for it."""
    merged: Merged | None = None
    """What symmetry did for it."""


class Linear:
    """A formula, bound to a model and to the states of a graph."""

    def __init__(self, binding: Binding, specification: Specification) -> None:
        self.binding = binding
        self.graph = binding.graph
        self.formula = Expansion(binding).expanded(specification.formula)
        self.cases = specification.cases or (frozenset[Fair](),)
        wrong = negated(self.formula)
        self.stutters = binding.model.stutters
        make = Automaton if is_simple(wrong) else Tableau
        self.tableau: Automaton | Tableau = make(wrong, stutters=self.stutters)
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

    def fair_events(self, case: frozenset[Fair]) -> tuple[list[Event], list[Event]]:
        """Return the events that are weakly and strongly fair."""
        weak: list[Event] = []
        strong: list[Event] = []
        for fair in sorted(case, key=str):
            every = [Event(name) for name in self.binding.system.operations]
            (strong if fair.strong else weak).extend(every if fair.event is None else [fair.event])
        return weak, strong

    def fairness(self, case: frozenset[Fair]) -> Fairness:
        """Return the same, as steps."""
        weak, strong = self.fair_events(case)
        occurs = self.binding.occurs
        return Fairness([occurs(e) for e in weak], [occurs(e) for e in strong])

    def judge(self, approach: ApproachRow) -> Judgement:
        """Say whether all fair paths satisfy the formula, and show one that does not."""
        judgement = Judgement()
        approach.prepare(self.graph)
        for case in self.cases:
            fairness = self.fairness(case)
            lasso, nodes = self.search(fairness)
            judgement.nodes += nodes
            if lasso is not None:
                with self.graph.meter.telling():
                    self.tell(lasso, fairness, judgement)
                return judgement
        judgement.holds = True
        return judgement

    def search(self, fairness: Fairness) -> tuple[Lasso | None, int]:
        """Return a fair path of the graph that violates the formula, and how many nodes it took."""
        product = Product(self.graph, self.tableau, self.letter, fairness)
        return find(product), product.nodes

    def tell(self, lasso: Lasso, fairness: Fairness, judgement: Judgement) -> None:
        """Take down that there is a counterexample, unless something on it is not known."""
        if not self.graph.doubtful.isdisjoint(states_of(lasso)):
            return  # why is among the graph's reasons
        judgement.holds = False
        violates = partial(self._violates, fairness=fairness)
        found = shortened(lasso, violates)
        remarks: tuple[str, ...] = ()
        if self.binding.clarity:
            found, remarks = clearer(found, self.graph, violates, self.binding.clarity)
        if self.stutters and not found.loop and not found.open:
            remarks = (*remarks, "the run has ended there, and stays in its last state for ever")
        judgement.evidence = replace(self.evidence(found), remarks=remarks)

    def evidence(self, lasso: Lasso) -> Evidence:
        """Return a path that has been replayed, and that violates the formula by its definition."""
        graph = self.graph
        trace = Trace(graph.system, (*graph.before[lasso.start], *lasso.transitions))
        trace.replay()
        letters = list(self._positions(lasso))
        if satisfied(self.formula, self._path(lasso, letters)):
            raise AssertionError("a counterexample satisfies the formula")
        told = tuple(tuple((str(a), v) for a, v in letter.items()) for letter in letters)
        before = len(graph.before[lasso.start])
        why = tuple(
            (before + found.position, show(found.part), found.holds)
            for found in why_not(self.formula, self._path(lasso, letters))
        )
        return Evidence(trace, lasso.loop, told, open=lasso.open, why=why)

    def violates(self, lasso: Lasso) -> bool:
        """Whether a path, found by whomever, is a counterexample by definition."""
        return any(self._violates(lasso, self.fairness(case)) for case in self.cases)

    def _violates(self, lasso: Lasso, fairness: Fairness) -> bool:
        """Whether a path of the graph is a counterexample, by definition."""
        path = self._path(lasso, list(self._positions(lasso)))
        wrong = is_fair(lasso, self.graph, fairness) and not satisfied(self.formula, path)
        return wrong and self.graph.doubtful.isdisjoint(states_of(lasso))

    def _path(self, lasso: Lasso, letters: list[dict[Atom, bool]]) -> Path:
        loop = len(lasso.transitions) - lasso.loop if lasso.loop else None
        ended = loop is None and not lasso.open
        if ended and self.stutters:
            return Path(letters, len(letters) - 1)
        return Path(letters if ended else letters[:-1], loop)

    def _positions(self, lasso: Lasso) -> Iterator[dict[Atom, bool]]:
        taken: list[Transition | None] = [*lasso.transitions, None]
        if lasso.loop:
            taken[-1] = lasso.transitions[-lasso.loop]
        for state, each in zip(states_of(lasso), taken, strict=True):
            yield self.truths(state, each)
