"""Runs that have ended stay in their last state for ever, if the model says so.

The definition is a model with a step that stays, where there is no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path as File
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur.app.model import Model
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.native.available import why_not_native
from secateur.lang.lower import MachineSystem, lower
from secateur.lang.registry import load
from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.automaton import Automaton, is_simple
from secateur.ltl.formula import Formula, atoms
from secateur.ltl.parse import parse_ltl
from secateur.ltl.path import Path, satisfied
from secateur.ltl.tableau import Tableau
from secateur.system.system import Outgoing, State, Step, Transition
from tests.agreement.temporal_machines import random_formula, random_machine
from tests.effort import recursion_limit_kept

STAY = Step("stay where it is")
ABOUT_ENDS = ("deadlock", "sink")
"""Atoms that can tell a step that stays from none."""


class Staying(MachineSystem):
    """A machine that can always do something."""

    def successors(self, state: State) -> Iterator[Outgoing]:
        found = list(super().successors(state))
        yield from found or [Transition(STAY, state)]


def _judged(model: Model, formula: str, manner: Manner) -> bool | None:
    (found,) = model.temporal([Claim(formula, "ltl", formula)], manner=manner)
    assert not found.errors, (formula, found.errors)
    return found.holds


def _compare(folder: File, seed: int) -> None:
    random = Random(seed)
    text = random_machine(random)
    path = folder / "Random.mch"
    path.write_text(text)
    typed = load(path)
    staying = Model(typed, Staying(typed), {})
    stuttering = replace(typed, stutters=True)
    model = Model(stuttering, lower(stuttering), {})
    manners = [
        Manner(por="none", native=False),
        Manner(por="stubborn", native=False),
        Manner(engine="symbolic"),
    ]
    if why_not_native() is None:
        manners += [Manner(por="none", native=True), Manner(por="stubborn", native=True)]
    for _ in range(4):
        formula = random_formula(random, text)
        if any(word in formula for word in ABOUT_ENDS):
            continue
        expected = _judged(staying, formula, Manner(por="none", native=False))
        for manner in manners:
            found = _judged(model, formula, manner)
            if expected is not None and found is not None:
                assert found is expected, f"{seed} {formula} {manner}\n{text}"


@given(st.integers(0, 1_000_000))
@settings(
    deadline=None,
    max_examples=max(10, settings().max_examples // 5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_engines_agree_with_a_step_that_stays(tmp_path: File, seed: int) -> None:
    with recursion_limit_kept():
        _compare(tmp_path, seed)


TEXTS = ("G {p}", "F {p}", "X {p}", "{p} U {q}", "G F {p}", "F G ({p} or {q})", "X X {p} & F {q}",
         "Y {p}", "X Y {p}", "O {p}", "G(Y {p} => {q})", "F(Y Y {p} & {q})", "{p} S {q}",
         "F({p} S {q})", "Y(X {p})", "H(F {p})", "G({p} => X {q})", "{p} W X {q}", "G O(X {p})",
         "not X not {p}", "{p} R {q}", "O(G {p})", "X(X {p} or Y(Y {q}))")  # fmt: skip


def _ends_well(tableau: Tableau | Automaton, letters: list[dict[Atom, bool]]) -> bool:
    places = {(tableau.start, 0)}
    for letter in letters[:-1]:
        code = tableau.letter(letter)
        places = {
            (p.promise, p.memory) for place in places for p in tableau.positions(code, *place)
        }
    return any(tableau.ends(tableau.letter(letters[-1]), *place) for place in places)


def _formula(text: str) -> Formula:
    return parse_ltl(text).formula


@given(
    st.sampled_from(TEXTS),
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5),
)
def test_a_last_letter_comes_again_and_again(text: str, word: list[tuple[bool, bool]]) -> None:
    formula = _formula(text)
    used = {a.text: a for a in atoms(formula) if a.kind is Kind.PREDICATE}
    letters = [{atom: p if name == "p" else q for name, atom in used.items()} for p, q in word]
    for stutters in (False, True):
        expected = satisfied(formula, Path(letters, len(letters) - 1 if stutters else None))
        assert _ends_well(Tableau(formula, stutters=stutters), letters) is expected
        if is_simple(formula):
            assert _ends_well(Automaton(formula, stutters=stutters), letters) is expected


ENDING = """MACHINE M VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS Up = SELECT x < 2 THEN x := x + 1 END END"""


@pytest.mark.parametrize(
    ("formula", "ended", "for_ever"),
    [
        ("G X {1 = 1}", False, True),
        ("F G {x = 2}", True, True),
        ("G F {x = 2}", True, True),
        ("G({x = 2} => X {x = 2})", False, True),
        ("G({x = 2} => X {x = 1})", False, False),
        ("F unchanged({x})", False, True),
        ("F X {x = 0}", False, False),
    ],
)
def test_what_is_said_of_a_run_that_ends(
    tmp_path: File, formula: str, ended: bool, for_ever: bool
) -> None:
    path = tmp_path / "M.mch"
    path.write_text(ENDING)
    for stutters, expected in ((False, ended), (True, for_ever)):
        typed = replace(load(path), stutters=stutters)
        model = Model(typed, lower(typed), {})
        for manner in (Manner(native=False), Manner(), Manner(engine="symbolic")):
            assert _judged(model, formula, manner) is expected
