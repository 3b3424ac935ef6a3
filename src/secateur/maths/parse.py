"""Formulas from tokens.

One grammar for expressions and predicates; typing tells them apart later.  The class
is extended by the languages that have formulas inside something larger.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr
from secateur.maths.codes import NOT_AN_IDENTIFIER, WRONG_OPERANDS
from secateur.maths.grammar import AS_FUNCTIONS, COMPARISON, FORMULAS, Grammar
from secateur.maths.lex import (
    BEFORE,
    END_OF_TEXT,
    IDENTIFIER,
    LABEL,
    NUMBER,
    REAL,
    STRING,
    TEMPLATE,
    Tokens,
    pragma_parts,
    tokenise,
    tokenise_part,
)
from secateur.maths.literals import number_value, template_parts, text_value
from secateur.maths.operators.protocol import Operator
from secateur.maths.pratt import PrattParser
from secateur.source import Source, Span, fail

LABEL_PRIORITY: Final = 41
"""A label belongs to one conjunct."""


class FormulaParser(PrattParser):
    """A parser of B's formulas."""

    starters: ClassVar[dict[str, Callable[[FormulaParser], Expr]]] = {}

    def primary(self) -> Expr:
        """Parse what needs no operand to its left."""
        starter = self.starters.get(self.kinds[self.at]) or self._starter_from_table()
        return starter(self)

    def _starter_from_table(self) -> Callable[[FormulaParser], Expr]:
        kind, grammar = self.kinds[self.at], self.grammar
        if kind in grammar.constants:
            return FormulaParser._constant
        if kind in grammar.calls:
            return FormulaParser._operator_call
        if kind in grammar.prefix:
            return FormulaParser._prefix
        raise self.expected("an expression or a predicate")

    def _constant(self) -> Expr:
        start = self.take()
        return ast.Apply(self.grammar.constants[self.kinds[start]], (), self.span_from(start))

    def _prefix(self) -> Expr:
        start = self.take()
        operator = self.grammar.prefix[self.kinds[start]]
        return ast.Apply(operator, (self.formula(operator.priority),), self.span_from(start))

    def _operator_call(self) -> Expr:
        start = self.take()
        operator = self.grammar.calls[self.kinds[start]]
        if self.kinds[self.at] != "(" and self.kinds[start] in AS_FUNCTIONS:
            return self._as_function(operator, self.tokens.span(start))
        if self.kinds[self.at] != "(":
            raise self.expected(f"'(' after '{operator}'")
        args = self.arguments()
        wanted = _arities(operator)
        if wanted == {1} and len(args) > 1:  # the operand is a pair written with commas
            args = (self._pairs(args),)
        span = self.span_from(start)
        if wanted and len(args) not in wanted:
            counts = " or ".join(map(str, sorted(wanted)))
            message = f"'{operator}' takes {counts} operand(s), {len(args)} given"
            raise fail(WRONG_OPERANDS, message, span)
        return ast.Apply(operator, args, span)

    def _as_function(self, operator: Operator, span: Span) -> Expr:
        """Return `%x.(x : INTEGER | operator(x))`."""
        x = ast.Name("x", span)
        integers = ast.Apply(self.grammar.constants["INTEGER"], (), span)
        condition = ast.Apply(self.grammar.member, (x, integers), span)
        value = ast.Apply(operator, (x,), span)
        return ast.Lambda((Binder("x", None, span),), condition, value, span)

    def _pairs(self, parts: tuple[Expr, ...]) -> Expr:
        left = parts[0]
        for right in parts[1:]:
            left = ast.Apply(self.grammar.pair, (left, right), left.span + right.span)
        return left

    def _parentheses(self) -> Expr:
        return self.bracketed("(", ")")

    def _name(self) -> Expr:
        start = self.take()
        return ast.Name(self.texts[start].replace("`", ""), self.tokens.span(start))

    def _before(self) -> Expr:
        start = self.take()
        return ast.Before(self.texts[start][:-2].replace("`", ""), self.tokens.span(start))

    def _number(self) -> Expr:
        start = self.take()
        return ast.Number(number_value(self.texts[start]), self.tokens.span(start))

    def _real(self) -> Expr:
        start = self.take()
        return ast.RealNumber(float(self.texts[start]), self.tokens.span(start))

    def _string(self) -> Expr:
        start = self.take()
        return ast.Text(text_value(self.texts[start]), self.tokens.span(start))

    def _template(self) -> Expr:
        """Turn the template into a call of STRING_CONC, as ProB reads it."""
        start = self.take()
        span = self.tokens.span(start)
        parts: list[Expr] = []
        for literal, embedded in template_parts(span):
            if embedded is None:
                parts.append(ast.Text(literal, span))
            else:
                inner = parse_tokens(tokenise_part(embedded, self.grammar.lexicon), self.grammar)
                parts.append(ast.Call(ast.Name("TO_STRING", span), (inner,), span))
        joined = ast.SequenceDisplay(tuple(parts), span)
        return ast.Call(ast.Name("STRING_CONC", span), (joined,), span)

    def _label(self) -> Expr:
        start = self.take()
        label = pragma_parts(self.texts[start])[1]
        return ast.Labelled(label, self.formula(LABEL_PRIORITY), self.span_from(start))

    def _not(self) -> Expr:
        start = self.take()
        if self.kinds[self.at] == "(":
            return ast.Not(self._parentheses(), self.span_from(start))
        return ast.Not(self.formula(COMPARISON), self.span_from(start))

    def _bool(self) -> Expr:
        start = self.take()
        return ast.Bool(self._parentheses(), self.span_from(start))

    def _quantified(self) -> Expr:
        start = self.take()
        binders = self.binders()
        self.expect(".")
        node = ast.Forall if self.kinds[start] == "!" else ast.Exists
        return node(binders, self._parentheses(), self.span_from(start))

    def _lambda(self) -> Expr:
        start = self.take()
        binders = self.binders()
        self.expect(".")
        return ast.Lambda(binders, *self.condition_and_value(), self.span_from(start))

    def _gathering(self) -> Expr:
        start = self.take()
        quantifier = ast.Quantifier(self.kinds[start])
        binders = self.binders()
        self.expect(".")
        condition, value = self.condition_and_value()
        return ast.Quantified(quantifier, binders, condition, value, self.span_from(start))

    def _empty_set(self) -> Expr:
        start = self.take()
        return ast.SetDisplay((), self.span_from(start))

    def _empty_sequence(self) -> Expr:
        start = self.take()
        return ast.SequenceDisplay((), self.span_from(start))

    def _sequence(self) -> Expr:
        start = self.take()
        outer, self.infix = self.infix, self.grammar.enclosed
        items = () if self.kinds[self.at] == "]" else self.list_of_formulas()
        self.infix = outer
        self.close("]", start)
        return ast.SequenceDisplay(items, self.span_from(start))

    def _braces(self) -> Expr:
        start = self.take()
        outer, self.infix = self.infix, self.grammar.enclosed
        items = () if self.kinds[self.at] == "}" else self.list_of_formulas()
        node: Expr
        if self.kinds[self.at] in {"|", "."}:
            node = self._comprehension(start, items)
        else:
            self.close("}", start)
            node = ast.SetDisplay(items, self.span_from(start))
        self.infix = outer
        return node

    def _comprehension(self, start: int, items: tuple[Expr, ...]) -> Expr:
        if len(items) == 1:  # {(x, y) | P} is {x, y | P}
            items = self._components(items[0])
        binders = tuple(map(_as_binder, items))
        value = None
        has_value = self.kinds[self.take()] == "."
        self.infix = self.grammar.parenthesised
        condition = self.formula()
        if has_value:
            self.expect("|")
            value = self.formula()
        self.close("}", start)
        return ast.Comprehension(binders, condition, value, self.span_from(start))

    def _components(self, pair: Expr) -> tuple[Expr, ...]:
        parts: list[Expr] = []
        while isinstance(pair, ast.Apply) and pair.operator is self.grammar.pair:
            pair, last = pair.args
            parts.append(last)
        return (pair, *reversed(parts))

    def _record(self) -> Expr:
        start = self.take()
        opened = self.expect("(")
        outer, self.infix = self.infix, self.grammar.enclosed
        fields = [self._record_field()]
        while self.kinds[self.at] == ",":
            self.at += 1
            fields.append(self._record_field())
        self.infix = outer
        self.close(")", opened)
        node = ast.Record if self.kinds[start] == "rec" else ast.RecordSet
        return node(tuple(fields), self.span_from(start))

    def _record_field(self) -> tuple[str, Expr]:
        name = self.identifier("a field name")
        self.expect(":")
        return name, self.formula()

    def _if(self) -> Expr:
        """Parse from IF or ELSIF to the END that they share."""
        start = self.take()
        condition = self.formula()
        self.expect("THEN")
        then = self.formula()
        if self.kinds[self.at] == "ELSIF":
            otherwise = self._if()
        else:
            self.expect("ELSE")
            otherwise = self.formula()
            self.close("END", start)
        return ast.If(condition, then, otherwise, self.span_from(start))

    def _let(self) -> Expr:
        start = self.take()
        binders = self.binders()
        self.expect("BE")
        condition = self.formula()
        self.expect("IN")
        body = self.formula()
        self.close("END", start)
        return ast.Let(binders, condition, body, self.span_from(start))


