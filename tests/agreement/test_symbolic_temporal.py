"""The temporal part of the symbolic engine: all modes, processes, reductions, CTL.

`python -m tools.symbolic_fuzz N` does the first at length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random

import pytest

from secateur.engine.reduce.lookup import Lookup
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.fair import CYCLES
from secateur.engine.symbolic.processes import SafeProcesses, safe_processes
from secateur.engine.symbolic.product import without_formula
from secateur.engine.symbolic.reduce.protocol import Processes, ReachRow
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.reduce.two_phase import TwoPhase
from secateur.ltl.ctl import Paths
from secateur.ltl.formula import TRUE, Unary
from secateur.ltl.parse import parse_ltl
from secateur.system.system import PropertyKind
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.random_systems import random_system
from tests.agreement.symbolic_branching import BranchingCase, random_ctl
from tests.agreement.symbolic_products import (
    Count,
    SymbolicCase,
    process_system,
    symbolic_model,
    try_seed,
    violations_of_c1,
)
from tests.agreement.temporal import Case, small_system
from tests.witnesses.tables import Condition, Event, Tables, Tabulated, Values

BATCH = 8


@pytest.mark.parametrize("first", range(0, 4 * BATCH, BATCH))
def test_random_formulas_in_all_modes(first: int) -> None:
    count = Count()
    for seed in range(first, first + BATCH):
        try_seed(seed, 6, count)
    assert not count.complaints, "\n".join(count.complaints)
    assert count.pairs / 5 < count.violated < count.pairs * 4 / 5
    assert count.reduced


# -- processes ------------------------------------------------------------------------------------


def drawn_system(seed: int) -> Tables:
    random = Random(seed)
    return process_system(random) if seed % 2 else small_system(random)


def groups_of(finder: type[SafeProcesses], seed: int) -> tuple[Tables, ExactRelations, Processes]:
    system = drawn_system(seed)
    relations = ExactRelations(system)
    return system, relations, finder(Lookup(system, relations), ()).found()


def test_processes_satisfy_c1_by_definition() -> None:
    together = 0
    for seed in range(120):
        system, relations, groups = groups_of(SafeProcesses, seed)
        together += sum(len(g) > 1 for g in groups)
        assert not violations_of_c1(system, [frozenset(g) for g in groups], relations), seed
    assert together > 60


def test_without_p3_they_do_not() -> None:
    class Careless(SafeProcesses):
        def missing(self, members: Collection[int]) -> Iterator[int]:
            for m in members:
                yield from self.lookup.dependents(m)

    wrong = 0
    for seed in range(40):
        system, relations, groups = groups_of(Careless, seed)
        wrong += bool(violations_of_c1(system, [frozenset(g) for g in groups], relations))
    assert wrong


# -- reductions -----------------------------------------------------------------------------------


def barrier(processes: int, steps: int) -> Tables:
    """Return processes with local steps that wait for each other after the last."""
    names = [f"p{i}" for i in range(processes)]
    events = [Event("step", [at(n, j)], going(n, j + 1)) for n in names for j in range(steps)]
    everywhere = [at(n, steps) for n in names]
    return Tabulated(
        dict.fromkeys(names, steps + 1),
        [*events, Event("barrier", everywhere, lambda v: dict.fromkeys(names, 0))],
    )


def at(name: str, value: int) -> Condition:
    return lambda v: v[name] == value


def going(name: str, value: int) -> Callable[[Values], Mapping[str, int]]:
    return lambda _: {name: value}


class Printed(TwoPhase):
    """Figure 1 as it is printed: the stack takes in the image before it is compared with it."""

    def local(self, process: tuple[int, ...], stack: Diagram) -> tuple[Diagram, Diagram]:
        product = self.product
        cycle_approx = product.diagrams.false
        image = product.image(self.frontier, process)
        dead = self.dead_states(process, image)
        while image & ~stack != product.diagrams.false:
            stack = stack | image
            cycle_approx = cycle_approx | (image & stack)
            self.frontier = image & ~stack
            image = product.image(self.frontier, process)
            dead = dead | self.dead_states(process, image)
        self.frontier = self.frontier | dead
        return stack, cycle_approx


LARGE = barrier(5, 4)
LOCAL = [tuple(range(4 * i, 4 * i + 4)) for i in range(5)]


@pytest.mark.parametrize("row", REACHES, ids=lambda row: row.name)
def test_processes_before_a_barrier(row: ReachRow) -> None:
    product = without_formula(symbolic_model(LARGE, knowing=False))
    assert product.count(row.reach(product, LOCAL).nodes) == (21 if row.reduces else 3125)


def test_the_printed_order_loses_the_reduction() -> None:
    product = without_formula(symbolic_model(LARGE, knowing=False))
    assert product.count(Printed(product, LOCAL).reach().nodes) == 431


def test_the_processes_before_a_barrier_are_found() -> None:
    system = barrier(3, 2)
    last = len(system.actions) - 1
    lookup = Lookup(system, ExactRelations(system))
    assert safe_processes(lookup, {last}) == ((0, 1), (2, 3), (4, 5))


@pytest.mark.parametrize("seed", range(60))
def test_what_is_wrong_with_states_is_found(seed: int) -> None:
    """Faults, deadlocks, and violations that no silent action repairs."""
    system = random_system(seed)
    relations = ExactRelations(system)
    lookup = Lookup(system, relations)
    actions, checks = range(len(system.actions)), range(len(system.checks))
    repairing = {a for a in actions if any(lookup.repairs(a, check) for check in checks)}
    processes = safe_processes(lookup, repairing)
    found: list[tuple[bool, set[str], set[int]]] = []
    for row in REACHES:
        product = without_formula(symbolic_model(system, knowing=False))
        nodes = row.reach(product, processes).nodes
        product.learn(nodes)
        states = set(product.variables.states(nodes, product.variables.everything))
        trouble = product.model.troubled(nodes) != product.diagrams.false
        wrong = {
            c.name
            for c, t in zip(system.checks, system.truths, strict=True)
            for s in states
            if not t[s]
        }
        ends = set(product.variables.states(product.ends(nodes), product.variables.everything))
        found.append((trouble, wrong, set() if trouble else ends))
    assert all(each == found[-1] for each in found)


# -- what two phases must not forget --------------------------------------------------------------


def two_steps() -> Tables:
    """`turn` goes round; `set` makes x true once."""
    return Tabulated(
        {"a": 2, "x": 2},
        [
            Event("turn", [], lambda v: {"a": 1 - v["a"]}),
            Event("set", [lambda v: v["x"] == 0], lambda v: {"x": 1}),
        ],
        {"p": (PropertyKind.INVARIANT, lambda v: v["x"] == 1)},
    )


def with_exit() -> Tables:
    """Two places to go round, and one from which nothing leads back; x is set at any time."""
    return Tabulated(
        {"a": 3, "x": 2},
        [
            Event("on", [lambda v: v["a"] == 0], lambda v: {"a": 1}),
            Event("back", [lambda v: v["a"] == 1], lambda v: {"a": 0}),
            Event("out", [lambda v: v["a"] == 1], lambda v: {"a": 2}),
            Event("set", [lambda v: v["x"] == 0], lambda v: {"x": 1}),
        ],
        {"p": (PropertyKind.INVARIANT, lambda v: v["x"] == 1)},
    )


class WithoutLast(TwoPhase):
    """Forgets the last frontier of each process."""

    def kept(self, _last: Diagram, /) -> Diagram:
        return self.product.diagrams.false


class WithoutCycles(TwoPhase):
    """Does not expand in full where a cycle may be closed."""

    def local(self, process: tuple[int, ...], stack: Diagram) -> tuple[Diagram, Diagram]:
        return super().local(process, stack)[0], self.product.diagrams.false


@pytest.mark.parametrize(
    ("system", "formula", "mutant"),
    [
        (two_steps(), "G not {p}", WithoutLast),
        (with_exit(), "F {p} => F deadlock", WithoutCycles),
    ],
)
def test_mutants_are_noticed(system: Tables, formula: str, mutant: type[TwoPhase]) -> None:
    case = Case(system, ExactRelations(system), parse_ltl(formula).formula)
    symbolic = SymbolicCase(case)
    processes = symbolic.processes()
    assert processes
    assert case.violated()

    def violated(kind: type[TwoPhase], cycles: int) -> bool:
        nodes = kind(symbolic.product, processes).reach().nodes
        none = symbolic.product.diagrams.false
        hull = CYCLES[cycles].hull(symbolic.product, nodes)
        return hull != none or symbolic.product.ends(nodes) != none

    for cycles in range(len(CYCLES)):
        assert violated(TwoPhase, cycles)
        assert not violated(mutant, cycles)


# -- CTL ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, 4 * BATCH, BATCH))
def test_ctl_as_the_explicit_engine_has_it(first: int) -> None:
    for seed in range(first, first + BATCH):
        random = Random(seed)
        system = drawn_system(seed)
        case = BranchingCase(system)
        for _ in range(12):
            f = random_ctl(random, system, random.randint(1, 3))
            assert case.where(f) == case.expected(f), (seed, f)
            complaint = case.complaint(f, random.choice(list(case.edges)))
            assert complaint is None, (seed, f, complaint)


def test_ctl_on_fair_paths() -> None:
    for seed in range(60):
        random = Random(seed)
        system = drawn_system(seed)
        fair = [
            frozenset(s for s in system.states if random.random() < 0.4)
            for _ in range(random.randint(1, 3))
        ]
        case = BranchingCase(system, fair)
        begins = case.fairly_for_ever(set(case.edges))
        assert case.where(Paths(True, Unary.GLOBALLY, TRUE)) == begins
        f = random_ctl(random, system, 1)
        inner = case.where(f)
        assert case.where(Paths(True, Unary.GLOBALLY, f)) == case.fairly_for_ever(inner)
        assert case.where(Paths(False, Unary.FINALLY, f)) == set(case.edges) - case.fairly_for_ever(
            set(case.edges) - inner
        )
