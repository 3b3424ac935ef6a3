"""The tableau of a formula: which sets of its parts can hold together, and what follows on them.

O. Lichtenstein, A. Pnueli: *Checking that finite state concurrent programs satisfy their linear
specification*, POPL 1985, with past operators as in O. Lichtenstein, A. Pnueli, L. Zuck: *The
glory of the past*, 1985.

An atom of the tableau is told by the truth of its *elementary* formulas, X f and Y f; f U g is
g or (f and X(f U g)), and f S g is g or (f and Y(f S g)), so that everything else follows from
them and from the letter.  X f is a promise, kept or broken at the next position; Y f remembers
what was true at the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final, Protocol

from secateur.ltl.atoms import Atom
from secateur.ltl.forever import Move, Place, goes_on
from secateur.ltl.formula import Binary, Formula, One, Two, Unary, atoms, core, parts
from secateur.ltl.rules import Letter, Rules
from secateur.source.records import dataclass

START: Final = -1
"""The promise before the first position: that the formula holds there."""


@dataclass(frozen=True, slots=True)
class Position:
    """Whether each part of a formula holds at a position of a path, and what is due then.

    `kept` has a bit for each U that is not still waiting for its right side; `memory` is what
    Y remembers at the next position.
    """

    promise: int
    kept: int
    memory: int


class Positions(Protocol):
    """What a tableau and an automaton have in common."""

    def positions(self, letter: Letter, promise: int, memory: int) -> tuple[Position, ...]:
        """Return what can hold at a position that has a next one, given what was promised."""


def moves(of: Positions, letter: Letter, place: Place) -> list[Move]:
    """Return the ways on with one letter."""
    return [Move(p.kept, (p.promise, p.memory)) for p in of.positions(letter, *place)]


class Tableau:
    """The tableau of the formulas that satisfy `formula` at the first position."""

    def __init__(self, formula: Formula, *, stutters: bool = False) -> None:
        self.formula = core(formula)
        self.stutters = stutters
        """Whether a path that ends stays in its last state for ever, as far as the formula sees."""
        self.atoms: list[Atom] = atoms(self.formula)
        self._parts = list(dict.fromkeys(parts(self.formula)))
        self._place = {part: i for i, part in enumerate(self._parts)}
        untils = [p for p in self._parts if isinstance(p, Two) and p.operator is Binary.UNTIL]
        sinces = [p for p in self._parts if isinstance(p, Two) and p.operator is Binary.SINCE]
        ones = [p for p in self._parts if isinstance(p, One)]
        nexts = [p.argument for p in ones if p.operator is Unary.NEXT]
        befores = [p.argument for p in ones if p.operator is Unary.YESTERDAY]
        self.promised: list[Formula] = list(dict.fromkeys([*untils, *nexts]))
        """The formulas f of which X f is elementary."""
        self.remembered: list[Formula] = list(dict.fromkeys([*sinces, *befores]))
        """The formulas f of which Y f is elementary."""
        self.untils = untils
        self.start = START
        self._rules = Rules(self._parts, self.atoms, self.promised, self.remembered)
        self._promised_places = [self._place[f] for f in self.promised]
        self._remembered_places = [self._place[f] for f in self.remembered]
        self._until_places = [(self._place[u], self._place[u.right]) for u in untils]
        self._known: dict[tuple[Letter, int, int], tuple[Position, ...]] = {}
        self._last: dict[tuple[Letter, int, int], bool] = {}

    @property
    def all_kept(self) -> int:
        """All bits of `Position.kept`."""
        return (1 << len(self.untils)) - 1

    def positions(self, letter: Letter, promise: int, memory: int) -> tuple[Position, ...]:
        """Return what can hold at a position that has a next one, given what was promised."""
        key = letter, promise, memory
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(self._positions(letter, promise, memory))
        return found

    def ends(self, letter: Letter, promise: int, memory: int) -> bool:
        """Whether a path can end here: X is false, and every promise is kept.

        If it stutters, the last letter comes again and again instead.
        """
        key = letter, promise, memory
        found = self._last.get(key)
        if found is None:
            found = self._last[key] = self._ends(letter, promise, memory)
        return found

    def _ends(self, letter: Letter, promise: int, memory: int) -> bool:
        if self.stutters:
            return goes_on((promise, memory), partial(moves, self, letter), len(self.untils))
        return self._keeps(self._rules.truth(letter, 0, memory), promise)

    def done(self, _promise: int) -> bool:
        """Whether it does not matter how a path goes on: a tableau does not know."""
        return False

    def _positions(self, letter: Letter, promise: int, memory: int) -> Iterator[Position]:
        for bits in product((0, 1), repeat=len(self.promised)):
            following = sum(bit << i for i, bit in enumerate(bits))
            truth = self._rules.truth(letter, following, memory)
            if self._keeps(truth, promise):
                yield Position(following, self._kept(truth), self._memory(truth))

    def _keeps(self, truth: list[bool], promise: int) -> bool:
        """Whether exactly the formulas hold that were promised."""
        if promise == START:
            return truth[self._place[self.formula]]
        return all(
            truth[place] == bool(promise >> i & 1) for i, place in enumerate(self._promised_places)
        )

    def _kept(self, truth: list[bool]) -> int:
        return sum(
            1 << i
            for i, (until, right) in enumerate(self._until_places)
            if not truth[until] or truth[right]
        )

    def _memory(self, truth: list[bool]) -> int:
        return sum(1 << i for i, place in enumerate(self._remembered_places) if truth[place])

    def letter(self, truths: Mapping[Atom, bool]) -> Letter:
        """Return the letter in which these atoms hold."""
        return sum(1 << i for i, atom in enumerate(self.atoms) if truths[atom])
