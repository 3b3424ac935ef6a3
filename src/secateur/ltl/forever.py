"""A path that stays in its last state for ever: whether that keeps what was promised.

E. A. Emerson, C.-L. Lei: *Efficient model checking in fragments of the propositional mu-calculus*,
LICS 1986: the positions from which everything due is kept again and again are the greatest set from
each of which, for everything that may be due, one comes to keep it within the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

Place = tuple[int, int]
"""What was promised for a position, and what is remembered there."""


class Move(NamedTuple):
    """A way from one position to the next; `kept` has a bit for each U that waits no more."""

    kept: int
    target: Place


Moves = Callable[[Place], list[Move]]


def goes_on(start: Place, moves: Moves, due: int) -> bool:
    """Whether from a place one can go on for ever and keep each of the first `due` bits for ever."""
    known = _reached(start, moves)
    good = set(known)
    while True:
        better = good
        for bit in range(max(due, 1)):
            # where nothing is due, any step will do
            better = better & set(_towards(known, better, 1 << bit if due else 0))
        if len(better) == len(good):
            return start in good
        good = better


def _reached(start: Place, moves: Moves) -> dict[Place, list[Move]]:
    known: dict[Place, list[Move]] = {}
    todo = [start]
    while todo:
        place = todo.pop()
        if place not in known:
            known[place] = moves(place)
            todo += [move.target for move in known[place]]
    return known


def _towards(known: dict[Place, list[Move]], within: set[Place], bit: int) -> Iterator[Place]:
    """Yield the places from which a step that keeps the bit can be reached within a set."""
    found: set[Place] = set()
    grown = True
    while grown:
        grown = False
        for place in within - found:
            if any(
                move.target in within and (move.kept & bit == bit or move.target in found)
                for move in known[place]
            ):
                found.add(place)
                grown = True
                yield place
