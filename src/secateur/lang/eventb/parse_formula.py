"""Event-B's formulas and actions from tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from secateur.lang.eventb.ast import Substitution
from secateur.lang.eventb.codes import BAD_ASSIGNMENT, NOT_A_PATTERN
from secateur.lang.eventb.forms import (
    as_type,
    becomes_such,
    comprehension,
    gathered,
    lambda_,
    on_integers,
    overwritten,
)
from secateur.lang.eventb.lex import ARROW, GRAMMAR, PAIR, STEPS, TERM, lex
from secateur.maths import ast
from secateur.maths.ast import Apply, Binder, Call, Expr, Name
from secateur.maths.codes import UNEXPECTED
from secateur.maths.grammar import COMPARISON, Connective, Infix
from secateur.maths.lex import END_OF_TEXT, Tokens
from secateur.maths.operators.eventb import OF_TYPE
from secateur.maths.parse import FormulaParser
from secateur.maths.substitution import Assign, BecomesElement, Skip
from secateur.source import Source, fail

_INCOMPATIBLE: Final = {
    Connective.AND: (Connective.OR,),
    Connective.OR: (Connective.AND,),
    Connective.IMPLIES: (Connective.IMPLIES, Connective.EQUIVALENT),
    Connective.EQUIVALENT: (Connective.IMPLIES, Connective.EQUIVALENT),
}
"""What cannot follow on the same level without parentheses."""


class EventBParser(FormulaParser):
    """A parser of Event-B's formulas and actions."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens, GRAMMAR)

    def primary(self) -> Expr:
        """Parse what needs no operand to its left."""
        kind = self.kinds[self.at]
        starter = _STARTERS.get(kind)
        if starter is not None:
            return starter(self)
        if kind in STEPS:
            return on_integers(STEPS[kind], self.tokens.span(self.take()))
        return super().primary()

    def _joined(self, start: int, left: Expr, infix: Infix) -> Expr:
        node = super()._joined(start, left, infix)
        if infix.spelling == "circ":
            assert isinstance(node, Apply)
            return Apply(node.operator, node.args[::-1], node.span)
        following = self.infix.get(self.kinds[self.at])
        if (
            following is not None
            and isinstance(infix.means, Connective)
            and following.means in _INCOMPATIBLE[infix.means]
        ):
            message = f"'{following.spelling}' after '{infix.spelling}' needs parentheses"
            raise fail(UNEXPECTED, message, self.tokens.span(self.at))
        return node

    def minus(self) -> Expr:
        """Parse `-E`, where E is a product or binds more strongly."""
        start = self.take()
        return Apply(GRAMMAR.prefix["-"], (self.formula(TERM),), self.span_from(start))

    def negation(self) -> Expr:
        """Parse `not P`."""
        start = self.take()
        return ast.Not(self.formula(COMPARISON), self.span_from(start))

    def quantification(self) -> Expr:
        """Parse `!x, y . P`; it goes on as far as it can."""
        start = self.take()
        binders = self.typed_binders()
        self.expect(".")
        node = ast.Forall if self.kinds[start] == "!" else ast.Exists
        return node(binders, self.formula(), self.span_from(start))

    def typed_binders(self) -> tuple[Binder, ...]:
        """Parse one or more identifiers, each perhaps with its type."""
        found = []
        while True:
            place = self.tokens.span(self.at)
            name = self.identifier("an identifier")
            type_ = None
            if self.kinds[self.at] == "oftype":
                self.at += 1
                type_ = as_type(self.formula(ARROW))
            found.append(Binder(name, type_, place))
            if self.kinds[self.at] != ",":
                return tuple(found)
            self.at += 1

    def function(self) -> Expr:
        """Parse `%pattern . P | E`."""
        start = self.take()
        pattern = self.formula(PAIR)
        self.expect(".")
        condition, value = self.formula(), self._value()
        return lambda_(pattern, condition, value, self.span_from(start))

    def _value(self) -> Expr:
        self.expect("|")
        return self.formula(PAIR)

    def gathering(self) -> Expr:
        """Parse `UNION x . P | E` or `UNION E | P`."""
        start = self.take()
        quantifier = ast.Quantifier(self.kinds[start])
        first = [self.formula(PAIR)]
        while self.kinds[self.at] == ",":
            self.at += 1
            first.append(self.formula(PAIR))
        if self.kinds[self.at] == ".":
            self.at += 1
            condition, value = self.formula(), self._value()
            binders = tuple(map(_binder, first))
        else:
            self.expect("|")
            value, condition = first[0], self.formula()
            bound = gathered(value, condition, value.span)
            binders = bound.binders
        return ast.Quantified(quantifier, binders, condition, value, self.span_from(start))

    def braces(self) -> Expr:
        """Parse `{a, b}`, `{x . P | E}` or `{E | P}`."""
        start = self.take()
        items = () if self.kinds[self.at] == "}" else self.list_of_formulas()
        kind = self.kinds[self.at]
        if kind not in {".", "|"}:
            self.close("}", start)
            return ast.SetDisplay(items, self.span_from(start))
        self.at += 1
        condition = self.formula()
        if kind == ".":
            self.expect("|")
            value = self.formula()
            self.close("}", start)
            binders = tuple(map(_binder, items))
            return comprehension(binders, condition, value, self.span_from(start))
        self.close("}", start)
        if len(items) == 1 and not _is_typed(items[0]):
            return gathered(items[0], condition, self.span_from(start))
        return ast.Comprehension(tuple(map(_binder, items)), condition, None, self.span_from(start))

    # Actions

    def action(self) -> Substitution:
        """Parse `x, y := E, F`, `f(x) := E`, `x :: S`, `x :| P` or `skip`."""
        start = self.at
        if self.texts[start] == "skip":
            return Skip(self.tokens.span(self.take()))
        targets = [self.operand()]
        while self.kinds[self.at] == ",":
            self.at += 1
            targets.append(self.operand())
        sign = self.kinds[self.at]
        if sign not in {":=", "::", ":|"}:
            raise self.expected("':=', '::' or ':|'")
        self.at += 1
        if sign == ":=" and isinstance(targets[0], Call) and len(targets) == 1:
            return self._overwriting(targets[0], start)
        names = tuple(map(_target, targets))
        if sign == ":|":
            condition = self.formula()
            return becomes_such(names, condition, self.span_from(start))
        if sign == "::":
            return BecomesElement(names, self.formula(), self.span_from(start))
        values = self.list_of_formulas()
        if len(values) != len(names):
            message = f"{len(names)} variable(s) cannot become {len(values)} value(s)"
            raise fail(BAD_ASSIGNMENT, message, self.span_from(start))
        return Assign(names, values, self.span_from(start))

    def _overwriting(self, target: Call, start: int) -> Assign:
        name = _target(target.function)
        value = self.formula()
        span = self.span_from(start)
        return Assign((name,), (overwritten(name, target.args, value, span),), span)


