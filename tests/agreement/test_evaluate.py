"""The evaluator agrees with the naive oracle on random small formulas."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from secateur.maths.ast import Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.universe import Universe
from secateur.maths.print import show
from secateur.maths.types import PREDICATE, Type
from secateur.maths.values import IllDefined, SymbolicSet
from tests.effort import fewer
from tests.naive.evaluator import Naive, TooLarge
from tests.naive.expressions import NAMES, SETS, TYPES, USABLE, applied, expressions, fits

UNIVERSE = Universe({name: frozenset(elements) for name, elements in SETS.items()}, NAMES)


def _value(e: Expr) -> Any:
    """Return the value of `e`, None if it is ill-defined."""
    compiler = Compiler(UNIVERSE)
    code = compiler.code(e)
    env = compiler.environment(object())
    try:
        value = code(env)
        value = value.expand() if isinstance(value, SymbolicSet) else value
    except IllDefined:
        return None
    assert not env[GAPS], "everything is bounded"
    return value


def _agree(e: Expr) -> None:
    oracle = Naive(SETS, NAMES)
    try:
        expected = oracle.value(e, {})
    except IllDefined:
        expected = None
    except TooLarge:
        assume(False)
    found = _value(e)
    assert found == expected, show(e)


@pytest.mark.parametrize("type_", [PREDICATE, *TYPES], ids=str)
def test_formulas(type_: Type) -> None:
    @given(expressions(type_))
    def check(e: Expr) -> None:
        _agree(e)

    check()


def _results() -> list[tuple[str, Type]]:
    found: list[tuple[str, Type]] = []
    for operator in USABLE:
        assert operator.signature is not None
        pattern = operator.signature.result
        fitting = [t for t in (PREDICATE, *TYPES) if fits(pattern, t, {})]
        found.extend((operator.name, t) for t in fitting[:2])
    return found


@pytest.mark.parametrize(("name", "type_"), _results(), ids=str)
def test_every_operator_on_formulas(name: str, type_: Type) -> None:
    operator = next(o for o in USABLE if o.name == name)

    @st.composite
    def formulas(draw: Any) -> Expr:
        return applied(draw, operator, type_, 2, {})

    @fewer(5)
    @given(formulas())
    def check(e: Expr) -> None:
        _agree(e)

    check()
