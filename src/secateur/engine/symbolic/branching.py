"""CTL on sets of states: for each formula the reachable states in which it holds.

J. R. Burch, E. M. Clarke, K. L. McMillan, D. L. Dill, L. J. Hwang: *Symbolic model checking: 10^20
states and beyond*, 1992, with fairness as in E. A. Emerson, C.-L. Lei 1986; over maximal paths, which
may end, as in `engine/liveness/branching.py`: in a deadlock, `EX f` is false, `AX f` true, and `EG f`,
`AF f` are what f is.  A path that ends is fair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.lasso import Stop, SymbolicLasso, Walk
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.engine.symbolic.tableau import Actions
from secateur.ltl.atoms import Atom, Event
from secateur.ltl.ctl import Connected, Ctl, Not, Paths, Until
from secateur.ltl.formula import Binary, Holds, Truth, Unary


class SymbolicBranching:
    """All reachable states of a model (as a product without formula), and where formulas hold.

    `atoms` are sets of states, `events` the actions of each event that a formula mentions; with
    `fair`, only paths count that end, or meet each of these sets again and again.
    """

    def __init__(
        self,
        product: SymbolicProduct,
        reached: Diagram,
        atoms: Mapping[Atom, Diagram],
        events: Mapping[Event, Actions],
        fair: Sequence[Diagram] = (),
    ) -> None:
        self.product = product
        self.states = reached
        self._atoms = atoms
        self._events = events
        self._fair = tuple(fair)
        self._known: dict[Ctl, Diagram] = {}
        product.learn(reached)
        self.dead = product.model.stuck(reached)
        """The states in which nothing can happen."""
        self.begins = self._for_ever(reached) if fair else reached
        """The states in which a fair path begins."""

    def where(self, f: Ctl) -> Diagram:
        """Return the reachable states in which a formula holds."""
        found = self._known.get(f)
        if found is None:
            found = self._known[f] = self._where(f)
        return found

    def fails(self, f: Ctl) -> Diagram:
        """Return the initial states in which a formula does not hold."""
        return self.product.initial & ~self.where(f)

    def _where(self, f: Ctl) -> Diagram:
        match f:
            case Truth(value):
                return self.states if value else self.product.diagrams.false
            case Holds(atom):
                return self.states & self._atoms[atom]
            case Not(argument):
                return self._not(self.where(argument))
            case Connected(operator, left, right):
                return self._connected(operator, self.where(left), self.where(right))
            case Paths(some, operator, argument, event):
                inner = self.where(argument)
                if some:
                    return self._some(operator, inner, event)
                # on all paths: on none the opposite
                return self._not(self._some(_OPPOSITE[operator], self._not(inner), event))
            case Until(some, left, right):
                if some:
                    return self._until(self.where(left), self.where(right))
                return self._always_until(self.where(left), self.where(right))

    def _not(self, states: Diagram) -> Diagram:
        return self.states & ~states

    def _connected(self, operator: Binary, left: Diagram, right: Diagram) -> Diagram:
        match operator:
            case Binary.AND:
                return left & right
            case Binary.OR:
                return left | right
            case Binary.IMPLIES:
                return self._not(left) | right
        return (left & right) | self._not(left | right)

    def _some(self, operator: Unary, inner: Diagram, event: Event | None) -> Diagram:
        match operator:
            case Unary.NEXT:
                actions = None if event is None else sorted(self._events[event])
                return self.states & self.product.preimage(inner & self.begins, actions)
            case Unary.FINALLY:
                return self._until(self.states, inner)
        return self._for_ever(inner)

    def _always_until(self, left: Diagram, right: Diagram) -> Diagram:
        """Return A(f U g): never not g for ever, nor not g until neither."""
        lacking = self._not(right)
        return self._not(self._for_ever(lacking) | self._until(lacking, lacking & ~left))

    def _until(self, left: Diagram, right: Diagram) -> Diagram:
        """Return E(left U right), on a path that is fair after it."""
        return self._leading(left, right & self.begins)

    def _leading(self, left: Diagram, goal: Diagram) -> Diagram:
        """Return the goals, and all of `left` that can go on into them."""
        found = new = goal
        while new != self.product.diagrams.false:
            new = self.product.preimage(new) & left & ~found
            found = found | new
        return found

    def _for_ever(self, inner: Diagram) -> Diagram:
        """Return EG: gfp Z. inner and (nothing can happen, or for each fair set EX E(Z U Z and it))."""
        z, done = inner, inner & self.dead
        fair = self._fair or (self.states,)
        while True:
            smaller = z
            for each in fair:
                ways = self._leading(smaller, (smaller & each) | done)
                smaller = smaller & (done | self.product.preimage(ways))
            if smaller == z:
                return z
            z = smaller

    # -- evidence ---------------------------------------------------------------------------------

    def evidence(self, f: Ctl, start: int, *, holds: bool) -> SymbolicLasso | None:
        """Return a path that shows why a formula holds, or does not, in a state; if one can.

        It is not looked for among fair paths only, so that there must be no fair sets.
        """
        assert not self._fair, "evidence may not be fair"
        here = self.product.one(self.product.variables.of_state(start))
        match f:
            case Not(argument):
                return self.evidence(argument, start, holds=not holds)
            case Paths(some, Unary.NEXT, argument, event) if some == holds:
                actions = None if event is None else sorted(self._events[event])
                return self._step(here, self._as(argument, holds=holds), actions)
            case Paths(some, operator, argument) if some == holds:
                good = self._as(argument, holds=holds)
                if (operator is Unary.FINALLY) == holds:
                    return self._way(here, self.states, good)
                return self._lasting(here, good)
            case Until(some, left, right) if some == holds:
                if holds:
                    return self._way(here, self.where(left), self.where(right))
                lacking = self._not(self.where(right))
                neither = lacking & ~self.where(left)
                return self._way(here, lacking, neither) or self._lasting(here, lacking)
        return None

    def _as(self, f: Ctl, *, holds: bool) -> Diagram:
        return self.where(f) if holds else self._not(self.where(f))

    def _step(
        self, here: Diagram, good: Diagram, actions: Sequence[int] | None
    ) -> SymbolicLasso | None:
        walk = Walk(self.product, self.states)
        for action in self.product.actions if actions is None else actions:
            after = self.product.image(here, (action,)) & good
            if after != self.product.diagrams.false:
                target = Stop(action, self.product.one(after))
                return walk.lasso([Stop(-1, here), target], [])
        return None

    def _way(self, here: Diagram, middle: Diagram, good: Diagram) -> SymbolicLasso | None:
        """Return a shortest path through `middle` to one of the good states."""
        walk = Walk(self.product, middle | good)
        way = walk.to(here, good)
        return walk.lasso(way, []) if way else None

    def _lasting(self, here: Diagram, good: Diagram) -> SymbolicLasso | None:
        """Return a path that stays in the good states, to a deadlock or round and round."""
        hull = self._for_ever(good)
        if here & hull == self.product.diagrams.false:
            return None
        walk = Walk(self.product, hull)
        end = walk.to(here, self.dead)
        return walk.lasso(end, []) if end else walk.around([Stop(-1, here)], hull)


_OPPOSITE = {
    Unary.NEXT: Unary.NEXT,
    Unary.FINALLY: Unary.GLOBALLY,
    Unary.GLOBALLY: Unary.FINALLY,
}
