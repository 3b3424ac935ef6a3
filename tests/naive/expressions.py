"""Random small well-typed formulas: every operator, every node.

`expressions(type)` are closed but for the given set S with its elements; with `scope`
they also use identifiers.  Bound integers are always in a small set, so that the oracle's
window is wide enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hypothesis import strategies as st

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Name, Number, Quantifier
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators import comparison, relations, sets, trees
from secateur.maths.operators.protocol import Operator, Signature
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.types import (
    BOOL,
    INTEGER,
    PREDICATE,
    REAL,
    STRING,
    Base,
    Given,
    Power,
    Product,
    Struct,
    Type,
    Variable,
    relation,
    sequence,
)
from secateur.maths.values import Element
from secateur.source import NOWHERE

S: Final = Given("S")
ELEMENTS: Final = tuple(Element(i, name, "S") for i, name in enumerate(("a", "b", "c")))
SETS: Final = {"S": ELEMENTS}
NAMES: Final = {"S": frozenset(ELEMENTS), **{e.name: e for e in ELEMENTS}}
RECORD: Final = Struct((("p", INTEGER), ("q", BOOL)))

SIMPLE_TYPES: Final[tuple[Type, ...]] = (INTEGER, BOOL, S)
TYPES: Final = (
    INTEGER,
    BOOL,
    S,
    STRING,
    RECORD,
    Product(INTEGER, S),
    Power(INTEGER),
    Power(S),
    relation(S, INTEGER),
    relation(S, S),
    relation(INTEGER, BOOL),
    sequence(S),
    sequence(INTEGER),
    Power(Power(S)),
    relation(S, Power(S)),
    Power(RECORD),
)

Scope = Mapping[str, Type]
Draw = st.DrawFn
"""What hypothesis hands to a composite strategy: it draws an example of another one."""


def meanings(operator: Operator) -> tuple[Operator, ...]:
    """Return the resolved operators behind a spelling."""
    return operator.overloads or (operator,)


def _mentions(type_: Type, base: Base) -> bool:
    match type_:
        case Power(element):
            return _mentions(element, base)
        case Product(left, right):
            return _mentions(left, base) or _mentions(right, base)
        case _:
            return type_ is base


def _usable(operator: Operator) -> bool:
    """Whether random formulas use the operator freely: reals, trees and infinite sets apart."""
    signature = operator.signature
    if signature is None or operator.name in _APART:
        return False
    return not any(_mentions(t, REAL) for t in (*signature.operands, signature.result))


_INFINITE: Final = ("integers", "naturals", "positive naturals", "strings")
_SEQUENCES: Final = (
    "sequences",
    "non-empty sequences",
    "injective sequences",
    "non-empty injective sequences",
    "permutations",
)
_APART: Final = frozenset(
    {
        *_INFINITE,
        *_SEQUENCES,
        *(o.name for t in trees.OPERATORS for o in meanings(t)),
    }
)
NAMED: Final = {m.name: m for o in OPERATORS for m in meanings(o)}
USABLE: Final = tuple(m for m in NAMED.values() if _usable(m))


def fits(pattern: Type, type_: Type, found: dict[str, Type]) -> bool:
    """Whether a signature's type fits `type_`; what its variables stand for goes to `found`."""
    match pattern, type_:
        case Variable(name), _:
            return type_ != PREDICATE and found.setdefault(name, type_) == type_
        case Power(p), Power(t):
            return fits(p, t, found)
        case Product(a, b), Product(c, d):
            return fits(a, c, found) and fits(b, d, found)
        case _:
            return pattern == type_


def filled(pattern: Type, found: Mapping[str, Type]) -> Type:
    """Return a signature's type with its variables replaced."""
    match pattern:
        case Variable(name):
            return found[name]
        case Power(element):
            return Power(filled(element, found))
        case Product(left, right):
            return Product(filled(left, found), filled(right, found))
        case _:
            return pattern


def _variables(type_: Type) -> set[str]:
    match type_:
        case Variable(name):
            return {name}
        case Power(element):
            return _variables(element)
        case Product(left, right):
            return _variables(left) | _variables(right)
        case _:
            return set()


@st.composite
def expressions(draw: Draw, type_: Type, depth: int = 3, scope: Scope | None = None) -> Expr:
    """Return random formulas of a type."""
    scope = {} if scope is None else scope
    own = [Name(name) for name, t in scope.items() if t == type_]
    if own and draw(st.integers(0, 2)) == 0:
        return draw(st.sampled_from(own))
    if depth == 0:
        return draw(literals(type_))
    options = [_applied, _applied, _applied, _conditional, _let]
    options.extend(_OPTIONS.get(_kind(type_), ()))
    return draw(st.sampled_from(options))(draw, type_, depth - 1, scope)


