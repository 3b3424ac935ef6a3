"""Whether nothing is put off for ever: the proviso, on the graph that was recorded.

Where what is left out "can be done later", it must be so that it is: from such a state there is an
action among the chosen ones each of whose results leads nearer to a state of another kind.
That is what every proviso promises for errors.  Some promise more: that no cycle has only such states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Moves = Mapping[int, tuple[int, ...]]
"""For each action that was chosen, its results."""

STRICT: Final = frozenset({"open-liveness", "static", "stack"})
"""The provisos that promise that no cycle has reduced states alone."""


def put_off(around: Mapping[int, Moves]) -> int | None:
    """Return a state in which something may be put off for ever; None if there is none.

    `around` are the states where that is to be feared, with what was chosen there.
    """
    missing: dict[tuple[int, int], int] = {}
    before: dict[int, list[tuple[int, int]]] = {}
    settled: list[int] = []
    done: set[int] = set()
    for state, moves in around.items():
        for action, results in moves.items():
            waiting = {r for r in results if r in around}
            missing[state, action] = len(waiting)
            for r in waiting:
                before.setdefault(r, []).append((state, action))
            if not waiting and state not in done:
                done.add(state)
                settled.append(state)
    while settled:
        for state, action in before.get(settled.pop(), ()):
            missing[state, action] -= 1
            if not missing[state, action] and state not in done:
                done.add(state)
                settled.append(state)
    return next((s for s in around if s not in done), None)


def on_cycle(around: Mapping[int, Moves]) -> int | None:
    """Return a state of a cycle of such states alone; None if there is none."""
    incoming = dict.fromkeys(around, 0)
    for moves in around.values():
        for r in {r for results in moves.values() for r in results}:
            if r in incoming:
                incoming[r] += 1
    free = [s for s, count in incoming.items() if not count]
    left = len(around)
    while free:
        left -= 1
        state = free.pop()
        for r in {r for results in around[state].values() for r in results}:
            if r in incoming:
                incoming[r] -= 1
                if not incoming[r]:
                    free.append(r)
    return next((s for s, count in incoming.items() if count), None) if left else None
