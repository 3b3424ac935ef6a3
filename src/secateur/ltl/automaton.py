"""A generalised Büchi automaton for a formula, made as letters come.

R. Gerth, D. Peled, M. Vardi, P. Wolper: *Simple on-the-fly automatic verification of linear temporal
logic*, PSTV 1995: a state is a set of formulas that are due at a position; they are taken apart until
only the letter and what is due at the next position are left.  Unlike in the tableau nothing is said
about formulas that are not due, so that there are far fewer states.

Deviations from the paper:

  D1  acceptance is on transitions: one that puts no f U g off;
  D2  paths may end.  The dual of X is a weak next, which holds at the last position; or, where
      runs stutter, the last letter comes again and again;
  D3  formulas of the past that have no future in them are computed along the path, and count as
      atoms.  A formula with a future inside a past is left to the tableau.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from secateur.ltl.atoms import Atom
from secateur.ltl.forever import goes_on
from secateur.ltl.formula import Binary, Formula, One, Two, Unary, atoms, core, parts
from secateur.ltl.rules import Letter, Rules
from secateur.ltl.tableau import Position, moves
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class _Literal:
    place: int
    """Of a formula without a future, among all of them: numbers are soon compared."""
    holds: bool


@dataclass(frozen=True, slots=True)
class _And:
    left: Due
    right: Due


@dataclass(frozen=True, slots=True)
class _Or:
    left: Due
    right: Due


@dataclass(frozen=True, slots=True)
class _Next:
    argument: Due
    weak: bool


@dataclass(frozen=True, slots=True)
class _Until:
    left: Due
    right: Due


@dataclass(frozen=True, slots=True)
class _Release:
    left: Due
    right: Due


Due = _Literal | _And | _Or | _Next | _Until | _Release
"""Formulas in which only what a letter and the past say is negated."""

Obligations = frozenset[Due]


def is_simple(formula: Formula) -> bool:
    """Whether no future is inside a past, so that an automaton can be made."""
    return all(not _has_future(part) for part in parts(core(formula)) if _operator(part) in _PAST)


_PAST = (Unary.YESTERDAY, Binary.SINCE)
_FUTURE = (Unary.NEXT, Binary.UNTIL)


def _operator(f: Formula) -> Unary | Binary | None:
    return f.operator if isinstance(f, One | Two) else None


def _has_future(f: Formula) -> bool:
    return any(_operator(part) in _FUTURE for part in parts(f))


class Automaton:
    """The automaton of the paths that satisfy `formula`; it has the manners of a `Tableau`."""

    def __init__(self, formula: Formula, *, stutters: bool = False) -> None:
        self.formula = core(formula)
        self.stutters = stutters
        """Whether a path that ends stays in its last state for ever, as far as the formula sees."""
        self.atoms: list[Atom] = atoms(self.formula)
        self._past = [p for p in dict.fromkeys(parts(self.formula)) if not _has_future(p)]
        self._past_place = {part: i for i, part in enumerate(self._past)}
        remembered = list(dict.fromkeys(_asked_for(self._past)))
        self._kept_places = [self._past_place[f] for f in remembered]
        self._rules = Rules(self._past, self.atoms, (), remembered)
        self._whole = self._due(self.formula, holds=True)
        self._sets: dict[Obligations, int] = {}
        self._listed: list[Obligations] = []
        self.start = self._number(frozenset({self._whole}))
        self.untils: list[_Until] = list(dict.fromkeys(_untils(self._whole)))
        self._until_bits = {until: 1 << i for i, until in enumerate(self.untils)}
        self._known: dict[tuple[Letter, int, int], tuple[Position, ...]] = {}
        self._truths: dict[tuple[Letter, int], tuple[list[bool], int]] = {}

    def _number(self, due: Obligations) -> int:
        found = self._sets.get(due)
        if found is None:
            found = self._sets[due] = len(self._listed)
            self._listed.append(due)
        return found

    def _due(self, f: Formula, *, holds: bool) -> Due:
        """Return a formula, or its negation, with negations inside."""
        if not _has_future(f):
            return _Literal(self._past_place[f], holds)
        match f:
            case One(Unary.NOT, inner):
                return self._due(inner, holds=not holds)
            case One(Unary.NEXT, inner):
                return _Next(self._due(inner, holds=holds), weak=not holds)
            case Two(Binary.AND, left, right):
                both = self._due(left, holds=holds), self._due(right, holds=holds)
                return _And(*both) if holds else _Or(*both)
            case Two(Binary.UNTIL, left, right):
                both = self._due(left, holds=holds), self._due(right, holds=holds)
                return _Until(*both) if holds else _Release(*both)
        raise AssertionError(f"{f} has a future inside a past")

    # -- letters ----------------------------------------------------------------------------------

    def letter(self, truths: dict[Atom, bool]) -> Letter:
        """Return the letter in which these atoms hold."""
        return sum(1 << i for i, atom in enumerate(self.atoms) if truths[atom])

    def positions(self, letter: Letter, promise: int, memory: int) -> tuple[Position, ...]:
        """Return the ways to do what is due at a position that has a next one."""
        key = letter, promise, memory
        found = self._known.get(key)
        if found is None:
            truth, kept = self._known_truth(letter, memory)
            ways = _Ways(truth)
            found = self._known[key] = tuple(
                dict.fromkeys(
                    Position(self._number(later), self._kept(put_off), kept)
                    for later, put_off in ways.through(self._listed[promise])
                )
            )
        return found

    def ends(self, letter: Letter, promise: int, memory: int) -> bool:
        """Whether a path can end here with everything done that was due, or by staying here."""
        if self.stutters:
            return goes_on((promise, memory), partial(moves, self, letter), len(self.untils))
        truth, _ = self._known_truth(letter, memory)
        return all(_at_the_end(due, truth) for due in self._listed[promise])

    def done(self, promise: int) -> bool:
        """Whether nothing is due any more, so that it does not matter how a path goes on."""
        return not self._listed[promise]

    def _kept(self, put_off: frozenset[_Until]) -> int:
        waiting = sum(self._until_bits[until] for until in put_off)
        return (1 << len(self.untils)) - 1 & ~waiting

    def _known_truth(self, letter: Letter, memory: int) -> tuple[list[bool], int]:
        """Return which formulas without a future hold, and what is remembered of them."""
        key = letter, memory
        found = self._truths.get(key)
        if found is None:
            truth = self._rules.truth(letter, 0, memory)
            kept = sum(1 << i for i, place in enumerate(self._kept_places) if truth[place])
            found = self._truths[key] = truth, kept
        return found


@dataclass(frozen=True, slots=True)
class _Ways:
    """Takes obligations apart at one position."""

    truth: list[bool]

    def through(self, due: Obligations) -> Iterator[tuple[Obligations, frozenset[_Until]]]:
        """Yield what is due next, and which U were put off, for each way to go on."""
        yield from self._go([*due], frozenset(), frozenset(), frozenset())

    def _go(
        self, todo: list[Due], done: Obligations, later: Obligations, put_off: frozenset[_Until]
    ) -> Iterator[tuple[Obligations, frozenset[_Until]]]:
        while todo:
            due = todo.pop()
            if due in done:
                continue
            done |= {due}
            match due:
                case _Literal(place, holds):
                    if self.truth[place] != holds:
                        return
                case _And(left, right):
                    todo += (left, right)
                case _Or(left, right):
                    yield from self._go([*todo, left], done, later, put_off)
                    todo.append(right)
                case _Next(argument):
                    later |= {argument}
                case _Until(left, right):
                    yield from self._go([*todo, right], done, later, put_off)
                    todo.append(left)
                    later |= {due}
                    put_off |= {due}
                case _Release(left, right):
                    yield from self._go([*todo, left, right], done, later, put_off)
                    todo.append(right)
                    later |= {due}
        yield later, put_off


def _at_the_end(due: Due, truth: list[bool]) -> bool:
    match due:
        case _Literal(place, holds):
            return truth[place] == holds
        case _And(left, right):
            return _at_the_end(left, truth) and _at_the_end(right, truth)
        case _Or(left, right):
            return _at_the_end(left, truth) or _at_the_end(right, truth)
        case _Next(_, weak):
            return weak
        case _Until(_, right) | _Release(_, right):
            return _at_the_end(right, truth)


def _untils(due: Due) -> Iterator[_Until]:
    match due:
        case _And(left, right) | _Or(left, right) | _Release(left, right):
            yield from _untils(left)
            yield from _untils(right)
        case _Until(left, right):
            yield from _untils(left)
            yield from _untils(right)
            yield due
        case _Next(argument):
            yield from _untils(argument)


def _asked_for(past: list[Formula]) -> Iterator[Formula]:
    """Yield what has to be known at the next position."""
    for part in past:
        match part:
            case One(Unary.YESTERDAY, f):
                yield f
            case Two(Binary.SINCE):
                yield part
