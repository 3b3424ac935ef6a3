"""Components in words: Camille's and CamilleX's syntax and Rossi's, which differ in little.

Words such as `event` or `WHERE` are keywords only where a clause can start, in small or
in capital letters, so that a set may be called STATUS.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

from secateur.lang.eventb.ast import (
    Action,
    Context,
    Convergence,
    Event,
    Machine,
    Predicate,
    Variant,
    Witness,
)
from secateur.lang.eventb.codes import BAD_TEXT
from secateur.lang.eventb.lex import lex
from secateur.lang.eventb.parse_formula import EventBParser
from secateur.maths.ast import Name
from secateur.maths.lex import END_OF_TEXT, IDENTIFIER, LABEL
from secateur.source import InputError, Source, fail
from secateur.source.records import dataclass

SUFFIXES: Final = (".eventb", ".bumx", ".bucx")

_CONTEXT: Final = frozenset({"extends", "sets", "constants", "axioms", "theorems", "end"})
_MACHINE: Final = frozenset(
    {"refines", "sees", "variables", "invariants", "theorems", "variant", "events", "end"}
)
_EVENT: Final = frozenset(
    {
        *("refines", "extends", "extended", "status", "any", "where", "when"),
        *("with", "witness", "witnesses", "then", "begin", "end"),
    }
)
_STATUS: Final = {c.value: c for c in Convergence}
_HEADER: Final = re.compile(r"^\s*(?:context|machine|CONTEXT|MACHINE)\s+([^\W\d]\w*)", re.MULTILINE)

_T = TypeVar("_T")


def declared(text: str) -> list[str]:
    """Return the names of the components that a text seems to hold, without parsing it."""
    return _HEADER.findall(text)


def read_components(source: Source) -> list[Context | Machine]:
    """Return the components of a text."""
    parser = _Components(source)
    found: list[Context | Machine] = []
    while parser.kinds[parser.at] != END_OF_TEXT:
        found.append(parser.component())
    return found


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands before a formula, and where it starts."""

    label: str
    start: int
    theorem: bool


