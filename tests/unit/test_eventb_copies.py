"""Carrier sets that are copies of other sets, and functions that are defined point by point."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.system.answer import Decided, Evaluated
from secateur.system.system import PropertyKind


def load(tmp_path: Path, text: str, **options: dict[str, int]) -> secateur.Model:
    """Return the model of a text with a context C and perhaps a machine."""
    file = tmp_path / "C.eventb"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file, **options)  # type: ignore[arg-type]


def context(constants: str, *axioms: str, sets: str = "S") -> str:
    """Return a context."""
    lines = "\n".join(f"  @axm{i} {axiom}" for i, axiom in enumerate(axioms, 1))
    return f"CONTEXT C\nSETS {sets}\nCONSTANTS {constants}\nAXIOMS\n{lines}\nEND\n"


RECORDS = context(
    "make flag number change",
    "make ∈ BOOL × ℤ ⤖ S",
    "flag ∈ S → BOOL",
    "number ∈ S → ℤ",
    "∀a,b·a ∈ BOOL ∧ b ∈ ℤ ⇒ flag(make(a ↦ b)) = a",
    "∀a,b·⊤ ⇒ number(make(a ↦ b)) = b",
    "change ∈ S × BOOL → S",
    "∀s,a·⊤ ⇒ change(s ↦ a) = make(a ↦ number(s))",
)


def test_records_are_tuples(tmp_path: Path) -> None:
    model = load(tmp_path, RECORDS)
    assert not model.typed.sets
    assert any("carrier set S is taken for BOOL * INTEGER" in note for note in model.typed.notes)
    assert not model.typed.assumptions
    for formula in (
        "flag(make(TRUE ↦ 5)) = TRUE",
        "number(change(make(TRUE ↦ 500) ↦ FALSE)) = 500",
        "change(make(TRUE ↦ 7) ↦ FALSE) = make(FALSE ↦ 7)",
    ):
        answer = model.evaluate(formula)
        assert isinstance(answer, Decided)
        assert answer.truth


def test_types_that_are_written_down_follow(tmp_path: Path) -> None:
    """As in the files that Rodin has checked."""
    axioms = ("f ∈ BOOL × T ⤖ S", "∀x⦂S·x = c ⇒ x ∈ S", "(∅⦂ℙ(S × S))[{c}] = ∅")
    model = load(tmp_path, context("f c", *axioms, sets="S T"))
    assert [s.name for s in model.typed.sets] == ["T"]
    assert model.check(all=True).exhaustive


def test_a_set_may_be_as_large_as_a_number_says(tmp_path: Path) -> None:
    model = load(tmp_path, context("f n", "n ∈ 2‥3", "f ∈ 1‥n ⤖ S", "n = card(S)"))
    result = model.check(all=True)
    assert result.exhaustive
    assert result.statistics.states == 4


def test_who_says_how_large_a_set_is_gets_that(tmp_path: Path) -> None:
    text = context("f n", "n ∈ 2‥3", "f ∈ 1‥n ⤖ S")
    model = load(tmp_path, text, set_sizes={"S": 3})
    assert model.typed.sets[0].elements == ("S1", "S2", "S3")


@pytest.mark.parametrize(
    "more",
    [
        "∀x·x = f(1) ∨ x ≠ f(1)",  # x ranges over S, and does not say so
        "{x ∣ x = f(1)} ≠ ∅",
        "f;id ≠ ∅",  # the identity on S
        "partition(S, {f(1)}, {f(2)})",
    ],
)
def test_what_ranges_over_a_set_unsaid_keeps_it(tmp_path: Path, more: str) -> None:
    model = load(tmp_path, context("f n", "n ∈ 2‥3", "f ∈ 1‥n ⤖ S", more))
    assert [s.name for s in model.typed.sets] == ["S"]


def test_constants_stay_in_the_set(tmp_path: Path) -> None:
    text = context("f n c", "n ∈ 2‥3", "f ∈ 1‥n ⤖ S", "c ≠ f(1)")
    result = load(tmp_path, text).check(all=True)
    assert result.exhaustive
    assert result.statistics.operations["SETUP_CONSTANTS"] == 1 + 2  # c is 2; or it is 2 or 3


def test_parameters_that_are_no_set_are_left_alone(tmp_path: Path) -> None:
    text = context("f", "f ∈ S ⤖ 1‥3")
    assert load(tmp_path, text).typed.sets[0].elements == ("S1", "S2", "S3")


def test_a_function_on_all_numbers_is_found(tmp_path: Path) -> None:
    text = context("square", "square ∈ ℕ → ℕ", "∀n·n ∈ ℕ ⇒ square(n) = n ∗ n")
    answer = load(tmp_path, text).evaluate("square(1000)")
    assert isinstance(answer, Evaluated)
    assert answer.value == 1_000_000


@pytest.mark.parametrize(
    "axiom",
    [
        "∀n·n ∈ 1‥2 ⇒ f(n) = n",  # not everywhere
        "∀n·n ∈ 0‥2 ∧ n > 0 ⇒ f(n) = n",
        "∀n·n ∈ 0‥2 ⇒ f(2 − n) = n",  # not at n
        "∀n·n ∈ 0‥2 ⇒ f(n) = f(n)",  # of itself
    ],
)
def test_other_equations_are_not_taken_for_definitions(tmp_path: Path, axiom: str) -> None:
    model = load(tmp_path, context("f", "f ∈ 0‥2 → 0‥2", axiom))
    wanted = {
        "∀n·n ∈ 1‥2 ⇒ f(n) = n": 3,
        "∀n·n ∈ 0‥2 ∧ n > 0 ⇒ f(n) = n": 3,
        "∀n·n ∈ 0‥2 ⇒ f(2 − n) = n": 1,
        "∀n·n ∈ 0‥2 ⇒ f(n) = f(n)": 27,
    }
    result = model.check(all=True)
    assert result.statistics.operations["SETUP_CONSTANTS"] == wanted[axiom]


def test_what_cannot_be_decided_is_assumed_by_name(tmp_path: Path) -> None:
    """Also if a conjunct before it is still waiting for its constants."""
    text = context("f g", "f = (λx·x ∈ ℕ ∣ x ∗ x)", "g = (λx·x ∈ ℕ ∣ x)", "∀n·n ∈ ℕ ⇒ f(n) = n ∗ n")
    result = load(tmp_path, text).check(all=True)
    assert result.statistics.states == 2
    assert not result.exhaustive
    assert any("is assumed" in reason for reason in result.reasons)
    assert {v.kind for v in result.violations} == {PropertyKind.DEADLOCK}
