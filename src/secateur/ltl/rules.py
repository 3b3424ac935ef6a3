"""Which parts of a formula hold at a position of a path, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from secateur.ltl.atoms import Atom
from secateur.ltl.formula import Binary, Formula, Holds, One, Truth, Two, Unary

Letter = int
"""Which atoms hold: bit i for the i-th of them."""


class Rules:
    """How each of some formulas of the core follows from those before it, the letter, X and Y.

    `promised` are the formulas f of which X f is asked for, `remembered` those of which Y f is:
    f U g is g or (f and X(f U g)), and f S g is g or (f and Y(f S g)).
    """

    def __init__(
        self,
        listed: Sequence[Formula],
        atoms: Iterable[Atom],
        promised: Iterable[Formula],
        remembered: Iterable[Formula],
    ) -> None:
        self._place = {f: i for i, f in enumerate(listed)}
        self._atom_place = {atom: i for i, atom in enumerate(atoms)}
        self._next_place = {f: i for i, f in enumerate(promised)}
        self._before_place = {f: i for i, f in enumerate(remembered)}
        self._rules = [self._rule(f) for f in listed]

    def _rule(self, part: Formula) -> tuple[str, int, int, int]:
        """Return what a formula is, the places of its parts, and the bit of its own X or Y."""
        of, following, before = self._place, self._next_place, self._before_place
        match part:
            case Truth(value):
                return "truth", int(value), 0, 0
            case Holds(atom):
                return "atom", self._atom_place[atom], 0, 0
            case One(Unary.NOT, f):
                return "not", of[f], 0, 0
            case One(Unary.NEXT, f):
                return "next", following[f], 0, 0
            case One(Unary.YESTERDAY, f):
                return "before", before[f], 0, 0
            case Two(Binary.AND, f, g):
                return "and", of[f], of[g], 0
            case Two(Binary.UNTIL, f, g):
                return "until", of[f], of[g], following[part]
            case Two(Binary.SINCE, f, g):
                return "since", of[f], of[g], before[part]
        raise AssertionError(f"{part} is not in the core")

    def truth(self, letter: Letter, following: int, memory: int) -> list[bool]:
        """Return for each formula whether it holds, given which X and which Y do."""
        truth: list[bool] = []
        for rule, f, g, own in self._rules:
            match rule:
                case "truth":
                    holds = bool(f)
                case "atom":
                    holds = bool(letter >> f & 1)
                case "not":
                    holds = not truth[f]
                case "next":
                    holds = bool(following >> f & 1)
                case "before":
                    holds = bool(memory >> f & 1)
                case "and":
                    holds = truth[f] and truth[g]
                case "until":
                    holds = truth[g] or (truth[f] and bool(following >> own & 1))
                case _:
                    holds = truth[g] or (truth[f] and bool(memory >> own & 1))
            truth.append(holds)
        return truth
