"""Random systems as symbolic models: each reachability and each search for cycles, against the definition.

The verdict is that of `tests.naive.temporal`; each counterexample is walked through on the system
and has to convince the definition of what a path satisfies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.visible import NotReducible, visible_actions
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.symbolic.diagrams.protocol import Diagram, DiagramsRow
from secateur.engine.symbolic.diagrams.registry import PACKAGES, installed
from secateur.engine.symbolic.fair import CYCLES
from secateur.engine.symbolic.lasso import SymbolicLasso, lasso_of, search
from secateur.engine.symbolic.learned import LearnedRelation
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.processes import safe_processes
from secateur.engine.symbolic.product import product_of
from secateur.engine.symbolic.reduce.protocol import Processes
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.tableau import Actions, Elementary, FairActions
from secateur.engine.symbolic.variables import Variables
from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import Formula, atoms, core, negated
from secateur.system.relations import Relations
from secateur.system.system import PropertyKind, Step, Transition
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.temporal import Case, random_case, small_system
from tests.witnesses.tables import Condition, Event, Tables, Tabulated

NODES = 1 << 18
"""Room for diagrams: these are small, and making much room takes long."""

CHANGES = frozenset({Kind.CHANGED, Kind.UNCHANGED})
"""Atoms that depend on more than the action: a symbolic tableau does not know them."""


def symbolic_model(
    system: Tables, *, extra: int = 0, knowing: bool = True, row: DiagramsRow = PACKAGES[0]
) -> SymbolicModel:
    """Return a system as diagrams; `knowing`: the relations have been asked about all states."""
    order = [
        i for slot in system.slots for i in range(slot.bits.bit_length()) if slot.bits >> i & 1
    ]
    nodes = NODES if row is PACKAGES[0] else 8 * NODES  # CUDD needs more
    variables = Variables(row, order, extra=extra, nodes=nodes)
    relations = [
        LearnedRelation(variables, system, a, (action.sees, action.may_write))
        for a, action in enumerate(system.actions)
    ]
    if knowing:
        everything = variables.of_states(system.states)
        for relation in relations:
            relation.learn(everything)
    initial = variables.of_states([system.pack(v) for v in system.start])
    return SymbolicModel(variables, initial, relations)


class SymbolicCase:
    """A case as its symbolic product; `knowing` as in `symbolic_model`."""

    def __init__(self, case: Case, *, knowing: bool = True, row: DiagramsRow = PACKAGES[0]) -> None:
        self.case = case
        looked_for = {
            a: case.instances(a.events[0].name) for a in atoms(case.formula) if a.kind is Kind.EVENT
        }
        fairness = FairActions(
            [case.instances(n) for n in case.fair.weak],
            [case.instances(n) for n in case.fair.strong],
        )
        self.elementary = Elementary(negated(case.formula), looked_for, fairness)
        self.model = symbolic_model(
            case.system, extra=self.elementary.count, knowing=knowing, row=row
        )
        self.seen: frozenset[int] = frozenset().union(
            *looked_for.values(), *fairness.weak, *fairness.strong
        )
        states = {a: self._where(a) for a in atoms(core(case.formula)) if a not in looked_for}
        self.product = product_of(self.model, self.elementary, states)

    def _where(self, atom: Atom) -> Diagram:
        system, case = self.case.system, self.case
        match atom.kind:
            case Kind.PREDICATE:
                number = [c.name for c in system.checks].index(atom.text)
                truths = system.truths[number]
                return self.model.variables.of_states([s for s in system.states if truths[s]])
            case Kind.ENABLED:
                actions = case.instances(atom.events[0].name)
                found = self.model.diagrams.false
                for a in actions:
                    found = found | self.model.relations[a].enabled
                return found
            case Kind.DEADLOCK:
                return ~self.model.enabled()
        raise AssertionError(atom)

    def processes(self) -> Processes | None:
        """Return the processes that are safe for the formula; None if no reduction is lawful."""
        lookup = Lookup(self.case.system, self.case.relations)
        try:
            visible = visible_actions(lookup, self.case.watched())
        except NotReducible:
            return None
        return safe_processes(lookup, visible | self.seen)

    def as_lasso(self, lasso: SymbolicLasso) -> Lasso:
        """Return a path as the explicit engine has it."""
        actions = self.case.system.actions
        transitions = tuple(
            Transition(Step(actions[a].operation, actions[a].arguments), state)
            for a, state in lasso.steps
        )
        return Lasso(lasso.start, transitions, lasso.loop)


# -- agreement ------------------------------------------------------------------------------------


@dataclass
class Count:
    """What was tried, and what went wrong."""

    pairs: int = 0
    runs: int = 0
    violated: int = 0
    lawful: int = 0
    """Pairs that a reduction is lawful for, and that have processes."""
    reduced: int = 0
    """Pairs in which one left something out."""
    nodes: Counter[str] = field(default_factory=Counter)
    """Of the lawful pairs: the nodes that each reachability found."""
    complaints: list[str] = field(default_factory=list)


def try_seed(seed: int, formulas: int, count: Count) -> None:
    """Judge some formulas about one random system."""
    random = Random(seed)
    system = process_system(random) if seed % 2 else small_system(random)
    relations = ExactRelations(system)
    for _ in range(formulas):
        case = drawn(random, system, relations)
        complaint = judge(case, random, count)
        if complaint is not None:
            count.complaints.append(f"system {seed}: {case}: {complaint}")


def process_system(random: Random) -> Tables:
    """Return some processes with a place and moves of their own, and a variable for all to see."""
    sizes = random.choice(((3, 3), (4, 3), (2, 2, 2), (3, 3, 2)))
    domains = {**{f"p{i}": size for i, size in enumerate(sizes)}, "x": random.choice((2, 3))}
    events: list[Event] = []
    for name, size in domains.items():
        for _ in range(random.randint(2, 5) if name != "x" else 0):
            places = [random.randrange(size), random.randrange(size)]
            if random.random() < 0.7:  # a process that ends is one that can go first
                places = sorted(random.sample(range(size), 2))
            events.append(_move(f"e{len(events)}", {name: places[0]}, {name: places[1]}))
    for _ in range(random.randint(1, 3)):
        seen = {n: random.randrange(domains[n]) for n in domains if random.random() < 0.2}
        written = {n: random.randrange(domains[n]) for n in seen if random.random() < 0.4}
        events.append(_move(f"e{len(events)}", seen, {**written, "x": random.randrange(2)}))
    random.shuffle(events)
    properties = {
        name: (PropertyKind.INVARIANT, _is(domain, random.randrange(domains[domain])))
        for name, domain in (("p", "x"), ("q", random.choice(("x", "x", "p0"))))
    }
    return Tabulated(domains, events, properties)


def _is(name: str, value: int) -> Condition:
    return lambda values: values[name] == value


def _move(name: str, seen: Mapping[str, int], written: Mapping[str, int]) -> Event:
    return Event(name, [_is(n, v) for n, v in seen.items()], lambda values: written)


def drawn(random: Random, system: Tables, relations: Relations) -> Case:
    """Return a case with a formula that a symbolic tableau can be made of."""
    while True:
        case = random_case(random, system, relations)
        if all(a.kind not in CHANGES for a in atoms(case.formula)):
            return case


def judge(case: Case, random: Random, count: Count) -> str | None:
    """Return what is wrong with a verdict on a case in one of the modes, or with a counterexample."""
    count.pairs += 1
    expected = case.violated()
    count.violated += expected
    needs_all = case.fair.weak or case.fair.strong or _about_guards(case.formula)
    row = random.choice(installed()) if random.random() < 0.1 else PACKAGES[0]
    symbolic = SymbolicCase(case, knowing=bool(needs_all) or random.random() < 0.5, row=row)
    processes = symbolic.processes()
    nodes: dict[str, int] = {}
    for reach, cycles in product(REACHES, CYCLES):
        if reach.reduces and processes is None:
            continue
        count.runs += 1
        name = f"{reach.name} {cycles.name}"
        found = search(symbolic.product, processes or (), reach, cycles)
        nodes[reach.name] = symbolic.product.count(found.reached.nodes)
        if found.empty == expected:
            return f"{name} says {'holds' if found.empty else 'violated'}"
        if expected:
            lasso = symbolic.as_lasso(lasso_of(symbolic.product, found))
            complaint = case.complaint(lasso)
            if complaint is not None:
                return f"{name}: {complaint}"
    if processes:
        count.lawful += 1
        count.reduced += min(nodes.values()) < nodes["none"]
        count.nodes.update(nodes)
    return None


def _about_guards(formula: Formula) -> bool:
    return any(a.kind in (Kind.ENABLED, Kind.DEADLOCK) for a in atoms(formula))


# -- processes ------------------------------------------------------------------------------------


def violations_of_c1(system: Tables, groups: Sequence[Actions], relations: ExactRelations) -> int:
    """Count the states in which all that a group can do does not satisfy C1, by its definition."""
    return sum(
        not _satisfies_c1(system, state, frozenset(ample), relations)
        for group in groups
        for state in system.states
        if (ample := [a for a in group if _happens(system, a, state)])
    )


def _happens(system: Tables, action: int, state: int) -> bool:
    return bool(system.guards[action][state].holds and system.outcomes[action][state])


def _satisfies_c1(system: Tables, state: int, ample: Actions, relations: ExactRelations) -> bool:
    """Whether nothing that depends on a set can be executed before one of the set."""
    todo, seen = [state], {state}
    while todo:
        here = todo.pop()
        for b in range(len(system.actions)):
            if b in ample or not _happens(system, b, here):
                continue
            if any(relations.dependent(a, b).yes for a in ample):
                return False
            fresh = set(system.outcomes[b][here] or ()) - seen
            seen |= fresh
            todo += fresh
    return True
