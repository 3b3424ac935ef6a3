"""Pictures for reports: of any model, readable, the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring

import secateur
from secateur.app.pictures.drawn import enable_graph, overview_picture
from secateur.engine.limits import NO_LIMITS, Limits
from secateur.report.events import Cell, EventsOverview, Sides
from secateur.report.graphs.protocol import Tone
from tests.unit.graphs.models import COUNTERS, FAULTY, QUEER, TWO_STARTS, model

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "examples").glob("*.mch"))
SVG = "{http://www.w3.org/2000/svg}"


def _nodes(picture: str) -> int:
    rects = fromstring(picture).iter(f"{SVG}rect")
    return len([rect for rect in rects if rect.get("class") == "node"])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_has_a_readable_picture(path: Path) -> None:
    found = secateur.load(path)
    picture = overview_picture(found, Limits(states=2000))
    assert picture is not None
    assert 0 < _nodes(picture) <= 60
    assert overview_picture(found, Limits(states=2000)) == picture


@pytest.mark.parametrize("text", [COUNTERS, FAULTY, QUEER, TWO_STARTS])
def test_a_trace_is_highlighted(text: str, tmp_path: Path) -> None:
    found = model(text, tmp_path)
    trace = found.check().trace
    picture = overview_picture(found, NO_LIMITS, trace)
    assert picture is not None
    assert (trace is not None) == ('class="edge trace"' in picture)


def test_a_limit_is_told_in_the_picture(tmp_path: Path) -> None:
    picture = overview_picture(model(COUNTERS, tmp_path), Limits(states=20))
    assert picture is not None
    assert "incomplete: the limit of 20 states was reached" in picture


def test_without_states_there_is_no_picture(tmp_path: Path) -> None:
    text = "MACHINE None CONSTANTS c PROPERTIES c : 1..2 & c > 5 END"
    assert overview_picture(model(text, tmp_path), NO_LIMITS) is None


def test_influences_are_edges() -> None:
    words = {
        ("a", "a"): "always disables",
        ("a", "b"): "may enable or disable",
        ("b", "a"): "keeps",
        ("b", "b"): "may enable",
    }
    sides = tuple(Sides(name, (), (), ()) for name in "ab")
    cells = tuple(Cell(a, b, 1, 1, (), word) for (a, b), word in words.items())
    graph = enable_graph(EventsOverview("M", 2, 1, sides, cells, ()))
    assert {(e.source, e.target, e.tone) for e in graph.edges} == {
        (0, 1, Tone.ENABLES),
        (0, 1, Tone.DISABLES),
        (1, 1, Tone.ENABLES),
    }
