"""Reading LTL as ProB writes it, and as others do.

From loose to tight: `<=>`, then `=>` and `~>`, then `&` and `or`, then `U`, `W`, `R`, `S`, `T`, then what
has one argument.  What binds alike is read from the left.
"""

from __future__ import annotations

import re
from typing import Final

from secateur.ltl.atoms import FAIRNESS, Atom, Event, Fair, Kind
from secateur.ltl.codes import BAD_FORMULA, MISPLACED_FAIRNESS
from secateur.ltl.formula import (
    FALSE,
    TRUE,
    Binary,
    Formula,
    Holds,
    One,
    Quantified,
    Two,
    Unary,
    parts,
)
from secateur.ltl.lex import BRACES, BRACKETS, END, WORD, Token, tokens
from secateur.ltl.specification import Specification
from secateur.source import InputError, Source, Span, fail

_UNARY: Final = {
    "not": Unary.NOT,
    "globally": Unary.GLOBALLY,
    "always": Unary.GLOBALLY,
    "finally": Unary.FINALLY,
    "eventually": Unary.FINALLY,
    "next": Unary.NEXT,
    "yesterday": Unary.YESTERDAY,
    "once": Unary.ONCE,
    "historically": Unary.HISTORICALLY,
}
_LETTERS: Final = {u.value: u for u in Unary if len(u.value) == 1}
_GLUED: Final = re.compile(f"[{''.join(_LETTERS)}]+")
_BINARY: Final = {
    "U": Binary.UNTIL,
    "until": Binary.UNTIL,
    "W": Binary.WEAK_UNTIL,
    "weakuntil": Binary.WEAK_UNTIL,
    "R": Binary.RELEASE,
    "release": Binary.RELEASE,
    "S": Binary.SINCE,
    "since": Binary.SINCE,
    "T": Binary.TRIGGER,
    "trigger": Binary.TRIGGER,
}
_WORDS: Final = {"and": "&", "or": "or", "implies": "=>", "equivalent": "<=>"}
_ALONE: Final = {
    k.value: k
    for k in (
        Kind.DEADLOCK,
        Kind.SINK,
        Kind.GOAL,
        Kind.CURRENT,
        Kind.DET_OUTPUT,
        Kind.ERROR,
        Kind.ALL_WEAK_FAIR,
        Kind.ALL_STRONG_FAIR,
    )
}
_OF_EVENTS: Final = {
    "e": Kind.ENABLED,
    "enabled": Kind.ENABLED,
    "Av": Kind.AVAILABLE,
    "available": Kind.AVAILABLE,
    "deadlock": Kind.DEADLOCK,
    "deterministic": Kind.DETERMINISTIC,
    "controller": Kind.CONTROLLER,
    "WF": Kind.WEAK_FAIR,
    "SF": Kind.STRONG_FAIR,
}
_OF_TEXT: Final = {
    "unchanged": Kind.UNCHANGED,
    "changed": Kind.CHANGED,
    "increasing": Kind.INCREASING,
    "decreasing": Kind.DECREASING,
    "before_after": Kind.BEFORE_AFTER,
    "BA": Kind.BEFORE_AFTER,
}
_SINGLE: Final = frozenset({Kind.ENABLED, Kind.WEAK_FAIR, Kind.STRONG_FAIR})
"""The kinds that are about exactly one event."""


def parse_ltl(text: str, name: str = "<formula>") -> Specification:
    """Read a formula; raise InputError if it is none."""
    parser = Parser(Source(name, text))
    whole = parser.iff()
    parser.expect(END, "the end of the formula")
    return specified(whole)


