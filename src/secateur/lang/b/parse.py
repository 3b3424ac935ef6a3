"""Classical B components from text."""

from __future__ import annotations

import re
from typing import Any, Final

from secateur.lang.b.ast import Component, Kind
from secateur.lang.b.codes import (
    NOT_B,
    REPEATED_CLAUSE,
    UNSUPPORTED_COMPONENT,
)
from secateur.lang.b.lex import (
    CLAUSES,
    COMPONENTS,
    UNSUPPORTED_COMPONENTS,
    lex,
)
from secateur.lang.b.parse_clauses import ENDS_CLAUSE, ClauseParser
from secateur.lang.b.parse_definitions import Definitions, parse_definitions
from secateur.maths.lex import END_OF_TEXT
from secateur.source import Diagnostic, InputError, Source, fail

__all__ = ["parse_component", "parse_definitions"]

_KINDS: Final = {word: Kind(word) for word in COMPONENTS if word != "ABSTRACT_MACHINE"}

_MISSING: Final = {
    **dict.fromkeys(("OPERATIONS", "EVENTS", "LOCAL_OPERATIONS"), "is a ';' or an END missing?"),
    **dict.fromkeys(("SETS", "FREETYPES", "VALUES", "ASSERTIONS"), "is a ';' missing?"),
    **dict.fromkeys(("INITIALISATION", "INITIALIZATION"), "is a '||' or a ';' missing?"),
}
"""What a clause may lack when something else than the next clause follows it."""

_PRAGMA: Final = re.compile(r"/\*@\s*([\w-]+)")
_HARMLESS_PRAGMAS: Final = frozenset(
    {"label", "file", "package", "import-package", "symbolic", "desc", "generated"}
)
"""Pragmas that are honoured, or that change nothing of what a model means."""

_DEFINING: Final = frozenset({"DEFINITIONS", "EXPRESSIONS", "PREDICATES"})
"""ProB's named expressions and predicates are read like definitions."""


class ComponentParser(ClauseParser):
    """A parser of whole files; it collects complaints clause by clause."""

    def __init__(self, source: Source) -> None:
        super().__init__(lex(source))
        self.parts: dict[str, Any] = {}
        self.definitions_found = Definitions()
        self.diagnostics: list[Diagnostic] = []

    def component(self) -> Component:
        """Parse the file; raise InputError with everything that is wrong with it."""
        kind = self._kind()
        name = self.identifier("the name of the component")
        parameters = self.parameters()
        while self.kinds[self.at] not in {"END", END_OF_TEXT}:
            self._try_clause()
        self._end()
        if self.diagnostics:
            raise InputError(*self.diagnostics)
        found = self.definitions_found
        return Component(
            kind,
            name,
            self.span_from(0),
            parameters,
            definitions=tuple(found.definitions),
            definition_files=tuple(found.files),
            notes=_passed_over(self.tokens.source),
            **self.parts,
        )

    def _end(self) -> None:
        """Pass over the final END; after other complaints a lack of it says nothing new."""
        try:
            self.close("END", 0)
            if self.kinds[self.at] != END_OF_TEXT:
                help_ = "is there an END too many before?"
                raise self.expected("the end of the file after END", help_)
        except InputError as error:
            if not self.diagnostics:
                self.diagnostics.extend(error.diagnostics)

    def _kind(self) -> Kind:
        word = self.texts[self.at]
        if word in UNSUPPORTED_COMPONENTS:
            message = f"a component of kind {word} is not supported"
            raise fail(UNSUPPORTED_COMPONENT, message, self.tokens.span(self.at))
        if self.kinds[self.at] not in COMPONENTS:
            message = f"a B component starts with MACHINE or the like, this starts with '{word}'"
            if self.kinds[self.at] == END_OF_TEXT:
                message = "the file is empty"
            raise fail(NOT_B, message, self.tokens.span(self.at))
        self.at += 1
        return _KINDS.get(word, Kind.MACHINE)

    def _try_clause(self) -> None:
        """Parse a clause; if it is broken, note that and go to where the next one starts."""
        start = self.at
        try:
            self.infix = self.grammar.open
            self._clause()
            if self.kinds[self.at] not in ENDS_CLAUSE:
                raise self.expected("the next clause or END", _MISSING.get(self.kinds[start]))
        except InputError as error:
            self.diagnostics.extend(error.diagnostics)
            self._recover(start)

    def _clause(self) -> None:
        start = self.take()
        word = self.kinds[start]
        if word in _DEFINING:
            self._definitions_clause()
            return
        if word not in self.clauses:
            self.at = start
            raise self.expected("a clause, such as VARIABLES or OPERATIONS, or END")
        part, parse = self.clauses[word]
        found = parse(self)
        if part not in self.parts:
            self.parts[part] = found
        elif isinstance(found, tuple):
            self.parts[part] += found
        else:
            message = f"there is a clause {word} already; join the two"
            raise fail(REPEATED_CLAUSE, message, self.tokens.span(start))

    def _definitions_clause(self) -> None:
        found = self.definitions()
        self.definitions_found.definitions.extend(found.definitions)
        self.definitions_found.files.extend(found.files)
        self.diagnostics.extend(found.diagnostics)

    def _recover(self, start: int) -> None:
        """Go to the next clause behind the token at fault.

        Inside of a loop INVARIANT is no clause, and any END may be one of a statement's.
        """
        self.at = max(self.at, start + 1)
        in_loop = "WHILE" in self.kinds[start : self.at]
        while (kind := self.kinds[self.at]) != END_OF_TEXT:
            in_loop = in_loop or kind == "WHILE"
            if kind in CLAUSES and not (kind == "INVARIANT" and in_loop):
                return
            if kind == "END" and self.kinds[self.at + 1] == END_OF_TEXT:
                return
            self.at += 1


def _passed_over(source: Source) -> tuple[str, ...]:
    names = {name for name in _PRAGMA.findall(source.text) if name not in _HARMLESS_PRAGMAS}
    return tuple(f"the pragma @{name} is passed over" for name in sorted(names))


def parse_component(source: Source) -> Component:
    """Return the component written in `source`; raise InputError for all that is wrong with it."""
    return ComponentParser(source).component()
