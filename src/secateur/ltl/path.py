"""Whether a formula holds of one path: the definition, position by position.

A path is finite and ends in a deadlock, or goes on for ever: then it comes back to one of its
positions.  This is the small checker that every counterexample has to convince.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from secateur.ltl.atoms import Atom
from secateur.ltl.formula import Binary, Formula, Holds, One, Truth, Two, Unary, core
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Path:
    """What holds at each position; after the last one, `loop` comes next, or nothing."""

    letters: Sequence[Mapping[Atom, bool]]
    loop: int | None


def satisfied(formula: Formula, path: Path) -> bool:
    """Whether a formula holds at the first position of a path.

    The past of a position on the loop depends on how often the loop was gone round, so the path
    is unrolled as often as the operators of the past are nested, and once more.
    """
    f = core(formula)
    return values(f, settled(f, path))[0]


def settled(f: Formula, path: Path) -> Path:
    """Return the same path, with its loop unrolled until the past does not matter any more."""
    return _unrolled(path, _past_depth(f) + 1)


def _past_depth(f: Formula) -> int:
    match f:
        case One(operator, argument):
            return _past_depth(argument) + (operator is Unary.YESTERDAY)
        case Two(operator, left, right):
            deepest = max(_past_depth(left), _past_depth(right))
            return deepest + (operator is Binary.SINCE)
    return 0


def _unrolled(path: Path, rounds: int) -> Path:
    if path.loop is None:
        return path
    # Once the loop has been gone round as often as that, each round looks like the one before.
    loop = list(path.letters[path.loop :])
    extra = rounds * max(1, len(loop))
    times = -(-extra // len(loop))
    letters = [*path.letters, *loop * times]
    return Path(letters, len(letters) - len(loop))


def values(f: Formula, path: Path) -> list[bool]:
    """Return at which positions a formula of the core holds."""
    size = len(path.letters)
    match f:
        case Truth(value):
            return [value] * size
        case Holds(atom):
            return [letter[atom] for letter in path.letters]
        case One(Unary.NOT, argument):
            return [not v for v in values(argument, path)]
        case One(Unary.NEXT, argument):
            inner = values(argument, path)
            following = inner[path.loop] if path.loop is not None else False
            return [*inner[1:], following]
        case One(Unary.YESTERDAY, argument):
            return [False, *values(argument, path)[:-1]]
        case Two(Binary.AND, left, right):
            pairs = zip(values(left, path), values(right, path), strict=True)
            return [a and b for a, b in pairs]
        case Two(Binary.UNTIL, left, right):
            return _until(values(left, path), values(right, path), path.loop)
        case Two(Binary.SINCE, left, right):
            since: list[bool] = []
            for a, b in zip(values(left, path), values(right, path), strict=True):
                since.append(b or (a and bool(since) and since[-1]))
            return since
    raise AssertionError(f"{f} is not in the core")


def _until(left: list[bool], right: list[bool], loop: int | None) -> list[bool]:
    """Return the least solution of f U g = g or (f and X(f U g)), found from behind."""
    values = [False] * len(left)
    for _ in range(1 if loop is None else 2):  # the second time it is known what follows the end
        following = values[loop] if loop is not None else False
        for i in reversed(range(len(left))):
            values[i] = right[i] or (left[i] and following)
            following = values[i]
    return values
