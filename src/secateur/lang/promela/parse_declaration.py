"""Declarations of variables, channels, `mtype` and `typedef`."""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Expr
from secateur.lang.promela.lex import IDENTIFIER, TYPES, Token
from secateur.lang.promela.parse_expression import ExpressionParser, names_after

_VISIBILITIES: Final = frozenset({"hidden", "local", "show"})


class DeclarationParser(ExpressionParser):
    """Parses declarations."""

    def __init__(self, tokens: Tokens[Token]) -> None:
        super().__init__(tokens)
        self.typedefs = frozenset(names_after(tokens, {"typedef"}))

    def at_declaration(self) -> bool:
        """Whether a declaration of variables begins here."""
        if self.kind in TYPES or self.kind in _VISIBILITIES:
            return True
        known = self.kind == IDENTIFIER and self.token.text in self.typedefs
        return known and self.ahead(1) == IDENTIFIER

    def at_mtype(self) -> bool:
        """Whether `mtype = {...}` or `mtype {...}` or `mtype : name = {...}` begins here."""
        if self.kind != "mtype":
            return False
        if self.ahead(1) in {"=", "{"}:
            return True
        return self.ahead(1) == ":" and self.ahead(3) in {"=", "{"}

    def mtype(self) -> ast.MtypeDeclaration:
        """Parse the declaration of elements of `mtype`; commas between them may be missing."""
        start = self.expect("mtype")
        subtype = ""
        if self.accept(":"):
            subtype = self.identifier("the name of a subtype").text
        self.accept("=")
        opened = self.expect("{")
        names = [self.identifier("a name").text]
        while self.kind != "}":
            if not self.accept(","):
                names.append(self.identifier("a name, ',' or '}'").text)
        self.close("}", opened)
        return ast.MtypeDeclaration(subtype, tuple(names), self.span_from(start))

    def typedef(self) -> ast.Typedef:
        """Parse `typedef T { declarations }`."""
        start = self.expect("typedef")
        name = self.identifier("the name of a type").text
        opened = self.expect("{")
        fields = self.declarations("}")
        if not fields:
            raise self.expected("a declaration")
        self.close("}", opened)
        return ast.Typedef(name, fields, self.span_from(start))

    def declarations(self, closing: str) -> tuple[ast.Declaration, ...]:
        """Parse declarations with `;` between them, or the ends of lines, up to `closing`."""
        found = []
        while self.kind != closing:
            if not self.at_declaration():
                raise self.expected(f"a declaration or '{closing}'")
            found.append(self.declaration())
            if self.kind != closing and not self.token.first:
                self._separator()
            while self.kind in {";", "->"}:
                self.take()
        return tuple(found)

    def _separator(self) -> None:
        if self.kind not in {";", "->"}:
            raise self.expected("';'")
        self.take()

    def declaration(self) -> ast.Declaration:
        """Parse variables of one type."""
        start = self.token
        marks = {"hidden": False, "local": False, "show": False}
        while self.kind in marks:
            marks[self.take().kind] = True
        if not self.at_declaration():
            raise self.expected("a type")
        type_ = self.type_name()
        variables = [self._declarator()]
        while self.accept(","):
            variables.append(self._declarator())
        return ast.Declaration(type_, tuple(variables), **marks, span=self.span_from(start))

    def type_name(self) -> ast.TypeName:
        """Parse a type."""
        start = self.take()
        if start.kind == IDENTIFIER:
            return ast.TypeName(None, start.text, start.span)
        basic = Basic(start.kind)
        name = ""
        if basic is Basic.MTYPE and self.accept(":"):
            name = self.identifier("the name of a subtype").text
        return ast.TypeName(basic, name, self.span_from(start))

    def _declarator(self) -> ast.Declarator:
        start = self.identifier("the name of a variable")
        length = width = None
        if self.accept(":"):
            width = self._operand()
        elif self.kind == "[":
            length = self._index()
        initial = self._initial() if self.accept("=") else None
        return ast.Declarator(start.text, length, width, initial, self.span_from(start))

    def _initial(self) -> Expr | ast.ChannelInit | ast.ListInit:
        start = self.token
        if self.kind == "[":
            return self._channel(start)
        if self.kind != "{":
            return self.expression()
        self.take()
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.close("}", start)
        return ast.ListInit(tuple(items), self.span_from(start))

    def _channel(self, start: Token) -> ast.ChannelInit:
        capacity = self._index()
        self.expect("of")
        opened = self.expect("{")
        fields = [self._field_type()]
        while self.accept(","):
            fields.append(self._field_type())
        self.close("}", opened)
        return ast.ChannelInit(capacity, tuple(fields), self.span_from(start))

    def _field_type(self) -> ast.TypeName:
        if self.kind not in TYPES and self.kind != IDENTIFIER:
            raise self.expected("a type")
        return self.type_name()
