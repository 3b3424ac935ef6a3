"""Quotients agree with the definition, and their numbers add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import pytest

from secateur.app.pictures.drawn import Wanted, drawn_states
from secateur.app.pictures.graph import gather
from secateur.app.pictures.quotient import Criteria, quotient, readable
from secateur.report.graphs.protocol import Mark
from secateur.source import InputError
from secateur.system.graph import StateGraph
from tests.unit.graphs.models import COUNTERS, FAULTY, TWO_STARTS, model

Key = Callable[[dict[str, Any]], Hashable]

BY: list[tuple[tuple[str, ...], Key]] = [
    (("x",), lambda v: v["x"]),
    (("x", "c"), lambda v: (v["x"], v["c"])),
    (("x + y",), lambda v: v["x"] + v["y"]),
    (("c", "x mod 3"), lambda v: (v["c"], v["x"] % 3)),
    (("x > y",), lambda v: v["x"] > v["y"]),
]


def _brute_force(
    graph: StateGraph, keys: list[Hashable]
) -> tuple[Counter[Hashable], Counter[tuple[Hashable, str, Hashable]]]:
    edges: Counter[tuple[Hashable, str, Hashable]] = Counter()
    for source, label, target in zip(graph.sources, graph.labels, graph.targets, strict=True):
        edges[keys[source], graph.steps[label].operation, keys[target]] += 1
    return Counter(keys), edges


@pytest.mark.parametrize("arguments", [True, False])
@pytest.mark.parametrize(("by", "key"), BY)
def test_a_quotient_is_what_it_should_be(
    by: tuple[str, ...], key: Key, arguments: bool, tmp_path: Path
) -> None:
    found = model(COUNTERS, tmp_path)
    graph = gather(found, arguments=arguments)
    criteria = Criteria(found, graph)
    merged = quotient(graph, [criteria.of(text) for text in by])
    keys = [key(found.values(state)) for state in graph.states]
    states, edges = _brute_force(graph, keys)
    named = {i: keys[block.first] for i, block in enumerate(merged.blocks)}
    assert [named[block] for block in merged.block_of] == keys
    assert {named[i]: b.states for i, b in enumerate(merged.blocks)} == states
    assert {
        (named[b.source], b.operation, named[b.target]): b.transitions for b in merged.bundles
    } == edges


def test_by_signature(tmp_path: Path) -> None:
    found = model(COUNTERS, tmp_path)
    graph = gather(found)
    merged = quotient(graph, [Criteria(found, graph).of("signature")])
    for state, block in enumerate(merged.block_of):
        enabled = {t.step.operation for t in found.transitions(graph.states[state])}
        said = dict(merged.blocks[block].values)["enabled"]
        assert set(said.split(", ")) == (enabled or {"nothing"})


@pytest.mark.parametrize("text", [COUNTERS, FAULTY, TWO_STARTS])
@pytest.mark.parametrize("by", [(), ("x",), ("signature",), ("distance",)])
def test_numbers_add_up(text: str, by: tuple[str, ...], tmp_path: Path) -> None:
    found = model(text, tmp_path)
    graph = gather(found)
    drawn = drawn_states(found, graph, Wanted(by=by))
    assert sum(node.states for node in drawn.nodes) == len(graph.states)
    assert sum(edge.count for edge in drawn.edges) == len(graph.sources)
    assert by or len(drawn.nodes) <= 60
    starts = {i for i, node in enumerate(drawn.nodes) if Mark.INITIAL in node.marks}
    assert starts == {target for _, target in drawn.beginnings}
    without = drawn_states(found, graph, Wanted(by=by, loops=False))
    assert [e for e in drawn.edges if e.source != e.target] == list(without.edges)


def test_blocks_know_what_is_in_them(tmp_path: Path) -> None:
    found = model(FAULTY, tmp_path)
    graph = gather(found)
    merged = quotient(graph, [Criteria(found, graph).of("x")])
    by_x = {dict(block.values)["x"]: block for block in merged.blocks}
    assert (by_x["7"].violating, by_x["3"].violating, by_x["5"].violating) == (13, 13, 0)
    assert (by_x["12"].deadlocks, by_x["11"].deadlocks, by_x["2"].goals) == (1, 0, 1)
    assert (by_x["0"].initial, by_x["1"].initial) == (1, 0)


def test_constants_and_what_is_not_initialised(tmp_path: Path) -> None:
    found = model(TWO_STARTS, tmp_path)
    graph = gather(found)
    merged = quotient(graph, [Criteria(found, graph).of("x")])
    assert [block.values for block in merged.blocks if block.uninitialised] == [()]
    merged = quotient(graph, [Criteria(found, graph).of("k")])
    assert len([block for block in merged.blocks if block.uninitialised]) == 2


@pytest.mark.parametrize("most", [2, 5, 10, 60, 200])
@pytest.mark.parametrize("text", [COUNTERS, FAULTY])
def test_a_readable_quotient_is_small_and_the_same_each_time(
    text: str, most: int, tmp_path: Path
) -> None:
    found = model(text, tmp_path)
    graph = gather(found)
    merged = readable(Criteria(found, graph), most)
    assert 1 < len(merged.blocks) <= most
    again = readable(Criteria(found, graph), most)
    assert (again.by, again.blocks, again.bundles) == (merged.by, merged.blocks, merged.bundles)


def test_it_says_how_states_are_merged(tmp_path: Path) -> None:
    found = model(COUNTERS, tmp_path)
    drawn = drawn_states(found, gather(found), Wanted())
    assert drawn.merged_by == ("x",)
    blocks = f"merged by x: {len(gather(found).states):,} states in 21 blocks"
    assert drawn.remarks[0] == blocks


@pytest.mark.parametrize("text", ["nothing", "x +", "n = x", "card(x)"])
def test_bad_criteria_are_refused(text: str, tmp_path: Path) -> None:
    found = model(COUNTERS, tmp_path)
    graph = gather(found)
    with pytest.raises(InputError):
        Criteria(found, graph).of(text)


def test_an_expression_may_be_ill_defined_somewhere(tmp_path: Path) -> None:
    found = model(COUNTERS, tmp_path)
    graph = gather(found)
    merged = quotient(graph, [Criteria(found, graph).of("10 / x")])
    said = [dict(block.values)["10 / x"] for block in merged.blocks]
    assert said[0].startswith("ill-defined: ")
    assert "5" in said
