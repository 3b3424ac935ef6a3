"""The clauses of a component from tokens, one method for each shape of clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from secateur.lang.b.ast import (
    Constructor,
    FreeTypeDeclaration,
    Operation,
    Reference,
    SetDeclaration,
)
from secateur.lang.b.lex import CLAUSES
from secateur.lang.b.parse_definitions import DefinitionParser
from secateur.maths import ast
from secateur.maths.ast import Expr, Name
from secateur.maths.lex import END_OF_TEXT, IDENTIFIER, PRAGMA, pragma_parts


class ClauseParser(DefinitionParser):
    """A parser of clauses; each method stands behind the clause's keyword."""

    clauses: ClassVar[dict[str, tuple[str, Callable[[ClauseParser], Any]]]] = {}
    """Which part of the component a clause fills, and how it is parsed."""

    def names(self) -> tuple[Name, ...]:
        """Parse one or more identifiers separated by commas."""
        return tuple(Name(b.name, b.span) for b in self.plain_binders())

    def separated(self, one: Callable[[], Any]) -> tuple[Any, ...]:
        """Parse one or more things separated by semicolons; one too many does no harm."""
        items = [one()]
        while self.kinds[self.at] == ";":
            self.at += 1
            if self.kinds[self.at] in ENDS_CLAUSE:
                break
            items.append(one())
        return tuple(items)

    def _references(self) -> tuple[Reference, ...]:
        found = [self._reference()]
        while self.kinds[self.at] == ",":
            self.at += 1
            found.append(self._reference())
        return tuple(found)

    def _reference(self) -> Reference:
        start = self.at
        prefix, _, name = self.identifier("a component").rpartition(".")
        args = self.arguments() if self.kinds[self.at] == "(" else ()
        span = self.span_from(start)
        file = None
        if self.kinds[self.at] == PRAGMA:
            file = pragma_parts(self.texts[self.take()])[1]
        return Reference(name, prefix or None, args, span, file)

    def _sets(self) -> tuple[SetDeclaration, ...]:
        found: tuple[SetDeclaration, ...] = self.separated(self._set)
        return found

    def _set(self) -> SetDeclaration:
        start = self.at
        name = self.identifier("a set")
        if self.kinds[self.at] != "=":
            return SetDeclaration(name, None, self.span_from(start))
        self.at += 1
        value = self.formula()
        span = self.span_from(start)
        if isinstance(value, ast.SetDisplay):
            elements = tuple(item for item in value.items if isinstance(item, Name))
            if len(elements) == len(value.items):
                return SetDeclaration(name, elements, span)
        return SetDeclaration(name, None, span, value)

    def _freetypes(self) -> tuple[FreeTypeDeclaration, ...]:
        found: tuple[FreeTypeDeclaration, ...] = self.separated(self._freetype)
        return found

    def _freetype(self) -> FreeTypeDeclaration:
        start = self.at
        name = self.identifier("a free type")
        self.expect("=")
        constructors = [self._constructor()]
        while self.kinds[self.at] == ",":
            self.at += 1
            constructors.append(self._constructor())
        return FreeTypeDeclaration(name, tuple(constructors), self.span_from(start))

    def _constructor(self) -> Constructor:
        start = self.at
        name = self.identifier("a constructor")
        argument = self.bracketed("(", ")") if self.kinds[self.at] == "(" else None
        return Constructor(name, argument, self.span_from(start))

    def _values(self) -> tuple[tuple[Name, Expr], ...]:
        return self.separated(self._value)

    def _value(self) -> tuple[Name, Expr]:
        start = self.at
        name = Name(self.identifier("a constant or a set"), self.tokens.span(start))
        self.expect("=")
        return name, self.formula()

    def _assertions(self) -> tuple[Expr, ...]:
        return self.separated(self.formula)

    def operations(self) -> tuple[Operation, ...]:
        """Parse operations separated by semicolons."""
        if self.kinds[self.at] in ENDS_CLAUSE:
            return ()
        return self.separated(self._operation)

    def _operation(self) -> Operation:
        start = self.at
        results: tuple[Name, ...] = ()
        names = self.names()
        if self.kinds[self.at] == "<--":
            self.at += 1
            results, names = names, self.names()
        elif len(names) > 1:
            raise self.expected("'<--'")
        if self.kinds[self.at] in {":=", "::", ":"}:
            help_ = "several statements of one operation stand between BEGIN and END"
            raise self.expected("the '=' of an operation", help_)
        parameters = self.parameters()
        self.expect("=")
        body = self.parallel()
        return Operation(names[0].text, results, parameters, body, self.span_from(start))

    def parameters(self) -> tuple[Name, ...]:
        """Parse `(x, y)` if it is there."""
        start = self.at
        if self.kinds[start] != "(":
            return ()
        self.at += 1
        found = self.names() if self.kinds[self.at] == IDENTIFIER else ()
        self.close(")", start)
        return found

    def formula_of_clause(self) -> Expr:
        """Parse the predicate of a clause."""
        return self.formula()


ENDS_CLAUSE: Final = CLAUSES | {"END", END_OF_TEXT}

_names = ClauseParser.names
_references = ClauseParser._references
_formula = ClauseParser.formula_of_clause

ClauseParser.clauses.update(
    {
        "REFINES": ("refines", ClauseParser._reference),
        "CONSTRAINTS": ("constraints", _formula),
        "SEES": ("sees", _references),
        "USES": ("uses", _references),
        "INCLUDES": ("includes", _references),
        "EXTENDS": ("extends", _references),
        "IMPORTS": ("imports", _references),
        "PROMOTES": ("promotes", _names),
        "SETS": ("sets", ClauseParser._sets),
        "FREETYPES": ("freetypes", ClauseParser._freetypes),
        "CONSTANTS": ("concrete_constants", _names),
        "CONCRETE_CONSTANTS": ("concrete_constants", _names),
        "VISIBLE_CONSTANTS": ("concrete_constants", _names),
        "ABSTRACT_CONSTANTS": ("abstract_constants", _names),
        "HIDDEN_CONSTANTS": ("abstract_constants", _names),
        "PROPERTIES": ("properties", _formula),
        "VALUES": ("values", ClauseParser._values),
        "VARIABLES": ("abstract_variables", _names),
        "ABSTRACT_VARIABLES": ("abstract_variables", _names),
        "HIDDEN_VARIABLES": ("abstract_variables", _names),
        "CONCRETE_VARIABLES": ("concrete_variables", _names),
        "VISIBLE_VARIABLES": ("concrete_variables", _names),
        "INVARIANT": ("invariant", _formula),
        "ASSERTIONS": ("assertions", ClauseParser._assertions),
        "INITIALISATION": ("initialisation", ClauseParser.substitution),
        "INITIALIZATION": ("initialisation", ClauseParser.substitution),
        "OPERATIONS": ("operations", ClauseParser.operations),
        "EVENTS": ("operations", ClauseParser.operations),
        "LOCAL_OPERATIONS": ("local_operations", ClauseParser.operations),
    }
)
