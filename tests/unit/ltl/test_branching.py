"""CTL against its definition: path by path, as long as a path can be before it repeats itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.engine.limits import Meter
from secateur.engine.liveness.branching import Branching
from secateur.engine.liveness.graph import Graph
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.ctl import Connected, Ctl, Not, Paths, Until
from secateur.ltl.formula import Binary, Holds, Truth, Unary
from tests.unit.ltl.systems import EVENTS, PREDICATES, Toy, toys


def formulas(rng: Random, depth: int) -> Ctl:
    if depth == 0:
        return rng.choice((Truth(True), Holds(Atom(Kind.PREDICATE, rng.choice(PREDICATES)))))
    kind = rng.randrange(5)
    if kind == 0:
        return Not(formulas(rng, depth - 1))
    if kind == 1:
        operator = rng.choice((Binary.AND, Binary.OR, Binary.IMPLIES, Binary.IFF))
        return Connected(operator, formulas(rng, depth - 1), formulas(rng, depth - 1))
    some = rng.random() < 0.5
    if kind == 2:
        return Until(some, formulas(rng, depth - 1), formulas(rng, depth - 1))
    operator_ = rng.choice((Unary.NEXT, Unary.FINALLY, Unary.GLOBALLY))
    event = Event(rng.choice(EVENTS)) if operator_ is Unary.NEXT and rng.random() < 0.5 else None
    return Paths(some, operator_, formulas(rng, depth - 1), event)


def holds(toy: Toy, f: Ctl, s: int) -> bool:
    """Say whether a formula holds, from the definition."""

    def paths(some: bool, judge: Callable[[tuple[int, ...], bool], bool | None]) -> bool:
        """Go along all paths until `judge` knows; it is told whether the path is over."""

        def along(path: tuple[int, ...]) -> bool:
            last = path[-1]
            over = not toy.edges[last] or last in path[:-1]
            known = judge(path, over)
            if known is not None:
                return known
            ends = (along((*path, t.target)) for t in toy.edges[last])  # type: ignore[arg-type]
            return any(ends) if some else all(ends)

        return along((s,))

    match f:
        case Truth(value):
            return value
        case Holds(atom):
            return toy.truth(atom, s, None)
        case Not(argument):
            return not holds(toy, argument, s)
        case Connected(operator, left, right):
            a, b = holds(toy, left, s), holds(toy, right, s)
            return {
                Binary.AND: a and b,
                Binary.OR: a or b,
                Binary.IMPLIES: not a or b,
                Binary.IFF: a == b,
            }[operator]
        case Paths(some, Unary.NEXT, argument, event):
            steps = [t for t in toy.edges[s] if event is None or t.step.operation == event.name]
            ends = [holds(toy, argument, t.target) for t in steps]  # type: ignore[arg-type]
            return any(ends) if some else all(ends)
        case Paths(some, Unary.GLOBALLY, argument):
            return paths(
                some,
                lambda path, over: (
                    False if not holds(toy, argument, path[-1]) else True if over else None
                ),
            )
        case Paths(some, _, argument):
            return holds(toy, Until(some, Truth(True), argument), s)
        case Until(some, left, right):
            return paths(some, lambda path, over: _until(toy, left, right, path, over))


def _until(toy: Toy, left: Ctl, right: Ctl, path: tuple[int, ...], over: bool) -> bool | None:
    if holds(toy, right, path[-1]):
        return True
    if over or not holds(toy, left, path[-1]):
        return False
    return None


@given(st.integers(0, 2**32))
def test_random_formulas(seed: int) -> None:
    rng = Random(seed)
    toy = toys(rng)
    f = formulas(rng, rng.randint(1, 3))
    graph = Graph(toy, Meter())  # type: ignore[arg-type]

    def occurrence(event: Event) -> Callable[..., bool]:
        return lambda _, step: bool(step.operation == event.name)

    def holding(atom: Atom, state: object) -> bool:
        assert isinstance(state, int)
        return toy.truth(atom, state, None)

    branching = Branching(graph, holding, occurrence)
    found = branching.where(f)
    for state in branching.states:
        assert isinstance(state, int)
        truth = holds(toy, f, state)
        assert (state in found) == truth
        evidence = branching.evidence(f, state, holds=truth)
        if evidence is not None:
            here: object = state
            for t in evidence.transitions:
                assert t in toy.successors(here)
                here = t.target
