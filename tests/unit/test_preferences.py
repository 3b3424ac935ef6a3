"""ProB's preferences and special definitions: each is known, and something is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.lang.b.preferences import HONOURED, NOT_NEEDED, OTHERWISE, canonical, preference_notes
from secateur.lang.b.specials import SPECIAL, is_special
from tools.probcli_page import PAGE, filled

# What USERS of ProB set, by the documentation of ProB and the models that are public.
SET = """
    MAXINT MININT DEFAULT_SETSIZE MAX_INITIALISATIONS MAX_OPERATIONS TIME_OUT SYMMETRY_MODE POR PGE
    COMPRESSION OPERATION_REUSE PROOF_INFO IGNORE_HASH_COLLISIONS FORGET_STATE_SPACE SYMBOLIC CLPFD SMT
    CHR CSE KODKOD SMT_SUPPORTED_INTERPRETER TRY_FIND_ABORT EXPAND_CLOSURES_FOR_STATE
    SHOW_EVENTB_ANY_VALUES NUMBER_OF_ANIMATED_ABSTRACTIONS ALLOW_INCOMPLETE_SETUP_CONSTANTS
    ALLOW_LOCAL_OPERATION_CALLS ALLOW_SIMULTANEOUS_ASSIGNMENTS RANDOMISE_OPERATION_ORDER
    RANDOMISE_ENUMERATION_ORDER MAX_DISPLAY_SET DOT_LOOPS TLC_WORKERS TLC_USE_PROB_CONSTANTS LTSMIN
    STORE_DETAILED_TRANSITION_INFOS use_pge use_static_symmetry_detection maxInt
"""


def test_no_name_is_in_two_tables() -> None:
    names = [*HONOURED, *OTHERWISE, *NOT_NEEDED]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", SET.split())
def test_what_users_set_is_known(name: str) -> None:
    (known,) = canonical({name: "1"})
    assert known in HONOURED or known in OTHERWISE or known in NOT_NEEDED


def test_notes() -> None:
    wanted = {
        "CLPFD": "TRUE",
        "MAX_OPERATIONS": "3",
        "KODKOD": "TRUE",
        "MAXOPERATIONS": "3",
        "X": "1",
    }
    assert preference_notes(wanted) == [
        "preference MAX_OPERATIONS: not truncated: all instances of an operation are computed",
        "there is no preference MAXOPERATIONS, it has no effect: did you mean MAX_OPERATIONS?",
        "there is no preference X, it has no effect",
        "preferences ignored, not needed here: CLPFD, KODKOD",
    ]
    assert not preference_notes({"MAXINT": "3"})


def test_other_names_are_honoured(tmp_path: Path) -> None:
    path = tmp_path / "M.mch"
    path.write_text("MACHINE M SETS S DEFINITIONS SET_PREF_globalsetsize == 4 END")
    assert len(secateur.load(path).typed.sets[0].elements) == 4
    more = secateur.load(path, preferences={"default_setsize": "5"})
    assert len(more.typed.sets[0].elements) == 5


@pytest.mark.parametrize(
    "name",
    [
        "GOAL",
        "SCOPE",
        "scope_S",
        "SET_PREF_X",
        "HEURISTIC_FUNCTION1",
        "MAX_OPERATIONS_op",
        "OPERATION_REUSE_OFF_op",
        "FORCE_SYMMETRY_S",
        "ASSERT_LTL2",
        "ASSERT_CTL",
        "ANIMATION_FUNCTION_DEFAULT",
        "ANIMATION_IMG1",
        "CUSTOM_GRAPH",
        "CUSTOM_GRAPH_NODES1",
        "VISB_JSON_FILE",
        "VISB_SVG_OBJECTS",
        "SEQUENCE_CHART_X",
        "GAME_OVER",
        "GAME_PLAYER",
        "GAME_MCTS_RUNS",
        "SHIELD_INTERVENTION",
        "PROB_REQUIRED_VERSION",
    ],
)
def test_special_definitions_are_known(name: str) -> None:
    assert is_special(name)


def test_definitions_without_effect_are_told(tmp_path: Path) -> None:
    path = tmp_path / "M.mch"
    path.write_text(
        "MACHINE M SETS S DEFINITIONS FORCE_SYMMETRY_S == TRUE; MAX_OPERATIONS_op == 3 END"
    )
    assert list(secateur.load(path).typed.notes) == [
        f"definition FORCE_SYMMETRY_S: {SPECIAL['FORCE_SYMMETRY_*']}",
        f"definition MAX_OPERATIONS_op: {SPECIAL['MAX_OPERATIONS_*']}",
    ]


def test_the_page_is_current() -> None:
    """`python -m tools.probcli_page` writes its tables."""
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page
