"""The DEFINITIONS clause.

A definition's body may be an expression, a predicate or a substitution, and may
itself contain semicolons: it ends where the next definition or clause begins.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from secateur.lang.b.ast import Definition
from secateur.lang.b.lex import CLAUSES, STATEMENTS, lex
from secateur.lang.b.parse_substitution import SubstitutionParser
from secateur.maths.ast import Expr
from secateur.maths.lex import END_OF_TEXT, IDENTIFIER, STRING, Tokens
from secateur.maths.literals import text_value
from secateur.maths.substitution import Substitution
from secateur.source import Diagnostic, InputError, Source, Span
from secateur.source.records import dataclass


@dataclass(slots=True)
class Definitions:
    """What stands in a DEFINITIONS clause, and what is wrong with it."""

    definitions: list[Definition] = field(default_factory=list)
    files: list[tuple[str, Span]] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


class DefinitionParser(SubstitutionParser):
    """A parser of DEFINITIONS clauses."""

    def definitions(self) -> Definitions:
        """Parse the definitions up to the next clause; one that is broken does not hide the rest."""
        found = Definitions()
        while (kind := self.kinds[self.at]) not in _AFTER_DEFINITIONS:
            if kind == ";":
                self.at += 1
            elif kind in {STRING, "<"}:
                found.files.append(self._file())
            else:
                self._definition(found)
        return found

    def _file(self) -> tuple[str, Span]:
        start = self.take()
        if self.kinds[start] == STRING:
            return text_value(self.texts[start]), self.tokens.span(start)
        while self.kinds[self.at] not in {">", ";", END_OF_TEXT}:
            self.at += 1
        self.close(">", start)
        span = self.span_from(start)
        return span.text[1:-1].strip(), span

    def _definition(self, found: Definitions) -> None:
        start = self.at
        name = self.identifier("a definition")
        parameters = self._parameters()
        self.expect("==")
        end = self._end_of_definition()
        body = self.tokens.part(self.at, end)
        self.at = end
        try:
            parsed = definition_body(body)
        except InputError as error:
            found.diagnostics.extend(error.diagnostics)
            return
        found.definitions.append(Definition(name, parameters, parsed, self.span_from(start)))

    def _parameters(self) -> tuple[str, ...]:
        start = self.at
        if self.kinds[start] != "(":
            return ()
        self.at += 1
        if self.kinds[self.at] == ")":
            self.at += 1
            return ()
        names = tuple(binder.name for binder in self.plain_binders())
        self.close(")", start)
        return names

    def _end_of_definition(self) -> int:
        """Return the index of the token that ends the definition whose body starts here."""
        kinds, depth, start = self.kinds, 0, self.at
        at = start
        while (kind := kinds[at]) != END_OF_TEXT:
            if kind in _OPENS:
                depth += 1
            elif kind in _CLOSES and depth:
                depth -= 1
            elif self._ends_definition(at, start, depth):
                break
            at += 1
        return at - 1 if kinds[at - 1] == ";" and at - 1 > start else at

    def _ends_definition(self, at: int, start: int, depth: int) -> bool:
        kind = self.kinds[at]
        if kind in _AFTER_DEFINITIONS:
            return not depth or kind != "INVARIANT"  # a loop has one, too
        return not depth and self._next_definition_at(at, start)

    def _next_definition_at(self, at: int, start: int) -> bool:
        kind = self.kinds[at]
        if kind == ";":
            following = self.kinds[at + 1]
            file = following == STRING and self.kinds[at + 2] in _AFTER_FILE
            return file or following == "<"
        return kind == IDENTIFIER and at > start and self._is_head(at)

    def _is_head(self, at: int) -> bool:
        """Whether `name ==` or `name(x, y) ==` stands at this token."""
        kinds = self.kinds
        at += 1
        if kinds[at] == "(":
            at += 1
            while kinds[at] in {IDENTIFIER, ","}:
                at += 1
            if kinds[at] != ")":
                return False
            at += 1
        return kinds[at] == "=="


_AFTER_DEFINITIONS: Final = CLAUSES | {"END", END_OF_TEXT}
_AFTER_FILE: Final = _AFTER_DEFINITIONS | {";"}
_OPENS: Final = STATEMENTS | {"(", "[", "{", "OF"}  # CASE has two ENDs, the inner one for OF
_CLOSES: Final = frozenset({")", "]", "}", "END"})
_ONLY_STATEMENTS: Final = STATEMENTS - {"IF", "LET"} | {"skip"}


def definition_body(tokens: Tokens) -> Expr | Substitution:
    """Return the formula or else the substitution that the tokens make up.

    Where both fail, the attempt that came further has the better message.
    """
    parser = SubstitutionParser(tokens)
    if tokens.kinds[0] in _ONLY_STATEMENTS:
        return _whole_substitution(parser)
    parser.infix = parser.grammar.parenthesised
    try:
        return _whole_formula(parser)
    except InputError as error:
        second = SubstitutionParser(tokens)
        try:
            return _whole_substitution(second)
        except InputError as other:
            raise (error if parser.at >= second.at else other) from None


def _whole_formula(parser: SubstitutionParser) -> Expr:
    found = parser.formula()
    if parser.kinds[parser.at] != END_OF_TEXT:
        raise parser.expected("an operator or the end of the definition")
    return found


def _whole_substitution(parser: SubstitutionParser) -> Substitution:
    found = parser.substitution()
    if parser.kinds[parser.at] == ";":
        parser.at += 1
    if parser.kinds[parser.at] != END_OF_TEXT:
        raise parser.expected("';', '||' or the end of the definition")
    return found


def parse_definitions(source: Source) -> Definitions:
    """Return the definitions of a `.def` file; raise InputError for all that is wrong with it."""
    parser = DefinitionParser(lex(source))
    if parser.kinds[0] == "DEFINITIONS":
        parser.at = 1
    found = parser.definitions()
    if parser.kinds[parser.at] == "END":
        parser.at += 1
    if parser.kinds[parser.at] != END_OF_TEXT:
        raise parser.expected("a definition or the end of the file")
    if found.diagnostics:
        raise InputError(*found.diagnostics)
    return found
