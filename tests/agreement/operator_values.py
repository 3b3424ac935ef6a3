"""Random small values of every type, and what stands in for the type variables."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from secateur.maths.operators.protocol import Operator, Signature
from secateur.maths.types import Base, DataType, Given, Power, Product, Struct, Type, Variable
from secateur.maths.values import Element, Value

COLOURS = tuple(Element(i, f"c{i}", "COLOUR") for i in range(3))

VARIABLES: dict[str, SearchStrategy[Value]] = {
    "A": st.sampled_from(COLOURS),
    "B": st.integers(-1, 2),
    "C": st.booleans(),
    "D": st.sampled_from(("a", "b")),
}
CARRIERS: dict[str, frozenset[Value]] = {"A": frozenset(COLOURS)}


def values(type_: Type) -> SearchStrategy[Value]:
    """Return random values of a type."""
    match type_:
        case Variable(name):
            return VARIABLES[name]
        case Base.INTEGER:
            return st.integers(-3, 5)
        case Base.BOOL:
            return st.booleans()
        case Base.STRING:
            return st.text("abc", max_size=3)
        case Base.REAL:
            return st.integers(-8, 8).map(lambda n: n / 4)
        case Power(Product(Base.INTEGER, Base.INTEGER)):
            return st.one_of(paths(), sequences(Base.INTEGER), sets(type_.element))
        case Power(Product(Base.INTEGER, right)):
            return st.one_of(sequences(right), sets(type_.element))
        case Power(Product(Power(Product(Base.INTEGER, Base.INTEGER)), label)):
            return st.one_of(trees(label), trees(label), sets(type_.element))
        case Power(element):
            return sets(element)
        case Product(left, right):
            return st.tuples(values(left), values(right))
        case Base.PREDICATE | Given() | Struct() | DataType():
            raise AssertionError(f"no operator takes {type_}")


def sets(element: Type) -> SearchStrategy[Value]:
    """Return random small sets."""
    return st.frozensets(values(element), max_size=4)


def sequences(element: Type) -> SearchStrategy[Value]:
    """Return random short sequences, as sets of pairs."""
    return st.lists(values(element), max_size=3).map(lambda items: frozenset(enumerate(items, 1)))


def paths() -> SearchStrategy[Value]:
    """Return random short sequences of small numbers: likely nodes of a tree."""
    branches = st.lists(st.integers(1, 2), max_size=2)
    return branches.map(lambda items: frozenset(enumerate(items, 1)))


def trees(label: Type) -> SearchStrategy[Value]:
    """Return random small trees, as sets of pairs of nodes and labels."""
    leaf = values(label).map(_node)
    shapes = st.recursive(leaf, lambda sub: st.builds(_node, values(label), sub, sub), max_leaves=4)
    return shapes.map(_tree)


def _node(label: Value, *sons: dict[tuple[int, ...], Value]) -> dict[tuple[int, ...], Value]:
    result: dict[tuple[int, ...], Value] = {(): label}
    for i, son in enumerate(sons, 1):
        result.update({(i, *node): below for node, below in son.items()})
    return result


def _tree(labels: dict[tuple[int, ...], Value]) -> frozenset[Value]:
    return frozenset((frozenset(enumerate(node, 1)), label) for node, label in labels.items())


def operands(operator: Operator) -> SearchStrategy[tuple[Value, ...]]:
    """Return random operands for an operator, the carriers it wants included."""
    assert operator.signature is not None
    types: tuple[Type, ...] = operator.signature.operands
    if operator.variadic:
        return st.lists(values(types[0]), min_size=1, max_size=4).map(tuple)
    carriers = [st.just(CARRIERS[variable.name]) for variable in operator.carriers]
    return st.tuples(*map(values, types), *carriers)


def meanings(operator: Operator) -> tuple[Operator, ...]:
    """Return the operators that a spelling may stand for."""
    return operator.overloads or (operator,)


def signature_of(operator: Operator) -> Signature:
    """Return the signature of a resolved operator."""
    assert operator.signature is not None
    return operator.signature
