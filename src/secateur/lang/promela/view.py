"""What variables have for values in the course of a step, in terms of the state before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from secateur.lang.promela import terms
from secateur.lang.promela.terms import Term, Width
from secateur.maths.ast import Expr

Written = tuple[tuple[Term, Term], ...]
"""Indices of an array that differ for sure, with the values written there."""


@dataclass(frozen=True, slots=True)
class View:
    """The values written so far; whatever else is read is as it was before."""

    scalars: Mapping[str, Term] = field(default_factory=dict)
    arrays: Mapping[str, Written] = field(default_factory=dict)

    def read(self, name: str, width: Width, index: Term | None = None) -> Term:
        """Return the value of a variable, or of one element of an array."""
        if index is None:
            found = self.scalars.get(name)
            return terms.variable(name, width) if found is None else found
        value = terms.variable(name, width, index)
        for place, written in self.arrays.get(name, ()):
            value = terms.choose(terms.equal(index, place), written, value)
        return value

    def write(self, name: str, value: Term, index: Term | None = None) -> Iterator[Step]:
        """Yield what is known after a value was written, and where that is so.

        There is one way, unless an index may or may not be the same as one written before.
        """
        if index is None:
            yield terms.TRUE, replace(self, scalars={**self.scalars, name: value})
            return
        for condition, kept in _apart(index, self.arrays.get(name, ())):
            written = (*kept, (index, value))
            yield condition, replace(self, arrays={**self.arrays, name: written})


Step = tuple[Expr, View]


def _apart(index: Term, written: Written) -> Iterator[tuple[Expr, Written]]:
    """Yield what remains of values written before, and under which condition."""
    for number, (place, _) in enumerate(written):
        same = terms.equal(index, place)
        known = terms.truth_of(same)
        others = written[:number] + written[number + 1 :]
        if known is True:
            yield terms.TRUE, others
            return
        if known is None:
            yield same, others
    different = [terms.negated(terms.equal(index, place)) for place, _ in written]
    condition = terms.all_of(different)
    if condition is not terms.FALSE:
        yield condition, written


UNCHANGED = View()
