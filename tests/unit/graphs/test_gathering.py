"""The graph of a model: the same from both engines, and of the size that a check says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from secateur.app.pictures.graph import (
    FEW_STATES,
    counterexample,
    gather,
    states_on,
    transitions_between,
)
from secateur.engine.limits import Limits
from secateur.engine.native.available import why_not_native
from secateur.system.graph import StateGraph
from tests.unit.graphs.models import COUNTERS, FAULTY, TWO_STARTS, model

MODELS = (COUNTERS, FAULTY, TWO_STARTS)


def _comparable(graph: StateGraph) -> object:
    """Everything that does not depend on the order in which states were found."""
    states = list(graph.states)
    steps = [step.operation for step in graph.steps]
    edges = Counter(
        (states[s], steps[label], states[t])
        for s, label, t in zip(graph.sources, graph.labels, graph.targets, strict=True)
    )
    columns = {
        name: {states[i]: column.values[code] for i, code in enumerate(column.codes) if code >= 0}
        for name in graph.columns.names
        for column in [graph.columns.column(name)]
    }
    return (
        frozenset(states),
        edges,
        Counter((steps[label], states[s]) for label, s in graph.beginnings),
        {states[i]: frozenset(said) for i, said in graph.violations.items()},
        frozenset(states[i] for i in graph.goals),
        frozenset(states[i] for i in graph.deadlocks()),
        frozenset(states[i] for i in graph.uninitialised),
        columns,
    )


@pytest.mark.parametrize("text", MODELS)
def test_both_engines_find_the_same(text: str, tmp_path: Path) -> None:
    if why_not_native() is not None:
        pytest.skip(f"NO NATIVE ENGINE: {why_not_native()}")
    found = model(text, tmp_path)
    native, evaluated = gather(found, arguments=False), gather(found, arguments=True)
    assert (native.engine.name, evaluated.engine.name) == ("native", "python")
    assert _comparable(native) == _comparable(evaluated)


@pytest.mark.parametrize("text", MODELS)
@pytest.mark.parametrize("arguments", [True, False, None])
def test_the_size_is_what_a_check_says(text: str, arguments: bool | None, tmp_path: Path) -> None:
    found = model(text, tmp_path)
    graph = gather(found, arguments=arguments)
    told = found.check(all=True, por="none", symmetry="none").statistics
    assert (len(graph.states), graph.transitions) == (told.states, told.transitions)
    assert graph.reasons == ()
    assert not graph.unexpanded


def test_what_is_wrong_is_known_of_each_state(tmp_path: Path) -> None:
    found = model(FAULTY, tmp_path)
    graph = gather(found)
    values = [found.values(state) for state in graph.states]
    wrong = {i for i, v in enumerate(values) if v["x"] in (3, 7)}
    assert set(graph.violations) == wrong
    seven = next(i for i, v in enumerate(values) if v["x"] == 7)
    assert graph.violations[seven] == ("x /= 7",)
    assert graph.goals == {i for i, v in enumerate(values) if (v["x"], v["y"]) == (2, 0)}
    assert graph.deadlocks() == {i for i, v in enumerate(values) if v["x"] == v["y"] == 12}


def test_the_way_to_an_error_is_a_shortest_one(tmp_path: Path) -> None:
    graph = gather(model(FAULTY, tmp_path))
    way = counterexample(graph)
    assert way is not None
    assert [graph.steps[graph.labels[number]].operation for number in way] == ["up"] * 3
    assert graph.sources[way[0]] in graph.initial
    assert graph.targets[way[-1]] in graph.violations


def test_a_trace_is_found_in_the_graph(tmp_path: Path) -> None:
    found = model(FAULTY, tmp_path)
    graph = gather(found)
    trace = found.check().trace
    assert trace is not None
    states = states_on(graph, trace)
    assert [graph.states[i] for i in states] == list(trace.states)
    assert len(transitions_between(graph, states)) == len(trace) - 1


def test_without_an_error_there_is_no_way(tmp_path: Path) -> None:
    text = "MACHINE Round VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0\n"
    text += "OPERATIONS turn = BEGIN x := (x + 1) mod 3 END END"
    assert counterexample(gather(model(text, tmp_path))) is None


@pytest.mark.parametrize("arguments", [True, False])
def test_a_limit_is_told(arguments: bool, tmp_path: Path) -> None:
    graph = gather(model(COUNTERS, tmp_path), Limits(states=100), arguments=arguments)
    assert graph.reasons == ("the limit of 100 states was reached",)
    assert graph.unexpanded
    assert len(graph.states) < 110
    assert not graph.deadlocks()


def test_few_states_have_arguments_and_many_have_not(tmp_path: Path) -> None:
    small = gather(model(TWO_STARTS, tmp_path))
    assert small.arguments
    large = gather(model(COUNTERS.replace("20", "40"), tmp_path))
    assert len(large.states) > FEW_STATES
    assert large.arguments == (why_not_native() is not None)
    told = gather(model(COUNTERS.replace("20", "40"), tmp_path), arguments=True)
    assert {step.arguments for step in told.steps if step.operation == "north"} == {
        (("n", 1),),
        (("n", 2),),
    }


def test_distances(tmp_path: Path) -> None:
    found = model(COUNTERS, tmp_path)
    graph = gather(found)
    values = [found.values(state) for state in graph.states]
    for state, distance in enumerate(graph.distances()):
        x, y = values[state]["x"], values[state]["y"]
        painted = repr(values[state]["c"]) == "green"
        assert distance >= x + -(-y // 2) + painted
    assert graph.distances()[0] == 0
