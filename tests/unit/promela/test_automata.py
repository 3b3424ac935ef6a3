"""The graphs of bodies are those of Spin."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.promela import ast, automata
from secateur.lang.promela.automaton import Automaton, Deterministic
from tests.unit.promela.models import program_of
from tools.promela import graphs, spin

_WRITTEN = Path(__file__).with_name("graphs_of_spin.txt")


def _graph(text: str) -> Automaton:
    return automata.automaton(program_of(text).proctypes[0])


def _cases() -> list[tuple[str, str, list[str]]]:
    blocks = _WRITTEN.read_text(encoding="utf-8").split("\n== ")[1:]
    lines = [block.strip().splitlines() for block in blocks]
    return [(name, text, edges) for name, text, *edges in lines]


def _told(arrow: graphs.Arrow) -> str:
    words = [str(arrow.source), str(arrow.target), arrow.kind]
    if arrow.keeps and arrow.kind != "d_step":
        words.append("keeps")
    if arrow.origin:
        words.append(f"from {arrow.origin}")
    if arrow.marks != "---":
        words.append(arrow.marks)
    return " ".join(words)


@pytest.mark.parametrize(
    ("text", "edges"),
    [pytest.param(text, edges, id=name) for name, text, edges in _cases()],
)
def test_the_graph_is_that_of_spin(text: str, edges: list[str]) -> None:
    program = program_of(text)
    seen = automata.asked_for(program, "P")
    graph = graphs.of_ours(program.proctypes[0], claim=False, seen=seen)
    assert [_told(arrow) for arrow in graph.arrows] == edges


def test_inside_a_d_step_the_first_edge_leaves_the_guard() -> None:
    graph = _graph(
        "byte x; active proctype P() { d_step { x == 0; do :: x < 3 -> x++ :: else -> break od } }"
    )
    (edge,) = graph.leaving[graph.start]
    assert isinstance(edge.step, Deterministic)
    inner = edge.step.graph
    assert inner.end == automata.OUT
    assert isinstance(inner.leaving[inner.start][0].step, ast.Condition)
    steps = [type(edge.step).__name__ for edge in inner.edges]
    assert steps == ["Condition", "Assign", "Condition", "Else"]


def test_what_no_path_leads_to_is_said() -> None:
    graph = _graph("byte x; active proctype P() { L: x = 1; goto L; x = 2; skip; x = 3 }")
    assert [type(edge.step).__name__ for edge in graph.unreachable] == ["Assign", "Assign"]
    assert all(edge.source not in graph.at for edge in graph.unreachable)
    assert graph.end in graph.at


def test_a_claim_keeps_every_skip() -> None:
    text = "byte x; active proctype P() { x = 1 } never { do :: x == 1; skip; skip; skip od }"
    claim = program_of(text).nevers[0]
    assert len(automata.automaton(claim, claim=True).edges) == 5
    assert len(automata.automaton(claim).edges) == 4


@pytest.mark.skipif(spin.missing() is not None, reason="Spin or gcc is not installed")
def test_what_is_written_down_is_what_spin_says(tmp_path: Path) -> None:
    _, text, edges = _cases()[0]
    model = tmp_path / "model.pml"
    model.write_text(text, encoding="utf-8")
    assert [_told(arrow) for arrow in graphs.of_spin(model)["P"].arrows] == edges
