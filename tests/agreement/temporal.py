"""One random system and one random formula: every way to judge it against the definition.

The verdict is that of `tests.naive.temporal`; each counterexample is walked through on the
unreduced system and has to convince the definition of what a path satisfies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from random import Random

from secateur.engine.limits import Meter
from secateur.engine.liveness.approach.registry import APPROACHES
from secateur.engine.liveness.approach.static import STATIC
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso, find
from secateur.engine.liveness.lawful import Lawful, for_formulas, lawful, provisos_for_formulas
from secateur.engine.liveness.product import Fairness, Product
from secateur.engine.liveness.reduced import ReducedGraph
from secateur.engine.liveness.shorten import is_fair, shortened
from secateur.engine.liveness.visible import NotReducible, Watched, together, watched_by
from secateur.engine.pruning import NO_REDUCTION
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.formula import (
    FALSE,
    TRUE,
    Binary,
    Formula,
    Holds,
    One,
    Two,
    Unary,
    atoms,
    negated,
    show,
)
from secateur.ltl.path import Path, satisfied
from secateur.ltl.tableau import Tableau
from secateur.system.relations import Relations
from secateur.system.system import State, Step, Transition
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_products import AVAILABLE, NativeProduct
from tests.agreement.random_systems import (
    CHOOSING,
    LOOSE,
    PLAIN,
    PROGRAM,
    Flavour,
    RandomSystem,
)
from tests.naive.temporal import Naive
from tests.witnesses.tables import Tables

APART = Flavour(foreign=0.05, steps=0.8)
APART_CHOOSING = Flavour(several=0.4, foreign=0.05, steps=0.5)
SOUND = (PLAIN, LOOSE, CHOOSING, PROGRAM, APART, APART, APART, APART_CHOOSING, APART_CHOOSING)
"""Flavours in which everything is defined: a fault makes all verdicts incomplete."""

MOST_WAYS = 30
"""So many ways on are looked at where all of them are said to violate a formula."""


@dataclass(frozen=True)
class Fair:
    """Names of operations that paths are fair to."""

    weak: tuple[str, ...] = ()
    strong: tuple[str, ...] = ()


ASSUMING_NOTHING = Fair()


@dataclass
class Case:
    """A system, its relations, a formula and what is assumed."""

    system: Tables
    relations: Relations
    formula: Formula
    fair: Fair = ASSUMING_NOTHING
    edges: dict[int, tuple[Transition, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.edges = graph_of(self.system)

    def __str__(self) -> str:
        return f"{show(self.formula)} weak {self.fair.weak} strong {self.fair.strong}"

    # -- what atoms mean --------------------------------------------------------------------------

    def truth(self, atom: Atom, state: State, taken: Transition | None) -> bool:
        """Say whether an atom holds."""
        assert isinstance(state, int)
        name = atom.events[0].name if atom.events else ""
        match atom.kind:
            case Kind.PREDICATE:
                number = [c.name for c in self.system.checks].index(atom.text)
                return bool(self.system.truths[number][state])
            case Kind.EVENT:
                return taken is not None and taken.step.operation == name
            case Kind.ENABLED:
                return any(t.step.operation == name for t in self.edges[state])
            case Kind.DEADLOCK:
                return not self.edges[state]
            case Kind.CHANGED | Kind.UNCHANGED:
                if taken is None:
                    return False
                assert isinstance(taken.target, int)
                written = (state ^ taken.target) & self.system.mask([atom.text])
                return bool(written) == (atom.kind is Kind.CHANGED)
        raise AssertionError(atom)

    def watch(self, atom: Atom) -> Watched:
        """Return what an atom looks at."""
        match atom.kind:
            case Kind.PREDICATE:
                names = [c.name for c in self.system.checks]
                return Watched(checks=frozenset({names.index(atom.text)}))
            case Kind.EVENT:
                return Watched(steps=self.instances(atom.events[0].name))
            case Kind.ENABLED:
                return Watched(guards=self.instances(atom.events[0].name))
            case Kind.CHANGED | Kind.UNCHANGED:
                return Watched(slots=self.system.mask([atom.text]))
        raise AssertionError(atom)

    def instances(self, operation: str) -> frozenset[int]:
        """Return the actions of an operation."""
        actions = enumerate(self.system.actions)
        return frozenset(a for a, action in actions if action.operation == operation)

    def watched(self) -> Watched:
        """Return all that is looked at; raise NotReducible."""
        fair = {*self.fair.weak, *self.fair.strong}
        return watched_by(self.formula, self.watch) | together(
            Watched(guards=self.instances(name)) for name in fair
        )

    # -- judging ----------------------------------------------------------------------------------

    def fairness(self) -> Fairness:
        """Return what is assumed, as the product wants it."""
        return Fairness(list(map(_occurs, self.fair.weak)), list(map(_occurs, self.fair.strong)))

    def violated(self) -> bool:
        """Return the truth."""
        return Naive(
            [self.system.pack(v) for v in self.system.start],
            self.edges,
            self.truth,
            [_happens(name) for name in self.fair.weak],
            [_happens(name) for name in self.fair.strong],
        ).violated(self.formula)

    def graph(self, rows: Lawful | None) -> Graph:
        """Return the graph, reduced if there is a way to."""
        if rows is None:
            return Graph(self.system, Meter())
        reduction = rows.applied(self.system, self.relations, self.watched())
        return ReducedGraph(self.system, Meter(), reduction, number)

    def search(self, graph: Graph, make: type[Tableau] | type[Automaton]) -> Lasso | None:
        """Return a counterexample in a graph."""
        tableau = make(negated(self.formula))

        def letters(state: State, taken: Transition | None) -> int:
            return tableau.letter({a: self.truth(a, state, taken) for a in tableau.atoms})

        return find(Product(graph, tableau, letters, self.fairness()))

    def search_natively(self, graph: Graph, make: type[Tableau] | type[Automaton]) -> Lasso | None:
        """Return one that the native engine finds; of the graph only its reduction is used."""
        reduction = graph.reduction if isinstance(graph, ReducedGraph) else None
        return NativeProduct(self, make(negated(self.formula)), reduction).search()

    # -- counterexamples --------------------------------------------------------------------------

    def complaint(self, lasso: Lasso) -> str | None:
        """Return what is wrong with a counterexample."""
        states = [lasso.start, *(t.target for t in lasso.transitions)]
        if lasso.start not in {self.system.pack(v) for v in self.system.start}:
            return f"{lasso} does not start at the beginning"
        for state, taken in zip(states, lasso.transitions, strict=False):
            if taken not in self.edges[number(state)]:
                return f"{lasso} is not a path"
        if lasso.open:
            return self._complaint_about_ways_on(lasso)
        loop = len(lasso.transitions) - lasso.loop if lasso.loop else None
        if loop is None and self.edges[number(states[-1])]:
            return f"{lasso} does not end in a deadlock"
        if loop is not None and states[loop] != states[-1]:
            return f"{lasso} does not come back"
        if satisfied(self.formula, self.path(lasso)):
            return f"{lasso} satisfies the formula"
        return None if self.is_fair(lasso) else f"{lasso} is not fair"

    def shortened(self, lasso: Lasso) -> Lasso:
        """Return a counterexample without detours."""
        graph, fairness = self.graph(None), self.fairness()

        def good(cut: Lasso) -> bool:
            return is_fair(cut, graph, fairness) and not satisfied(self.formula, self.path(cut))

        return shortened(lasso, good)

    def _complaint_about_ways_on(self, lasso: Lasso) -> str | None:
        state = lasso.transitions[-1].target if lasso.transitions else lasso.start
        for path, loop in islice(ways_on(self.edges, number(state), 4), MOST_WAYS):
            whole = Lasso(lasso.start, lasso.transitions + path, loop)
            if satisfied(self.formula, self.path(whole)):
                return f"{whole} satisfies the formula"
        return None

    def path(self, lasso: Lasso) -> Path:
        """Return which atoms hold along a path."""
        states = [lasso.start, *(t.target for t in lasso.transitions)]
        taken: list[Transition | None] = [*lasso.transitions, *([] if lasso.loop else [None])]
        letters = [
            {a: self.truth(a, state, each) for a in atoms(self.formula)}
            for state, each in zip(states, taken, strict=False)
        ]
        return Path(letters, len(lasso.transitions) - lasso.loop if lasso.loop else None)

    def is_fair(self, lasso: Lasso) -> bool:
        """Whether a path is as fair as is assumed, from the definition."""
        if not lasso.loop:
            return True
        round_ = lasso.transitions[-lasso.loop :]
        taken = {t.step.operation for t in round_}
        enabled = [{t.step.operation for t in self.edges[number(t.target)]} for t in round_]
        always, sometimes = set.intersection(*enabled), set.union(*enabled)
        missing = {e for e in self.fair.weak if e in always}
        missing |= {e for e in self.fair.strong if e in sometimes}
        return not missing - taken


def number(state: State) -> int:
    """Return a state as what it is here."""
    assert isinstance(state, int)
    return state


def _occurs(name: str) -> Callable[[Step], bool]:
    return lambda step: step.operation == name


def _happens(name: str) -> Callable[[Transition], bool]:
    return lambda transition: transition.step.operation == name


def graph_of(system: Tables) -> dict[int, tuple[Transition, ...]]:
    """Return all transitions out of each reachable state."""
    todo = [system.pack(v) for v in system.start]
    edges: dict[int, tuple[Transition, ...]] = {}
    while todo:
        state = todo.pop()
        if state not in edges:
            items = system.successors(state)
            edges[state] = tuple(t for t in items if isinstance(t, Transition))
            todo += [number(t.target) for t in edges[state]]
    return edges


def ways_on(
    edges: dict[int, tuple[Transition, ...]], start: int, most: int
) -> Iterator[tuple[tuple[Transition, ...], int]]:
    """Yield the paths from a state that end or come back soon, with the length of the loop."""
    todo: list[tuple[tuple[Transition, ...], tuple[int, ...]]] = [((), (start,))]
    while todo:
        path, states = todo.pop()
        if not edges[states[-1]]:
            yield path, 0
        for i, state in enumerate(states[:-1]):
            if state == states[-1]:
                yield path, len(path) - i
        if len(path) < most:
            todo += [((*path, t), (*states, number(t.target))) for t in edges[states[-1]]]


# -- drawing --------------------------------------------------------------------------------------


def small_system(random: Random) -> RandomSystem:
    """Return a system in which nothing is undefined, with two predicates to speak of."""
    least = random.choice((1, 4, 6))
    system = RandomSystem(random, SOUND)
    for _ in range(10):
        if system.reachable() >= least:
            break
        system = RandomSystem(random, SOUND)
    system.checks.clear()
    system.truths.clear()
    for name in ("p", "q"):
        # The fewer slots they are about, the more a reduction can do.
        slots = random.sample(list(system.domains), k=random.choice((1, 1, 1, 2)))
        system.add_property(name, sorted(slots))
    return system


_PAST = {Unary.YESTERDAY, Unary.ONCE, Unary.HISTORICALLY, Binary.SINCE, Binary.TRIGGER}
_STEPPING = {Unary.NEXT, Unary.YESTERDAY}


@dataclass(frozen=True)
class Taste:
    """What a random formula may contain."""

    past: bool
    stepping: bool
    events: bool


def random_formula(random: Random, system: Tables, depth: int, taste: Taste) -> Formula:
    """Return a formula at most so deep."""
    if depth == 0 or random.random() < 0.12:
        return _leaf(random, system, taste)

    def allowed(operator: Unary | Binary) -> bool:
        return (taste.past or operator not in _PAST) and (
            taste.stepping or operator not in _STEPPING
        )

    if random.random() < 0.5:
        one = random.choice([u for u in Unary if allowed(u)])
        return One(one, random_formula(random, system, depth - 1, taste))
    two = random.choice([b for b in Binary if allowed(b)])
    left = random_formula(random, system, depth - 1, taste)
    return Two(two, left, random_formula(random, system, depth - 1, taste))


def _leaf(random: Random, system: Tables, taste: Taste) -> Formula:
    kinds = [Kind.PREDICATE] * 6 + [Kind.ENABLED, Kind.DEADLOCK, None]
    if taste.events:
        kinds += [Kind.EVENT, Kind.EVENT, Kind.CHANGED, Kind.UNCHANGED]
    kind = random.choice(kinds)
    match kind:
        case None:
            return random.choice((TRUE, FALSE))
        case Kind.PREDICATE:
            return Holds(Atom(kind, random.choice(system.checks).name))
        case Kind.DEADLOCK:
            return Holds(Atom(kind))
        case Kind.CHANGED | Kind.UNCHANGED:
            return Holds(Atom(kind, random.choice(list(system.domains))))
    return Holds(Atom(kind, events=(Event(random.choice(system.operations)),)))


def random_case(random: Random, system: Tables, relations: Relations) -> Case:
    """Return a formula about a system, often one that a reduction can do something for."""
    taste = Taste(
        past=random.random() < 0.4,
        stepping=random.random() < 0.25,
        events=random.random() < 0.4,
    )
    formula = random_formula(random, system, random.randint(1, 3), taste)
    fair = ASSUMING_NOTHING
    if random.random() < 0.3:
        names = list(system.operations)
        fair = Fair(
            tuple(n for n in names if random.random() < 0.25),
            tuple(n for n in names if random.random() < 0.2),
        )
    return Case(system, relations, formula, fair)


# -- agreement ------------------------------------------------------------------------------------


@dataclass
class Count:
    """What was tried, and what went wrong."""

    pairs: int = 0
    runs: int = 0
    violated: int = 0
    lawful: int = 0
    """Pairs that a reduction is lawful for."""
    reduced: int = 0
    """Pairs in which it left something out."""
    states: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)


ALL_ROWS: Sequence[Lawful] = [
    found
    for row, proviso in product(for_formulas(), provisos_for_formulas())
    if row.name != NO_REDUCTION and (found := lawful(row.name, proviso.name)) is not None
]


def try_seed(seed: int, formulas: int, count: Count) -> None:
    """Judge some formulas about one random system."""
    random = Random(seed)
    system = small_system(random)
    relations = ExactRelations(system)
    for _ in range(formulas):
        case = random_case(random, system, relations)
        complaint = judge(case, random, count)
        if complaint is not None:
            count.complaints.append(f"system {seed}: {case}: {complaint}")


def judge(case: Case, random: Random, count: Count) -> str | None:
    """Return what is wrong with a verdict on a case, or with a counterexample."""
    count.pairs += 1
    expected = case.violated()
    count.violated += expected
    simple = is_simple(negated(case.formula))
    makers: list[type[Tableau] | type[Automaton]] = [Tableau, *([Automaton] if simple else [])]
    runs: list[tuple[str, Lawful | None]] = [("full", None)]
    try:
        case.watched()
        count.lawful += 1
        runs += [("reduced", random.choice(ALL_ROWS)), ("reduced", lawful())]
    except NotReducible:
        pass
    found: list[tuple[str, Lasso]] = []
    for (what, rows), make in product(runs, makers):
        count.runs += 1
        graph = case.graph(rows)
        approach = random.choice(APPROACHES)
        approach.prepare(graph)
        lasso = case.search(graph, make)
        name = f"{what} {rows and rows.reduction.name} {make.__name__} {approach.name}"
        if (lasso is not None) != expected:
            return f"{name} says {'violated' if lasso else 'holds'}"
        if lasso is not None:
            found.append((name, lasso))
        if approach is STATIC:
            _measure(case, graph, count)
        if AVAILABLE:
            count.runs += 1
            lasso = case.search_natively(case.graph(rows), make)
            if (lasso is not None) != expected:
                return f"native {name} says {'violated' if lasso else 'holds'}"
            if lasso is not None:
                found.append((f"native {name}", lasso))
    for name, lasso in random.sample(found, min(2, len(found))):
        complaint = case.complaint(lasso) or case.complaint(case.shortened(lasso))
        if complaint is not None:
            return f"{name}: {complaint}"
    return None


def _measure(case: Case, graph: Graph, count: Count) -> None:
    if isinstance(graph, ReducedGraph):
        count.states["reduced"] += graph.states
        count.states["full"] += len(case.edges)
        count.reduced += graph.reduction.tally.reduced > 0
