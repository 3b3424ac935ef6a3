"""Random formulas of CTL about random systems: sets of states against the explicit engine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from secateur.engine.limits import Meter
from secateur.engine.liveness.branching import Branching
from secateur.engine.liveness.graph import Graph
from secateur.engine.symbolic.branching import SymbolicBranching
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import without_formula
from secateur.engine.symbolic.reduce.none import reachable
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.ctl import Connected, Ctl, Not, Paths, Until
from secateur.ltl.formula import TRUE, Binary, Holds, Unary
from tests.agreement.symbolic_products import symbolic_model
from tests.agreement.temporal import graph_of, number
from tests.witnesses.tables import Tables

PREDICATES = ("p", "q")


def random_ctl(random: Random, system: Tables, depth: int) -> Ctl:
    """Return a formula at most so deep."""
    if depth == 0 or random.random() < 0.1:
        name = random.choice((*PREDICATES, None))
        return TRUE if name is None else Holds(Atom(Kind.PREDICATE, name))
    inner = random_ctl(random, system, depth - 1)
    other = random_ctl(random, system, depth - 1)
    some = random.random() < 0.5
    unary = random.choice((Unary.NEXT, Unary.FINALLY, Unary.GLOBALLY))
    named = unary is Unary.NEXT and random.random() < 0.5
    event = Event(random.choice(system.operations)) if named else None
    operator = random.choice((Binary.AND, Binary.OR, Binary.IMPLIES, Binary.IFF))
    kinds: list[Ctl] = [
        Not(inner),
        Connected(operator, inner, other),
        Until(some, inner, other),
        Paths(some, unary, inner, event),
        Paths(some, unary, inner, event),
    ]
    return random.choice(kinds)


class BranchingCase:
    """A system for both engines; fair sets are drawn from what the predicates say."""

    def __init__(self, system: Tables, fair: Sequence[frozenset[int]] = ()) -> None:
        self.system = system
        self.edges = graph_of(system)
        self.fair = fair
        model = symbolic_model(system, knowing=False)
        self.variables = model.variables
        product = without_formula(model)
        names = [check.name for check in system.checks]
        atoms = {
            Atom(Kind.PREDICATE, name): self._set([s for s in system.states if truths[s]])
            for name, truths in zip(names, system.truths, strict=True)
        }
        events = {
            Event(name): frozenset(
                a for a, each in enumerate(system.actions) if each.operation == name
            )
            for name in system.operations
        }
        reached = reachable(product).nodes
        self.symbolic = SymbolicBranching(
            product, reached, atoms, events, [self._set(sorted(f)) for f in fair]
        )
        self.explicit = Branching(
            Graph(system, Meter()),
            lambda atom, s: bool(system.truths[names.index(atom.text)][number(s)]),
            lambda event: lambda _, step: step.operation == event.name,
        )

    def _set(self, states: Sequence[int]) -> Diagram:
        return self.variables.of_states(states)

    def where(self, f: Ctl) -> set[int]:
        """Return the states in which the symbolic engine says that a formula holds."""
        return set(self.variables.states(self.symbolic.where(f), self.variables.everything))

    def expected(self, f: Ctl) -> set[int]:
        """Return what the explicit engine says; it knows no fairness."""
        return {number(s) for s in self.explicit.where(f)}

    def fairly_for_ever(self, good: set[int]) -> set[int]:
        """Return where EG holds of fair paths, by definition: they end, or stay in a component."""
        after = {s: self._reached(s, good) for s in good}
        ends = {s for s in good if not self.edges[s]}
        for s in good:
            round_ = {t for t in after[s] if s in after[t]}
            if s in after[s] and all(not f.isdisjoint(round_) for f in self.fair):
                ends.add(s)
        return {s for s in good if s in ends or not after[s].isdisjoint(ends)}

    def _reached(self, start: int, good: set[int]) -> set[int]:
        """Return what can be reached in one step or more inside a set."""
        todo, seen = [start], set[int]()
        while todo:
            fresh = {number(t.target) for t in self.edges[todo.pop()]} & good - seen
            seen |= fresh
            todo += fresh
        return seen

    def complaint(self, f: Ctl, start: int) -> str | None:
        """Return what is wrong with the evidence about a formula, beside that of the other engine."""
        holds = start in self.expected(f)
        mine = self.symbolic.evidence(f, start, holds=holds)
        other = self.explicit.evidence(f, start, holds=holds)
        if mine is None or other is None:
            none = mine is None and other is None
            return None if none else f"one has evidence, one has not: {mine} {other}"
        states = [mine.start, *(state for _, state in mine.steps)]
        for before, (action, after) in zip(states, mine.steps, strict=False):
            if after not in (self.system.outcomes[action][before] or ()):
                return f"{mine} is not a path"
        if start != mine.start or (mine.loop and states[-1] != states[-1 - mine.loop]):
            return f"{mine} does not begin or end as it should"
        return None
