"""Constants over deferred sets, up to renaming of the elements.

The elements of a deferred set are interchangeable, so one solution of the constants
stands for all that differ by a permutation.  As ProB does:

  * constants that are known to differ from each other become the names of the first
    elements;
  * each further constant is one of the elements used before it or the next one (the least
    number heuristic of J. Zhang, H. Zhang: *SEM: a System for Enumerating Models*, IJCAI 1995);
  * or else, where a constant numbers the elements (`f : S >->> 1..n` or another small set), it does so
    in order.
"""

from __future__ import annotations

from collections.abc import Sequence

from secateur.lang.b.facts import Facts, Numbering
from secateur.maths.ast import Apply, Expr, Implies, Name, Or, SetDisplay
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.relations import PAIR


def named_elements(facts: Facts, constants: Sequence[str]) -> tuple[str, ...]:
    """Return constants that pairwise differ, as many as are easily found."""
    best: tuple[str, ...] = ()
    for first in constants:
        chosen = [first]
        for other in constants:
            if all(frozenset({other, c}) in facts.distinct for c in chosen):
                chosen.append(other)
        if len(chosen) > len(best):
            best = tuple(sorted(chosen, key=list(constants).index))
    return best


def least_numbers(constants: Sequence[str], elements: Sequence[str], named: int) -> list[Expr]:
    """Return predicates by which each constant is among the elements used so far, or the next.

    The first `named` elements count as used.
    """
    found: list[Expr] = []
    for i, constant in enumerate(constants):
        reach = named + i + 1
        if reach < len(elements):
            allowed = SetDisplay(tuple(map(Name, elements[:reach])))
            found.append(Apply(MEMBER, (Name(constant), allowed)))
        for j in range(named + 1, min(reach, len(elements))):
            earlier = tuple(_equal(c, Name(elements[j - 1])) for c in constants[:i])
            used = earlier[0] if len(earlier) == 1 else Or(earlier)
            found.append(Implies(_equal(constant, Name(elements[j])), used))
    return found


def in_order(numbering: Numbering, elements: Sequence[str]) -> Expr:
    """Return that the numbering relates the first element to the first image, and so on."""
    sides = [(Name(e), image) for e, image in zip(elements, numbering.images, strict=True)]
    pairs = tuple(
        Apply(PAIR, (image, element) if numbering.inverse else (element, image))
        for element, image in sides
    )
    return _equal(numbering.function, SetDisplay(pairs))


def _equal(name: str, value: Expr) -> Expr:
    return Apply(EQUAL, (Name(name), value))
