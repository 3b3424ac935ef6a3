"""Statements and sequences of them.

Statements are separated by `;` or `->`, which mean the same.  As in Spin, a separator may be
missing after `}`, after `else`, and where a line ends; too many of them do no harm.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Expr, Statement
from secateur.lang.promela.codes import MISPLACED_RETURN
from secateur.lang.promela.cursor import embedded_c
from secateur.lang.promela.inlines import InlineParser
from secateur.lang.promela.lex import IDENTIFIER, NUMBER, STRING, Token
from secateur.source import fail

_SEPARATORS: Final = frozenset({";", "->"})
_CLOSERS: Final = frozenset({"}", "fi", "od", "::"})
_AFTER_REFERENCE: Final = frozenset({"=", "++", "--", "!", "!!", "?", "??"})


class StatementParser(InlineParser):
    """Parses statements."""

    statements: ClassVar[dict[str, Callable[[StatementParser], Statement]]] = {}

    def body(self) -> ast.Sequence:
        """Parse a sequence in braces."""
        opened = self.expect("{")
        outer, self.brackets = self.brackets, 0
        self.enter()
        statements = self._sequence()
        self.leave()
        self.brackets = outer
        self.close("}", opened)
        return ast.Sequence(statements, self.span_from(opened))

    def _sequence(self) -> tuple[Statement, ...]:
        """Parse statements up to what closes the sequence."""
        found = [self._step()]
        while True:
            before = self.tokens[self.at - 1]
            separated = False
            while self.kind in _SEPARATORS:
                self.take()
                separated = True
            if self.kind in _CLOSERS:
                return tuple(found)
            if not separated and not self.token.first and before.kind not in {"}", "else"}:
                raise self.expected("';' or '->' between statements")
            found.append(self._step())

    def _step(self) -> Statement:
        start = self.token
        if self.at_declaration() and not self.at_mtype():
            return self.declaration()
        if self.kind in {"xr", "xs"}:
            return self._exclusive()
        found = self.statement()
        if self.kind == "unless":
            self.take()
            escape = _block(self.statement())
            found = ast.Unless(_block(found), escape, self.span_from(start))
        return found

    def statement(self) -> Statement:
        """Parse one statement."""
        parse = self.statements.get(self.kind)
        if parse is not None:
            return parse(self)
        if self.kind != IDENTIFIER:
            return self._condition()
        if self.ahead(1) == ":" and self.token.text not in self.proctypes:
            return self._labelled()
        if self.ahead(1) == ":" and self.ahead(2) != IDENTIFIER:
            return self._labelled()
        if self.at_call():
            return self._call_inline(None)
        self.refuse_unknown_call()
        return self._after_reference()

    def _condition(self) -> Statement:
        start = self.token
        if start.kind in {"c_code", "c_expr", "c_decl", "c_state", "c_track"}:
            raise embedded_c(start)
        if self.kind in _SEPARATORS | _CLOSERS:
            raise self.expected("a statement")
        return ast.Condition(self.expression(), self.span_from(start))

    def _labelled(self) -> Statement:
        start = self.take()
        self.take()
        label = self.label(start)
        if self.kind in _CLOSERS | _SEPARATORS:
            nothing = ast.Condition(ast.Number(1, "", start.span), start.span)
            return ast.Labelled(label, nothing, self.span_from(start))
        self.enter()
        inner = self.statement()
        self.leave()
        return ast.Labelled(label, inner, self.span_from(start))

    def _call_inline(self, target: Expr | None) -> Statement:
        """Put the body of an inline in place of a call, and parse it."""
        self.enter()
        self.splice(target)
        found = self.body()
        self.leave()
        return found

    def _after_reference(self) -> Statement:
        """Parse a statement that begins with a variable, or an expression that does."""
        start, at = self.token, self.at
        target = self.reference()
        op = self.kind
        poll = op in {"?", "??"} and self.ahead(1) == "["
        if op not in _AFTER_REFERENCE or poll or self.separated():
            self.at = at
            return self._condition()
        self.take()
        match op:
            case "=":
                return self._assign(start, target)
            case "++" | "--":
                one = ast.Number(1, "", start.span)
                span = self.span_from(start)
                return ast.Assign(target, ast.Binary(op[0], target, one, span), span)
            case "!" | "!!":
                args = self._send_arguments()
                return ast.Send(target, args, op == "!!", self.span_from(start))
            case _:
                return self._receive(start, target, op)

    def _assign(self, start: Token, target: Expr) -> Statement:
        if self.at_call():
            return self._call_inline(target)
        self.refuse_unknown_call()
        return ast.Assign(target, self.expression(), self.span_from(start))

    def _send_arguments(self) -> tuple[Expr, ...]:
        """Parse `a, b` or `a(b, c)`."""
        first = self.expression()
        if self.kind == "(" and not self.separated():
            return (first, *self.arguments())
        found = [first]
        while self.accept(","):
            found.append(self.expression())
        return tuple(found)

    def _receive(self, start: Token, channel: Expr, op: str) -> Statement:
        copy = self.kind == "<"
        if copy:
            opened = self.take()
            args = self.receive_arguments(">")
            self.close(">", opened)
        else:
            args = self.receive_arguments("")
        return ast.Receive(channel, args, op == "??", copy, self.span_from(start))

    # -- statements that begin with a word

    def _exclusive(self) -> Statement:
        start = self.take()
        channels = [self.reference()]
        while self.accept(","):
            channels.append(self.reference())
        return ast.Exclusive(start.kind == "xr", tuple(channels), self.span_from(start))

    def _options(self) -> tuple[Token, tuple[ast.Sequence, ...]]:
        start = self.take()
        closing = "fi" if start.kind == "if" else "od"
        options = []
        self.enter()
        if self.kind != "::":
            raise self.expected("'::'")
        while self.kind == "::":
            colons = self.take()
            options.append(ast.Sequence(self._sequence(), self.span_from(colons)))
        self.leave()
        self.close(closing, start)
        return start, tuple(options)

    def _if(self) -> Statement:
        start, options = self._options()
        return ast.If(options, self.span_from(start))

    def _do(self) -> Statement:
        start, options = self._options()
        return ast.Do(options, self.span_from(start))

    def _for(self) -> Statement:
        start = self.take()
        opened = self.open()
        variable = self.reference()
        if self.kind == IDENTIFIER and self.token.text == "in":
            self.take()
            subject = self.reference()
            self.close(")", opened)
            self.accept(";")
            return ast.ForIn(variable, subject, self.body(), self.span_from(start))
        low, high = self._range()
        self.close(")", opened)
        self.accept(";")
        return ast.ForRange(variable, low, high, self.body(), self.span_from(start))

    def _range(self) -> tuple[Expr, Expr]:
        self.expect(":")
        low = self.expression()
        self.expect("..")
        return low, self.expression()

    def _select(self) -> Statement:
        literal = self._is_literal()
        start = self.take()
        opened = self.open()
        variable = self.reference()
        low, high = self._range()
        self.close(")", opened)
        return ast.Select(variable, low, high, self.span_from(start), literal)

    def _is_literal(self) -> bool:
        """Whether Spin's lexer knows all of the `select` ahead.

        It does if that stands on one line outside of inlines, has two numbers, and a variable
        whose name has letters and digits only.
        """
        tokens = self.tokens[self.at : self.at + 8]
        wanted = ["select", "(", IDENTIFIER, ":", NUMBER, "..", NUMBER, ")"]
        if [token.kind for token in tokens] != wanted or any(token.first for token in tokens[2:]):
            return False
        return tokens[2].text.isalnum() and not tokens[0].origin

    def _atomic(self) -> Statement:
        start = self.take()
        body = self.body()
        node = ast.Atomic if start.kind == "atomic" else ast.DStep
        return node(body, self.span_from(start))

    def _else(self) -> Statement:
        return ast.Else(self.take().span)

    def _break(self) -> Statement:
        return ast.Break(self.take().span)

    def _goto(self) -> Statement:
        start = self.take()
        label = self.identifier("a label")
        return ast.Goto(self.label(label), self.span_from(start))

    def _assert(self) -> Statement:
        start = self.take()
        return ast.Assert(self.expression(), self.span_from(start))

    def _printf(self) -> Statement:
        start = self.take()
        opened = self.open()
        if self.kind != STRING:
            raise self.expected("a string")
        text = self.take().text[1:-1]
        args = []
        while self.accept(","):
            args.append(self.expression())
        self.close(")", opened)
        return ast.Print(text, tuple(args), self.span_from(start))

    def _printm(self) -> Statement:
        start = self.take()
        return ast.Print(None, (self.bracketed(),), self.span_from(start))

    def _return(self) -> Statement:
        start = self.take()
        target = self.returned()
        if target is None:
            message = "there is nothing that could take this value"
            hint = "only an inline called as 'x = f(...)' returns one"
            raise fail(MISPLACED_RETURN, message, start.span, hint)
        return ast.Assign(target, self.expression(), self.span_from(start))


def _block(statement: Statement) -> ast.Sequence:
    if isinstance(statement, ast.Sequence):
        return statement
    return ast.Sequence((statement,), statement.span)


StatementParser.statements.update(
    {
        "if": StatementParser._if,
        "do": StatementParser._do,
        "for": StatementParser._for,
        "select": StatementParser._select,
        "atomic": StatementParser._atomic,
        "d_step": StatementParser._atomic,
        "{": StatementParser.body,
        "else": StatementParser._else,
        "break": StatementParser._break,
        "goto": StatementParser._goto,
        "assert": StatementParser._assert,
        "printf": StatementParser._printf,
        "printm": StatementParser._printm,
        "return": StatementParser._return,
    }
)
