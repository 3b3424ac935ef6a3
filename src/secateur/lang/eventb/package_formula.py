"""Formulas of a ProB package: Prolog terms to expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from secateur.lang.eventb.codes import BAD_PACKAGE, UNKNOWN_OPERATOR
from secateur.lang.eventb.forms import becomes_such, comprehension, on_integers
from secateur.lang.eventb.prolog import Term
from secateur.lang.eventb.theory import Theory
from secateur.maths import ast
from secateur.maths.ast import Apply, Binder, Expr, Name
from secateur.maths.operators import (
    comparison,
    eventb,
    function_spaces,
    integers,
    relations,
    sets,
)
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch
from secateur.source import InputError, Source, Span, fail

_CONSTANTS: Final = {o.spellings[0]: o for o in OPERATORS if o.constant is not None}

APPLIED: Final[Mapping[str, Operator]] = {
    "equal": comparison.EQUAL,
    "not_equal": comparison.NOT_EQUAL,
    "member": comparison.MEMBER,
    "not_member": comparison.NOT_MEMBER,
    "subset": comparison.SUBSET,
    "not_subset": comparison.NOT_SUBSET,
    "subset_strict": comparison.STRICT_SUBSET,
    "not_subset_strict": comparison.NOT_STRICT_SUBSET,
    "less": integers.LESS,
    "less_equal": integers.LESS_EQUAL,
    "greater": integers.GREATER,
    "greater_equal": integers.GREATER_EQUAL,
    "add": integers.ADD,
    "minus": integers.SUBTRACT,
    "unary_minus": integers.NEGATE,
    "multiplication": integers.MULTIPLY,
    "div": integers.DIVIDE,
    "modulo": integers.MODULO,
    "power_of": integers.POWER,
    "max": integers.MAX,
    "min": integers.MIN,
    "interval": sets.INTERVAL,
    "union": sets.UNION,
    "intersection": sets.INTERSECTION,
    "set_subtraction": sets.SET_MINUS,
    "cartesian_product": sets.PRODUCT,
    "pow_subset": sets.POWER_SET,
    "pow1_subset": sets.POWER_SET1,
    "card": sets.CARD,
    "finite": eventb.FINITE,
    "general_union": sets.GENERALIZED_UNION,
    "general_intersection": sets.GENERALIZED_INTERSECTION,
    "typeof": eventb.OF_TYPE,
    "domain": relations.DOMAIN,
    "range": relations.RANGE,
    "reverse": relations.INVERSE,
    "image": relations.IMAGE,
    "identity": relations.IDENTITY,
    "composition": relations.COMPOSITION,
    "direct_product": relations.DIRECT_PRODUCT,
    "parallel_product": relations.PARALLEL_PRODUCT,
    "domain_restriction": relations.DOMAIN_RESTRICTION,
    "domain_subtraction": relations.DOMAIN_SUBTRACTION,
    "range_restriction": relations.RANGE_RESTRICTION,
    "range_subtraction": relations.RANGE_SUBTRACTION,
    "overwrite": relations.OVERWRITE,
    "relations": function_spaces.RELATIONS,
    "total_relation": function_spaces.TOTAL_RELATIONS,
    "surjection_relation": function_spaces.SURJECTIVE_RELATIONS,
    "total_surjection_relation": function_spaces.TOTAL_SURJECTIVE_RELATIONS,
    "partial_function": function_spaces.PARTIAL_FUNCTIONS,
    "total_function": function_spaces.TOTAL_FUNCTIONS,
    "partial_injection": function_spaces.PARTIAL_INJECTIONS,
    "total_injection": function_spaces.TOTAL_INJECTIONS,
    "partial_surjection": function_spaces.PARTIAL_SURJECTIONS,
    "total_surjection": function_spaces.TOTAL_SURJECTIONS,
    "total_bijection": function_spaces.TOTAL_BIJECTIONS,
    "boolean_true": _CONSTANTS["TRUE"],
    "boolean_false": _CONSTANTS["FALSE"],
    "bool_set": _CONSTANTS["BOOL"],
    "integer_set": _CONSTANTS["INTEGER"],
    "natural_set": _CONSTANTS["NATURAL"],
    "natural1_set": _CONSTANTS["NATURAL1"],
    "truth": _CONSTANTS["btrue"],
    "falsity": _CONSTANTS["bfalse"],
    "event_b_identity": eventb.IDENTITY,
    "event_b_first_projection_v2": eventb.FIRST_PROJECTION,
    "event_b_second_projection_v2": eventb.SECOND_PROJECTION,
}
"""The terms that are operators, all operands in order."""


class Formulas:
    """Turns terms of one source into expressions and actions."""

    def __init__(self, source: Source, theory: Theory) -> None:
        self.source = source
        self.theory = theory

    def span(self, term: Term) -> Span:
        """Return the place of a term."""
        return Span(self.source, term.start, term.end)

    def expression(self, term: Term) -> Expr:
        """Return the expression or predicate that `term` stands for."""
        operator = APPLIED.get(term.name)
        if operator is not None and not any(a.is_list for a in term.args):
            args = tuple(map(self.expression, term.args[1:]))
            return Apply(operator, args, self.span(term))
        special = _SPECIAL.get(term.name)
        if special is None:
            raise self._unknown(term)
        try:
            return special(self, term, self.span(term))
        except (IndexError, ValueError) as error:
            raise self.broken(term) from error

    def _unknown(self, term: Term) -> InputError:
        message = f"'{term.name}' is no operator that is known here"
        return fail(UNKNOWN_OPERATOR, message, self.span(term))

    def broken(self, term: Term) -> InputError:
        """Return the complaint about a term of a known name with parts that do not fit."""
        return fail(BAD_PACKAGE, f"'{term.name}' has the wrong parts here", self.span(term))

    def name(self, term: Term) -> Name:
        """Return the identifier `identifier(_, x)`."""
        if term.name != "identifier" or len(term.args) != 2:
            raise fail(BAD_PACKAGE, "an identifier is expected here", self.span(term))
        return Name(term.args[1].name, self.span(term.args[1]))

    def binders(self, term: Term) -> tuple[Binder, ...]:
        """Return the identifiers of a list, to be bound."""
        names = map(self.name, term.args)
        return tuple(Binder(n.text, None, n.span) for n in names)

    def action(self, term: Term) -> Assign | BecomesElement | BecomesSuch:
        """Return the substitution that `term` stands for."""
        span = self.span(term)
        if len(term.args) != 3:
            raise self.broken(term)
        targets = tuple(map(self.name, term.args[1].args))
        match term.name:
            case "assign":
                return Assign(targets, tuple(map(self.expression, term.args[2].args)), span)
            case "becomes_element_of":
                return BecomesElement(targets, self.expression(term.args[2]), span)
            case "becomes_such":
                return becomes_such(targets, self.expression(term.args[2]), span)
            case _:
                raise self._unknown(term)


_Special = Callable[[Formulas, Term, Span], Expr]


def _integer(_: Formulas, term: Term, span: Span) -> Expr:
    value = int(term.args[1].name)
    number = ast.Number(abs(value), span)
    return number if value >= 0 else Apply(integers.NEGATE, (number,), span)


def _couple(f: Formulas, term: Term, span: Span) -> Expr:
    parts = term.args[1].args if term.args[1].is_list else term.args[1:]
    left, right = map(f.expression, parts)
    return Apply(relations.PAIR, (left, right), span)


def _conjunct(f: Formulas, term: Term, span: Span) -> Expr:
    parts = [f.expression(a) for a in term.args[1:]]
    return ast.And(tuple(q for p in parts for q in ast.conjuncts(p)), span)


def _disjunct(f: Formulas, term: Term, span: Span) -> Expr:
    parts = [f.expression(a) for a in term.args[1:]]
    return ast.Or(
        tuple(q for p in parts for q in (p.parts if isinstance(p, ast.Or) else (p,))), span
    )


def _comprehension(f: Formulas, term: Term, span: Span) -> Expr:
    _, names, value, condition = term.args
    return comprehension(f.binders(names), f.expression(condition), f.expression(value), span)


def _gathered(f: Formulas, term: Term, span: Span) -> Expr:
    _, names, condition, value = term.args
    quantifier = ast.Quantifier("UNION" if term.name == "quantified_union" else "INTER")
    binders = f.binders(names)
    return ast.Quantified(quantifier, binders, f.expression(condition), f.expression(value), span)


def _partition(f: Formulas, term: Term, span: Span) -> Expr:
    _, whole, parts = term.args
    sets_ = (whole, *parts.args) if parts.is_list else (whole, parts)
    return Apply(sets.PARTITION, tuple(map(f.expression, sets_)), span)


def _extended(f: Formulas, term: Term, span: Span) -> Expr:
    _, name, args, predicates = term.args
    operands = tuple(map(f.expression, (*predicates.args, *args.args)))
    return f.theory.use(name.name, operands, span)


def _quantified(f: Formulas, term: Term, span: Span) -> Expr:
    node = ast.Forall if term.name == "forall" else ast.Exists
    return node(f.binders(term.args[1]), f.expression(term.args[2]), span)


def _implication(f: Formulas, term: Term, span: Span) -> Expr:
    node = ast.Implies if term.name == "implication" else ast.Equivalent
    return node(f.expression(term.args[1]), f.expression(term.args[2]), span)


def _function(f: Formulas, term: Term, span: Span) -> Expr:
    _, function, args = term.args
    operands = args.args if args.is_list else [args]
    return ast.Call(f.expression(function), tuple(map(f.expression, operands)), span)


def _ring(f: Formulas, term: Term, span: Span) -> Expr:
    """Return the composition that is written with its second relation first."""
    then, first = map(f.expression, term.args[1:])
    return Apply(relations.COMPOSITION, (first, then), span)


_SPECIAL: Final[Mapping[str, _Special]] = {
    "identifier": lambda f, term, _: f.name(term),
    "integer": _integer,
    "couple": _couple,
    "conjunct": _conjunct,
    "disjunct": _disjunct,
    "implication": _implication,
    "equivalence": _implication,
    "negation": lambda f, term, span: ast.Not(f.expression(term.args[1]), span),
    "forall": _quantified,
    "exists": _quantified,
    "convert_bool": lambda f, term, span: ast.Bool(f.expression(term.args[1]), span),
    "empty_set": lambda _, __, span: ast.SetDisplay((), span),
    "set_extension": lambda f, term, span: ast.SetDisplay(
        tuple(map(f.expression, term.args[1].args)), span
    ),
    "function": _function,
    "event_b_comprehension_set": _comprehension,
    "quantified_union": _gathered,
    "quantified_intersection": _gathered,
    "partition": _partition,
    "ring": _ring,
    "successor": lambda _, __, span: on_integers(integers.SUCCESSOR, span),
    "predecessor": lambda _, __, span: on_integers(integers.PREDECESSOR, span),
    "extended_expr": _extended,
    "extended_pred": _extended,
}
