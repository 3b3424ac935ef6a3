"""Goals, their independent parts, and the combinations of the parts' solutions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from secateur.maths.ast import Binder, Expr
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source.records import dataclass

Solution = dict[str, Value]
Error = IllDefined | Undecided


@dataclass(frozen=True, slots=True)
class Goal:
    """Unknowns, the constraints on them, and what is known."""

    unknowns: Sequence[Binder]
    constraints: Sequence[Expr]
    known: Mapping[str, Value]


def independent_parts(
    unknowns: Sequence[Binder],
    constraints: Sequence[Expr],
    names: Callable[[Expr], frozenset[str]],
) -> list[tuple[list[Binder], list[Expr]]]:
    """Return groups of unknowns and their constraints, such that no constraint joins two."""
    leader = {b.name: b.name for b in unknowns}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for e in constraints:
        first, *others = sorted(names(e) & leader.keys())
        for other in others:
            leader[find(other)] = find(first)
    groups: dict[str, tuple[list[Binder], list[Expr]]] = {}
    for b in unknowns:
        groups.setdefault(find(b.name), ([], []))[0].append(b)
    for e in constraints:
        groups[find(min(names(e) & leader.keys()))][1].append(e)
    return list(groups.values())


class Part:
    """The solutions of an independent part, found as far as they are asked for."""

    def __init__(self, solve: Callable[[list[Error]], Iterator[Solution]]) -> None:
        self.errors: list[Error] = []
        self._found: list[Solution] = []
        self._more: Iterator[Solution] | None = solve(self.errors)

    def __iter__(self) -> Iterator[Solution]:
        i = 0
        while i < len(self._found) or self._advance():
            yield self._found[i]
            i += 1

    def once(self) -> Iterator[Solution]:
        """Yield the solutions without keeping them: nobody will ask again."""
        yield from self._found
        if self._more is not None:
            yield from self._more

    def _advance(self) -> bool:
        if self._more is None:
            return False
        solution = next(self._more, None)
        if solution is None:
            self._more = None
            return False
        self._found.append(solution)
        return True

    def is_possible(self) -> bool:
        """Whether there is a solution, or an error in place of one."""
        return bool(self._found) or self._advance() or bool(self.errors)


def product(parts: Sequence[Part], known: Solution, errors: list[Error]) -> Iterator[Solution]:
    """Yield every combination of the parts' solutions; the first part varies slowest."""
    if not all(part.is_possible() for part in parts):
        return
    if parts:
        yield from _combine(parts, known)
    else:
        yield known
    for part in parts:
        errors.extend(part.errors)


def _combine(parts: Sequence[Part], known: Solution) -> Iterator[Solution]:
    # The first part is gone through once; only the others are asked again.
    first, *others = parts
    for solution in first.once():
        merged = {**known, **solution}
        if others:
            yield from _combine_kept(others, merged)
        else:
            yield merged


def _combine_kept(parts: Sequence[Part], known: Solution) -> Iterator[Solution]:
    first, *others = parts
    for solution in first:
        merged = {**known, **solution}
        if others:
            yield from _combine_kept(others, merged)
        else:
            yield merged
