"""Conjuncts with the meaning of a name put in, where another conjunct gives it.

`f = %x.(P | E)` and `f(a) = 5` say that `(%x.(P | E))(a) = 5`; `s = 0..n` and `x : s` say that
`x : 0..n`.  A search for values sees bounds and equations in the longer form that the name
hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binding,
    Call,
    Comprehension,
    Expr,
    Lambda,
    Name,
    free_names,
    rebuild,
)
from secateur.maths.operators import comparison, sets
from secateur.maths.replace import Replacement

UNFOLDED_AT_MOST: Final = 200
"""More conjuncts than this are not written out: it would take longer than it helps."""


def unfolded(conjuncts: Sequence[Expr]) -> Iterator[Expr]:
    """Yield those of `conjuncts` that use a named rule or interval, with that put in."""
    rules, intervals = _named(conjuncts)
    if not rules and not intervals:
        return
    count = 0
    for e in conjuncts:
        if isinstance(e, Binding) or not (free_names(e) & (rules.keys() | intervals.keys())):
            continue
        longer = _with_intervals(_with_rules(e, rules), intervals)
        if longer != e:
            yield longer
            count += 1
        if count == UNFOLDED_AT_MOST:
            return


def _named(conjuncts: Sequence[Expr]) -> tuple[dict[str, Expr], dict[str, Expr]]:
    """Return the lambdas (and their kin) and the intervals that conjuncts give names to."""
    rules: dict[str, Expr] = {}
    intervals: dict[str, Expr] = {}
    for e in conjuncts:
        match e:
            case Apply(operator, (Name(name), value) | (value, Name(name))) if (
                operator is comparison.EQUAL
            ):
                if name in free_names(value):
                    continue  # a recursive function has no end of unfolding
                if isinstance(value, Lambda | Comprehension):
                    rules.setdefault(name, value)
                elif isinstance(value, Apply) and value.operator is sets.INTERVAL:
                    intervals.setdefault(name, value)
            case _:
                pass
    return rules, intervals


def _with_rules(e: Expr, rules: Mapping[str, Expr]) -> Expr:
    """Return `e` with the rules written out where they are applied, or asked for members."""
    if isinstance(e, Binding):
        return e  # a name may mean something else in there
    match e:
        case Call(Name(name), args) if name in rules:
            return Call(rules[name], tuple(_with_rules(a, rules) for a in args), e.span)
        case Apply(operator, (element, Name(name))) if (
            operator is comparison.MEMBER and name in rules
        ):
            return Apply(operator, (_with_rules(element, rules), rules[name]), e.span)
        case _:
            return rebuild(e, lambda part: _with_rules(part, rules))


def _with_intervals(e: Expr, intervals: Mapping[str, Expr]) -> Expr:
    """Return a membership with the intervals written out in its set."""
    match e:
        case Apply(operator, (element, set_)) if (
            operator in (comparison.MEMBER, comparison.SUBSET)
            and free_names(set_) & intervals.keys()
        ):
            return Apply(operator, (element, Replacement(intervals).in_expression(set_)), e.span)
        case _:
            return e
