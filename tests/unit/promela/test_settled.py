"""Which values variables have, place by place: no state is outside, and little is."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.lang.model import Settled
from secateur.system.system import Gap, Transition
from tools.promela_fuzz.generate import generate

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "promela").glob("*.pml"))

PUBLISHED = """
byte port[2] = 255; byte to; byte sent[3];
active proctype P() { byte i; do :: i < 2 -> port[i] = 1 + i; i++ :: else -> break od }
active proctype Q() { port[0] != 255; port[1] != 255; to = port[0]; sent[to] = 1 }
"""
"""What was published is looked at before it is used, and nobody takes it back."""

TAKEN_BACK = PUBLISHED + "active proctype R() { port[0] = 255 }"

OTHERS = """
byte x, seen;
active proctype P() { x == 0; seen = x }
active proctype Q() { x = 1 }
"""
"""Between a look and a step of one process, another one goes on."""

PASSED = """
chan c = [1] of { byte, byte }; chan r = [0] of { byte };
byte got, met;
proctype S(byte a, b) { c!a,b; r!a }
proctype T() { byte u, v; c?u,v; got = v; r?met }
init { atomic { run S(7, 9); run T() } }
"""

WRAPPED = "byte n = 254; bit b; active proctype P() { n++; n++; n++; b = n }"

COUNTED = "byte n; active proctype P() { do :: n++ od }"

INTERRUPTED = """
byte x, y; bit go;
active proctype P() { atomic { x = 3; go == 1; y = x; x = 0 } }
active proctype Q() { x == 3; x = 5; go = 1 }
"""
"""The sequence is left where it cannot go on."""

WITHIN = """
byte a[4]; byte i;
active proctype P() { d_step { i = 0; do :: i < 3 -> a[i] = i + 5; i++ :: else -> break od } }
active proctype Q() { timeout -> a[i] = 1 }
"""


def _model(folder: Path, text: str) -> secateur.Model:
    file = folder / "settled.pml"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file)


def _settled(folder: Path, text: str) -> Settled:
    return _model(folder, text).typed.settled


def _at(settled: Settled, process: str, name: str, index: int | None = None) -> set[frozenset[int]]:
    """Return the sets that are known of something at the places of a process."""
    return {
        here[name, index]
        for (place, _), here in settled.at.items()
        if place == process and (name, index) in here
    }


def _numbers(value: object, index: int | None = None) -> list[int]:
    if isinstance(value, int):
        return [value]
    assert isinstance(value, frozenset)
    return [number for i, number in value if index is None or i == index]


def _outside(model: secateur.Model, most: int) -> list[tuple[object, ...]]:
    """Return what some of the reachable states have that is not settled."""
    system, settled = model.system, model.typed.settled
    wrong: list[tuple[object, ...]] = []
    waiting = [t.target for t in system.initial() if isinstance(t, Transition)]
    seen = set(waiting)
    while waiting and len(seen) < most:
        state = waiting.pop()
        values = dict(system.values(state))
        for name, allowed in settled.values.items():
            wrong += [(name, n) for n in _numbers(values[name]) if n not in allowed]
        for (place, at), here in settled.at.items():
            if values[place] == at:
                for (name, index), allowed in here.items():
                    found = _numbers(values[name], index)
                    wrong += [(place, at, name, index, n) for n in found if n not in allowed]
        for item in system.successors(state):
            if isinstance(item, Gap):  # there is no room for a process: it is another model then
                continue
            if isinstance(item, Transition) and item.target not in seen:
                seen.add(item.target)
                waiting.append(item.target)
    return wrong


def test_what_was_looked_at_is_known(tmp_path: Path) -> None:
    settled = _settled(tmp_path, PUBLISHED)
    assert settled.values["port"] == {1, 2, 255}
    assert settled.values["to"] == {0, 1, 2}
    assert frozenset({1, 2}) in _at(settled, "Q_1", "port", 0)


def test_unless_it_may_be_taken_back(tmp_path: Path) -> None:
    settled = _settled(tmp_path, TAKEN_BACK)
    assert settled.values["to"] == {0, 1, 2, 255}
    assert _at(settled, "Q_1", "port", 0) == {frozenset({1, 2, 255})}


def test_others_go_on_between(tmp_path: Path) -> None:
    assert _settled(tmp_path, OTHERS).values["seen"] == {0, 1}


def test_what_is_passed_and_received(tmp_path: Path) -> None:
    values = _settled(tmp_path, PASSED).values
    assert values["got"] == {0, 9}
    assert values["met"] == {0, 7}


def test_a_byte_begins_anew(tmp_path: Path) -> None:
    values = _settled(tmp_path, WRAPPED).values
    assert values["n"] == {254, 255, 0, 1}
    assert values["b"] == {0, 1}


def test_a_counter_without_limit_may_be_anything(tmp_path: Path) -> None:
    assert "n" not in _settled(tmp_path, COUNTED).values


def test_a_sequence_that_is_interrupted(tmp_path: Path) -> None:
    assert _settled(tmp_path, INTERRUPTED).values["y"] == {0, 3, 5}


def test_an_index_within_is_no_fault(tmp_path: Path) -> None:
    settled = _settled(tmp_path, WITHIN)
    assert settled.values["i"] == {0, 3}
    assert settled.values["a"] >= {0, 1, 5, 6, 7}


TEXTS = (PUBLISHED, TAKEN_BACK, OTHERS, PASSED, WRAPPED, COUNTED, INTERRUPTED, WITHIN)


@pytest.mark.parametrize("text", TEXTS)
def test_no_state_is_outside(tmp_path: Path, text: str) -> None:
    assert _outside(_model(tmp_path, text), 3000) == []


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_no_state_of_an_example_is_outside(file: Path) -> None:
    assert _outside(secateur.load(file), 400) == []


@pytest.mark.parametrize("seed", range(40))
def test_no_state_of_a_random_program_is_outside(tmp_path: Path, seed: int) -> None:
    assert _outside(_model(tmp_path, generate(seed).text), 300) == []