class Parser:
    """Reads one formula."""

    def __init__(self, source: Source) -> None:
        self.tokens = tokens(source)
        self.at = 0

    @property
    def token(self) -> Token:
        """The one that comes next."""
        return self.tokens[self.at]

    @property
    def sign(self) -> str:
        """The sign that comes next; words that mean a sign count."""
        token = self.token
        return _WORDS.get(token.text, WORD) if token.kind == WORD else token.kind

    def take(self) -> Token:
        """Return the next token and go on."""
        token = self.token
        self.at += 1
        return token

    def expect(self, kind: str, what: str) -> Token:
        """Take a token of a kind; raise InputError if there is another."""
        if self.token.kind != kind:
            raise self.wrong(f"expected {what}")
        return self.take()

    def wrong(self, message: str, help: str | None = None) -> InputError:
        """Return a complaint about the next token."""
        token = self.token
        found = "the formula ends" if token.kind == END else f"found '{token.span.text}'"
        return fail(BAD_FORMULA, f"{message}, {found}", token.span, help)

    # -- operators --------------------------------------------------------------------------------

    def iff(self) -> Formula:
        """Read `f <=> g <=> h`."""
        left = self.implies()
        while self.sign == "<=>":
            self.take()
            left = Two(Binary.IFF, left, self.implies())
        return left

    def implies(self) -> Formula:
        """Read `f => g`, or `f ~> g`: always, f leads to g."""
        left = self.connected()
        while self.sign in ("=>", "~>"):
            leads = self.take().kind == "~>"
            right = self.connected()
            if leads:
                left = One(Unary.GLOBALLY, Two(Binary.IMPLIES, left, One(Unary.FINALLY, right)))
            else:
                left = Two(Binary.IMPLIES, left, right)
        return left

    def connected(self) -> Formula:
        """Read `f & g or h`."""
        left = self.binary()
        while self.sign in ("&", "or"):
            operator = Binary.AND if self.sign == "&" else Binary.OR
            self.take()
            left = Two(operator, left, self.binary())
        return left

    def binary(self) -> Formula:
        """Read `f U g`."""
        left = self.unary()
        while self.token.kind == WORD and self.token.text in _BINARY:
            operator = _BINARY[self.take().text]
            left = Two(operator, left, self.unary())
        return left

    def unary(self) -> Formula:
        """Read `G F X f`, with or without spaces."""
        token = self.token
        if token.kind in ("G", "F", "not"):
            self.take()
            operator = Unary.NOT if token.kind == "not" else _LETTERS[token.kind]
            return One(operator, self.unary())
        if token.kind in ("!", "#"):
            return self.quantified()
        if token.kind == WORD and token.text in _UNARY:
            self.take()
            return One(_UNARY[token.text], self.unary())
        if token.kind == WORD and _GLUED.fullmatch(token.text):
            self.take()
            inner = self.unary()
            for letter in reversed(token.text):
                inner = One(_LETTERS[letter], inner)
            return inner
        return self.primary()

    def quantified(self) -> Formula:
        """Read `!x.({P} => f)` or `#x.({P} & f)`; or a negation written as `!`."""
        sign = self.take()
        names = self._names()
        if not names:
            if sign.kind == "#":
                raise self.wrong("expected the names that # is about")
            return One(Unary.NOT, self.unary())
        self.expect("(", "'('")
        condition = self.predicate()
        link = "=>" if sign.kind == "!" else "&"
        if self.sign != link:
            raise self.wrong(f"expected '{link}'", help="write !x.({P} => f) or #x.({P} & f)")
        self.take()
        body = self.iff()
        end = self.expect(")", "')'")
        return Quantified(sign.kind == "!", names, condition, body, sign.span + end.span)

    def _names(self) -> tuple[str, ...]:
        """Return the names before a dot, and go behind it; nothing if there is no dot."""
        start = self.at
        names: list[str] = []
        while self.token.kind == WORD:
            names.append(self.take().text)
            if self.token.kind == ".":
                self.take()
                return tuple(names)
            if self.token.kind != ",":
                break
            self.take()
        self.at = start
        return ()

    # -- atoms ------------------------------------------------------------------------------------

    def predicate(self) -> Atom:
        """Read a B predicate in braces."""
        token = self.expect(BRACES, "a predicate in braces")
        return Atom(Kind.PREDICATE, token.text, span=_inside(token))

    def primary(self) -> Formula:
        """Read an atom or a formula in parentheses."""
        token = self.token
        match token.kind:
            case "(":
                self.take()
                inner = self.iff()
                self.expect(")", "')'")
                return inner
            case kind if kind == BRACES:
                return Holds(self.predicate())
            case kind if kind == BRACKETS:
                self.take()
                return Holds(Atom(Kind.EVENT, events=(event_of(token),), span=_inside(token)))
            case kind if kind == WORD:
                return self._word()
        raise self.wrong(
            "expected a formula", help="B predicates stand in braces, events in brackets"
        )

    def _word(self) -> Formula:
        token = self.token
        word = token.text
        follows = self.tokens[self.at + 1].kind
        if word in ("true", "false"):
            self.take()
            return TRUE if word == "true" else FALSE
        if word in _OF_TEXT and follows == "(":
            self.at += 2
            inner = self.expect(BRACES, "an expression in braces")
            self.expect(")", "')'")
            return Holds(Atom(_OF_TEXT[word], inner.text, span=_inside(inner)))
        if word in _OF_EVENTS and follows == "(":
            return Holds(self._of_events(_OF_EVENTS[word]))
        if word in _ALONE:
            self.take()
            return Holds(Atom(_ALONE[word], span=token.span))
        raise self.wrong(
            "expected a formula",
            help=f"for a predicate write {{{word}}}, for an event [{word}] or e({word})",
        )

    def _of_events(self, kind: Kind) -> Atom:
        word = self.take()
        self.take()
        start = self.at
        depth = 0
        while depth or self.token.kind != ")":
            if self.token.kind == END:
                raise self.wrong("expected ')'")
            depth += {"(": 1, ")": -1}.get(self.token.kind, 0)
            self.take()
        end = self.take()
        inner = Span(end.span.source, self.tokens[start].span.start, end.span.start)
        events = tuple(_event(text, inner) for text in _split(inner.text))
        if not events or (kind in _SINGLE and len(events) != 1):
            raise fail(BAD_FORMULA, f"{word.text}(...) is about one event", inner)
        return Atom(kind, events=events, span=inner)


