"""A model: its units, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Tokens
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.cursor import embedded_c
from secateur.lang.promela.lex import END_OF_TEXT, IDENTIFIER, Token
from secateur.lang.promela.parse_statement import StatementParser


class Parser(StatementParser):
    """Parses a model."""

    def __init__(self, tokens: Tokens[Token]) -> None:
        super().__init__(tokens)
        self._units: list[ast.Unit] = []
        self._claims = 0
        self._formulas = 0

    def file(self) -> ast.File:
        """Parse all units."""
        while True:
            while self.kind in {";", "->"}:
                self.take()
            if self.kind == END_OF_TEXT:
                return ast.File(tuple(self._units))
            if self.kind == "inline":
                self.inline()
            else:
                self._units.append(self._unit())

    def _unit(self) -> ast.Unit:
        if self.at_mtype():
            return self.mtype()
        if self.at_declaration():
            return self.declaration()
        parse = _UNITS.get(self.kind)
        if parse is not None:
            return parse(self)
        if self.kind.startswith("c_"):
            raise embedded_c(self.token)
        raise self.expected("a declaration, proctype, init, never, ltl, typedef or inline")

    def _proctype(self) -> ast.ProctypeDeclaration:
        start = self.token
        active: ast.Expr | None = None
        if self.accept("active"):
            active = ast.Number(1, "", start.span)
            if self.kind == "[":
                active = self._index()
        if self.kind not in {"proctype", "D_proctype"}:
            raise self.expected("'proctype'")
        deterministic = self.take().kind == "D_proctype"
        name = self.identifier("the name of a proctype").text
        opened = self.open()
        parameters = self.declarations(")")
        self.close(")", opened)
        return self._process(start, name, parameters, active, deterministic=deterministic)

    def _process(
        self,
        start: Token,
        name: str,
        parameters: tuple[ast.Declaration, ...],
        active: ast.Expr | None,
        *,
        deterministic: bool = False,
    ) -> ast.ProctypeDeclaration:
        priority = provided = None
        if self.accept("priority"):
            priority = self._operand()
        if self.accept("provided"):
            provided = self.bracketed()
        self.begin_process()
        body = self.body()
        span = self.span_from(start)
        return ast.ProctypeDeclaration(
            name, parameters, body, active, priority, provided, deterministic, span
        )

    def _init(self) -> ast.ProctypeDeclaration:
        start = self.take()
        return self._process(start, "init", (), ast.Number(1, "", start.span))

    def _never(self) -> ast.NeverClaim:
        start = self.take()
        name = f"never_{self._claims}"
        self._claims += 1
        if self.kind == IDENTIFIER:
            name = self.take().text
        self.begin_process()
        return ast.NeverClaim(name, self.body(), self.span_from(start))

    def _trace(self) -> ast.TraceAssertion:
        start = self.take()
        self.begin_process()
        return ast.TraceAssertion(self.body(), start.kind == "notrace", start.span)

    def _ltl(self) -> ast.LtlBlock:
        start = self.take()
        if self.kind == IDENTIFIER:
            name = self.take().text
        else:
            name = f"ltl_{self._formulas}"
            self._formulas += 1
        opened = self.expect("{")
        self.formula = True
        formula = self.expression()
        self.formula = False
        self.accept(";")
        self.close("}", opened)
        return ast.LtlBlock(name, formula, self.span_from(start))


_UNITS: Final[dict[str, Callable[[Parser], ast.Unit]]] = {
    "active": Parser._proctype,
    "proctype": Parser._proctype,
    "D_proctype": Parser._proctype,
    "init": Parser._init,
    "never": Parser._never,
    "trace": Parser._trace,
    "notrace": Parser._trace,
    "ltl": Parser._ltl,
    "typedef": Parser.typedef,
}


def parse(tokens: Tokens[Token]) -> ast.File:
    """Parse the tokens of a model."""
    return Parser(tokens).file()