FormulaParser.starters.update(
    {
        IDENTIFIER: FormulaParser._name,
        BEFORE: FormulaParser._before,
        NUMBER: FormulaParser._number,
        REAL: FormulaParser._real,
        STRING: FormulaParser._string,
        TEMPLATE: FormulaParser._template,
        LABEL: FormulaParser._label,
        "(": FormulaParser._parentheses,
        "{": FormulaParser._braces,
        "[": FormulaParser._sequence,
        "∅": FormulaParser._empty_set,
        "<>": FormulaParser._empty_sequence,
        "not": FormulaParser._not,
        "bool": FormulaParser._bool,
        "!": FormulaParser._quantified,
        "#": FormulaParser._quantified,
        "%": FormulaParser._lambda,
        **dict.fromkeys(("SIGMA", "PI", "UNION", "INTER"), FormulaParser._gathering),
        "rec": FormulaParser._record,
        "struct": FormulaParser._record,
        "IF": FormulaParser._if,
        "LET": FormulaParser._let,
    }
)


def _arities(operator: Operator) -> set[int]:
    """Return how many operands are allowed; the empty set for any number."""
    if operator.variadic:
        return set()
    meanings = operator.overloads or (operator,)
    return {len(m.signature.operands) for m in meanings if m.signature is not None}


def _as_binder(item: Expr) -> Binder:
    if isinstance(item, ast.Name):
        return Binder(item.text, None, item.span)
    message = "only identifiers can stand before '|' in a comprehension"
    help_ = "write {x . P | E} for the values of an expression E"
    raise fail(NOT_AN_IDENTIFIER, message, item.span, help_)


def parse_tokens(tokens: Tokens, grammar: Grammar = FORMULAS) -> Expr:
    """Return the formula that the tokens make up, all of them."""
    parser = FormulaParser(tokens, grammar)
    parser.infix = grammar.parenthesised
    found = parser.formula()
    if parser.kinds[parser.at] != END_OF_TEXT:
        raise parser.expected("the end of the formula")
    return found


def parse_formula(text: str | Source, grammar: Grammar = FORMULAS) -> Expr:
    """Return the formula written in `text`; raise InputError if it is none."""
    source = Source("<formula>", text) if isinstance(text, str) else text
    return parse_tokens(tokenise(source, grammar.lexicon), grammar)