class _Components(EventBParser):
    def __init__(self, source: Source) -> None:
        super().__init__(lex(source))

    # Words

    def word(self) -> str:
        """Return the word that stands here, in small letters; empty if it is no keyword."""
        text = self.texts[self.at]
        is_word = self.kinds[self.at] == IDENTIFIER and (text.islower() or text.isupper())
        return text.lower() if is_word else ""

    def skip_word(self, *words: str) -> bool:
        """Pass over one of these words if it stands here, and say whether it did."""
        found = self.word() in words
        self.at += found
        return found

    def unexpected(self, what: str) -> InputError:
        """Return the complaint that a clause is expected here."""
        text = self.texts[self.at] or "the end of the text"
        place = self.tokens.span(self.at)
        return fail(BAD_TEXT, f"expected {what}, found '{text}'", place)

    def one_name(self, what: str) -> Name:
        """Parse an identifier."""
        place = self.tokens.span(self.at)
        return Name(self.identifier(what), place)

    def names(self, keywords: frozenset[str]) -> tuple[Name, ...]:
        """Parse identifiers, with commas or without, up to a keyword."""
        found = []
        while self.kinds[self.at] == IDENTIFIER and self.word() not in keywords:
            found.append(self.one_name("an identifier"))
            if self.kinds[self.at] == ",":
                self.at += 1
        return tuple(found)

    # Labelled formulas

    def labelled(
        self, keywords: frozenset[str], prefix: str, one: Callable[[_Head], _T]
    ) -> tuple[_T, ...]:
        """Parse formulas, each perhaps with a label and the word `theorem`, up to a keyword."""
        found: list[_T] = []
        while self.kinds[self.at] != END_OF_TEXT and self.word() not in keywords:
            start = self.at
            theorem = self.skip_word("theorem")
            label = f"{prefix}{len(found) + 1}"
            if self.kinds[self.at] == LABEL:
                label = self.texts[self.take()][1:].removesuffix(":")
            theorem = self.skip_word("theorem") or theorem
            found.append(one(_Head(label, start, theorem)))
        return tuple(found)

    def predicates(
        self, keywords: frozenset[str], prefix: str, *, theorems: bool = False
    ) -> tuple[Predicate, ...]:
        """Parse axioms, invariants or guards."""

        def one(head: _Head) -> Predicate:
            formula = self.formula()
            theorem = theorems or head.theorem
            return Predicate(head.label, formula, theorem, self.span_from(head.start))

        return self.labelled(keywords, prefix, one)

    # Components

    def component(self) -> Context | Machine:
        """Parse a context or a machine."""
        start = self.at
        if self.skip_word("context"):
            return self.context(start)
        if self.skip_word("machine"):
            return self.machine(start)
        raise self.unexpected("'context' or 'machine'")

    def context(self, start: int) -> Context:
        """Parse a context behind its first word."""
        name = self.one_name("the name of the context").text
        extends: tuple[Name, ...] = ()
        sets: tuple[Name, ...] = ()
        constants: tuple[Name, ...] = ()
        axioms: tuple[Predicate, ...] = ()
        while not self.skip_word("end"):
            if self.skip_word("extends"):
                extends += self.names(_CONTEXT)
            elif self.skip_word("sets"):
                sets += self.names(_CONTEXT)
            elif self.skip_word("constants"):
                constants += self.names(_CONTEXT)
            elif self.skip_word("axioms"):
                axioms += self.predicates(_CONTEXT, "axm")
            elif self.skip_word("theorems"):
                axioms += self.predicates(_CONTEXT, "thm", theorems=True)
            else:
                raise self.unexpected("a clause of a context or 'end'")
        return Context(name, extends, sets, constants, axioms, self.span_from(start))

    def machine(self, start: int) -> Machine:
        """Parse a machine behind its first word."""
        name = self.one_name("the name of the machine").text
        refines: tuple[Name, ...] = ()
        sees: tuple[Name, ...] = ()
        variables: tuple[Name, ...] = ()
        invariants: tuple[Predicate, ...] = ()
        variants: tuple[Variant, ...] = ()
        events: tuple[Event, ...] = ()
        while not self.skip_word("end"):
            if self.skip_word("refines"):
                refines += self.names(_MACHINE)
            elif self.skip_word("sees"):
                sees += self.names(_MACHINE)
            elif self.skip_word("variables"):
                variables += self.names(_MACHINE)
            elif self.skip_word("invariants"):
                invariants += self.predicates(_MACHINE, "inv")
            elif self.skip_word("theorems"):
                invariants += self.predicates(_MACHINE, "thm", theorems=True)
            elif self.skip_word("variant"):
                variants += self.labelled(_MACHINE, "vrn", self.variant)
            elif self.skip_word("events"):
                events += self.events()
            else:
                raise self.unexpected("a clause of a machine or 'end'")
        if len(refines) > 1:
            raise fail(BAD_TEXT, "a machine refines one machine only", refines[1].span)
        abstract = refines[0] if refines else None
        span = self.span_from(start)
        return Machine(name, abstract, sees, variables, invariants, variants, events, span)

    def variant(self, head: _Head) -> Variant:
        """Parse a variant behind its label."""
        return Variant(head.label, self.formula(), self.span_from(head.start))

    # Events

    def events(self) -> tuple[Event, ...]:
        """Parse all events."""
        found = []
        while self.word() != "end":
            found.append(self.event())
        return tuple(found)

    def event(self) -> Event:
        """Parse one event."""
        start = self.at
        status = Convergence.ORDINARY
        if self.word() in _STATUS:
            status = _STATUS[self.word()]
            self.at += 1
        if not self.skip_word("event") and self.word() not in {"initialisation", "initialization"}:
            raise self.unexpected("an event")
        name = self.one_name("the name of the event").text
        return _EventClauses(self, name, status).parse(start)

    def witness(self, head: _Head) -> Witness:
        """Parse a witness behind its label."""
        return Witness(head.label, self.formula(), self.span_from(head.start))

    def labelled_action(self, head: _Head) -> Action:
        """Parse an action behind its label."""
        return Action(head.label, self.action(), self.span_from(head.start))


class _EventClauses:
    """The clauses of one event, in any order."""

    def __init__(self, parser: _Components, name: str, status: Convergence) -> None:
        self.parser = parser
        self.name = name
        self.status = status
        self.extended = False
        self.refines: tuple[Name, ...] = ()
        self.parameters: tuple[Name, ...] = ()
        self.guards: tuple[Predicate, ...] = ()
        self.witnesses: tuple[Witness, ...] = ()
        self.actions: tuple[Action, ...] = ()

    def parse(self, start: int) -> Event:
        """Parse up to the event's `end`."""
        while not self.parser.skip_word("end"):
            self._clause()
        return Event(
            self.name,
            self.status,
            self.extended,
            tuple(r.text for r in self.refines),
            self.parameters,
            self.guards,
            self.witnesses,
            self.actions,
            self.parser.span_from(start),
        )

    def _clause(self) -> None:
        p = self.parser
        if p.skip_word("extended"):
            self.extended = True
        elif p.skip_word("extends"):
            self.extended = True
            self.refines += p.names(_EVENT)
        elif p.skip_word("refines"):
            self.refines += p.names(_EVENT)
        elif p.skip_word("status"):
            self._status()
        elif p.skip_word("any"):
            self.parameters += p.names(_EVENT)
        elif p.skip_word("where", "when"):
            self.guards += p.predicates(_EVENT, "grd")
        elif p.skip_word("with", "witness", "witnesses"):
            self.witnesses += p.labelled(_EVENT, "wit", p.witness)
        elif p.skip_word("then", "begin"):
            self.actions += p.labelled(_EVENT, "act", p.labelled_action)
        else:
            raise p.unexpected("a clause of an event or 'end'")

    def _status(self) -> None:
        found = _STATUS.get(self.parser.word())
        if found is None:
            raise self.parser.unexpected("'ordinary', 'convergent' or 'anticipated'")
        self.parser.at += 1
        self.status = found