def _inside(token: Token) -> Span:
    """Return the place of what is between brackets."""
    return Span(token.span.source, token.span.start + 1, token.span.end - 1)


def event_of(token: Token) -> Event:
    """Return the event in brackets."""
    return _event(token.text, _inside(token))


def _event(text: str, span: Span) -> Event:
    """Return `op`, `op(1, _)`; a name may have points in it."""
    name, bracket, rest = text.strip().partition("(")
    if not name.strip():
        raise fail(BAD_FORMULA, "the name of an event is missing", span)
    if not bracket:
        return Event(name.strip())
    if not rest.rstrip().endswith(")"):
        raise fail(BAD_FORMULA, "the arguments of an event must be in parentheses", span)
    return Event(name.strip(), tuple(a.strip() for a in _split(rest.rstrip()[:-1])))


def _split(text: str) -> list[str]:
    """Return what is between commas that are in no brackets."""
    pieces: list[str] = []
    depth, last = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append(text[last:at])
            last = at + 1
    pieces.append(text[last:])
    return [piece for piece in pieces if piece.strip()]


# -- fairness -------------------------------------------------------------------------------------


def specified(whole: Formula) -> Specification:
    """Return a formula and what it assumes: `fairness => formula`."""
    if isinstance(whole, Two) and whole.operator is Binary.IMPLIES and _only_fair(whole.left):
        _no_fairness(whole.right)
        return Specification(whole.right, _cases(whole.left))
    _no_fairness(whole)
    return Specification(whole)


def _only_fair(f: Formula) -> bool:
    match f:
        case Holds(atom):
            return atom.kind in FAIRNESS
        case Two(Binary.AND | Binary.OR, left, right):
            return _only_fair(left) and _only_fair(right)
    return False


def _cases(f: Formula) -> tuple[frozenset[Fair], ...]:
    """Return the ways to satisfy an assumption, each as a set of which all are needed."""
    match f:
        case Holds(atom):
            strong = atom.kind in (Kind.STRONG_FAIR, Kind.ALL_STRONG_FAIR)
            return (frozenset({Fair(atom.events[0] if atom.events else None, strong)}),)
        case Two(Binary.AND, left, right):
            return tuple(a | b for a in _cases(left) for b in _cases(right))
        case Two(Binary.OR, left, right):
            return (*_cases(left), *_cases(right))
    raise AssertionError("this is no assumption of fairness")


def _no_fairness(f: Formula) -> None:
    for part in parts(f):
        if isinstance(part, Holds) and part.atom.kind in FAIRNESS:
            message = f"{part.atom} cannot stand inside a formula"
            way_out = "assume fairness for the whole formula: WF(a) & SF(b) => f"
            raise fail(MISPLACED_FAIRNESS, message, part.atom.span, way_out)
