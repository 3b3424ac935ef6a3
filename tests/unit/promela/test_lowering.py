"""Programs through the real front end and engine: states, transitions and verdicts are Spin's."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.promela.courses import Course
from secateur.lang.promela.paths import Paths
from tests.naive.promela import stable
from tests.unit.promela.explored import Explored, explored
from tests.unit.promela.models import program_of

_HERE = Path(__file__).parent


def _blocks(name: str) -> list[tuple[str, str]]:
    text = (_HERE / name).read_text(encoding="utf-8")
    parted = (block.strip().partition("\n") for block in text.split("\n== ")[1:])
    return [(title, body) for title, _, body in parted]


def _counted() -> list[object]:
    """Return the programs of `counts_of_spin.txt`: text, states, transitions, whether there are errors."""
    cases: list[object] = []
    for title, body in _blocks("counts_of_spin.txt"):
        lines = body.splitlines()
        text = "\n".join(line for line in lines if line[:4] not in ("dfs ", "bfs "))
        (counts,) = (line for line in lines if line.startswith("dfs "))
        stored, matched, _, errors = map(int, counts.split()[1:])
        cases.append(pytest.param(text, stored, stored + matched, errors > 0, id=title))
    return cases


def _constructs() -> list[object]:
    """Return the programs of `constructs_of_spin.txt`: text, and what is found."""
    cases: list[object] = []
    for title, body in _blocks("constructs_of_spin.txt"):
        text, _, found = body.rpartition("\n")
        states, transitions, *kinds = found.split()[1:]
        expected = Explored(int(states), int(transitions), frozenset(kinds))
        cases.append(pytest.param(text, expected, id=title))
    return cases


@pytest.mark.parametrize(("text", "states", "transitions", "wrong"), _counted())
def test_what_is_counted_is_what_spin_counts(
    tmp_path: Path, text: str, states: int, transitions: int, wrong: bool
) -> None:
    found = explored(tmp_path, text)
    assert (found.states, found.transitions) == (states, transitions)
    assert bool(found.kinds) == wrong


@pytest.mark.parametrize(("text", "expected"), _constructs())
def test_construct(tmp_path: Path, text: str, expected: Explored) -> None:
    assert explored(tmp_path, text) == expected


@pytest.mark.parametrize(
    "creating",
    [
        "p = (n == 0 -> run C(1) : 0)",
        "p = (n == 0 && run C(1)) + 2; assert(n != 5 || run C(3))",
        "assert(n == 5 && run C(1))",
        'atomic { p = (n == 5 || run C(2)); printf("%d", (n == 5 -> run C(p) : p)) }',
    ],
)
def test_a_process_is_created_only_where_that_is_come_to(tmp_path: Path, creating: str) -> None:
    # Spin's verifier takes the creation back even where there was none.
    text = f"""
    byte n; int p; proctype C(byte k) {{ n = n + k }}
    active proctype D() {{ n = 5; n = 0 }}
    active proctype E() {{ {creating}; p = 7 }}
    """
    naive = stable(program_of(text))
    found = explored(tmp_path, text)
    assert (found.states, found.transitions) == (naive.stored, naive.stored + naive.matched)
    assert bool(found.kinds) == bool(naive.errors)


_MADE = "chan g = [1] of {chan}; proctype M() { chan l = [%s] of {byte}; g!l; %s }"


@pytest.mark.parametrize(
    "text",
    [
        _MADE % (0, "skip") + "init { chan d; run M(); g?d; end: d!1 }",
        _MADE % (2, "skip") + "init { chan d; byte r; run M(); g?d; _nr_pr == 1; d!1; d?r }",
        _MADE % (0, "if :: l?_ :: true fi")
        + "init { chan d; byte r; run M(); g?d; if :: d?r :: d!1 :: _nr_pr == 1 fi }",
        _MADE
        % (2, "l?_")
        + "proctype K(chan d) { byte r; d!1; d!2 } init { chan d; byte r; run M(); g?d; run K(d);"
        " _nr_pr == 1; if :: d?r :: empty(d) :: len(d) == 0 fi }",
        """
        chan srv = [1] of {chan};
        proctype Cl() { chan me = [1] of {byte}; srv!me; if :: me?_ :: skip fi }
        active proctype S() { chan w; end: do :: srv?w -> w!1 od }
        init { run Cl(); run Cl() }
        """,
    ],
)
def test_a_channel_is_gone_with_its_process(tmp_path: Path, text: str) -> None:
    naive = stable(program_of(text))
    found = explored(tmp_path, text)
    assert naive.errors["uninitialized channel"]
    assert "welldefinedness" in found.kinds
    assert (found.states, found.transitions) == (naive.stored, naive.stored + naive.matched)


def test_a_channel_is_no_other_that_is_made_later(tmp_path: Path) -> None:
    # Spin gives the number of the one that is gone to the next, which is received from then.
    text = (
        _MADE % (1, "skip")
        + """
    byte r; proctype N() { chan other = [1] of {byte}; other!7; r = 9; false }
    init { chan d; run M(); g?d; _nr_pr == 1; run N(); r == 9; d?r }
    """
    )
    assert "welldefinedness" in explored(tmp_path, text).kinds


@pytest.mark.parametrize("kind", ["atomic", "d_step"])
def test_a_circle_in_which_nothing_changes_is_gone_round_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    too_much = Paths._too_much

    def seen(paths: Paths, course: Course) -> bool:
        assert len(course.taken) < 20
        return too_much(paths, course)

    monkeypatch.setattr(Paths, "_too_much", seen)
    text = f"""
    byte a[3]; byte h, i
    init {{ {kind} {{ do :: a[(i + 1) % 3] != 1 -> h = 254 :: else -> break od; h = 1 }} }}
    """
    # Spin finds the same, where states are stored inside of an atomic sequence.
    assert explored(tmp_path, text) == Explored(2, 3, frozenset())