def _kind(type_: Type) -> str:
    match type_:
        case Base.PREDICATE:
            return "predicate"
        case Base.BOOL:
            return "boolean"
        case Base.INTEGER:
            return "integer"
        case Power(Product()):
            return "relation"
        case Power():
            return "set"
        case Struct():
            return "record"
        case _:
            return "other"


@st.composite
def literals(draw: Draw, type_: Type) -> Expr:
    """Return formulas without operators."""
    match type_:
        case Base.INTEGER:
            return Number(draw(st.integers(0, 4)))
        case Base.BOOL:
            return ast.Apply(NAMED[draw(st.sampled_from(("true", "false")))])
        case Base.PREDICATE:
            sides = (draw(literals(BOOL)), draw(literals(BOOL)))
            return ast.Apply(comparison.EQUAL, sides)
        case Base.STRING:
            return ast.Text(draw(st.sampled_from(("", "a", "ab"))))
        case Given():
            return Name(draw(st.sampled_from(ELEMENTS)).name)
        case Power(Product(Base.INTEGER, element)) if draw(st.booleans()):
            return ast.SequenceDisplay(tuple(draw(st.lists(literals(element), max_size=3))))
        case Power(element):
            return ast.SetDisplay(tuple(draw(st.lists(literals(element), max_size=3))))
        case Product(left, right):
            return ast.Apply(relations.PAIR, (draw(literals(left)), draw(literals(right))))
        case Struct(fields):
            return ast.Record(tuple((name, draw(literals(t))) for name, t in fields))
        case _:
            raise AssertionError(f"no literal of {type_}")


