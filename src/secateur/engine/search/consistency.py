"""Consistency checking: the graph traversal that every queue discipline shares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from secateur.engine.limits import Interrupted, states_reached
from secateur.engine.search.findings import Findings
from secateur.engine.search.protocol import Queue, Task
from secateur.system.result import Result
from secateur.system.system import Outgoing, State, Transition

ROOT: Final = object()
"""The state before anything is set up; it is never counted."""


def consistency_checking(task: Task, queue: Queue) -> Result:
    """Visit every reachable state and look for errors in each.

    I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial
    Order Reduction*, Formal Aspects of Computing 28 (2016), Algorithm 1.  Trailing
    comments give its line numbers.

    Deviations from the paper:

      D1  Visited and Graph are one table, from a state to the first transition that
          reached it: that is all a trace needs.  Other transitions are only counted.
      D2  `error(state)` is asked when a state is found, not when it is taken from the
          queue; whether it deadlocks, and which operations are ill-defined, is known
          when its successors are.
      D3  an error need not end the search (`task.ends`), and limits may.  The successors
          of a state are always looked at together; a breadth-first search finishes the
          level that it is expanding.  So what it finds does not depend on the order
          within a level.
    """
    found = Findings(task)
    try:
        with task.meter.running():
            _traverse(task, queue, found)
    except Interrupted:
        found.incomplete(task.meter.why_interrupted())
    except MemoryError:
        found.incomplete("the machine ran out of memory")
    return found.result(len(queue))


def _traverse(task: Task, queue: Queue, found: Findings) -> None:
    visited = found.visited
    limit = task.meter.limits.states
    queue.push(ROOT)  # 1
    while queue:  # 2
        if found.over(len(queue), may_stop=queue.may_stop):  # 9
            return
        state = queue.pop()  # 3-7
        stuck = True
        for item in _outgoing(task, state):  # 11
            stuck = False
            if not isinstance(item, Transition):
                found.note(state, item)
                continue
            found.count(item)  # 12
            succ = item.target
            if succ not in visited:  # 13
                if limit is not None and len(visited) >= limit:
                    found.incomplete(states_reached(limit))
                    return
                visited[succ] = (state, item.step)  # 12, 15
                queue.push(succ)  # 14
                found.check(succ)  # 8
                if found.over(len(queue), may_stop=False):
                    return
        if stuck:
            found.check_deadlock(state)  # 8


def _outgoing(task: Task, state: State) -> Iterable[Outgoing]:
    return task.system.initial() if state is ROOT else task.system.successors(state)
