"""Reduced liveness checking: each condition is needed, and forgotten, its witness notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from secateur.engine.limits import Meter
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import find
from secateur.engine.liveness.lawful import Lawful, lawful
from secateur.engine.liveness.product import Edge, Fairness, Node, Product
from secateur.engine.liveness.reduced import ReducedGraph
from secateur.engine.liveness.visible import NotReducible, Watched
from secateur.engine.native.available import why_not_native
from secateur.engine.provisos.none import careless
from secateur.engine.provisos.open_set import open_set
from secateur.engine.reduce.protocol import Choice, Here, Scene
from secateur.engine.reduce.reduction import Reduction, Tally
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.formula import negated
from secateur.ltl.tableau import Tableau
from secateur.system.system import State, Transition
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_products import AVAILABLE, NativeProduct
from tests.agreement.temporal import ALL_ROWS, Case, number
from tests.witnesses.tables import Tabulated
from tests.witnesses.temporal_models import (
    CHANGES_FOR_EVER,
    FINALLY_SET,
    WITNESSES,
    Hand,
    formula,
    setting,
    toggling,
)

MAKERS: tuple[type[Tableau] | type[Automaton], ...] = (Tableau, Automaton)


native = pytest.mark.skipif(not AVAILABLE, reason=f"no native engine: {why_not_native()}")


def tally(graph: Graph) -> Tally:
    """Return what a reduction did, less the reasons, which only Python's gives."""
    assert isinstance(graph, ReducedGraph)
    return replace(graph.reduction.tally, reasons=Counter())


def makers(case: Case) -> list[type[Tableau] | type[Automaton]]:
    return [m for m in MAKERS if m is Tableau or is_simple(negated(case.formula))]


# -- sound ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", ALL_ROWS, ids=lambda rows: "-".join(r.name for r in rows))
@pytest.mark.parametrize("case", WITNESSES.values(), ids=WITNESSES)
def test_reduced_as_full(case: Case, rows: Lawful) -> None:
    expected = case.violated()
    assert expected is not any(case is WITNESSES[name] for name in ("ending", "fair"))
    if case is WITNESSES["first of all"]:
        with pytest.raises(NotReducible):
            case.watched()
        return
    for make in makers(case):
        lasso = case.search(case.graph(rows), make)
        assert (lasso is not None) is expected
        assert lasso is None or case.complaint(lasso) is None


@native
@pytest.mark.parametrize("rows", ALL_ROWS, ids=lambda rows: "-".join(r.name for r in rows))
@pytest.mark.parametrize("case", WITNESSES.values(), ids=WITNESSES)
def test_natively_reduced_as_full(case: Case, rows: Lawful) -> None:
    if case is WITNESSES["first of all"]:
        return
    expected = case.violated()
    for make in makers(case):
        python, graph = case.graph(rows), case.graph(rows)
        for lasso in (case.search(python, make), case.search_natively(graph, make)):
            assert (lasso is not None) is expected
            assert lasso is None or case.complaint(lasso) is None
        if not expected:  # then both have gone everywhere, in the same order
            assert tally(graph) == tally(python)


# -- automata written by hand ---------------------------------------------------------------------

BY_HAND = {"T1": (setting(), FINALLY_SET), "T2": (toggling(), CHANGES_FOR_EVER)}


def product_by_hand(system: Tabulated, hand: Hand, graph: Graph) -> Product:
    def letters(state: State, _: Transition | None) -> int:
        return int(bool(system.truths[0][number(state)]))

    return Product(graph, hand, letters, Fairness())  # type: ignore[arg-type]


def reduction_by_hand(system: Tabulated) -> Reduction:
    rows = lawful()
    assert rows is not None
    return rows.applied(system, ExactRelations(system), Watched(checks=frozenset({0})))


@pytest.mark.parametrize(("system", "hand"), BY_HAND.values(), ids=BY_HAND)
def test_automata_that_need_not_be_closed_under_stuttering(system: Tabulated, hand: Hand) -> None:
    assert find(product_by_hand(system, hand, Graph(system, Meter()))) is not None
    reduced = ReducedGraph(system, Meter(), reduction_by_hand(system), number)
    assert find(product_by_hand(system, hand, reduced)) is not None


@native
@pytest.mark.parametrize(("system", "hand"), BY_HAND.values(), ids=BY_HAND)
def test_they_need_not_be_natively(system: Tabulated, hand: Hand) -> None:
    case = Case(system, ExactRelations(system), formula("{p}"))
    reduction = reduction_by_hand(system)
    assert NativeProduct(case, hand, None).search() is not None
    assert NativeProduct(case, hand, reduction).search() is not None
    assert reduction.tally.refused


class OnTheProduct(Product):
    """The set is chosen for each node, and the proviso is about nodes: what Siegel warns of."""

    def __init__(self, product: Product, reduction: Reduction) -> None:
        super().__init__(product.graph, product.tableau, product.letters, product.fairness)
        self.reduction = reduction
        self.expanded: set[Node] = set()

    def _steps(self, node: Node) -> Iterator[Edge]:
        self.expanded.add(node)
        return iter(self.fewer(node.state, list(super()._steps(node))))

    def fewer(self, state: State, everything: list[Edge]) -> list[Edge]:
        here = self.reduction.look(number(state))
        assert here is not None
        for choice in self.reduction.reducer.choices(here):
            names = {self.reduction.scene.system.actions[a].operation for a in choice.actions}
            few = [e for e in everything if e.transition.step.operation in names]
            if not any(e.target in self.expanded for e in few):
                return few
        return everything