def _applied(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    """Return a random operator that gives the type, applied."""
    fitting = [o for o in USABLE if fits(_signature(o).result, type_, {})]
    if not fitting:
        return draw(literals(type_))
    return applied(draw, draw(st.sampled_from(fitting)), type_, depth, scope)


def _signature(operator: Operator) -> Signature:
    assert operator.signature is not None
    return operator.signature


def applied(draw: Draw, operator: Operator, type_: Type, depth: int, scope: Scope) -> Expr:
    """Return `operator` applied to random operands, such that the result has the type."""
    signature = _signature(operator)
    found: dict[str, Type] = {}
    assert fits(signature.result, type_, found)
    for name in sorted({n for t in signature.operands for n in _variables(t)}):
        if name not in found:
            found[name] = draw(st.sampled_from(SIMPLE_TYPES))
    operands = [filled(t, found) for t in signature.operands]
    if operator.variadic:
        operands *= draw(st.integers(1, 3))
    args = [draw(expressions(t, depth, scope)) for t in operands]
    sets_ = [carrier(found[v.name], NOWHERE) for v in operator.carriers]
    return ast.Apply(operator, (*args, *sets_))


def _conditional(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    return ast.If(
        draw(expressions(PREDICATE, depth, scope)),
        draw(expressions(type_, depth, scope)),
        draw(expressions(type_, depth, scope)),
    )


def _let(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    small: tuple[Type, ...] = (BOOL, S)
    binder, bound = _bound(draw, scope, draw(st.sampled_from(small)))
    assert binder.type is not None
    value = draw(expressions(binder.type, depth, scope))
    equation = ast.Apply(comparison.EQUAL, (Name(binder.name), value))
    return ast.Let((binder,), equation, draw(expressions(type_, depth, bound)))


def _bound(draw: Draw, scope: Scope, type_: Type) -> tuple[Binder, dict[str, Type]]:
    binder = Binder(f"x{len(scope)}", type_)
    return binder, {**scope, binder.name: type_}


def _binders(
    draw: Draw, depth: int, scope: Scope, types: tuple[Type, ...] = SIMPLE_TYPES
) -> tuple[tuple[Binder, ...], Expr, dict[str, Type]]:
    """Return identifiers, a condition that bounds them, and the scope inside."""
    binders: list[Binder] = []
    inner = dict(scope)
    parts: list[Expr] = []
    for _ in range(draw(st.integers(1, 2))):
        binder, inner = _bound(draw, inner, draw(st.sampled_from(types)))
        binders.append(binder)
        assert binder.type is not None
        bound = draw(_small_sets(binder.type))
        parts.append(ast.Apply(comparison.MEMBER, (Name(binder.name), bound)))
    if draw(st.booleans()):
        parts.append(draw(expressions(PREDICATE, depth, inner)))
    return tuple(binders), ast.conjunction(tuple(parts)), inner


@st.composite
def _small_sets(draw: Draw, type_: Type) -> Expr:
    if type_ is INTEGER and draw(st.booleans()):
        ends = (Number(draw(st.integers(0, 2))), Number(draw(st.integers(0, 4))))
        return ast.Apply(sets.INTERVAL, ends)
    if type_ == S and draw(st.booleans()):
        return Name("S")
    return draw(literals(Power(type_)))


def _connective(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    p, q = (draw(expressions(PREDICATE, depth, scope)) for _ in range(2))
    made: tuple[Expr, ...] = (
        ast.And((p, q)),
        ast.Or((p, q)),
        ast.Not(p),
        ast.Implies(p, q),
        ast.Equivalent(p, q),
        ast.Labelled("inv", p),
    )
    return draw(st.sampled_from(made))


def _quantifier(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    binders, condition, inner = _binders(draw, depth, scope)
    body = draw(expressions(PREDICATE, depth, inner))
    if draw(st.booleans()):
        return ast.Forall(binders, ast.Implies(condition, body))
    return ast.Exists(binders, ast.And((condition, body)))


def _in_infinite(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    """Return a membership in a set that cannot be listed."""
    operator = draw(st.sampled_from((comparison.MEMBER, comparison.NOT_MEMBER)))
    if draw(st.booleans()):
        element = draw(st.sampled_from(SIMPLE_TYPES))
        base = draw(expressions(Power(element), depth, scope))
        space = ast.Apply(NAMED[draw(st.sampled_from(_SEQUENCES))], (base,))
        return ast.Apply(operator, (draw(expressions(sequence(element), depth, scope)), space))
    numbers = ast.Apply(NAMED[draw(st.sampled_from(_INFINITE[:3]))])
    return ast.Apply(operator, (draw(expressions(INTEGER, depth, scope)), numbers))


def _of_predicate(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    return ast.Bool(draw(expressions(PREDICATE, depth, scope)))


def _sum(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    quantifier = draw(st.sampled_from((Quantifier.SIGMA, Quantifier.PI)))
    binders, condition, inner = _binders(draw, depth, scope)
    return ast.Quantified(quantifier, binders, condition, draw(expressions(INTEGER, 0, inner)))


def _call(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    source = draw(st.sampled_from(SIMPLE_TYPES))
    function = draw(expressions(relation(source, type_), depth, scope))
    return ast.Call(function, (draw(expressions(source, depth, scope)),))


def _gathered(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    quantifier = draw(st.sampled_from((Quantifier.UNION, Quantifier.INTER)))
    binders, condition, inner = _binders(draw, depth, scope)
    return ast.Quantified(quantifier, binders, condition, draw(expressions(type_, depth, inner)))


def _display(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    assert isinstance(type_, Power)
    items = st.lists(expressions(type_.element, depth, scope), max_size=3)
    return ast.SetDisplay(tuple(draw(items)))


def _comprehension(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    assert isinstance(type_, Power)
    if type_.element in SIMPLE_TYPES and draw(st.booleans()):
        binder, inner = _bound(draw, scope, type_.element)
        bound = ast.Apply(comparison.MEMBER, (Name(binder.name), draw(_small_sets(type_.element))))
        test = draw(expressions(PREDICATE, depth, inner))
        return ast.Comprehension((binder,), ast.And((bound, test)))
    binders, condition, inner = _binders(draw, depth, scope)
    value = draw(expressions(type_.element, depth, inner))
    return ast.Comprehension(binders, condition, value)


def _lambda(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    assert isinstance(type_, Power)
    assert isinstance(type_.element, Product)
    source, target = type_.element.left, type_.element.right
    if source not in SIMPLE_TYPES:
        return _display(draw, type_, depth, scope)
    binder, inner = _bound(draw, scope, source)
    condition = ast.Apply(comparison.MEMBER, (Name(binder.name), draw(_small_sets(source))))
    return ast.Lambda((binder,), condition, draw(expressions(target, depth, inner)))


def _field(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    name = next((name for name, t in RECORD.fields if t == type_), None)
    if name is None:
        return _applied(draw, type_, depth, scope)
    return ast.Field(draw(expressions(RECORD, depth, scope)), name)


def _record(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    assert isinstance(type_, Struct)
    return ast.Record(tuple((name, draw(expressions(t, depth, scope))) for name, t in type_.fields))


def _records(draw: Draw, type_: Type, depth: int, scope: Scope) -> Expr:
    if type_ != Power(RECORD):
        return _display(draw, type_, depth, scope)
    return ast.RecordSet(
        tuple((name, draw(expressions(Power(t), depth, scope))) for name, t in RECORD.fields)
    )


_OPTIONS: Final[Mapping[str, tuple[Any, ...]]] = {
    "predicate": (_connective, _connective, _quantifier, _in_infinite),
    "boolean": (_of_predicate, _call, _field),
    "integer": (_sum, _call, _field),
    "set": (_display, _comprehension, _gathered, _records),
    "relation": (_display, _comprehension, _lambda, _lambda),
    "record": (_record,),
    "other": (_call,),
}
