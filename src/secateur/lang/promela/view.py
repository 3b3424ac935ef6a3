"""What variables have for values in the course of a step, in terms of the state before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from secateur.lang.promela import terms
from secateur.lang.promela.terms import Term, Width
from secateur.lang.promela.variants import Write
from secateur.maths.ast import Expr
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """What was written to an array: no two of the indices are the same."""

    known: Mapping[int, Term] = field(default_factory=dict)
    """The values at indices that are known."""
    others: tuple[tuple[Term, Term], ...] = ()
    """The others, and the values there."""

    def pairs(self) -> Iterator[tuple[Term, Term]]:
        """Yield the indices with their values."""
        yield from ((terms.number(i), value) for i, value in self.known.items())
        yield from self.others

    def put(self, index: Term, value: Term) -> Written:
        """Return the same with one value more."""
        if index.constant is None:
            return Written(self.known, (*self.others, (index, value)))
        return Written({**self.known, index.constant: value}, self.others)


NOTHING = Written()


class View(NamedTuple):
    """The values written so far; whatever else is read is as it was before.

    There are very many of them, and a tuple is made in no time.
    """

    scalars: Mapping[str, Term] = {}
    arrays: Mapping[str, Written] = {}
    committed: bool = False
    """Whether nobody is asked whether it may go on, as while a `d_step` is under way."""
    inside: bool = False
    """Whether an atomic sequence has begun; it gives way to others before there is a `timeout`."""

    def read(
        self, name: str, width: Width, index: Term | None = None, span: Span = NOWHERE
    ) -> Term:
        """Return the value of a variable, or of one element of an array."""
        if index is None:
            found = self.scalars.get(name)
            return terms.variable(name, width) if found is None else found
        written = self.arrays.get(name, NOTHING)
        if index.constant is not None and not written.others:
            found = written.known.get(index.constant)
            return terms.variable(name, width, index, span) if found is None else found
        value = terms.variable(name, width, index, span)
        for place, each in written.pairs():
            value = terms.choose(terms.equal(index, place), each, value)
        return value

    def write(
        self, name: str, value: Term, index: Term | None = None
    ) -> Iterator[tuple[Expr, View]]:
        """Yield what is known after a value was written, and where that is so.

        There is one way, unless an index may or may not be the same as one written before.
        """
        if index is None:
            yield terms.TRUE, self._replace(scalars={**self.scalars, name: value})
            return
        for condition, kept in _apart(index, self.arrays.get(name, NOTHING)):
            yield condition, self._replace(arrays={**self.arrays, name: kept.put(index, value)})

    def surely(self, writes: Sequence[Write]) -> tuple[View, int]:
        """Return what is known after the first of some values were written, and how many these are.

        They are all those before an index that may or may not be one written before.  Together they
        take no longer than they are many, however large their arrays.
        """
        unsure = (number for number, write in enumerate(writes) if not self._is_sure(write))
        done = next(unsure, len(writes))
        scalars = {**self.scalars}
        known: dict[str, dict[int, Term]] = {}
        for write in writes[:done]:
            if write.index is None:
                scalars[write.name] = write.value
                continue
            if write.name not in known:
                known[write.name] = {**self.arrays.get(write.name, NOTHING).known}
            known[write.name][write.index.low] = write.value
        arrays = {**self.arrays, **{name: Written(values) for name, values in known.items()}}
        return self._replace(scalars=scalars, arrays=arrays), done

    def _is_sure(self, write: Write) -> bool:
        if write.index is None:
            return True
        others = self.arrays.get(write.name, NOTHING).others
        return write.index.constant is not None and not others


def _apart(index: Term, written: Written) -> Iterator[tuple[Expr, Written]]:
    """Yield what remains of values written before, and under which condition."""
    if index.constant is not None and not written.others:
        yield terms.TRUE, written
        return
    different: list[Expr] = []
    for place, _ in written.pairs():
        same = terms.equal(index, place)
        if same is terms.FALSE:
            continue
        yield same, _without(written, place)
        if same is terms.TRUE:
            return
        different.append(terms.negated(same))
    yield terms.all_of(different), written


def _without(written: Written, place: Term) -> Written:
    known = {i: v for i, v in written.known.items() if i != place.constant}
    return Written(known, tuple(p for p in written.others if p[0] is not place))


UNCHANGED = View()
