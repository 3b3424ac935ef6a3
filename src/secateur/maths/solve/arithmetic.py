"""Translation of integer arithmetic and comparison."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Final

from secateur.maths.ast import Expr
from secateur.maths.operators import integers
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.choice import equals
from secateur.maths.solve.context import Context, TermRule, TruthRule
from secateur.maths.solve.later import Evaluate
from secateur.maths.solve.linear import Linear, Product, Relation
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import INFINITY, Bool, Bound, Scalar
from secateur.maths.solve.quotient import Power, Quotient, Remainder
from secateur.maths.solve.terms import Env, Known, Later, Sum, Term


def number(c: Context, e: Expr, env: Env) -> Sum:
    """Return the integer expression `e` as a sum."""
    return as_sum(c, c.term(e, env))


def as_sum(c: Context, term: Term) -> Sum:
    """Return an integer term as a sum; what can only be evaluated becomes a new number."""
    match term:
        case Sum():
            return term
        case Known(value):
            return Sum((), value)
        case Later():
            result = Scalar(-INFINITY, INFINITY)
            Evaluate(result, term, c.evaluator).attach(c.net)
            return Sum(((1, result),))
        case _:
            raise AssertionError(f"not an integer: {term}")


def plus(left: Sum, right: Sum, factor: int = 1) -> Term:
    """Return `left + factor * right`."""
    coefficients: dict[Scalar, int] = {v: k for k, v in left.terms}
    for k, v in right.terms:
        coefficients[v] = coefficients.get(v, 0) + factor * k
    terms = tuple((k, v) for v, k in coefficients.items() if k)
    return Sum(terms, left.constant + factor * right.constant)


def settled(term: Term) -> Term:
    """Return a sum without terms as the number that it is."""
    return Known(term.constant) if isinstance(term, Sum) and not term.terms else term


def bounds(total: Sum) -> tuple[Bound, Bound]:
    """Return the least and greatest possible value."""
    lo: Bound = total.constant
    hi: Bound = total.constant
    for k, v in total.terms:
        lo += k * (v.lo if k > 0 else v.hi)
        hi += k * (v.hi if k > 0 else v.lo)
    return lo, hi


def as_scalar(c: Context, total: Sum) -> Scalar:
    """Return a single number equal to `total`."""
    if len(total.terms) == 1 and total.terms[0][0] == 1 and total.constant == 0:
        return total.terms[0][1]
    lo, hi = bounds(total)
    result = Scalar(lo, hi)
    if not total.terms:
        return result
    terms = (*total.terms, (-1, result))
    watched = [v for _, v in terms]
    c.add(Linear(terms, total.constant, Relation.EQUAL, None), *watched)
    return result


def compare(c: Context, difference: Term, relation: Relation) -> Truth:
    """Return whether `difference` stands so to zero."""
    assert isinstance(difference, Sum)
    lo, hi = bounds(difference)
    known = _compare_bounds(lo, hi, relation)
    if known is not None:
        return known
    if relation is Relation.DIFFERENT:
        return negation(compare(c, difference, Relation.EQUAL))
    if relation is Relation.POSITIVE:
        return negation(compare(c, difference, Relation.AT_MOST))
    if relation is Relation.EQUAL and len(difference.terms) == 1:
        (k, v) = difference.terms[0]
        return (
            equals(c.net, v, -difference.constant // k) if difference.constant % k == 0 else False
        )
    return c.shared(
        (relation, _name(difference, relation)), lambda: _reify(c, difference, relation)
    )


def _name(difference: Sum, relation: Relation) -> Hashable:
    """Return what tells sums apart; `a = b` and `b = a` have the same, and share one truth."""
    name = (frozenset(difference.terms), difference.constant)
    if relation is not Relation.EQUAL:
        return name
    opposite = frozenset((-k, v) for k, v in difference.terms)
    return frozenset({name, (opposite, -difference.constant)})


def _compare_bounds(lo: Bound, hi: Bound, relation: Relation) -> bool | None:
    if relation is Relation.AT_MOST:
        return True if hi <= 0 else False if lo > 0 else None
    if relation is Relation.POSITIVE:
        return True if lo > 0 else False if hi <= 0 else None
    if lo > 0 or hi < 0:
        return relation is Relation.DIFFERENT
    return (relation is Relation.EQUAL) if lo == hi == 0 else None


def _reify(c: Context, difference: Sum, relation: Relation) -> Bool:
    truth = Bool()
    propagator = Linear(difference.terms, difference.constant, relation, truth)
    c.add(propagator, truth, *(v for _, v in difference.terms))
    return truth


def _comparison(sign: int, relation: Relation) -> TruthRule:
    def rule(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
        left, right = (number(c, e, env) for e in args)
        first, second = (left, right) if sign > 0 else (right, left)
        return compare(c, plus(first, second, -1), relation)

    return rule


def _add(c: Context, args: tuple[Expr, ...], env: Env) -> Term:
    return settled(plus(number(c, args[0], env), number(c, args[1], env)))


def _subtract(c: Context, args: tuple[Expr, ...], env: Env) -> Term:
    return settled(plus(number(c, args[0], env), number(c, args[1], env), -1))


def _negate(c: Context, args: tuple[Expr, ...], env: Env) -> Term:
    return settled(plus(Sum(()), number(c, args[0], env), -1))


def _shift(by: int) -> TermRule:
    return lambda c, args, env: settled(plus(number(c, args[0], env), Sum((), by)))


def _multiply(c: Context, args: tuple[Expr, ...], env: Env) -> Term:
    left, right = (number(c, e, env) for e in args)
    return product(c, left, right)


def product(c: Context, left: Sum, right: Sum) -> Term:
    """Return the product of two integers."""
    if not left.terms:
        return settled(plus(Sum(()), right, left.constant))
    if not right.terms:
        return settled(plus(Sum(()), left, right.constant))
    a, b = as_scalar(c, left), as_scalar(c, right)
    result = Scalar(-INFINITY, INFINITY)
    if a is b:
        c.add(Power(result, a, 2), result, a)
    c.add(Product(result, a, b), result, a, b)
    return Sum(((1, result),))


def _divide(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    return _divided(c, Quotient, args, env)


def _divided(
    c: Context, propagator: type[Quotient | Remainder], args: tuple[Expr, ...], env: Env
) -> Term | None:
    a, b = (as_scalar(c, number(c, e, env)) for e in args)
    if b.lo == b.hi == 0:
        return None  # ill-defined
    result = Scalar(-INFINITY, INFINITY)
    c.add(propagator(result, a, b), result, a, b)
    return Sum(((1, result),))


def _modulo(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    return _divided(c, Remainder, args, env)


def _power(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    exponent = c.known(args[1], env)
    if exponent is None or exponent < 1:
        return None
    a = as_scalar(c, number(c, args[0], env))
    result = Scalar(-INFINITY, INFINITY)
    c.add(Power(result, a, exponent), result, a)
    return Sum(((1, result),))


TERMS: Final[Mapping[Operator, TermRule]] = {
    integers.ADD: _add,
    integers.SUBTRACT: _subtract,
    integers.MULTIPLY: _multiply,
    integers.DIVIDE: _divide,
    integers.MODULO: _modulo,
    integers.POWER: _power,
    integers.NEGATE: _negate,
    integers.SUCCESSOR: _shift(1),
    integers.PREDECESSOR: _shift(-1),
}

TRUTHS: Final[Mapping[Operator, TruthRule]] = {
    integers.LESS: _comparison(-1, Relation.POSITIVE),
    integers.LESS_EQUAL: _comparison(1, Relation.AT_MOST),
    integers.GREATER: _comparison(1, Relation.POSITIVE),
    integers.GREATER_EQUAL: _comparison(-1, Relation.AT_MOST),
}
