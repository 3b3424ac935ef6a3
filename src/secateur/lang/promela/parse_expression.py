"""Expressions, with the priorities of Spin's grammar, and the formulas of `ltl` blocks.

In a formula there are the temporal operators too, and `->` is an implication.  As in Spin,
`[]`, `<>` and `X` bind like `!`, and all operators with two operands bind to the left.
"""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from itertools import pairwise
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Expr
from secateur.lang.promela.cursor import Cursor, embedded_c
from secateur.lang.promela.lex import CHARACTER, END_OF_TEXT, IDENTIFIER, NUMBER, Token

_PRIORITIES: Final = {
    "||": 2,
    "&&": 3,
    "|": 6,
    "^": 7,
    "&": 8,
    "==": 9,
    "!=": 9,
    "<": 10,
    ">": 10,
    "<=": 10,
    ">=": 10,
    "<<": 11,
    ">>": 11,
    "+": 12,
    "-": 12,
    "*": 13,
    "/": 13,
    "%": 13,
}
_TEMPORAL_PRIORITIES: Final = {"->": 1, "<->": 1, "U": 5, "W": 5, "V": 5}
_UNARY: Final = 14

_SPELLINGS: Final = {
    "->": "->",
    "implies": "->",
    "<->": "<->",
    "equivalent": "<->",
    "[]": "[]",
    "always": "[]",
    "<>": "<>",
    "eventually": "<>",
    "X": "X",
    "next": "X",
    "U": "U",
    "until": "U",
    "stronguntil": "U",
    "W": "W",
    "weakuntil": "W",
    "V": "V",
    "release": "V",
    "/\\": "&&",
    "\\/": "||",
}
"""How the operators of formulas are written."""

_CONSTANTS: Final = {"true": 1, "false": 0, "skip": 1}
_QUESTIONS: Final = {question.value: question for question in ast.ChannelQuestion}


