"""Traces written, edited, and executed again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from secateur.app.animate import Animation
from secateur.app.evidence import Run, gather
from secateur.app.model import Model
from secateur.app.replay import replay
from secateur.report.envelope import enveloped
from secateur.report.formats.protocol import Evidence, Story
from secateur.report.formats.registry import format_named
from secateur.report.json import trace_to_json
from secateur.source import InputError
from secateur.system.replay import Cause, Replay
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.system.verdict import Holds
from tests.unit.trace_models import MODELS, ROUND, VALUES, checked, judged, loaded

TRACES = ("itf", "prob2trace")


def again(model: Model, folder: Path, name: str, evidence: Evidence) -> Replay:
    """Write a trace and execute it on a model."""
    row = format_named(name)
    assert row is not None
    text = row.write(evidence)
    assert text is not None
    path = folder / "trace"
    path.write_text(text, encoding="utf-8")
    number = evidence.chosen + 1 if name == "json" else None
    return replay(model, path, number)


def given(folder: Path, content: Any) -> Path:
    """Write a trace by hand."""
    path = folder / "given.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize("format_", [*TRACES, "json"])
@pytest.mark.parametrize("name", MODELS)
def test_what_is_written_is_executed_again(tmp_path: Path, name: str, format_: str) -> None:
    model, evidence = checked(tmp_path, name, MODELS[name], all=name != "Values.mch")
    for number, story in enumerate(evidence.stories):
        found = again(model, tmp_path, format_, evidence.about(number))
        assert found
        assert found.trace.transitions == story.trace.transitions
        assert found.still is (None if format_ == "prob2trace" else True)
        assert found.trouble


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["Values.mch", "light.eventb"])
def test_any_walk_is_executed_again(tmp_path: Path, name: str, seed: int) -> None:
    model = loaded(tmp_path, name, MODELS[name])
    walk = Animation(model.system, seed)
    walk.wander(14)
    told = {"claim": None, "trace": trace_to_json(walk.trace)}
    run = Run("replay", tmp_path / name, (), lambda: enveloped("replay", told), lambda: "")
    nothing = Result(Holds(exhaustive=False), Statistics(0, 0), 0.0)
    story = Story("replay", "", walk.trace, violated=False)
    evidence = gather(model, run, nothing, (story,))
    for format_ in (*TRACES, "json"):
        found = again(model, tmp_path, format_, evidence)
        assert found, found.obstacle
        assert found.trace.transitions == walk.trace.transitions


@pytest.mark.parametrize("format_", ["itf", "json"])
def test_a_lasso_is_closed_and_judged_again(tmp_path: Path, format_: str) -> None:
    model, evidence = judged(tmp_path, {"G F {at = one}": "ltl", "G {laps = 0}": "ltl"})
    for number, story in enumerate(evidence.stories):
        found = again(model, tmp_path, format_, evidence.about(number))
        assert found
        assert found.still is True
        assert found.trace.transitions == story.trace.transitions
        assert found.closes is (True if story.loop else None)
    # The path is there, but one is served by `on`, too: the formula is not violated by it.
    tamer = loaded(tmp_path, "Tame.mch", ROUND.replace("laps : 0..1", "laps : 0..1 & 1 = 1"))
    path = tmp_path / "trace"
    text = path.read_text().replace("G {laps = 0}", "G {laps < 2}")
    path.write_text(text)
    assert replay(tamer, path, 2 if format_ == "json" else None).still is False


def test_a_loop_that_does_not_close(tmp_path: Path) -> None:
    _, evidence = judged(tmp_path, {"G F {at = one}": "ltl"})
    edited = loaded(tmp_path, "Edited.mch", ROUND.replace("|| laps := 1", "|| laps := 1 - laps"))
    found = again(edited, tmp_path, "itf", evidence)
    assert not found
    assert found.obstacle is not None
    assert found.obstacle.cause is Cause.STATE


EDITS = [
    ("join(p) =", "enter(p) =", Cause.NO_OPERATION, "no operation join"),
    ("join(p) = PRE p", "join(q) = PRE q", Cause.PARAMETERS, "no parameter p"),
    ("size(queue) < 3", "size(queue) < 1", Cause.GUARD, "size(queue) < 1 does not hold"),
    ("queue := queue <- p", "queue := p -> (p -> queue)", Cause.STATE, "instead of"),
    ("free := FALSE", "free := TRUE", Cause.STATE, "free is TRUE instead of FALSE"),
    ("most : 1..2", "most : 2..2", Cause.STATE, "most is 2 instead of 1"),
]


@pytest.mark.parametrize("format_", [*TRACES, "json"])
@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit[1])
def test_where_a_trace_stops_after_an_edit(
    tmp_path: Path, format_: str, edit: tuple[str, str, Cause, str]
) -> None:
    old, new, cause, text = edit
    _, evidence = checked(tmp_path, "Values.mch", VALUES)
    edited = VALUES.replace(old, new)
    if "join(q)" in new:
        edited = edited.replace("<- p ", "<- q ")
    assert edited != VALUES
    found = again(loaded(tmp_path, "Edited.mch", edited), tmp_path, format_, evidence)
    assert found.obstacle is not None
    assert found.obstacle.cause is cause
    assert any(text in reason.text for reason in found.obstacle.reasons), found.obstacle


def test_results_that_differ(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Values.mch", VALUES)
    steps = [
        {"name": "$initialise_machine"},
        {"name": "ask", "params": {"p": "PERSON1"}, "results": {"n": "7"}},
    ]
    found = replay(model, given(tmp_path, {"transitionList": steps}))
    assert found.obstacle is not None
    assert found.obstacle.number == 2
    assert found.obstacle.cause is Cause.RESULT
    assert found.obstacle.reasons[0].text == "n is 0 instead of 7"


def test_the_guard_of_an_event_is_named_by_its_label(tmp_path: Path) -> None:
    model = loaded(tmp_path, "light.eventb", MODELS["light.eventb"])
    steps = [
        {"name": "$initialise_machine"},
        {"name": "show", "params": {"c": "red", "n": "1"}},
        {"name": "show", "params": {"c": "red"}},
    ]
    found = replay(model, given(tmp_path, {"transitionList": steps}))
    assert found.obstacle is not None
    (reason,) = found.obstacle.reasons
    assert "grd3: c ∉ shown" in reason.text
    assert "shown = {red}" in reason.text
    assert reason.span is not None
    assert reason.span.text == "@grd3 c ∉ shown"


def test_steps_that_say_little_are_searched_for(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Values.mch", VALUES)
    # Only with most = 2 can anybody sit on 2; and who sits first must not be PERSON2.
    steps = [
        {"name": "$initialise_machine", "params": None, "preds": None},
        {"name": "sit"},
        {"name": "sit", "params": {"p": "PERSON2", "n": "2"}, "destStateNotChanged": ["who"]},
        {"name": "shuffle", "destState": {"who": "{PERSON2,PERSON1}"}},
        {"name": "sit", "preds": ["n = 0"]},
    ]
    found = replay(model, given(tmp_path, {"transitionList": steps[:4]}))
    assert found
    assert dict(found.trace.steps[2].arguments)["p"].name == "PERSON1"
    assert found.trace.steps[0].operation == "SETUP_CONSTANTS"
    assert not replay(model, given(tmp_path, {"transitionList": steps}))  # all seats are taken


ISLAND = """
MACHINE Island
VARIABLES n
INVARIANT n : 0..20
INITIALISATION n := 0
OPERATIONS
  arrive(k, s) = PRE n + k <= 20 & s <: 0..k THEN n := n + k END