class OnTheAtoms(OnTheProduct):
    """The set is chosen for each atom of the tableau: what is promised is known before."""

    def fewer(self, state: State, everything: list[Edge]) -> list[Edge]:
        atoms = {(e.target.promise, e.target.memory) for e in everything}
        return [
            edge
            for atom in sorted(atoms)
            for edge in super(OnTheAtoms, self).fewer(
                state, [e for e in everything if (e.target.promise, e.target.memory) == atom]
            )
        ]


@pytest.mark.parametrize(("system", "hand"), BY_HAND.values(), ids=BY_HAND)
def test_a_choice_for_each_node_is_noticed(system: Tabulated, hand: Hand) -> None:
    product = product_by_hand(system, hand, Graph(system, Meter()))
    assert find(OnTheProduct(product, reduction_by_hand(system))) is None


def test_a_choice_for_each_atom_of_a_tableau_is_noticed() -> None:
    case = WITNESSES["2d, D4"]
    tableau = Tableau(negated(case.formula))

    def letters(state: State, taken: Transition | None) -> int:
        return tableau.letter({a: case.truth(a, state, taken) for a in tableau.atoms})

    rows = lawful()
    assert rows is not None
    reduction = rows.applied(case.system, case.relations, case.watched())
    product = Product(Graph(case.system, Meter()), tableau, letters, Fairness())
    assert find(OnTheAtoms(product, reduction)) is None
    assert find(product) is not None


# -- mutants --------------------------------------------------------------------------------------


def forgetting(**forgotten: object) -> Callable[[Case], Graph]:
    """Return a graph whose reduction does not know of some of what is watched."""

    def change(case: Case) -> Graph:
        rows = lawful()
        assert rows is not None
        try:
            watched = case.watched()
        except NotReducible:
            watched = Watched(steps=case.instances("b"))
        watched = replace(watched, **forgotten)  # type: ignore[arg-type]
        reduction = rows.applied(case.system, case.relations, watched)
        return ReducedGraph(case.system, Meter(), reduction, number)

    return change


def changed(change: Callable[[Reduction], None]) -> Callable[[Case], Graph]:
    """Return a graph with a reduction that was changed."""

    def build(case: Case) -> Graph:
        graph = case.graph(lawful())
        assert isinstance(graph, ReducedGraph)
        change(graph.reduction)
        return graph

    return build


class Narrow(ReducedGraph):
    """What is left of a state's transitions is taken for all that could happen."""

    def outgoing(self, state: State) -> tuple[Transition, ...]:
        return self._edges.get(state) or super().outgoing(state)


def narrow(case: Case) -> Graph:
    graph = case.graph(lawful())
    assert isinstance(graph, ReducedGraph)
    return Narrow(case.system, Meter(), graph.reduction, number)


def no_proviso(reduction: Reduction) -> None:
    reduction.proviso = careless
    reduction.names = "stubborn", "none"


def weaker_proviso(reduction: Reduction) -> None:
    reduction.proviso = open_set
    reduction.names = "stubborn", "open"


class Weak:
    """The set {a, k} at first; everything later."""

    def __init__(self, scene: Scene) -> None:
        self.names = [action.operation for action in scene.system.actions]

    def choices(self, here: Here) -> Iterator[Choice]:
        if here.state == 0:
            actions = tuple(a for a in here.enabled if self.names[a] in "ak")
            yield Choice(actions, "weak", cyclic=True)


def weak_sets(reduction: Reduction) -> None:
    reduction.reducer = Weak(reduction.scene)


class Empty:
    """A set without any action."""

    def choices(self, here: Here) -> Iterator[Choice]:
        if len(here.enabled) > 1:
            yield Choice((), "nothing", cyclic=False)


def empty_sets(reduction: Reduction) -> None:
    reduction.reducer = Empty()


MUTANTS: dict[str, tuple[str, Callable[[Case], Graph]]] = {
    "predicates are not seen": ("both visible", forgetting(checks=frozenset())),
    "deadlocks are not seen": ("at the end", forgetting(deadlocks=False)),
    "events are not seen": ("an event", forgetting(steps=frozenset())),
    "fairness is not seen": ("unfair", forgetting(guards=frozenset())),
    "guards are not seen": ("could happen", forgetting(guards=frozenset())),
    "silent steps are seen, and added": ("first of all", forgetting()),
    "what is left out cannot happen": ("fair", narrow),
    "no proviso": ("waiting", changed(no_proviso)),
    "C2o instead of C2ol": ("2b, C2o and liveness", changed(weaker_proviso)),
    "weak sets": ("2e, inconsistent labels", changed(weak_sets)),
    "paths end too soon": ("ending", changed(empty_sets)),
}


@pytest.mark.parametrize(("witness", "mutate"), MUTANTS.values(), ids=MUTANTS)
def test_what_is_forgotten_is_noticed(witness: str, mutate: Callable[[Case], Graph]) -> None:
    case = WITNESSES[witness]
    expected = case.violated()
    for make in makers(case):
        lasso = case.search(mutate(case), make)
        wrong = lasso is not None and case.complaint(lasso) is not None
        assert wrong or (lasso is not None) is not expected


ONLY_IN_PYTHON = {"what is left out cannot happen", "weak sets", "paths end too soon"}
"""What is changed in these are classes that have no native twin."""


@native
@pytest.mark.parametrize("name", sorted(MUTANTS.keys() - ONLY_IN_PYTHON))
def test_what_is_forgotten_is_noticed_natively(name: str) -> None:
    witness, mutate = MUTANTS[name]
    case = WITNESSES[witness]
    expected = case.violated()
    for make in makers(case):
        lasso = case.search_natively(mutate(case), make)
        wrong = lasso is not None and case.complaint(lasso) is not None
        assert wrong or (lasso is not None) is not expected
