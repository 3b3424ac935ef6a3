"""What of an expression comes to be evaluated: `&&`, `||` and `->` pass over parts."""

from __future__ import annotations

from collections.abc import Callable

from secateur.lang.promela import ast, terms
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.walk import below
from secateur.maths.ast import Expr


def where(
    e: object, wanted: Callable[[object], Expr], expressions: Expressions, here: Here
) -> Expr:
    """Return where something is evaluated that is wanted; of each part is said where it is."""

    def within(part: object) -> Expr:
        return where(part, wanted, expressions, here)

    def passed(condition: ast.Expr, part: object, *, over: bool) -> Expr:
        found = within(part)
        if found is terms.FALSE:
            return found
        holds = expressions.condition(condition, here)
        return terms.all_of((terms.negated(holds) if over else holds, found))

    match e:
        case ast.Binary("&&" | "||" as op, left, right):
            return terms.any_of((within(left), passed(left, right, over=op == "||")))
        case ast.Conditional(condition, then, otherwise):
            first = passed(condition, then, over=False)
            second = passed(condition, otherwise, over=True)
            return terms.any_of((within(condition), first, second))
    return terms.any_of((*map(within, below(e)), wanted(e)))
