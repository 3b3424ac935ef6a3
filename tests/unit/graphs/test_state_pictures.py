"""ANIMATION_FUNCTION and CUSTOM_GRAPH: states as their authors want them shown."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

import secateur
from secateur.app.pictures.animation import animation_functions, animation_grid, animation_picture
from secateur.app.pictures.chosen_state import chosen_state, counterexample_of, first_walk
from secateur.app.pictures.custom_graph import custom_graph
from secateur.engine.limits import NO_LIMITS
from secateur.report.graphs.protocol import DrawnGraph
from secateur.report.grid import Grid
from secateur.source import InputError
from tests.unit.graphs.models import model

GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
SVG = "{http://www.w3.org/2000/svg}"

BOARD = """MACHINE Board
DEFINITIONS
  ANIMATION_FUNCTION_DEFAULT == {r, c, i | r : 1..2 & c : 1..3 & i = 0};
  ANIMATION_FUNCTION == {(1, at, 1)};
  ANIMATION_FUNCTION2 == {(2, 1, 7)};
  ANIMATION_FUNCTION3 == {(2, 3, "<&>")};
  ANIMATION_FUNCTION10 == {(2, 3, 9)};
  ANIMATION_IMG0 == "images/empty.gif";
  ANIMATION_IMG1 == "lost.png";
  ANIMATION_STR7 == "seven"
