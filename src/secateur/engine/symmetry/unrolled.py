"""A loop of a quotient as one of the system itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from secateur.engine.liveness.lasso import Lasso
from secateur.system.system import State, Transition

Turn = TypeVar("Turn")


def unrolled(
    start: State,
    turns: Sequence[Turn],
    loop: int,
    alike: Callable[[State, Turn], Transition],
    *,
    open_: bool,
) -> Lasso:
    """Return a real path that looks like one of the quotient, whose last `loop` turns are repeated.

    `alike` finds the step out of a real state that looks like a turn.  After a round of the loop
    another permutation of the state may be there than before.  There are finitely many, so that
    some round ends where an earlier one did; from there on it goes round and round.
    """
    path: list[Transition] = []

    def follow(here: State, some: Sequence[Turn]) -> State:
        for turn in some:
            path.append(alike(here, turn))
            here = path[-1].target
        return here

    stem = len(turns) - loop
    here = follow(start, turns[:stem])
    if not loop:
        return Lasso(start, tuple(path), open=open_)
    begun: dict[State, int] = {}
    while here not in begun:
        begun[here] = len(path)
        here = follow(here, turns[stem:])
    return Lasso(start, tuple(path), len(path) - begun[here], open_)
