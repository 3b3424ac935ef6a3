"""CTL on a graph: for each formula the states in which it holds, from the inside out.

E. M. Clarke, E. A. Emerson, A. P. Sistla: *Automatic verification of finite-state concurrent systems
using temporal logic specifications*, TOPLAS 8, 1986; over maximal paths, which may end: in a deadlock,
`EX f` is false, `AX f` true, and `EG f`, `AF f` are what f is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.ltl.atoms import Atom, Event
from secateur.ltl.ctl import Connected, Ctl, Not, Paths, Until
from secateur.ltl.formula import Binary, Holds, Truth, Unary
from secateur.system.system import State, Step, Transition

States = frozenset[State]
Holding = Callable[[Atom, State], bool]
Occurrence = Callable[[Event], Callable[[State, Step], bool]]


class Branching:
    """All states of a graph, and which of them satisfy a formula."""

    def __init__(self, graph: Graph, holding: Holding, occurrence: Occurrence) -> None:
        self.graph = graph
        self._holding = holding
        self._occurrence = occurrence
        self._known: dict[Ctl, States] = {}
        self._before: dict[State, list[State]] = {}
        self.states = self._explored()

    def _explored(self) -> States:
        todo = deque(self.graph.initial())
        seen = set(todo)
        while todo:
            state = todo.popleft()
            for transition in self.graph.edges(state):
                self._before.setdefault(transition.target, []).append(state)
                if transition.target not in seen:
                    seen.add(transition.target)
                    todo.append(transition.target)
        return frozenset(seen)

    def where(self, f: Ctl) -> States:
        """Return the states in which a formula holds."""
        found = self._known.get(f)
        if found is None:
            found = self._known[f] = self._where(f)
        return found

    def _where(self, f: Ctl) -> States:
        match f:
            case Truth(value):
                return self.states if value else frozenset()
            case Holds(atom):
                return frozenset(s for s in self.states if self._holding(atom, s))
            case Not(argument):
                return self.states - self.where(argument)
            case Connected(operator, left, right):
                return self._connected(operator, self.where(left), self.where(right))
            case Paths(some, Unary.NEXT, argument, event):
                good = self.where(argument)
                if some:
                    return self._some_next(good, event)
                return self.states - self._some_next(self.states - good, event)
            case Paths(some, Unary.FINALLY, argument):
                return self._until(self.states, self.where(argument), some=some)
            case Paths(some, _, argument):
                # G f is the negation of F not f on the other kind of paths
                return self.states - self._until(
                    self.states, self.states - self.where(argument), some=not some
                )
            case Until(some, left, right):
                return self._until(self.where(left), self.where(right), some=some)

    def _connected(self, operator: Binary, left: States, right: States) -> States:
        match operator:
            case Binary.AND:
                return left & right
            case Binary.OR:
                return left | right
            case Binary.IMPLIES:
                return (self.states - left) | right
        return (left & right) | (self.states - left - right)

    def _some_next(self, good: States, event: Event | None) -> States:
        if event is None:
            return frozenset(b for s in good for b in self._before.get(s, ()))
        occurs = self._occurrence(event)
        return frozenset(
            s
            for s in self.states
            if any(t.target in good and occurs(s, t.step) for t in self.graph.edges(s))
        )

    def _until(self, left: States, right: States, *, some: bool) -> States:
        """Return the least set with `right`, and all of `left` that must, or can, go on into it."""
        found = set(right)
        todo = list(right)
        waiting = {s: len({t.target for t in self.graph.edges(s)}) for s in left}
        while todo:
            state = todo.pop()
            for before in set(self._before.get(state, ())):
                if before in found or before not in left:
                    continue
                waiting[before] -= 1
                if some or waiting[before] == 0:
                    found.add(before)
                    todo.append(before)
        return frozenset(found)

    # -- evidence ---------------------------------------------------------------------------------

    def evidence(self, f: Ctl, start: State, *, holds: bool) -> Lasso | None:
        """Return a path that shows why a formula holds, or does not, in a state; if one can."""
        match f:
            case Not(argument):
                return self.evidence(argument, start, holds=not holds)
            case Paths(some, Unary.NEXT, argument, event) if some == holds:
                good = self.where(argument) if holds else self.states - self.where(argument)
                return self._step(start, good, event)
            case Paths(some, Unary.FINALLY, argument) if some == holds:
                good = self.where(argument)
                if holds:
                    return self._way(start, self.states, good)
                return self._for_ever(start, self.states - good)
            case Paths(some, Unary.GLOBALLY, argument) if some == holds:
                good = self.where(argument)
                if holds:
                    return self._for_ever(start, good)
                return self._way(start, self.states, self.states - good)
            case Until(some, left, right) if some == holds:
                middle, end = self.where(left), self.where(right)
                if holds:
                    return self._way(start, middle, end)
                neither = self.states - middle - end
                found = self._way(start, self.states - end, neither)
                return found or self._for_ever(start, self.states - end)
        return None

    def _step(self, start: State, good: States, event: Event | None) -> Lasso | None:
        occurs = None if event is None else self._occurrence(event)
        for t in self.graph.edges(start):
            if t.target in good and (occurs is None or occurs(start, t.step)):
                return Lasso(start, (t,))
        return None

    def _way(self, start: State, middle: States, good: States) -> Lasso | None:
        """Return a shortest path through `middle` to one of the good states."""
        ways: dict[State, tuple[Transition, ...]] = {start: ()}
        todo = deque([start])
        while todo:
            state = todo.popleft()
            if state in good:
                return Lasso(start, ways[state])
            for t in self.graph.edges(state) if state in middle else ():
                if t.target not in ways:
                    ways[t.target] = (*ways[state], t)
                    todo.append(t.target)
        return None

    def _for_ever(self, start: State, good: States) -> Lasso | None:
        """Return a path that stays in the good states, to a deadlock or round and round."""
        lasting = self.states - self._until(self.states, self.states - good, some=False)
        path: list[Transition] = []
        places = {start: 0}
        state = start
        while state in lasting:
            following = self._first(t for t in self.graph.edges(state) if t.target in lasting)
            if following is None:
                return Lasso(start, tuple(path)) if not self.graph.edges(state) else None
            path.append(following)
            state = following.target
            if state in places:
                return Lasso(start, tuple(path), len(path) - places[state])
            places[state] = len(path)
        return None

    @staticmethod
    def _first(transitions: Iterable[Transition]) -> Transition | None:
        return next(iter(transitions), None)
