"""Temporal formulas as trees: what a user writes, and the few operators that algorithms know."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from secateur.ltl.atoms import Atom
from secateur.source import Span
from secateur.source.records import dataclass


class Unary(Enum):
    """Operators with one argument, as they are written."""

    NOT = "not"
    NEXT = "X"
    FINALLY = "F"
    GLOBALLY = "G"
    YESTERDAY = "Y"
    ONCE = "O"
    HISTORICALLY = "H"


class Binary(Enum):
    """Operators with two arguments, as they are written."""

    AND = "&"
    OR = "or"
    IMPLIES = "=>"
    IFF = "<=>"
    UNTIL = "U"
    WEAK_UNTIL = "W"
    RELEASE = "R"
    SINCE = "S"
    TRIGGER = "T"


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Holds:
    """An atom: something about a state, or about the step out of it."""

    atom: Atom


@dataclass(frozen=True, slots=True)
class One:
    """An operator with its argument."""

    operator: Unary
    argument: Formula


@dataclass(frozen=True, slots=True)
class Two:
    """An operator with its arguments."""

    operator: Binary
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Quantified:
    """`!x.({P} => f)` or `#x.({P} & f)`: for all, or for some, values that satisfy P."""

    universal: bool
    names: tuple[str, ...]
    condition: Atom
    body: Formula
    span: Span


Formula = Truth | Holds | One | Two | Quantified

TRUE = Truth(True)
FALSE = Truth(False)


def negated(f: Formula) -> Formula:
    """Return the negation, without doubling one."""
    match f:
        case Truth(value):
            return Truth(not value)
        case One(Unary.NOT, inner):
            return inner
    return One(Unary.NOT, f)


def both(f: Formula, g: Formula) -> Formula:
    """Return the conjunction, simplified where one side is `true` or `false`."""
    if isinstance(f, Truth):
        return g if f.value else FALSE
    if isinstance(g, Truth):
        return f if g.value else FALSE
    return f if f == g else Two(Binary.AND, f, g)


def either(f: Formula, g: Formula) -> Formula:
    """Return the disjunction in terms of conjunction."""
    return negated(both(negated(f), negated(g)))


def core(f: Formula) -> Formula:
    """Return an equivalent formula with NOT, AND, X, U, Y and S only.

    All are strict about the end of a path: after the last state there is no next one, so that
    X f is false there, and F, U need what they promise.  W, R, G are their negations.
    """
    match f:
        case Truth() | Holds():
            return f
        case One(operator, argument):
            return _core_of_one(operator, core(argument))
        case Two(operator, left, right):
            return _core_of_two(operator, core(left), core(right))
        case Quantified():
            raise AssertionError("quantifiers are expanded first")


def _core_of_one(operator: Unary, f: Formula) -> Formula:
    match operator:
        case Unary.NOT:
            return negated(f)
        case Unary.NEXT | Unary.YESTERDAY:
            return FALSE if f == FALSE else One(operator, f)
        case Unary.FINALLY:
            return f if isinstance(f, Truth) else Two(Binary.UNTIL, TRUE, f)
        case Unary.GLOBALLY:
            return negated(_core_of_one(Unary.FINALLY, negated(f)))
        case Unary.ONCE:
            return f if isinstance(f, Truth) else Two(Binary.SINCE, TRUE, f)
        case Unary.HISTORICALLY:
            return negated(_core_of_one(Unary.ONCE, negated(f)))


def _core_of_two(operator: Binary, f: Formula, g: Formula) -> Formula:
    match operator:
        case Binary.AND:
            return both(f, g)
        case Binary.OR:
            return either(f, g)
        case Binary.IMPLIES:
            return either(negated(f), g)
        case Binary.IFF:
            return both(either(negated(f), g), either(f, negated(g)))
        case Binary.UNTIL | Binary.SINCE:
            if isinstance(g, Truth) or f == FALSE:
                return g
            return Two(operator, f, g)
        case Binary.RELEASE:
            return negated(_core_of_two(Binary.UNTIL, negated(f), negated(g)))
        case Binary.TRIGGER:
            return negated(_core_of_two(Binary.SINCE, negated(f), negated(g)))
        case Binary.WEAK_UNTIL:
            # f W g = g R (f or g)
            return _core_of_two(Binary.RELEASE, g, either(f, g))


def parts(f: Formula) -> Iterator[Formula]:
    """Yield a formula and all that it is made of, inner ones first."""
    match f:
        case One(_, argument):
            yield from parts(argument)
        case Two(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Quantified(body=body):
            yield from parts(body)
    yield f


def atoms(f: Formula) -> list[Atom]:
    """Return the atoms, each once."""
    return list(dict.fromkeys(part.atom for part in parts(f) if isinstance(part, Holds)))


def show(f: Formula) -> str:
    """Return a formula with all parentheses: how it was understood."""
    match f:
        case Truth(value):
            return "true" if value else "false"
        case Holds(atom):
            return str(atom)
        case One(operator, argument):
            return f"{operator.value} {_inner(argument)}"
        case Two(operator, left, right):
            return f"{_inner(left)} {operator.value} {_inner(right)}"
        case Quantified(universal, names, condition, body):
            sign, link = ("!", "=>") if universal else ("#", "&")
            return f"{sign}{','.join(names)}.({condition} {link} {_inner(body)})"


def _inner(f: Formula) -> str:
    return show(f) if isinstance(f, Truth | Holds | Quantified) else f"({show(f)})"
