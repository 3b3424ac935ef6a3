"""Formulas of CTL: trees, and how they are read.

`EX`, `AX`, `EF`, `AF`, `EG`, `AG`, with an event for the next step (`EX[op] f`), and `E f U g`, `A f U g`
with or without parentheses; atoms and connectives are those of LTL.
"""

from __future__ import annotations

import re
from typing import Final

from secateur.ltl.atoms import ABOUT_STEPS, FAIRNESS, Atom, Event, Kind
from secateur.ltl.codes import BAD_FORMULA
from secateur.ltl.formula import Binary, Formula, Holds, Truth, Unary
from secateur.ltl.lex import BRACKETS, END, WORD
from secateur.ltl.parse import Parser, event_of
from secateur.source import Source, fail
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Not:
    """A negation."""

    argument: Ctl


@dataclass(frozen=True, slots=True)
class Connected:
    """`&`, `or`, `=>` or `<=>`."""

    operator: Binary
    left: Ctl
    right: Ctl


@dataclass(frozen=True, slots=True)
class Paths:
    """On all paths, or on some: X, F or G; for X the event of the step may be given."""

    some: bool
    operator: Unary
    argument: Ctl
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Until:
    """On all paths, or on some: `left` until `right`, which does come."""

    some: bool
    left: Ctl
    right: Ctl


Ctl = Truth | Holds | Not | Connected | Paths | Until

_GLUED: Final = re.compile(r"(?:[AE][XFG])+")
_OPERATORS: Final = {"X": Unary.NEXT, "F": Unary.FINALLY, "G": Unary.GLOBALLY}


def parse_ctl(text: str, name: str = "<formula>") -> Ctl:
    """Read a formula; raise InputError if it is none."""
    parser = _CtlParser(Source(name, text))
    found = parser.whole()
    parser.expect(END, "the end of the formula")
    return found


class _CtlParser(Parser):
    """Reads one formula of CTL; atoms as the LTL parser does."""

    def whole(self) -> Ctl:
        left = self._implies()
        while self.sign == "<=>":
            self.take()
            left = Connected(Binary.IFF, left, self._implies())
        return left

    def _implies(self) -> Ctl:
        left = self._connected()
        while self.sign == "=>":
            self.take()
            left = Connected(Binary.IMPLIES, left, self._connected())
        return left

    def _connected(self) -> Ctl:
        left = self._unary()
        while self.sign in ("&", "or"):
            operator = Binary.AND if self.sign == "&" else Binary.OR
            self.take()
            left = Connected(operator, left, self._unary())
        return left

    def _unary(self) -> Ctl:
        token = self.token
        if token.kind in ("not", "!") or (token.kind == WORD and token.text == "not"):
            self.take()
            return Not(self._unary())
        if token.kind == WORD and token.text in ("E", "A"):
            self.take()
            return self._until(some=token.text == "E")
        if token.kind == WORD and _GLUED.fullmatch(token.text):
            self.take()
            return self._glued(token.text)
        if token.kind == "(":
            self.take()
            inner = self.whole()
            self.expect(")", "')'")
            return inner
        return self._atom()

    def _glued(self, word: str) -> Ctl:
        some, operator = word[0] == "E", _OPERATORS[word[1]]
        if word[2:]:
            return Paths(some, operator, self._glued(word[2:]))
        event = None
        if self.token.kind == BRACKETS:
            if operator is not Unary.NEXT:
                raise self.wrong("an event can only be given for the next step")
            event = event_of(self.take())
        return Paths(some, operator, self._unary(), event)

    def _until(self, *, some: bool) -> Ctl:
        start = self.at
        if self.token.kind == "(":
            self.take()
            left = self.whole()
            if self._is_until():
                self.take()
                right = self.whole()
                self.expect(")", "')'")
                return Until(some, left, right)
            self.at = start
        left = self._unary()
        if not self._is_until():
            raise self.wrong("expected U", help="write E f U g or A f U g")
        self.take()
        return Until(some, left, self._unary())

    def _is_until(self) -> bool:
        return self.token.kind == WORD and self.token.text in ("U", "until")

    def _atom(self) -> Ctl:
        found: Formula = self.primary()
        if not isinstance(found, Truth | Holds):
            raise self.wrong("expected an atom")
        if isinstance(found, Holds):
            _about_states(found.atom)
        return found


def _about_states(atom: Atom) -> None:
    if atom.kind in FAIRNESS:
        raise fail(BAD_FORMULA, f"{atom}: CTL knows no fairness", atom.span)
    if atom.kind in ABOUT_STEPS:
        help_ = f"write EX{atom} true" if atom.kind is Kind.EVENT else None
        raise fail(BAD_FORMULA, f"{atom} is about a step, not about a state", atom.span, help_)


def atoms_of(f: Ctl) -> list[Atom]:
    """Return the atoms, each once."""
    found: dict[Atom, None] = {}

    def look(f: Ctl) -> None:
        match f:
            case Holds(atom):
                found[atom] = None
            case Not(argument) | Paths(argument=argument):
                look(argument)
            case Connected(_, left, right) | Until(_, left, right):
                look(left)
                look(right)

    look(f)
    return list(found)


def events_of(f: Ctl) -> list[Event]:
    """Return the events that steps have to be, each once."""
    match f:
        case Not(argument):
            return events_of(argument)
        case Connected(_, left, right) | Until(_, left, right):
            return list(dict.fromkeys([*events_of(left), *events_of(right)]))
        case Paths(_, _, argument, event):
            own = [] if event is None else [event]
            return list(dict.fromkeys([*own, *events_of(argument)]))
    return []


def show_ctl(f: Ctl) -> str:
    """Return a formula with all parentheses: how it was understood."""
    match f:
        case Truth(value):
            return "true" if value else "false"
        case Holds(atom):
            return str(atom)
        case Not(argument):
            return f"not {_inner(argument)}"
        case Connected(operator, left, right):
            return f"{_inner(left)} {operator.value} {_inner(right)}"
        case Paths(some, operator, argument, event):
            of = f"[{event}]" if event is not None else ""
            return f"{'E' if some else 'A'}{operator.value}{of} {_inner(argument)}"
        case Until(some, left, right):
            return f"{'E' if some else 'A'} ({_inner(left)} U {_inner(right)})"


def _inner(f: Ctl) -> str:
    return show_ctl(f) if isinstance(f, Truth | Holds) else f"({show_ctl(f)})"
