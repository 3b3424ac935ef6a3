"""`secateur events`: relations as a table, as JSON, as a graph, and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

from tests.cli.conftest import Runner

MODEL = """MACHINE Threads
VARIABLES pc1, pc2, x, y
INVARIANT pc1 : 0..2 & pc2 : 0..2 & x : 0..2 & y : 0..3 & x <= 2
INITIALISATION pc1, pc2, x, y := 0, 0, 0, 0
OPERATIONS
  east = SELECT pc1 = 0 THEN pc1 := 1 END;
  west = SELECT pc2 = 0 THEN pc2 := 1 END;
  both   = SELECT pc1 = 1 & pc2 = 1 THEN pc1, pc2 := 2, 2 END;
  pick(n) = SELECT n : 1..2 & x = 0 THEN x := n END;
  grow   = SELECT y >= x THEN y := y + 1 END
END
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "Threads.mch"
    path.write_text(MODEL)
    return str(path)


def test_the_table(secateur: Runner, model: str) -> None:
    run = secateur("events", model)
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:2] == ["Threads", "6 instances, 4 slots"]
    assert "  pick  (2 instances)" in lines
    at = lines.index("dependent pairs of instances, of all pairs")
    matrix = [line.split() for line in lines[at + 2 : at + 7]]
    assert [row[1:] for row in matrix] == [
        ["east", "-", "0/1", "0/1", "0/2", "0/1"],
        ["west", "0/1", "-", "0/1", "0/2", "0/1"],
        ["both", "0/1", "0/1", "-", "0/2", "0/1"],
        ["pick", "0/2", "0/2", "0/2", "1/1", "2/2"],
        ["grow", "0/1", "0/1", "0/1", "2/2", "-"],
    ]
    at = lines.index("what a row does to the enabledness of a column")
    influence = {line.split()[1]: line.split()[2:] for line in lines[at + 2 : at + 7]}
    assert influence["east"] == ["--", ".", "+", ".", "."]
    assert influence["both"] == ["=", "=", "--", ".", "."]
    assert influence["pick"][3:] == ["--", "-"]


def test_instances_as_json(secateur: Runner, model: str) -> None:
    found = secateur("events", model, "--instances", "--json").json()
    assert [s["name"] for s in found["sides"]] == [
        *("east", "west", "both", "pick(1)", "pick(2)", "grow")
    ]
    grow = found["sides"][-1]
    assert (grow["guard"], grow["action"], grow["write"]) == (["x", "y"], ["y"], ["y"])
    cells = {(c["first"], c["second"]): c for c in found["cells"]}
    assert cells["pick(1)", "pick(2)"]["dependent"] == 1
    assert cells["pick(1)", "pick(2)"]["kinds"] == ["both write it"]
    assert cells["east", "both"]["influence"] == "may enable"
    assert sum(found["grounds"].values()) > 0


def test_why(secateur: Runner, model: str) -> None:
    run = secateur("events", model, "--why", "pick( 2 )", "grow")
    assert run.code == 0
    assert run.out.startswith("pick(2) and grow\n  dependent (one writes what the other's guard")
    assert "it is about x" in run.out
    assert "    for instance where pc1 = " in run.out
    assert "pick(2) may disable `y >= x`" in run.out
    found = secateur("events", model, "--json", "--why", "east", "west").json()
    (pair,) = found["pairs"]
    assert pair["dependent"]["yes"] is False
    assert pair["dependent"]["ground"] == "they share no slot"
    assert secateur("events", model, "--why", "pick", "pick").out.startswith("pick(1) and pick(2)")
    assert secateur("events", model, "--why", "east", "east").out.startswith("east and east")


def test_why_of_an_unknown_event(secateur: Runner, model: str) -> None:
    run = secateur("events", model, "--why", "pick(3)", "grow")
    assert run.code == 2
    assert run.err.startswith("error[SEC414]: there is no event pick(3)\nhelp: there are east,")


def test_graphs(secateur: Runner, model: str) -> None:
    run = secateur("events", model, "--dot", "dependency")
    assert run.out.startswith("graph dependency {\n")
    assert '  "pick" -- "grow" [label="2/2"];\n' in run.out
    run = secateur("events", model, "--dot", "enabling", "--no-cache")
    assert '  "east" -> "both" [label="may enable"];\n' in run.out
    assert '  "pick" -> "grow" [label="may disable", style=dashed];\n' in run.out


def test_without_time_everything_that_shares_slots_is_related(secateur: Runner, model: str) -> None:
    found = secateur("events", model, "--json", "--analysis-seconds", "0").json()
    cells = {(c["first"], c["second"]): c for c in found["cells"]}
    assert cells["east", "both"]["dependent"] == 1
    assert cells["east", "west"]["dependent"] == 0
    assert set(found["grounds"]) == {"it could not be decided"}


@pytest.mark.parametrize("graph", ["dependency", "enabling"])
def test_pictures_are_xml_with_every_event(secateur: Runner, model: str, graph: str) -> None:
    run = secateur("events", "--svg", graph, "--instances", model)
    assert (run.code, run.err) == (0, "")
    picture = fromstring(run.out)
    shown = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"east", "west", "both", "pick(1)", "pick(2)", "grow"} <= shown
    said = [title.text or "" for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    if graph == "dependency":
        assert "east and west: 0 of 1 pairs" in said
    else:
        assert "east may enable both" in said
        assert not any(title.startswith("east may enable west") for title in said)
