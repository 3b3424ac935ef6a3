"""Consistency checking: the graph traversal that every queue discipline shares."""

from __future__ import annotations

from collections.abc import Callable

from secateur.engine.limits import Interrupted, states_reached
from secateur.engine.provisos.protocol import View
from secateur.engine.search.expansion import Expander
from secateur.engine.search.findings import Findings
from secateur.engine.search.protocol import ROOT, Queue, Reopening, Task
from secateur.system.result import Result
from secateur.system.system import Breach, Fault, Gap, State, Transition


def consistency_checking(task: Task, queue: Queue, reopening: Reopening | None = None) -> Result:
    """Visit every reachable state and look for errors in each.

    I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial
    Order Reduction*, Formal Aspects of Computing 28 (2016), Algorithm 1.  Trailing
    comments give its line numbers, and those of D. Bošnački, S. Leue, A. Lluch Lafuente:
    *Partial-Order Reduction for General State Exploring Algorithms*, STTT 11 (2009),
    Figure 1, marked G.

    Deviations from the papers:

      D1  Visited and Graph are one table, from a state to the first transition that
          reached it: that is all a trace needs.  Other transitions are only counted.
      D2  `error(state)` is asked when a state is found, not when it is taken from the
          queue; whether it deadlocks, and which operations are ill-defined, is known
          when its successors are.  A search that reopens states asks when it takes them.
      D3  an error need not end the search (`task.ends`), and limits may.  The successors
          of a state are always looked at together; a breadth-first search finishes the
          level that it is expanding.  So what it finds does not depend on the order
          within a level.
      D4  a state with an error is expanded like others.  So there is none that is neither
          waiting nor closed, on which a proviso would rely in vain.
      D5  Open and Closed are disjoint, and together Visited; Closed is kept only for a proviso.
    """
    found = Findings(task)

    def work() -> None:
        _Traversal(task, queue, found, reopening).run()

    return guarded(task, found, work, lambda: len(queue))


def guarded(
    task: Task, found: Findings, work: Callable[[], None], waiting: Callable[[], int]
) -> Result:
    """Return what `work` finds, also if it is interrupted."""
    try:
        with task.meter.running():
            work()
    except Interrupted:
        found.incomplete(task.meter.why_interrupted())
    except MemoryError:
        found.incomplete("the machine ran out of memory")
    return found.result(waiting())


class _Traversal:
    """One run of the algorithm."""

    def __init__(
        self, task: Task, queue: Queue, found: Findings, reopening: Reopening | None
    ) -> None:
        self.queue = queue
        self.found = found
        self.reopening = reopening
        self.expander = Expander(task, View(found.visited))
        self.limit = task.meter.limits.states
        self.counted: dict[State, set[Transition]] = {}
        """In a search that reopens states: the transitions of those that were expanded."""

    def run(self) -> None:
        """Take one state after another until none is left, or enough was found."""
        found, queue = self.found, self.queue
        queue.push(ROOT)  # 1, G2
        while queue:  # 2, G3
            if found.over(len(queue), may_stop=queue.may_stop):  # 9
                return
            state = queue.pop()  # 3-7, G4
            if self.reopening is None:
                going_on = self._expand(state, None)
            else:
                going_on = self._expand_again(state)
            if not going_on:
                return

    def _expand_again(self, state: State) -> bool:
        counted = self.counted.get(state)
        if counted is None:
            counted = self.counted[state] = set()
            if state is not ROOT:
                self.found.check(state)  # 8, G5
            return self._expand(state, counted)
        return self._expand(state, counted, again=True)

    def _expand(
        self, state: State, counted: set[Transition] | None, *, again: bool = False
    ) -> bool:
        """Look at what leads out of a state; return whether the search goes on."""
        found = self.found
        items, pruned = self.expander.expand(state)
        stuck = not pruned
        for item in items:  # 11, G6
            stuck = False
            if not isinstance(item, Transition):
                self._note(state, item, again=again)
                continue
            if counted is None:
                found.count(item)  # 12
            elif item not in counted:
                counted.add(item)
                found.count(item)
            if not self._reach(state, item):
                return False
        if stuck and not again:
            found.check_deadlock(state)  # 8
        return True

    def _note(self, state: State, item: Breach | Fault | Gap, *, again: bool) -> None:
        if not again:
            self.found.note(state, item)

    def _reach(self, state: State, item: Transition) -> bool:
        """Look at a successor (G7 to G9); return whether the search goes on."""
        found, queue, reopening = self.found, self.queue, self.reopening
        visited = found.visited
        succ = item.target
        if succ in visited:  # 13
            if reopening is not None and reopening.improves(state, succ):  # G8
                visited[succ] = (state, item.step)
                self.expander.reopen(succ)
                queue.push(succ)  # G9
            return True
        if self.limit is not None and len(visited) >= self.limit:
            found.incomplete(states_reached(self.limit))
            return False
        visited[succ] = (state, item.step)  # 12, 15
        if reopening is not None:
            reopening.improves(state, succ)
        queue.push(succ)  # 14
        if reopening is None:
            found.check(succ)  # 8
        return not found.over(len(queue), may_stop=False)
