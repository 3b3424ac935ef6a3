"""Why a formula does not hold of a path: the positions and parts that decide it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from secateur.ltl.formula import Binary, Formula, One, Two, Unary, core
from secateur.ltl.path import Path, settled, values


class Finding(NamedTuple):
    """A part of a formula that holds, or does not, at a position, and decides the whole there."""

    position: int
    part: Formula
    holds: bool


def why_not(formula: Formula, path: Path) -> list[Finding]:
    """Return what decides that a formula does not hold at the first position of a path."""
    longer = settled(core(formula), path)
    found = _Reasons(longer).of(formula, 0, holds=False)
    return [f._replace(position=_first(f.position, path)) for f in found]


def _first(position: int, path: Path) -> int:
    """Return the position of the path itself that one of the path with its loop unrolled stands for."""
    if path.loop is None or position < len(path.letters):
        return position
    return path.loop + (position - path.loop) % (len(path.letters) - path.loop)


class _Reasons:
    """What decides a part at a position; operators of the past are not taken apart."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[Formula, list[bool]] = {}

    def _holds(self, f: Formula, position: int) -> bool:
        found = self._known.get(f)
        if found is None:
            found = self._known[f] = values(core(f), self._path)
        return found[position]

    def _from(self, position: int) -> Iterator[int]:
        """Yield a position and all that come after it, each once."""
        size, loop = len(self._path.letters), self._path.loop
        yield from range(position, size)
        if loop is not None:
            yield from range(loop, min(position, size))

    def of(self, f: Formula, at: int, *, holds: bool) -> Iterator[Finding]:
        """Yield what decides that `f` holds, or does not, at a position."""
        match f:
            case One(Unary.NOT, inner):
                yield from self.of(inner, at, holds=not holds)
            case One(Unary.GLOBALLY, inner) if not holds:
                there = next(i for i in self._from(at) if not self._holds(inner, i))
                yield from self.of(inner, there, holds=False)
            case One(Unary.FINALLY, inner) if holds:
                there = next(i for i in self._from(at) if self._holds(inner, i))
                yield from self.of(inner, there, holds=True)
            case Two(Binary.AND | Binary.OR as operator, left, right):
                decides = operator is Binary.OR
                if holds is not decides:
                    yield from self.of(left, at, holds=holds)
                    yield from self.of(right, at, holds=holds)
                else:
                    part = left if self._holds(left, at) is decides else right
                    yield from self.of(part, at, holds=holds)
            case Two(Binary.IMPLIES, left, right) if not holds:
                yield from self.of(left, at, holds=True)
                yield from self.of(right, at, holds=False)
            case _:
                yield Finding(at, f, holds)
