"""Event-B's mathematical language, in Unicode and in ASCII."""

from __future__ import annotations

import pytest

from secateur.lang.eventb.parse_formula import parse_action, parse_formula
from secateur.maths import ast
from secateur.maths.ast import Apply, Before, Expr, Name
from secateur.maths.operators import integers, relations, sets
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch
from secateur.source import InputError, Source


def formula(text: str) -> Expr:
    """Parse a formula."""
    return parse_formula(Source("f", text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("∀x,y·x∈ℕ∧y∈ℤ⇒x≤y", "!x,y.x:NAT & y:INT => x<=y"),
        ("∃x·x∉S∨x⊆T", "#x.x/:S or x<:T"),
        ("f \ue103 {a ↦ b} ∈ A ⇸ B", "f <+ {a|->b} : A +-> B"),
        ("S ◁ f ▷ T", "S <| f |> T"),
        ("S ⩤ f", "S <<| f"),
        ("f ⩥ T", "f |>> T"),
        ("λx·x∈ℕ∣x+1", "%x.x:NAT|x+1"),
        ("{x·x∈S∣x↦y}", "{x.x:S|x|->y}"),
        ("⋃x·x∈S∣f(x)", "UNION x.x:S|f(x)"),
        ("A × B ⤖ ℙ1(C)", "A ** B >->> POW1(C)"),
        ("f;g", "g circ f"),
        ("g∘f", "f;g"),
        ("p ⊗ q", "p >< q"),
        ("p ∥ q", "p || q"),
        ("r∼[S]", "r~[S]"),
        ("1‥n ∖ {0}", "1..n \\ {0}"),
        ("a−b∗c÷d", "a-((b*c)/d)"),
        ("−x mod 2", "-(x mod 2)"),
        ("2^3", "(2)^(3)"),
        ("a ↦ b ∪ c", "a |-> (b \\/ c)"),
        ("A ∪ B → C", "(A \\/ B) --> C"),
        ("a+1‥b", "(a+1)..b"),
        ("¬x=1 ∧ y=2", "(not (x=1)) & y=2"),
        ("x=1 ∧ y=2 ⇒ z=3", "(x=1 & y=2) => z=3"),
        ("∀x·x=1 ⇒ y=2", "∀x·(x=1 ⇒ y=2)"),
        ("⊤", "true"),
        ("A \ue100 B", "A <<-> B"),
        ("{x,y·x=y∣x↦y}", "{x↦y∣x=y}"),
    ],
)
def test_spellings_and_priorities(one: str, other: str) -> None:
    """Two ways to write one formula."""
    assert formula(one) == formula(other)


def test_numbers_have_no_bounds() -> None:
    """NAT, NAT1 and INT are the infinite sets."""
    names = [formula(text).operator.name for text in ("NAT", "NAT1", "INT")]  # type: ignore[union-attr]
    assert names == ["naturals", "positive naturals", "integers"]


def test_minus_is_on_numbers_only() -> None:
    """No operator of Event-B has two meanings."""
    found = formula("a - b")
    assert isinstance(found, Apply)
    assert found.operator is integers.SUBTRACT


def test_comprehension_of_its_identifiers() -> None:
    """A set of the bound identifiers themselves needs no expression."""
    found = formula("{x·x∈S∣x}")
    assert isinstance(found, ast.Comprehension)
    assert found.value is None


def test_the_identifiers_of_the_expression_are_bound() -> None:
    """`{E | P}` binds what is free in E."""
    found = formula("{x+y∣x∈y‥z}")
    assert isinstance(found, ast.Comprehension)
    assert [b.name for b in found.binders] == ["x", "y"]


def test_a_nested_pattern_is_a_set_of_pairs() -> None:
    """A pattern that is not paired from the left is no plain function."""
    found = formula("λx↦(y↦z)·x∈S∣y")
    assert isinstance(found, ast.Comprehension)
    assert found.value is not None
    assert isinstance(formula("λx↦y·x∈S∣y"), ast.Lambda)


def test_types_in_the_text() -> None:
    """Checked files type bound identifiers and empty sets."""
    found = formula("∀x⦂ℙ(S×ℤ),y⦂A×BOOL·x=y")
    assert isinstance(found, ast.Forall)
    assert [str(b.type) for b in found.binders] == ["POW(S*INTEGER)", "A*BOOL"]
    empty = formula("r ∩ (∅ ⦂ ℙ(S))")
    assert isinstance(empty, Apply)
    assert empty.operator is sets.INTERSECTION


@pytest.mark.parametrize(
    "text",
    [
        "a=1 ∧ b=1 ∨ c=1",
        "a=1 ⇒ b=1 ⇒ c=1",
        "a=1 ⇔ b=1 ⇒ c=1",
        "{1∣x=1}",
        "λx+1·x=1∣x",
        "x +",
        "x y",
    ],
)
def test_what_is_ambiguous_or_broken_is_refused(text: str) -> None:
    """Rodin wants parentheses between connectives of one level, and so do we."""
    with pytest.raises(InputError) as caught:
        formula(text)
    assert caught.value.diagnostics[0].span is not None


def action(text: str) -> object:
    """Parse an action."""
    return parse_action(Source("a", text))


def test_assignments() -> None:
    """Several variables at once; one element of a function."""
    assert action("x,y ≔ 1,2") == action("x, y := 1, 2")
    found = action("f(x) ≔ 1")
    assert isinstance(found, Assign)
    value = found.values[0]
    assert isinstance(value, Apply)
    assert value.operator is relations.OVERWRITE
    assert isinstance(action("x :∈ S"), BecomesElement)


def test_old_and_new_values() -> None:
    """The primed variable is the target, the plain one its old value."""
    found = action("x :∣ x' > x + y")
    assert isinstance(found, BecomesSuch)
    assert isinstance(found.condition, Apply)
    new, rest = found.condition.args
    assert new == Name("x")
    assert isinstance(rest, Apply)
    assert rest.args == (Before("x"), Name("y"))


def test_a_bound_identifier_is_no_old_value() -> None:
    """Binders hide the variable, and do not capture its new value."""
    found = action("x :∣ ∀x·x < x'")
    assert isinstance(found, BecomesSuch)
    assert isinstance(found.condition, ast.Forall)
    binder = found.condition.binders[0].name
    assert found.condition.body.args == (Name(binder), Name("x"))  # type: ignore[union-attr]
    assert binder != "x"


@pytest.mark.parametrize("text", ["x ≔ 1,2", "x = 1", "1 ≔ 2", "x, f(y) ≔ 1, 2"])
def test_what_is_no_action(text: str) -> None:
    """Only variables and single elements of functions change."""
    with pytest.raises(InputError):
        action(text)
