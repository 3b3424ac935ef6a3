"""The product of a symbolic model and a symbolic tableau: sets of pairs, their images both ways.

Definition 4 of J. Vander Meulen, C. Pecheur: *Combining partial-order reduction and symbolic model
checking to verify LTL properties*, 2009.  A node is a state of the model with values of the extra
variables; with the formula `true` there are none of these, and the product is the model itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from secateur.engine.symbolic.diagrams.protocol import Diagram, one_assignment
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.relation import Relation
from secateur.engine.symbolic.tableau import (
    ASSUMING_NOTHING,
    Actions,
    Elementary,
    SymbolicTableau,
)
from secateur.engine.symbolic.variables import union
from secateur.ltl.atoms import Atom
from secateur.ltl.formula import TRUE

Tick = Callable[[], None]
"""Called before each image; what it raises ends the search."""


def _no_tick() -> None:
    pass


class SymbolicProduct:
    """Nodes, and where paths lead that satisfy the formula of the tableau.

    A step by an action goes on in four parts, which are shared by the actions of which the same was
    predicted, but for the third: only right predictions are kept; what holds is remembered; the
    model takes its step; and a node arrived at holds what was promised before.
    """

    def __init__(
        self, model: SymbolicModel, tableau: SymbolicTableau, tick: Tick = _no_tick
    ) -> None:
        self.model = model
        self.tableau = tableau
        self.variables = model.variables
        self.diagrams = model.diagrams
        self.tick = tick
        self.actions = range(len(model.relations))
        self.fair = tableau.fair
        self.initial = model.initial & tableau.begins
        self._asking = [
            a for a in self.actions if type(model.relations[a]).learn is not Relation.learn
        ]
        self._prepare()

    def _prepare(self) -> None:
        variables, tableau, diagrams = self.variables, self.tableau, self.diagrams
        promises = [variables.extra_now(i) for i in tableau.promises]
        memories = [variables.extra_now(i) for i in tableau.memories]
        guesses = [variables.extra_now(i) for i in tableau.predictions]
        next_promises = [variables.extra_next(i) for i in tableau.promises]
        next_memories = [variables.extra_next(i) for i in tableau.memories]
        self._keep = tableau.to_be_kept()
        self._remember = tableau.to_be_remembered()
        kept = tableau.links(tableau.promises, self._keep)
        remembered = tableau.links(tableau.memories, self._remember)
        self._arriving = self._scheduled(kept, [*promises, *guesses])
        self._leaving = self._scheduled(remembered, [*memories, *guesses])
        self._extra = diagrams.variables([*promises, *memories, *guesses])
        self._to_memories = diagrams.renaming(dict(zip(next_memories, memories, strict=True)))
        self._to_promises = diagrams.renaming(dict(zip(next_promises, promises, strict=True)))
        signatures = {a: tableau.signature(a) for a in self.actions}
        self._foretold = {s: tableau.foretold(s) for s in set(signatures.values())}
        self._signatures = signatures
        bits = [variables.now(bit) for bit in variables.order]
        self._told = sorted([*promises, *memories, *guesses, *bits])

    def _scheduled(self, links: list[Diagram], gone: Iterable[int]) -> list[tuple[Diagram, Any]]:
        """Return each link with the variables that are not needed after it.

        One relation of them all would be of no use for many promises: its diagram tells apart
        every combination of them (D. Geist, I. Beer: *Efficient model checking by automated ordering
        of transition relation partitions*, 1994).
        """
        left = set(gone)
        if not links:
            return [(self.diagrams.true, self.diagrams.variables(left))]
        steps: list[tuple[Diagram, Any]] = []
        for place, link in enumerate(links):
            later = links[place + 1 :]
            free = {v for v in left if not any(self._mentions(other, v) for other in later)}
            steps.append((link, self.diagrams.variables(free)))
            left -= free
        return steps

    def _mentions(self, function: Diagram, number: int) -> bool:
        return self.diagrams.some(function, self.diagrams.variables([number])) != function

    def _through(self, nodes: Diagram, schedule: list[tuple[Diagram, Any]]) -> Diagram:
        for link, gone in schedule:
            nodes = self.diagrams.some_of_both(nodes, link, gone)
        return nodes

    # -- nodes ------------------------------------------------------------------------------------

    def one(self, nodes: Diagram) -> Diagram:
        """Return a set with one of some nodes."""
        values = one_assignment(self.diagrams, nodes)
        found = self.diagrams.true
        for number in reversed(self._told):
            variable = self.diagrams.variable(number)
            found = (variable if values.get(number, False) else ~variable) & found
        return found

    def count(self, nodes: Diagram) -> int:
        """Return how many nodes there are."""
        unused = len(self.variables.extra) - self.tableau.elementary.count
        return self.variables.count_all(nodes) >> unused

    def states(self, nodes: Diagram) -> Diagram:
        """Return the states of the model in some nodes."""
        return self.diagrams.some(nodes, self._extra)

    def ends(self, nodes: Diagram) -> Diagram:
        """Return the nodes in which a path may end: deadlocks of the model, all promises kept."""
        self.learn(nodes)
        possible = nodes & self.tableau.ends
        return self.model.stuck(possible & ~self.model.troubled(possible))

    def learn(self, nodes: Diagram, actions: Iterable[int] | None = None) -> None:
        """Let actions that have to be asked tell what they do in some nodes."""
        wanted = self._asking if actions is None else [a for a in actions if a in self._asking]
        if wanted and nodes != self.diagrams.false:
            states = self.states(nodes)
            for a in wanted:
                self.model.learn(self.model.relations[a], states)

    # -- steps ------------------------------------------------------------------------------------

    def image(self, nodes: Diagram, actions: Sequence[int] | None = None) -> Diagram:
        """Return the nodes after some, by any action or by one of those given."""
        self.tick()
        chosen = self.actions if actions is None else actions
        self.learn(nodes, chosen)
        none = reached = self.diagrams.false
        relations = self.model.relations
        able = (a for a in chosen if nodes & relations[a].enabled != none)
        for signature, members in self._alike(able):
            leaving = self._left(nodes & self._foretold[signature])
            if leaving != none:
                reached = reached | union(
                    self.diagrams, (relations[a].image(leaving) for a in members)
                )
        if reached == none or not self._keep:
            return reached
        return self.diagrams.composed(reached, self._keep)

    def preimage(self, nodes: Diagram, actions: Sequence[int] | None = None) -> Diagram:
        """Return the nodes before some; of actions that have to be asked, those that are known."""
        self.tick()
        chosen = self.actions if actions is None else actions
        arriving = self._through(nodes, self._arriving)
        arriving = self.diagrams.renamed(arriving, self._to_promises) if self._keep else arriving
        found = self.diagrams.false
        for signature, members in self._alike(chosen):
            before = union(
                self.diagrams, (self.model.relations[a].preimage(arriving) for a in members)
            )
            if self._remember:
                before = self.diagrams.composed(before, self._remember)
            found = found | (before & self._foretold[signature])
        return found

    def before(self, nodes: Diagram, targets: Diagram, actions: Sequence[int]) -> Diagram:
        """Return those of some nodes from which one of some actions leads to one of the targets."""
        return nodes & self.preimage(targets, actions)

    def _left(self, nodes: Diagram) -> Diagram:
        """Return nodes in which memories are already those of the next position."""
        found = self._through(nodes, self._leaving)
        return self.diagrams.renamed(found, self._to_memories) if self._remember else found

    def _alike(self, actions: Iterable[int]) -> Iterable[tuple[tuple[bool, ...], list[int]]]:
        found: dict[tuple[bool, ...], list[int]] = {}
        for a in actions:
            found.setdefault(self._signatures[a], []).append(a)
        return found.items()


def product_of(
    model: SymbolicModel,
    elementary: Elementary,
    atoms: Mapping[Atom, Diagram],
    tick: Tick = _no_tick,
) -> SymbolicProduct:
    """Return the product of a model and the tableau of a formula: paths that satisfy it.

    Whether fair events are enabled must be known of all states that will be reached, and so must
    be whatever an atom means: relations that have to be asked were asked before.
    """
    fairness = elementary.fairness
    enabled: dict[Actions, Diagram] = {
        actions: union(model.diagrams, (model.relations[a].enabled for a in actions))
        for actions in (*fairness.weak, *fairness.strong)
    }
    return SymbolicProduct(
        model, SymbolicTableau(model.variables, elementary, atoms, enabled), tick
    )


def without_formula(model: SymbolicModel, tick: Tick = _no_tick) -> SymbolicProduct:
    """Return a model as a product: its paths are all paths."""
    return product_of(model, Elementary(TRUE, {}, ASSUMING_NOTHING), {}, tick)
