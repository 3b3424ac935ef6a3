"""`secateur graph`: states, quotients, events and pictures of a state, in files or on stdout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from tests.cli.conftest import Runner

SMALL = """MACHINE Small
DEFINITIONS
  ANIMATION_FUNCTION == {(1, 1, x)};
  CUSTOM_GRAPH_NODES == (0..2) * {"white"} <+ {x |-> "red"};
  CUSTOM_GRAPH_EDGES == {0 |-> 1, 1 |-> 2}
VARIABLES x
INVARIANT x : 0..3 & x < 3
INITIALISATION x := 0
OPERATIONS
  up = SELECT x < 3 THEN x := x + 1 END;
  stay = SELECT x = 1 THEN skip END
END
"""
LARGE = """MACHINE Large
VARIABLES x, y
INVARIANT x : 0..99 & y : 0..19
INITIALISATION x, y := 0, 0
OPERATIONS
  east = SELECT x < 99 THEN x := x + 1 END;
  north = SELECT y < 19 THEN y := y + 1 END
END
"""


@pytest.fixture
def small(tmp_path: Path) -> str:
    path = tmp_path / "Small.mch"
    path.write_text(SMALL)
    return str(path)


@pytest.fixture
def large(tmp_path: Path) -> str:
    path = tmp_path / "Large.mch"
    path.write_text(LARGE)
    return str(path)


def test_dot_on_stdout(secateur: Runner, small: str) -> None:
    run = secateur("graph", small)
    assert run.code == 0
    assert run.err == "4 states, 5 transitions\n"
    assert run.out.startswith('digraph "Small" {\n')
    assert run.out.endswith("}\n")
    assert '  n0 -> n1 [label="up"];\n' in run.out
    assert secateur("graph", small).out == run.out
    assert secateur("graph", small, "--quiet").err == ""


def test_files_have_the_format_of_their_suffix(
    secateur: Runner, small: str, tmp_path: Path
) -> None:
    names = [tmp_path / f"g.{suffix}" for suffix in ("svg", "aut", "graphml", "json", "csv", "gv")]
    run = secateur("graph", small, *(word for name in names for word in ("-o", str(name))))
    assert (run.code, run.out) == (0, "")
    svg, aut, graphml, found, table, dot = (name.read_text(encoding="utf-8") for name in names)
    assert fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert aut.splitlines()[:2] == ["des (0, 4, 4)", '(0, "up", 1)']
    assert fromstring(graphml).tag.endswith("graphml")
    assert json.loads(found)["command"] == "graph"
    assert len(table.splitlines()) == 5
    assert dot.startswith("digraph")
    again = tmp_path / "text"
    assert secateur("graph", small, "--format", "aut", "-o", str(again)).code == 0
    assert again.read_text(encoding="utf-8") == aut


def test_json(secateur: Runner, small: str) -> None:
    found = secateur("graph", small, "--json").json()
    assert found["complete"] is True
    assert [n["values"] for n in found["nodes"]] == [{"x": str(i)} for i in range(4)]
    assert found["nodes"][3]["marks"] == ["violating", "deadlock"]
    assert found["nodes"][3]["remarks"] == ["x < 3"]
    assert found["beginnings"] == [{"label": "INITIALISATION", "target": 0}]


def test_a_counterexample_is_highlighted(secateur: Runner, small: str, large: str) -> None:
    found = secateur("graph", small, "--json", "--trace").json()
    assert ["trace" in n["marks"] for n in found["nodes"]] == [True] * 4
    assert [e["trace"] for e in found["edges"]] == [True, True, False, True]
    run = secateur("graph", large, "--trace", "--by", "x<50")
    assert run.out.count("penwidth") > 1  # the only deadlock is far away
    run = secateur("graph", small, "--trace", "--max-states", "2")
    assert run.code == 3
    assert "no counterexample" in run.err


def test_large_graphs_are_merged_in_pictures(secateur: Runner, large: str, tmp_path: Path) -> None:
    dot, aut = tmp_path / "g.dot", tmp_path / "g.aut"
    run = secateur("graph", large, "-o", str(dot), "-o", str(aut))
    assert run.code == 0
    assert "merged by y: 2,000 states in 20 blocks\n" in run.err
    assert "east ×99" in dot.read_text(encoding="utf-8")
    assert aut.read_text(encoding="utf-8").startswith("des (0, 3880, 2000)\n")
    run = secateur("graph", large, "--max-nodes", "3")
    assert "in 2 blocks" in run.err or "in 3 blocks" in run.err


def test_by_variables_and_expressions(secateur: Runner, large: str) -> None:
    run = secateur("graph", large, "--by", "y, (x + 1) mod 2", "--no-loops", "--json")
    found = run.json()
    assert found["merged_by"] == ["y", "(x + 1) mod 2"]
    assert len(found["nodes"]) == 40
    assert all(e["source"] != e["target"] for e in found["edges"])
    assert secateur("graph", large, "--by", "max({x,y})", "--json").json()["merged_by"] == [
        "max({x,y})"
    ]
    run = secateur("graph", large, "--by", "z")
    assert run.code == 2
    assert "error[SEC130]: unknown identifier z" in run.err
    run = secateur("graph", large, "--by", "z = x")
    assert run.code == 2
    assert "error[SEC430]" in run.err


def test_a_limit_is_told_and_makes_it_incomplete(secateur: Runner, large: str) -> None:
    run = secateur("graph", large, "--max-states", "30", "--format", "json")
    assert run.code == 3
    assert "incomplete: the limit of 30 states was reached" in run.err
    found = run.json()
    assert found["complete"] is False
    assert found["reasons"] == ["the limit of 30 states was reached"]
    assert any("unexplored" in n["marks"] for n in found["nodes"])
    run = secateur("graph", large, "--max-states", "30", "--format", "svg", "--layout", "own")
    assert "incomplete: the limit of 30 states was reached" in run.out


def test_what_is_too_large_to_draw_is_refused(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Long.mch"
    path.write_text(
        "MACHINE Long VARIABLES x INVARIANT x : 0..999 INITIALISATION x := 0\n"
        "OPERATIONS up = SELECT x < 999 THEN x := x + 1 END; back = BEGIN x := 0 END END"
    )
    run = secateur("graph", str(path), "--full", "--format", "svg")
    assert run.code == 2
    assert run.err.startswith("error[SEC466]: the picture would have 1,000 nodes")
    assert secateur("graph", str(path), "--format", "svg", "--quiet").code == 0


def test_bad_files(secateur: Runner, small: str, tmp_path: Path) -> None:
    run = secateur("graph", small, "-o", str(tmp_path / "g.png"))
    assert run.code == 2
    assert run.err.startswith("error[SEC460]: no format is known for ")
    run = secateur("graph", small, "-o", str(tmp_path / "no" / "g.dot"))
    assert run.code == 2
    assert "error[SEC461]" in run.err
    run = secateur(
        "graph", small, "-o", f"{small}.dot", "-o", f"{tmp_path}/../{tmp_path.name}/Small.mch.dot"
    )
    assert (run.code, "is to be written twice" in run.err) == (2, True)
    run = secateur("graph", small, "--format", "dot", "-o", small)
    assert (run.code, "the file that is read" in run.err) == (2, True)
    assert Path(small).read_text() == SMALL
    assert secateur("graph", "Nowhere.mch").code == 2
    assert secateur("graph", small, "--format", "png").code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--kind", "enable", "--by", "x"), "--by makes no difference beside --kind enable"),
        (("--kind", "enable", "--trace"), "--trace makes no difference beside --kind enable"),
        (("--kind", "custom", "--max-nodes", "3"), "--max-nodes makes no difference"),
        (("--step", "2"), "--step makes no difference beside --kind states"),
        (("--instances",), "--instances makes no difference"),
        (("--full", "--by", "x"), "--by makes no difference beside --full"),
        (("--json", "--format", "svg"), "--format svg makes no difference beside --json"),
        (("--json", "-o", "x.svg"), "-o x.svg makes no difference beside --json"),
    ],
)
def test_options_that_would_be_ignored(
    secateur: Runner, small: str, words: tuple[str, ...], said: str
) -> None:
    run = secateur("graph", small, *words)
    assert run.code == 2
    assert "SEC450" in run.err + run.out
    assert said in run.err + run.out


def test_an_unwritable_file_is_found_out_before_exploring(secateur: Runner, tmp_path: Path) -> None:
    run = secateur("graph", "Endless.mch", "-o", str(tmp_path / "no" / "g.dot"))
    assert (run.code, "SEC461" in run.err) == (2, True)


def test_long_values_are_cut_short(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Long.mch"
    path.write_text(
        "MACHINE Long CONSTANTS c PROPERTIES c = %i.(i : 1..300 | i * i) VARIABLES x "
        "INVARIANT x : BOOL INITIALISATION x := TRUE OPERATIONS flip = x := bool(x = FALSE) END"
    )
    run = secateur("graph", str(path))
    line = next(line for line in run.err.splitlines() if line.startswith("everywhere: c = "))
    assert len(line) < 100
    assert len(secateur("graph", str(path), "--json").json()["everywhere"]["c"]) > 1000


def test_the_enable_graph(
    secateur: Runner, small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = secateur("graph", small, "--kind", "enable", "--json").json()
    names = [n["heading"] for n in found["nodes"]]
    edges = {(names[e["source"]], names[e["target"]], e["tone"]) for e in found["edges"]}
    assert ("up", "stay", "enables") in edges
    assert ("up", "stay", "disables") in edges
    assert ("stay", "up", "enables") not in edges
    run = secateur("graph", small, "--kind", "enable")
    assert 'style="dashed"' in run.out


def test_pictures_of_a_state(secateur: Runner, small: str) -> None:
    run = secateur("graph", small, "--kind", "animation")
    assert (run.code, run.err) == (0, "")
    assert ">Small after step 1: INITIALISATION<" in run.out
    assert fromstring(run.out).tag.endswith("svg")
    run = secateur("graph", small, "--kind", "custom", "--step", "3")
    assert 'n2 [label="2", fillcolor="red"];' in run.out
    run = secateur("graph", small, "--kind", "animation", "--trace")
    assert ">Small after step 4: up<" in run.out
    run = secateur("graph", small, "--kind", "animation", "--step", "9")
    assert (run.code, run.err[:13]) == (2, "error[SEC433]")
    run = secateur("graph", small, "--kind", "animation", "--format", "dot")
    assert (run.code, run.err[:13]) == (2, "error[SEC467]")


def test_a_definition_that_was_not_understood_is_told(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Small.mch"
    path.write_text(SMALL.replace("(0..2) *", "0..2 *"))
    run = secateur("graph", str(path), "--kind", "custom")
    assert run.code == 0
    assert run.err.startswith("definition CUSTOM_GRAPH_NODES is left out: ")


def test_models_without_pictures(secateur: Runner, large: str) -> None:
    for kind in ("animation", "custom"):
        run = secateur("graph", large, "--kind", kind)
        assert (run.code, run.err[:13]) == (2, "error[SEC431]")


def test_a_model_without_states(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "None.mch"
    path.write_text("MACHINE None CONSTANTS c PROPERTIES c : 1..2 & c > 5 END")
    for form in ("dot", "svg", "aut", "graphml", "json", "csv"):
        assert secateur("graph", str(path), "--format", form).code == 0
    run = secateur("graph", str(path), "--kind", "custom")
    assert (run.code, run.err[:13]) == (2, "error[SEC410]")