class ExpressionParser(Cursor):
    """Parses expressions."""

    def __init__(self, tokens: Tokens[Token]) -> None:
        super().__init__(tokens)
        self.formula = False
        """Whether we are in an `ltl` block."""
        self.brackets = 0
        """How many brackets are open: inside of them the end of a line separates nothing."""
        self.proctypes = frozenset(names_after(tokens, {"proctype", "D_proctype"}))

    def expression(self) -> Expr:
        """Parse an expression."""
        return self._operators(0)

    def bracketed(self) -> Expr:
        """Parse an expression in round brackets."""
        opened = self.open()
        inner = self.expression()
        self.close(")", opened)
        return inner

    def open(self) -> Token:
        """Pass over an opening bracket, inside of which the ends of lines do not count."""
        opened = self.expect("(")
        self.brackets += 1
        return opened

    def close(self, kind: str, opened: Token) -> None:
        """Pass over the token that closes what was opened with `opened`."""
        super().close(kind, opened)
        if opened.kind == "(":
            self.brackets -= 1

    def separated(self) -> bool:
        """Whether the end of a line stands before the next token, and counts."""
        return self.token.first and self.brackets == 0 and not self.formula

    def _operator(self) -> str:
        """Return the operator ahead by its usual spelling, or nothing."""
        token = self.token
        if self.formula and token.text in _SPELLINGS and token.kind in {IDENTIFIER, token.text}:
            return _SPELLINGS[token.text]
        return token.kind

    def _operators(self, least: int) -> Expr:
        """Parse operators that bind at least as strongly as `least`."""
        start = self.token
        self.enter()
        left = self._unary()
        while True:
            op = self._operator()
            if op == "-" and self.separated():
                break
            priority = _PRIORITIES.get(op, -1)
            if self.formula:
                priority = _TEMPORAL_PRIORITIES.get(op, priority)
            if priority < least or priority < 0:
                break
            self.take()
            right = self._operators(priority + 1)
            span = self.span_from(start)
            if op in _TEMPORAL_PRIORITIES:
                left = ast.Temporal(op, (left, right), span)
            else:
                left = ast.Binary(op, left, right, span)
        self.leave()
        return left

    def _unary(self) -> Expr:
        start = self.token
        op = self._operator()
        if op in {"!", "~", "-"}:
            self.take()
            return ast.Unary(op, self._operand(), self.span_from(start))
        if op == "!!":
            self.take()
            inner = ast.Unary("!", self._operand(), self.span_from(start))
            return ast.Unary("!", inner, inner.span)
        if self.formula and op in {"[]", "<>", "X"}:
            self.take()
            return ast.Temporal(op, (self._operand(),), self.span_from(start))
        return self._primary()

    def _operand(self) -> Expr:
        """Parse the operand of an operator in front, which binds most strongly."""
        self.enter()
        inner = self._unary()
        self.leave()
        return inner

    def _primary(self) -> Expr:
        start = self.token
        kind = start.kind
        if kind == IDENTIFIER:
            return self._reference()
        if kind in {NUMBER, CHARACTER}:
            return ast.Number(self.number(), "", self.span_from(start))
        if kind in _CONSTANTS:
            self.take()
            name = "" if kind == "skip" else kind
            return ast.Number(_CONSTANTS[kind], name, start.span)
        if kind in {"timeout", "np_"}:
            self.take()
            return ast.Name(kind, start.span)
        if kind == "(":
            return self._brackets()
        if kind == "run":
            return self._run()
        if kind in _QUESTIONS or kind in _FUNCTIONS:
            return self._call()
        if kind == "c_expr":
            raise embedded_c(start)
        raise self.expected("an expression")

    def _brackets(self) -> Expr:
        opened = self.open()
        inner = self.expression()
        if self.kind in {"->", ";"}:
            self.take()
            then = self.expression()
            self.expect(":")
            otherwise = self.expression()
            self.close(")", opened)
            return ast.Conditional(inner, then, otherwise, self.span_from(opened))
        self.close(")", opened)
        return inner

    def _call(self) -> Expr:
        word = self.take()
        opened = self.open()
        if word.kind in _QUESTIONS:
            channel = self.reference()
            self.close(")", opened)
            return ast.ChannelTest(_QUESTIONS[word.kind], channel, self.span_from(word))
        pid = self.expression()
        value = None
        if word.kind == "set_priority":
            self.expect(",")
            value = self.expression()
        self.close(")", opened)
        span = self.span_from(word)
        match word.kind:
            case "enabled":
                return ast.Enabled(pid, span)
            case "pc_value":
                return ast.PcValue(pid, span)
            case _:
                return ast.Priority(pid, value, span)

    def _run(self) -> Expr:
        start = self.take()
        name = self.identifier("the name of a proctype")
        args = self.arguments()
        priority = None
        if self.accept("priority"):
            priority = self._operand()
        return ast.Run(name.text, args, priority, self.span_from(start))

    def arguments(self) -> tuple[Expr, ...]:
        """Parse arguments in round brackets; there may be none."""
        opened = self.open()
        found: list[Expr] = []
        if self.kind != ")":
            found.append(self.expression())
            while self.accept(","):
                found.append(self.expression())
        self.close(")", opened)
        return tuple(found)

    # -- variables and what looks like them

    def reference(self) -> Expr:
        """Parse a variable with its indices and fields."""
        start = self.identifier("a variable")
        found: Expr = ast.Name(start.text, start.span, start.passed)
        while True:
            if self.kind == "[":
                found = ast.Index(found, self._index(), self.span_from(start))
            elif self.kind == "." and self.ahead(1) == IDENTIFIER:
                self.take()
                found = ast.Member(found, self.take().text, self.span_from(start))
            else:
                return found

    def _index(self) -> Expr:
        opened = self.expect("[")
        self.brackets += 1
        index = self.expression()
        self.close("]", opened)
        self.brackets -= 1
        return index

    def _reference(self) -> Expr:
        """Parse a variable, a question whether a receive could be executed, or a remote reference."""
        start = self.token
        if self.ahead(1) == "@" or (start.text in self.proctypes and self.ahead(1) == ":"):
            self.take()
            return self._remote(start, None)
        found = self.reference()
        if isinstance(found, ast.Index) and self.kind in {"@", ":"}:
            match found.base:
                case ast.Name(name) if self.kind == "@" or name in self.proctypes:
                    return self._remote(start, found.index)
        if self.kind in {"?", "??"} and self.ahead(1) == "[":
            any_place = self.take().kind == "??"
            opened = self.take()
            args = self.receive_arguments("]")
            self.close("]", opened)
            return ast.Poll(found, args, any_place, self.span_from(start))
        return found

    def _remote(self, start: Token, pid: Expr | None) -> Expr:
        if self.take().kind == "@":
            label = self.identifier("a label")
            return ast.RemoteLabel(start.text, pid, label.text, self.span_from(start))
        variable = self.reference()
        return ast.RemoteVariable(start.text, pid, variable, self.span_from(start))

    def receive_arguments(self, closing: str) -> tuple[Expr, ...]:
        """Parse the arguments of a receive up to `closing`: `a, b` or `a(b, c)` or `(a, b)`."""
        if self.kind == "(":
            return self._bracketed_receive()
        found = [self._receive_argument()]
        while self.kind != closing:
            if self.accept(","):
                found.append(self._receive_argument())
            elif self.kind == "(" and not self.separated():
                found.extend(self._bracketed_receive())
                break
            else:
                break
        return tuple(found)

    def _bracketed_receive(self) -> tuple[Expr, ...]:
        self.enter()
        opened = self.open()
        found = self.receive_arguments(")")
        self.close(")", opened)
        self.leave()
        return found

    def _receive_argument(self) -> Expr:
        start = self.token
        if self.kind == IDENTIFIER:
            return self.reference()
        if self.accept("eval"):
            return ast.Eval(self.bracketed(), self.span_from(start))
        if self.kind == "-":
            self.take()
            if self.kind not in {NUMBER, CHARACTER}:
                raise self.expected("a number")
            return ast.Number(-self.number(), "", self.span_from(start))
        if self.kind in {NUMBER, CHARACTER, *_CONSTANTS}:
            return self._primary()
        raise self.expected("a variable, a constant or eval(...)")


_FUNCTIONS: Final = frozenset({"enabled", "pc_value", "get_priority", "set_priority"})


def names_after(tokens: Tokens[Token], words: set[str]) -> set[str]:
    """Return the names that stand after one of these words anywhere."""
    pairs = pairwise(tokens)
    return {name.text for word, name in pairs if word.kind in words and name.kind == IDENTIFIER}


def parse_condition(tokens: Tokens[Token]) -> Expr:
    """Parse tokens that are one expression, as after `#if`."""
    parser = ExpressionParser(tokens)
    found = parser.expression()
    if parser.kind != END_OF_TEXT:
        raise parser.expected("the end of the condition")
    return found
