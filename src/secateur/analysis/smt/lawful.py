"""A state of variables, and which of their values are lawful."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import z3

from secateur.analysis.effort import TooMuch
from secateur.analysis.smt.memory import Memory, runs
from secateur.analysis.smt.values import Term, Truth, both, either, negated
from secateur.analysis.space import Space

MOST_CODES: Final = 256
"""Codes that are not just all numbers below a limit are listed up to this many."""


class Symbols:
    """Variables for all slots of a system, one for each stretch of bits."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.memory = Memory()
        self._variables: list[list[tuple[int, Term]]] = []
        self._lawful: dict[int, Truth] = {}
        self._together: dict[int, Truth] = {}
        for slot in space.slots:
            variables: list[tuple[int, Term]] = []
            for at, width in runs(slot.bits):
                variable = z3.BitVec(f"s{at}", width)
                self.memory.store(at, width, variable)
                variables.append((at, variable))
            self._variables.append(variables)
        self._names = [[v.decl().name() for _, v in each] for each in self._variables]

    def variables(self, mask: int) -> Iterator[tuple[int, Term]]:
        """Yield the variables of the slots that some bits belong to, and where they are."""
        for number in self.space.touching(mask):
            yield from self._variables[number]

    def names(self) -> Iterator[tuple[str, int]]:
        """Yield the names of all variables, and the slots that they belong to."""
        for number, names in enumerate(self._names):
            for name in names:
                yield name, number

    def restrict(self, space: Space) -> None:
        """Let slots have the codes of another space from now on."""
        self.space = space
        self._lawful.clear()
        self._together.clear()

    def lawful(self, slots: Iterable[int], facts: Mapping[str, Truth]) -> Iterator[Truth]:
        """Yield what has to hold for some slots; too many codes are not told from others.

        `facts` are what code says of variables.
        """
        chosen = tuple(slots)
        yield from self._at_once(chosen)
        for number in chosen:
            found = self._lawful.get(number)
            if found is None:
                found = self._lawful[number] = self._make(number)
            if found is not True:
                yield found
            for name in self._names[number]:
                fact = facts.get(name)
                if fact is not None:
                    yield fact

    def _make(self, number: int) -> Truth:
        slot, variables = self.space.slots[number], self._variables[number]
        codes = slot.codes
        if codes is None or len(codes) == 1 << slot.bits.bit_count():
            return True
        if len(variables) == 1:
            at, variable = variables[0]
            if _is_range(codes, at):
                return z3.ULT(variable, z3.BitVecVal(len(codes), variable.size()))
        if len(codes) > MOST_CODES:
            return True
        return either(*(self._has(number, code) for code in codes))

    def _has(self, number: int, code: int) -> Truth:
        """Return when a slot has a code."""
        return both(
            *(
                v == z3.BitVecVal(code >> at & ((1 << v.size()) - 1), v.size())
                for at, v in self._variables[number]
            )
        )

    def _at_once(self, slots: Sequence[int]) -> Iterator[Truth]:
        """Yield what has to hold for a few of some slots together."""
        space, among = self.space, self.space.bits(slots)
        for mask, together in space.together.items():
            if mask & ~among:
                continue
            found = self._together.get(mask)
            if found is None:
                *few, last = space.touching(mask)
                found = self._together[mask] = self._make_together(few, last, together)
            yield found

    def _make_together(self, few: Sequence[int], last: int, together: frozenset[int]) -> Truth:
        """Return that one slot has a code that goes with those of the others."""
        all_codes = self.space.slots[last].codes or ()
        partners: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for codes in product(*(self.space.slots[n].codes or () for n in few)):
            partner = tuple(d for d in all_codes if sum(codes) | d in together)
            partners.setdefault(partner, []).append(codes)
        return both(
            *(
                either(
                    negated(either(*(self._have(few, codes) for codes in those))),
                    either(*(self._has(last, d) for d in others)),
                )
                for others, those in partners.items()
                if len(others) < len(all_codes)
            )
        )

    def _have(self, slots: Sequence[int], codes: Sequence[int]) -> Truth:
        return both(*(self._has(n, c) for n, c in zip(slots, codes, strict=True)))

    def state(self, model: Term, slots: Iterable[int]) -> int | None:
        """Return the state that a model of a formula tells of, if something is known of the rest."""
        state, mask = 0, 0
        for number in slots:
            mask |= self.space.slots[number].bits
            for at, variable in self._variables[number]:
                value = model.eval(variable, model_completion=True)
                state |= value.as_long() << at
        try:
            return self.space.state(state, mask)
        except TooMuch:
            return None


def _is_range(codes: Sequence[int], at: int) -> bool:
    """Whether codes are the numbers below their count, in their place."""
    return all(code == i << at for i, code in enumerate(codes))