END
"""


def test_arguments_that_nobody_would_enumerate(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Island.mch", ISLAND)

    def arriving(**arguments: str) -> Replay:
        steps = [{"name": "$initialise_machine"}, {"name": "arrive", "params": arguments}]
        nested = {"trace": {"transitionList": steps}}
        return replay(model, given(tmp_path, nested))

    assert arriving(k="17", s="{2,17}")
    assert arriving(k="17")
    stopped = arriving(k="21", s="∅")
    assert stopped.obstacle is not None
    assert stopped.obstacle.cause is Cause.GUARD
    assert "n + k <= 20 does not hold (n = 0, k = 21)" in stopped.obstacle.reasons[0].text


def test_the_search_is_bounded_and_says_so(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Values.mch", VALUES)
    steps = [{"name": "$initialise_machine"}, *({"name": "sit"} for _ in range(3))]
    path = given(tmp_path, {"transitionList": steps})
    found = replay(model, path, most=10)
    assert not found
    assert found.gave_up == "10 ways on were looked at"
    assert found.obstacle is None
    assert replay(model, path).gave_up is None


def test_states_alone_are_enough(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Round.mch", ROUND)
    states = [{"at": "one", "laps": 0}, {"at": "two", "laps": 0}, {"at": "three", "laps": 1}]
    trace = {"vars": ["at", "laps"], "states": states}
    found = replay(model, given(tmp_path, trace))
    assert [s.operation for s in found.trace.steps] == ["INITIALISATION", "go", "on"]
    closed = replay(model, given(tmp_path, {**trace, "loop": 2}))
    assert closed.closes
    assert closed.trace.steps[-1].operation == "stay"
    states[2] = {"at": "three", "laps": 0}
    stopped = replay(model, given(tmp_path, trace))
    assert stopped.obstacle is not None
    assert [r.text for r in stopped.obstacle.reasons] == [
        "on comes nearest:",
        "laps is 1 instead of 0",
    ]


def test_postconditions_and_predicates(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Round.mch", ROUND)

    def with_condition(**condition: str) -> Replay:
        steps = [
            {"name": "$initialise_machine"},
            {"name": "go", "postconditions": [condition]},
        ]
        return replay(model, given(tmp_path, {"transitionList": steps}))

    assert with_condition(kind="PREDICATE", predicate="at = two")
    assert not with_condition(kind="PREDICATE", predicate="at = one")
    assert with_condition(kind="ENABLEDNESS", operation="on", predicate="")
    assert not with_condition(kind="DISABLEDNESS", operation="on", predicate="")


def test_names_that_are_gone_are_noted(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Stuck.mch", MODELS["Stuck.mch"])
    renamed = loaded(tmp_path, "Renamed.mch", MODELS["Stuck.mch"].replace("x", "y"))
    found = again(renamed, tmp_path, "itf", evidence)
    assert found
    assert found.notes == ("x is unknown in the model: its values are not compared",)


def test_a_violation_that_is_gone(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Values.mch", VALUES)
    wider = VALUES.replace("size(queue) <= 1 + card(who)", "size(queue) <= 2 + card(who)")
    found = again(loaded(tmp_path, "Wider.mch", wider), tmp_path, "itf", evidence)
    assert found
    assert found.still is None  # there is no such invariant any more
    assert not found.trouble
    kept = VALUES.replace("join(p) =", "skip_ = skip; join(p) =")
    assert again(loaded(tmp_path, "Kept.mch", kept), tmp_path, "itf", evidence).still is True
    stuck = MODELS["Stuck.mch"]
    _, evidence = checked(tmp_path, "Stuck.mch", stuck)
    freed = loaded(tmp_path, "Freed.mch", stuck.replace("OPERATIONS", "OPERATIONS idle = skip;"))
    assert again(freed, tmp_path, "itf", evidence).still is False


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("[1, 2", "SEC420"),
        ("[]", "SEC420"),
        ({}, "SEC420"),
        ({"transitionList": 3}, "SEC420"),
        ({"transitionList": [{"name": 3}]}, "SEC420"),
        ({"transitionList": [{"name": "up", "params": {"x": 3}}]}, "SEC420"),
        ({"vars": [], "states": []}, "SEC420"),
        ({"vars": ["x"], "states": [{"x": None}]}, "SEC420"),
        ({"vars": ["x"], "states": [{"x": 0}], "loop": 3}, "SEC420"),
        ({"schema": 1, "command": "info"}, "SEC420"),
        ({"schema": 1, "command": "check", "violations": []}, "SEC421"),
        ({"schema": 1, "command": "check", "violations": [{"kind": "a", "name": "b"}]}, "SEC421"),
    ],
)
def test_what_is_no_trace(tmp_path: Path, content: Any, code: str) -> None:
    model = loaded(tmp_path, "Stuck.mch", MODELS["Stuck.mch"])
    with pytest.raises(InputError) as caught:
        replay(model, given(tmp_path, content))
    assert str(caught.value.diagnostics[0].code) == code


INFINITE = """MACHINE Infinite VARIABLES f, n
INVARIANT f : INTEGER --> INTEGER & n : 0..2 & n < 2
INITIALISATION f := %i.(i : INTEGER | i) || n := 0
OPERATIONS up = BEGIN n := n + 1 || f := %i.(i : INTEGER | i + 1) END
END"""


@pytest.mark.parametrize("format_", [*TRACES, "json"])
def test_functions_that_cannot_be_listed(tmp_path: Path, format_: str) -> None:
    model, evidence = checked(tmp_path, "Infinite.mch", INFINITE)
    found = again(model, tmp_path, format_, evidence)
    assert found, found.obstacle
    assert not found.notes
    edited = loaded(tmp_path, "Edited.mch", INFINITE.replace("i + 1)", "i + 2)"))
    stops = again(edited, tmp_path, format_, evidence)
    assert bool(stops) is (format_ == "prob2trace")  # there it is left out, and may be any
    assert stops or len(stops.trace) == 1


@pytest.mark.parametrize("format_", ["itf", "json"])
def test_what_cannot_be_read_back_is_compared_as_it_is_written(
    tmp_path: Path, format_: str
) -> None:
    # The text has a name in it that means nothing by itself.
    model, evidence = checked(tmp_path, "Infinite.mch", INFINITE.replace("i + 1)", "i + n)"))
    found = again(model, tmp_path, format_, evidence)
    assert found, found.obstacle
    assert any("is compared as it is written" in note for note in found.notes)


def test_predicates_that_are_not_looked_at_are_told(tmp_path: Path) -> None:
    model = loaded(tmp_path, "Infinite.mch", INFINITE)
    begin = {"name": "$initialise_machine", "preds": ["n = 0"]}
    preds = ["nonsense ### (", "n = 0", "zz > 2", "f = %i.(i : INTEGER | i * 1)"]
    step = {"name": "up", "preds": preds}
    found = replay(model, given(tmp_path, {"transitionList": [begin, step]}))
    assert found
    told = "\n".join(found.notes)
    assert "'n = 0' is not looked at: there is no state before" in told
    assert "'nonsense ### (' is not understood, and not looked at: " in told
    assert "'zz > 2' is not looked at: unknown in the model: zz" in told
    assert "whether 'f = %i.(i : INTEGER | i * 1)' holds is not known" in told
    assert len(found.notes) == 4
    step["preds"] = ["n = 1"]
    assert not replay(model, given(tmp_path, {"transitionList": [begin, step]}))
