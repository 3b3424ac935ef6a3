"""Least fixed points that are a transitive closure."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.fixpoints import closures_in
from secateur.lang.eventb.parse_formula import parse_formula
from secateur.maths.ast import Apply, Expr, Name, rebuild
from secateur.maths.operators.eventb import WHOLE_TYPE
from secateur.maths.operators.relations import CLOSURE1
from secateur.source import Source


def fixed_point(value: str, more: str = "", domain: str = "ℙ(whole × whole)") -> Expr:
    """Return `inter({s ∣ F(s) ⊆ s})`; `whole` stands for the type of r's elements."""
    step = f"(λs·s ∈ {domain} ∣ {value})"
    more = more.replace("F", step)
    return _typed(parse_formula(Source("formula", f"inter({{s ∣ {more}{step}(s) ⊆ s}})")))


def _typed(e: Expr) -> Expr:
    if e == Name("whole"):
        return Apply(WHOLE_TYPE, (Name("r"),))
    return rebuild(e, _typed)


@pytest.mark.parametrize(
    ("value", "more"),
    [
        ("r ∪ (s ; r)", ""),
        ("r ∪ (r ; s)", ""),
        ("(s ; r) ∪ r", "s ∈ dom(F) ∧ "),
    ],
)
def test_a_closure_is_recognised(value: str, more: str) -> None:
    assert closures_in(fixed_point(value, more)) == Apply(CLOSURE1, (Name("r"),))


@pytest.mark.parametrize(
    ("value", "more", "domain"),
    [
        ("r ∪ (s ; q)", "", "ℙ(whole × whole)"),
        ("r ∪ (s ; s)", "", "ℙ(whole × whole)"),
        ("s ∪ (s ; s)", "", "ℙ(whole × whole)"),
        ("r ∩ (s ; r)", "", "ℙ(whole × whole)"),
        ("r ∪ (s ; r)", "", "ℙ(a × a)"),  # r may be more than that
        ("r ∪ (s ; r)", "s ≠ ∅ ∧ ", "ℙ(whole × whole)"),
        ("r ∪ (s ; r)", "s ∈ dom(g) ∧ ", "ℙ(whole × whole)"),
    ],
)
def test_anything_else_is_left_alone(value: str, more: str, domain: str) -> None:
    formula = fixed_point(value, more, domain)
    assert closures_in(formula) == formula
