"""Operators and brackets: V. Pratt: *Top Down Operator Precedence*, POPL 1973.

The priorities come from the grammar's tables.  Chains are loops, so that only real
nesting costs stack.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr
from secateur.maths.codes import CHAINED_COMPARISON
from secateur.maths.cursor import Cursor
from secateur.maths.grammar import Connective, Grammar, Infix
from secateur.maths.lex import Tokens
from secateur.maths.operators.protocol import Operator
from secateur.source import fail


class PrattParser(Cursor, ABC):
    """A parser that stands at some token of a text.

    A language adds `primary`: what a formula can start with.
    """

    def __init__(self, tokens: Tokens, grammar: Grammar) -> None:
        super().__init__(tokens)
        self.grammar = grammar
        self.infix: Mapping[str, Infix] = grammar.open

    def formula(self, minimum: int = 0) -> Expr:
        """Parse a formula whose outermost operator binds at least as strongly as `minimum`."""
        start = self.at
        left = self.operand()
        while True:
            infix = self.infix.get(self.kinds[self.at])
            if infix is None or infix.priority < minimum:
                return left
            left = self._joined(start, left, infix)

    def _joined(self, start: int, left: Expr, infix: Infix) -> Expr:
        means = infix.means
        if means is Connective.AND or means is Connective.OR:
            return self._chain(start, left, infix)
        self.at += 1
        right = self.formula(infix.priority + (not infix.right_associative))
        span = self.span_from(start)
        if isinstance(means, Operator):
            if infix.comparison:
                self._refuse_second_comparison(infix)
            return ast.Apply(means, (left, right), span)
        node = ast.Implies if means is Connective.IMPLIES else ast.Equivalent
        return node(left, right, span)

    def _chain(self, start: int, left: Expr, infix: Infix) -> Expr:
        node = ast.And if infix.means is Connective.AND else ast.Or
        parts = [left]
        while self.kinds[self.at] == infix.spelling:
            self.at += 1
            parts.append(self.formula(infix.priority + 1))
        flat = [q for p in parts for q in (p.parts if isinstance(p, node) else (p,))]
        return node(tuple(flat), self.span_from(start))

    def _refuse_second_comparison(self, first: Infix) -> None:
        second = self.infix.get(self.kinds[self.at])
        if second is not None and second.comparison:
            message = f"'{second.spelling}' cannot follow '{first.spelling}' without parentheses"
            help_ = "join two comparisons with '&'"
            raise fail(CHAINED_COMPARISON, message, self.tokens.span(self.at), help_)

    @abstractmethod
    def primary(self) -> Expr:
        """Parse what needs no operand to its left: a literal, a name, brackets, a quantifier."""

    def operand(self) -> Expr:
        """Parse what can stand beside an infix operator, with its calls, images and fields."""
        start = self.at
        left = self.primary()
        while True:
            kind = self.kinds[self.at]
            if kind == "(":
                left = ast.Call(left, self.arguments(), self.span_from(start))
            elif kind == "[":
                arg = self.bracketed("[", "]")
                left = ast.Apply(self.grammar.image, (left, arg), self.span_from(start))
            elif kind == "'":
                self.at += 1
                left = ast.Field(left, self.identifier("a field name"), self.span_from(start))
            elif kind in self.grammar.postfix:
                self.at += 1
                operator = self.grammar.postfix[kind]
                left = ast.Apply(operator, (left,), self.span_from(start))
            else:
                return left

    def arguments(self) -> tuple[Expr, ...]:
        """Parse `(a, b, c)`."""
        start = self.expect("(")
        outer, self.infix = self.infix, self.grammar.enclosed
        args = self.list_of_formulas()
        self.infix = outer
        self.close(")", start)
        return args

    def list_of_formulas(self) -> tuple[Expr, ...]:
        """Parse one or more formulas separated by commas."""
        items = [self.formula()]
        while self.kinds[self.at] == ",":
            self.at += 1
            items.append(self.formula())
        return tuple(items)

    def bracketed(self, opening: str, closing: str) -> Expr:
        """Parse a formula in brackets; a comma in it makes a pair."""
        start = self.expect(opening)
        outer, self.infix = self.infix, self.grammar.parenthesised
        inner = self.formula()
        self.infix = outer
        self.close(closing, start)
        return inner

    def binders(self) -> tuple[Binder, ...]:
        """Parse `x`, `x, y` or `(x, y)`."""
        start = self.at
        if self.kinds[start] != "(":
            return self.plain_binders()
        self.at += 1
        found = self.plain_binders()
        self.close(")", start)
        return found

    def plain_binders(self) -> tuple[Binder, ...]:
        """Parse one or more identifiers separated by commas, to be bound."""
        found = []
        while True:
            place = self.tokens.span(self.at)
            found.append(Binder(self.identifier("an identifier"), None, place))
            if self.kinds[self.at] != ",":
                return tuple(found)
            self.at += 1

    def condition_and_value(self) -> tuple[Expr, Expr]:
        """Parse `(P | E)`."""
        start = self.expect("(")
        outer, self.infix = self.infix, self.grammar.parenthesised
        condition = self.formula()
        self.expect("|")
        value = self.formula()
        self.infix = outer
        self.close(")", start)
        return condition, value
