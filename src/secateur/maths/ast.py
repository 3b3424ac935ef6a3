"""The expressions and predicates of B and Event-B.

One union, `Expr`, serves both: a predicate is an expression of type `PREDICATE`.
Nodes are immutable, compare without their places, and know nothing of any
language's spelling.  Type inference returns the same tree elaborated: binders
carry types and overloaded operators are resolved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from enum import Enum
from typing import Final, assert_never

from secateur.maths.operators.protocol import Operator
from secateur.maths.types import Type
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier; after renaming it may contain dots (`lift1.floor`)."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Before:
    """`x$0`: the value of `x` before the substitution."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Number:
    """An integer literal, never negative."""

    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RealNumber:
    """A literal with a decimal point, as it was written."""

    value: float
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal, escapes resolved."""

    value: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Apply:
    """A built-in operator with its operands; no operands for `NATURAL`, `TRUE`, `{}`."""

    operator: Operator
    args: tuple[Expr, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """`f(a, b)`: application of a function, or use of a definition until those are expanded.

    Several arguments stand for the pair `a |-> b`.
    """

    function: Expr
    args: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SetDisplay:
    """`{a, b, c}`; the empty set is `SetDisplay(())`."""

    items: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SequenceDisplay:
    """`[a, b, c]`, also for `<>` and `[]`."""

    items: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction of two or more parts, flattened, evaluated from left to right."""

    parts: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction of two or more parts, flattened."""

    parts: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Implies:
    """`left => right`."""

    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Equivalent:
    """`left <=> right`."""

    left: Expr
    right: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Bool:
    """`bool(P)`: a predicate as a value."""

    predicate: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binder:
    """A bound identifier; inference fills in the type."""

    name: str
    type: Type | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Forall:
    """`!x.(P => Q)`; the body is the whole implication."""

    binders: tuple[Binder, ...]
    body: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Exists:
    """`#x.(P)`."""

    binders: tuple[Binder, ...]
    body: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Comprehension:
    """`{x, y | P}`, or `{x, y . P | E}` where `value` is given."""

    binders: tuple[Binder, ...]
    condition: Expr
    value: Expr | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Lambda:
    """`%(x, y).(P | E)`."""

    binders: tuple[Binder, ...]
    condition: Expr
    value: Expr
    span: Span = _span()


class Quantifier(Enum):
    """What a `Quantified` expression gathers its values with."""

    SIGMA = "SIGMA"
    PI = "PI"
    UNION = "UNION"
    INTER = "INTER"


@dataclass(frozen=True, slots=True)
class Quantified:
    """`SIGMA(x).(P | E)` and its kin."""

    quantifier: Quantifier
    binders: tuple[Binder, ...]
    condition: Expr
    value: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class If:
    """`IF P THEN a ELSE b END`, as an expression or as a predicate."""

    condition: Expr
    then: Expr
    otherwise: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Let:
    """`LET x, y BE x = a & y = b IN body END`, as an expression or as a predicate."""

    binders: tuple[Binder, ...]
    condition: Expr
    body: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Record:
    """`rec(a:1, b:TRUE)`, fields in the order written."""

    fields: tuple[tuple[str, Expr], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RecordSet:
    """`struct(a:NAT, b:BOOL)`: a set of records."""

    fields: tuple[tuple[str, Expr], ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Field:
    """`r'a`."""

    record: Expr
    name: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A predicate with the user's name for it (`/*@label inv1 */ P`)."""

    label: str
    body: Expr
    span: Span = _span()


Expr = (
    Name
    | Before
    | Number
    | RealNumber
    | Text
    | Apply
    | Call
    | SetDisplay
    | SequenceDisplay
    | And
    | Or
    | Not
    | Implies
    | Equivalent
    | Bool
    | Forall
    | Exists
    | Comprehension
    | Lambda
    | Quantified
    | If
    | Let
    | Record
    | RecordSet
    | Field
    | Labelled
)

Binding = Forall | Exists | Comprehension | Lambda | Quantified | Let
"""The nodes that bind identifiers in all of their children."""