VARIABLES at
INVARIANT at : 1..3 & at < 3
INITIALISATION at := 1
OPERATIONS go = SELECT at < 3 THEN at := at + 1 END
END
"""


def _texts(grid: Grid) -> list[list[str | None]]:
    return [[None if cell is None else cell.text for cell in row] for row in grid.rows]


def _start(found: secateur.Model) -> object:
    return chosen_state(found, None, None)[0]


def test_functions_are_laid_over_each_other(tmp_path: Path) -> None:
    found = model(BOARD, tmp_path)
    assert animation_functions(found) == [
        *("ANIMATION_FUNCTION_DEFAULT", "ANIMATION_FUNCTION"),
        *("ANIMATION_FUNCTION2", "ANIMATION_FUNCTION3", "ANIMATION_FUNCTION10"),
    ]
    grid = animation_grid(found, _start(found))
    assert (grid.row_names, grid.column_names) == (("1", "2"), ("1", "2", "3"))
    assert _texts(grid) == [["lost", "empty", "empty"], ["seven", "empty", "9"]]


def test_images_are_embedded_where_they_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "empty.gif").write_bytes(GIF)
    (tmp_path / "lost.png").write_text("this is no picture")
    found = model(BOARD, tmp_path)
    picture = fromstring(animation_picture(found, _start(found)))
    images = list(picture.iter(f"{SVG}image"))
    assert len(images) == 3
    source = images[0].get("href") or ""
    assert source.startswith("data:image/gif;base64,")
    assert base64.b64decode(source.partition(",")[2]) == GIF
    assert "lost" in [text.text for text in picture.iter(f"{SVG}text")]


def test_a_later_state(tmp_path: Path) -> None:
    found = model(BOARD, tmp_path)
    state, remarks = chosen_state(found, None, 2)
    assert _texts(animation_grid(found, state))[0] == ["empty", "lost", "empty"]
    assert remarks == ("Board after step 2: go",)
    trace = counterexample_of(found, NO_LIMITS)
    assert trace is not None
    last = chosen_state(found, trace, None)[0]
    assert found.values(last) == {"at": 3}
    for wrong in (0, len(trace) + 1):
        with pytest.raises(InputError, match="there is no step"):
            chosen_state(found, trace, wrong)
    with pytest.raises(InputError, match="nothing is enabled after 3 steps"):
        first_walk(found, 9)


def test_text_in_cells_is_escaped(tmp_path: Path) -> None:
    found = model(BOARD.replace("  ANIMATION_FUNCTION10 == {(2, 3, 9)};\n", ""), tmp_path)
    picture = fromstring(animation_picture(found, _start(found)))
    assert "<&>" in [text.text for text in picture.iter(f"{SVG}text")]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("[5, 6, 7]", [["5", "6", "7"]]),
        ("{red |-> 1 |-> TRUE, blue |-> 2 |-> FALSE}", [["TRUE", None], [None, "FALSE"]]),
        ("{1} * {4, 6} * {red}", [["red", None, "red"]]),
        ("{} <: {1 |-> 1 |-> 1}", None),
        ("{1, 2}", None),
        ("NATURAL * {1} * {1}", None),
        ("{1 |-> 1 |-> 1 / (at - at)}", None),
    ],
)
def test_what_a_function_may_be(
    function: str, expected: list[list[str | None]] | None, tmp_path: Path
) -> None:
    text = f"""MACHINE M DEFINITIONS ANIMATION_FUNCTION == {function}
    SETS COLOUR = {{red, blue}} VARIABLES at INVARIANT at : NAT INITIALISATION at := 1 END"""
    found = model(text, tmp_path)
    if expected is None:
        with pytest.raises(InputError, match="ANIMATION_FUNCTION"):
            animation_grid(found, _start(found))
    else:
        assert _texts(animation_grid(found, _start(found))) == expected


def test_one_of_several_functions_may_have_no_value_yet(tmp_path: Path) -> None:
    found = model(BOARD.replace("{(2, 1, 7)}", "{(2, 1, 7 / (at - 1))}"), tmp_path)
    grid = animation_grid(found, _start(found))
    assert _texts(grid)[1] == ["empty", "empty", "9"]
    assert grid.remarks == ("ANIMATION_FUNCTION2 is ill-defined here: division by zero: 7 / 0",)


def test_there_may_be_no_picture(tmp_path: Path) -> None:
    text = "MACHINE M DEFINITIONS ANIMATION_FUNCTION == 1 + TRUE\n"
    text += "VARIABLES x INVARIANT x : NAT INITIALISATION x := 1 END"
    found = model(text, tmp_path)
    with pytest.raises(InputError) as caught:
        animation_grid(found, _start(found))
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.code) == "SEC431"
    assert "ANIMATION_FUNCTION is left out" in (diagnostic.help or "")
    with pytest.raises(InputError, match="CUSTOM_GRAPH"):
        custom_graph(found, _start(found))


GRAPHS = """MACHINE Graphs
DEFINITIONS {}
SETS S = {{a, b, c, green}}
VARIABLES x INVARIANT x : NAT INITIALISATION x := 1
END
"""


def _drawn(definitions: str, folder: Path) -> DrawnGraph:
    found = model(GRAPHS.format(definitions), folder)
    return custom_graph(found, _start(found))


def _edges(graph: DrawnGraph) -> list[tuple[str, str, str, str]]:
    names = [node.heading for node in graph.nodes]
    return [
        (names[e.source], names[e.target], e.label, e.look.get("color", "")) for e in graph.edges
    ]


def test_nodes_and_edges_as_sets(tmp_path: Path) -> None:
    graph = _drawn(
        """CUSTOM_GRAPH_NODES == {1 |-> "red", 2 |-> "odd", 3 |-> "green"};
        CUSTOM_GRAPH_NODES2 == {a |-> 1, b |-> 2};
        CUSTOM_GRAPH_EDGES == {1 |-> "hello" |-> 3, 2 |-> "blue" |-> 3};
        CUSTOM_GRAPH_EDGES1 == {a |-> b, b |-> c};
        CUSTOM_GRAPH_EDGES2 == {1 |-> 2 |-> "label"}""",
        tmp_path,
    )
    assert [(n.heading, n.look.get("fillcolor")) for n in graph.nodes] == [
        ("1", "red"),
        ("2", "lightgray"),
        ("3", "green"),
        ("a", "blue"),
        ("b", "red"),
        ("c", None),
    ]
    assert _edges(graph) == [
        ("1", "3", "hello", ""),
        ("2", "3", "", "blue"),
        ("a", "b", "", ""),
        ("b", "c", "", ""),
        ("1", "2", "label", ""),
    ]


def test_nodes_that_are_pairs(tmp_path: Path) -> None:
    graph = _drawn(
        """CUSTOM_GRAPH_NODES == {1 |-> 2 |-> "red", 3 |-> 4 |-> "red"};
        CUSTOM_GRAPH_EDGES == {(1 |-> 2) |-> (3 |-> 4)};
        CUSTOM_GRAPH_EDGES1 == {((1 |-> 2) |-> 2) |-> (3 |-> 4)}""",
        tmp_path,
    )
    assert _edges(graph) == [
        ("(1|->2)", "(3|->4)", "", ""),
        ("(1|->2)", "(3|->4)", "", "red"),
    ]


def test_records(tmp_path: Path) -> None:
    graph = _drawn(
        """CUSTOM_GRAPH == rec(layout: "circo", rankdir: "LR",
          nodes: rec(shape: "circle", nodes: {a, b}),
          nodes1: {rec(value: x + 1, label: "two", style: "filled", colour: "pink")},
          edges: rec(color: "gray", label: "gt", edges: {i, j | i : 1..2 & j : 2..3 & i < j}),
          edges1: {rec(from: a, to: b, style: "dashed")})""",
        tmp_path,
    )
    assert graph.look == {"layout": "circo", "rankdir": "LR"}
    assert [(n.heading, dict(n.look)) for n in graph.nodes[:3]] == [
        ("a", {"shape": "circle"}),
        ("b", {"shape": "circle"}),
        ("two", {"style": "filled", "color": "pink", "fillcolor": "pink"}),
    ]
    assert _edges(graph) == [
        ("1", "two", "gt", "gray"),
        ("1", "3", "gt", "gray"),
        ("two", "3", "gt", "gray"),
        ("a", "b", "", ""),
    ]


@pytest.mark.parametrize(
    "definitions",
    [
        "CUSTOM_GRAPH == 1",
        "CUSTOM_GRAPH == rec(nodes: 1)",
        "CUSTOM_GRAPH_NODES == NATURAL",
        "CUSTOM_GRAPH_EDGES == {1, 2}",
        "CUSTOM_GRAPH == rec(nodes: {rec(colour: 1)})",
    ],
)
def test_what_is_no_graph(definitions: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="CUSTOM_GRAPH"):
        _drawn(definitions, tmp_path)
