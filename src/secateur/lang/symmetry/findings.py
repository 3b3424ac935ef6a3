"""Which given sets of a model are symmetric: nothing tells their elements apart.

A formula of B that names no element means the same when all elements of a given set are
permuted.  What can tell them apart is a name, and the few functions that see more of a value
than B does: how it is written or where it is stored.  Constants are no matter here; they are
permuted along with the variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from secateur.lang.formulas import formulas_of
from secateur.lang.model import Model
from secateur.lang.seeing import seeing
from secateur.maths.ast import Expr, free_names
from secateur.maths.operators.protocol import Operator
from secateur.source.records import dataclass
from secateur.system.symmetry import Interchangeable, SetFinding

_MOST_REASONS: Final = 3
MOST_ELEMENTS: Final = 64
"""No more are exchanged, of all sets together: kMostElements of the native engine."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of the given sets of a model."""

    findings: tuple[SetFinding, ...]
    free: tuple[Interchangeable, ...]
    """The elements that may be exchanged, of each set that has several of them."""


def find_symmetry(model: Model, more: Iterable[tuple[str, Expr]] = ()) -> Found:
    """Return which elements of the given sets can be told apart, and by what.

    `more` are formulas that are asked about besides, with what they are called.
    """
    formulas = [*formulas_of(model), *more]
    named: dict[str, str] = {}
    for where, formula in formulas:
        for name in free_names(formula):
            named.setdefault(name, where)
    seen = list(_seeing(formulas))
    findings: list[SetFinding] = []
    free: list[Interchangeable] = []
    first, room = 0, MOST_ELEMENTS
    for each in model.sets:
        size = len(each.elements)
        numbers = range(first, first + size)  # as `universe_of` counts
        first += size
        told_apart = [e for e in each.elements if e in named]
        unnamed = tuple(
            n for n, e in zip(numbers, each.elements, strict=True) if not seen and e not in named
        )
        used = unnamed[:room]
        reasons = [*seen, *_names(told_apart, named)]
        if len(used) < len(unnamed):
            reasons.append(f"no more than {MOST_ELEMENTS} elements are exchanged in all")
        if size > 1:
            findings.append(SetFinding(each.name, size, len(used), tuple(reasons)))
        if len(used) > 1:
            free.append(Interchangeable(each.name, used))
            room -= len(used)
    return Found(tuple(findings), tuple(free))


def _names(elements: list[str], named: dict[str, str]) -> Iterator[str]:
    for element in elements[:_MOST_REASONS]:
        yield f"{element} is named in {named[element]}"
    if len(elements) > _MOST_REASONS:
        yield f"so are {len(elements) - _MOST_REASONS} others"


def _seeing(formulas: list[tuple[str, Expr]]) -> Iterator[str]:
    """Yield why no set at all is symmetric."""
    told: set[Operator] = set()
    for where, formula in formulas:
        for operator in seeing(formula):
            if operator not in told:
                told.add(operator)
                yield f"{operator} in {where} tells elements apart"
