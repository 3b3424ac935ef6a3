"""A formula is violated if, and only if, some path violates it: against all short lassos."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.engine.limits import Meter
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso, find
from secateur.engine.liveness.product import Fairness, Product
from secateur.ltl.atoms import Atom
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.formula import Formula, atoms, negated, show
from secateur.ltl.path import Path, satisfied
from secateur.ltl.tableau import Tableau
from secateur.system.system import State, Transition
from tests.unit.ltl.systems import EVENTS, Toy, formulas, lassos, toys

seeds = st.integers(0, 2**32)
MOST = 6


def counterexample(
    toy: Toy, formula: Formula, fairness: Fairness, make: type[Tableau] | type[Automaton]
) -> Lasso | None:
    tableau = make(negated(formula))

    def letters(state: State, taken: Transition | None) -> int:
        assert isinstance(state, int)
        return tableau.letter({a: toy.truth(a, state, taken) for a in tableau.atoms})

    graph = Graph(toy, Meter())  # type: ignore[arg-type]
    return find(Product(graph, tableau, letters, fairness))


def path_of(
    toy: Toy, formula: Formula, lasso: tuple[int, tuple[Transition, ...], int | None]
) -> Path:
    start, transitions, loop = lasso
    states = [start, *(t.target for t in transitions)]
    letters: list[dict[Atom, bool]] = []
    for state, taken in zip(states, transitions, strict=False):
        assert isinstance(state, int)
        letters.append({a: toy.truth(a, state, taken) for a in atoms(formula)})
    if loop is None:
        assert isinstance(states[-1], int)
        letters.append({a: toy.truth(a, states[-1], None) for a in atoms(formula)})
    return Path(letters, loop)


def is_fair(
    toy: Toy,
    lasso: tuple[int, tuple[Transition, ...], int | None],
    weak: set[str],
    strong: set[str],
) -> bool:
    start, transitions, loop = lasso
    if loop is None:
        return True
    states = [start, *(t.target for t in transitions)][loop:-1]
    taken = {t.step.operation for t in transitions[loop:]}
    enabled = [{t.step.operation for t in toy.edges[s]} for s in states]  # type: ignore[index]
    always = set.intersection(*enabled)
    sometimes = set.union(*enabled)
    return not (weak & always) - taken and not (strong & sometimes) - taken


def onward(toy: Toy, state: State) -> Iterator[tuple[int, tuple[Transition, ...], int | None]]:
    """Yield all short ways on from a state."""
    assert isinstance(state, int)
    return lassos(replace(toy, starts=(state,)), 4)


def _later(loop: int | None, found: Lasso) -> int | None:
    return None if loop is None else loop + len(found.transitions)


def judge(rng: Random, *, past: bool, fair: bool) -> bool:
    toy = toys(rng)
    formula = formulas(rng, rng.randint(1, 3), past=past)
    weak = {e for e in EVENTS if fair and rng.random() < 0.4}
    strong = {e for e in EVENTS if fair and rng.random() < 0.4}
    fairness = Fairness(
        [lambda step, e=e: step.operation == e for e in sorted(weak)],  # type: ignore[misc]
        [lambda step, e=e: step.operation == e for e in sorted(strong)],  # type: ignore[misc]
    )
    found = counterexample(toy, formula, fairness, Tableau)
    if is_simple(formula):
        other = counterexample(toy, formula, fairness, Automaton)
        assert (found is None) == (other is None), f"{show(formula)}\n{toy}"
        found = rng.choice((found, other))
    text = f"{show(formula)} weak {weak} strong {strong}\n{toy}"
    if found is not None:
        loop = len(found.transitions) - found.loop if found.loop else None
        assert isinstance(found.start, int)
        lasso = found.start, found.transitions, loop
        ends = [found.start, *(t.target for t in found.transitions)]
        for state, taken in zip(ends, found.transitions, strict=False):
            assert taken in toy.successors(state), text
        assert loop is None or ends[loop] == ends[-1], text
        if found.open:
            extended = [
                (s, found.transitions + p, _later(i, found)) for s, p, i in onward(toy, ends[-1])
            ]
            assert extended, text
            for each in extended:
                assert not satisfied(formula, path_of(toy, formula, (found.start, *each[1:]))), text
            return True
        assert loop is not None or not toy.successors(ends[-1]), text
        assert not satisfied(formula, path_of(toy, formula, lasso)), text
        assert is_fair(toy, lasso, weak, strong), text
        return True
    for lasso in lassos(toy, MOST):
        if is_fair(toy, lasso, weak, strong):
            assert satisfied(formula, path_of(toy, formula, lasso)), f"{lasso}\n{text}"
    return False


@given(seeds)
def test_the_future(seed: int) -> None:
    judge(Random(seed), past=False, fair=False)


@given(seeds)
def test_the_past(seed: int) -> None:
    judge(Random(seed), past=True, fair=False)


@given(seeds)
def test_fairness(seed: int) -> None:
    judge(Random(seed), past=True, fair=True)


def test_both_verdicts_come_up() -> None:
    verdicts = [judge(Random(seed), past=True, fair=True) for seed in range(200)]
    assert 40 < sum(verdicts) < 160