def children(e: Expr) -> tuple[Expr, ...]:
    """Return the direct subexpressions of `e`, in the order written."""
    match e:
        case Name() | Before() | Number() | RealNumber() | Text():
            return ()
        case Apply(_, args):
            return args
        case Call(function, args):
            return (function, *args)
        case SetDisplay(items) | SequenceDisplay(items):
            return items
        case And(parts) | Or(parts):
            return parts
        case Not(body) | Bool(body) | Forall(_, body) | Exists(_, body) | Labelled(_, body):
            return (body,)
        case Implies(left, right) | Equivalent(left, right):
            return (left, right)
        case Comprehension(_, condition, value):
            return (condition,) if value is None else (condition, value)
        case Lambda(_, condition, value) | Quantified(_, _, condition, value):
            return (condition, value)
        case If(condition, then, otherwise):
            return (condition, then, otherwise)
        case Let(_, condition, body):
            return (condition, body)
        case Record(fields) | RecordSet(fields):
            return tuple(value for _, value in fields)
        case Field(record, _):
            return (record,)
        case _:
            assert_never(e)


def rebuild(e: Expr, f: Callable[[Expr], Expr]) -> Expr:
    """Return `e` with `f` applied to each direct subexpression."""
    match e:
        case Name() | Before() | Number() | RealNumber() | Text():
            return e
        case Apply(operator, args):
            return Apply(operator, tuple(map(f, args)), e.span) if args else e
        case Call(function, args):
            return Call(f(function), tuple(map(f, args)), e.span)
        case SetDisplay(items) | SequenceDisplay(items):
            return type(e)(tuple(map(f, items)), e.span)
        case And(parts) | Or(parts):
            return type(e)(tuple(map(f, parts)), e.span)
        case Not(body) | Bool(body):
            return type(e)(f(body), e.span)
        case Forall(binders, body) | Exists(binders, body):
            return type(e)(binders, f(body), e.span)
        case Labelled(label, body):
            return Labelled(label, f(body), e.span)
        case Implies(left, right) | Equivalent(left, right):
            return type(e)(f(left), f(right), e.span)
        case Comprehension(binders, condition, value):
            gathered = None if value is None else f(value)
            return Comprehension(binders, f(condition), gathered, e.span)
        case Lambda(binders, condition, value):
            return Lambda(binders, f(condition), f(value), e.span)
        case Quantified(quantifier, binders, condition, value):
            return Quantified(quantifier, binders, f(condition), f(value), e.span)
        case If(condition, then, otherwise):
            return If(f(condition), f(then), f(otherwise), e.span)
        case Let(binders, condition, body):
            return Let(binders, f(condition), f(body), e.span)
        case Record(fields) | RecordSet(fields):
            return type(e)(tuple((name, f(value)) for name, value in fields), e.span)
        case Field(record, name):
            return Field(f(record), name, e.span)
        case _:
            assert_never(e)


def walk(e: Expr) -> Iterator[Expr]:
    """Yield `e` and everything below it, outermost first; any depth."""
    todo = [e]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(children(node)))


def conjuncts(e: Expr) -> tuple[Expr, ...]:
    """Return the parts of a conjunction, nested ones flattened; `(e,)` for anything else."""
    if not isinstance(e, And):
        return (e,)
    return tuple(part for each in e.parts for part in conjuncts(each))


def conjunction(parts: tuple[Expr, ...], span: Span = NOWHERE) -> Expr:
    """Return the conjunction of one or more `parts`."""
    return parts[0] if len(parts) == 1 else And(parts, span)


def free_names(e: Expr) -> frozenset[str]:
    """Return the identifiers that `e` uses and does not bind."""
    known = _free.get(id(e))
    if known is None:
        if len(_free) >= _MOST_FREE:
            _free.clear()
        # The formula is kept: an id is only unique while its object lives.
        known = _free[id(e)] = (e, _free_names(e))
    return known[1]


_MOST_FREE: Final = 50_000
_free: Final[dict[int, tuple[Expr, frozenset[str]]]] = {}
"""The identifiers of formulas, which are asked for over and over."""


def _free_names(e: Expr) -> frozenset[str]:
    match e:
        case Name(text):
            return frozenset((text,))
        case Apply(_, args):
            return _free_in(args)
        case Before(text):
            return frozenset({text, f"{text}$0"})
        case Forall() | Exists() | Comprehension() | Lambda() | Quantified() | Let():
            return _free_in(children(e)) - {b.name for b in e.binders}
        case _:
            return _free_in(children(e))


def _free_in(parts: tuple[Expr, ...]) -> frozenset[str]:
    match parts:
        case ():
            return frozenset()
        case (only,):
            return free_names(only)
        case _:
            return frozenset[str]().union(*map(free_names, parts))