_STARTERS: Final[dict[str, Callable[[EventBParser], Expr]]] = {
    "-": EventBParser.minus,
    "not": EventBParser.negation,
    "!": EventBParser.quantification,
    "#": EventBParser.quantification,
    "%": EventBParser.function,
    "UNION": EventBParser.gathering,
    "INTER": EventBParser.gathering,
    "{": EventBParser.braces,
}


def _is_typed(e: Expr) -> bool:
    return isinstance(e, Apply) and e.operator is OF_TYPE


def _binder(e: Expr) -> Binder:
    match e:
        case Name(text):
            return Binder(text, None, e.span)
        case Apply(operator, (Name(text), type_)) if operator is OF_TYPE:
            return Binder(text, as_type(type_), e.span)
        case _:
            raise fail(NOT_A_PATTERN, "only identifiers can be bound here", e.span)


def _target(e: Expr) -> Name:
    if isinstance(e, Name):
        return e
    raise fail(BAD_ASSIGNMENT, "only a variable can stand before ':=', '::' and ':|'", e.span)


def parse_formula(source: Source) -> Expr:
    """Return the expression or predicate that `source` consists of."""
    parser = EventBParser(lex(source))
    found = parser.formula()
    _refuse_more(parser, "the end of the formula")
    return found


def parse_action(source: Source) -> Substitution:
    """Return the action that `source` consists of."""
    parser = EventBParser(lex(source))
    found = parser.action()
    _refuse_more(parser, "the end of the action")
    return found


def _refuse_more(parser: EventBParser, what: str) -> None:
    if parser.kinds[parser.at] != END_OF_TEXT:
        raise parser.expected(what)
