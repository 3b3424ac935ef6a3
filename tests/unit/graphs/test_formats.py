"""Every format is read by somebody, says all there is, and survives any text."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
from defusedxml.ElementTree import fromstring

from secateur.app.pictures.drawn import Wanted, drawn_states
from secateur.app.pictures.graph import counterexample, gather
from secateur.report.graphs.protocol import DrawnEdge, DrawnGraph, DrawnNode, Mark, Tone
from secateur.report.graphs.registry import FORMATS, by_suffix
from secateur.report.graphs.svg import render_svg
from tests.unit.graphs.models import COUNTERS, FAULTY, QUEER, TWO_STARTS, model

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "a\"b\\c<d>&e'f\nZürich ∀ \x01 \\N {|} --> ]]>"
FORMAT = {row.name: row for row in FORMATS}

queer = DrawnGraph(
    NASTY,
    (
        DrawnNode(NASTY, ((NASTY, NASTY),), marks=frozenset(Mark), remarks=(NASTY,)),
        DrawnNode("", ((NASTY, "2"),), states=3, look={"fillcolor": NASTY, "color": "blue"}),
    ),
    (
        DrawnEdge(0, 1, NASTY, NASTY, 7),
        DrawnEdge(1, 1, NASTY, NASTY, tone=Tone.DISABLES),
        DrawnEdge(1, 0, "plain", "plain", on_trace=True, look={"color": NASTY}),
    ),
    ((NASTY, 0),),
    remarks=(NASTY,),
    reasons=(NASTY,),
    look={NASTY: NASTY},
)
empty = DrawnGraph("Empty", (), ())


def graphs(folder: Path) -> list[DrawnGraph]:
    """Graphs of all sorts."""
    found = [queer, empty]
    for text in (COUNTERS, FAULTY, TWO_STARTS, QUEER):
        loaded = model(text, folder)
        graph = gather(loaded)
        way = counterexample(graph)
        way_taken = None if way is None else tuple(way)
        found.append(drawn_states(loaded, graph, Wanted(way=way_taken)))
        # To lay out hundreds of nodes takes Graphviz a minute.
        if len(graph.states) < 60:
            found.append(drawn_states(loaded, graph, Wanted(full=True, way=way_taken)))
    return found


def _dot() -> str:
    program = shutil.which("dot")
    if program is None:
        pytest.skip("NO GRAPHVIZ: nobody has read our DOT; install graphviz")
    return program


def test_graphviz_reads_dot(tmp_path: Path) -> None:
    program = _dot()
    for graph in graphs(tmp_path):
        done = subprocess.run(
            [program, "-Tcanon"],
            input=FORMAT["dot"].write(graph),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "rror" not in done.stderr
        if graph is not queer:
            assert not done.stderr


def test_graphviz_draws_every_node(tmp_path: Path) -> None:
    _dot()
    loaded = model(TWO_STARTS, tmp_path)
    drawn = drawn_states(loaded, gather(loaded), Wanted())
    picture = fromstring(FORMAT["svg"].write(drawn))
    kinds = Counter(g.get("class") for g in picture.iter(f"{SVG}g"))
    # each beginning has a point of its own
    assert kinds["node"] == len(drawn.nodes) + len(drawn.beginnings)


def test_networkx_reads_graphml(tmp_path: Path) -> None:
    for graph in graphs(tmp_path):
        path = tmp_path / "graph.graphml"
        path.write_text(FORMAT["graphml"].write(graph), encoding="utf-8")
        read = nx.read_graphml(path, force_multigraph=True)
        assert (len(read.nodes), len(read.edges)) == (len(graph.nodes), len(graph.edges))
        for number, node in enumerate(graph.nodes):
            said = read.nodes[f"n{number}"]
            assert said["states"] == node.states
            for mark in Mark:
                assert said.get(mark.value, False) == (mark in node.marks)
            for name, value in node.values:
                key = f"value of {name}".replace("\x01", "\ufffd")
                assert said[key] == value.replace("\x01", "\ufffd")
        counted = Counter((s, t, d["count"]) for s, t, d in read.edges(data=True))
        assert counted == Counter((f"n{e.source}", f"n{e.target}", e.count) for e in graph.edges)


@pytest.mark.parametrize("text", [COUNTERS, FAULTY, TWO_STARTS])
def test_aldebaran_agrees_with_the_check(text: str, tmp_path: Path) -> None:
    loaded = model(text, tmp_path)
    drawn = drawn_states(loaded, gather(loaded), Wanted(full=True))
    head, *lines = FORMAT["aut"].write(drawn).splitlines()
    told = loaded.check(all=True, por="none", symmetry="none").statistics
    if text == TWO_STARTS:  # a root leads to the initial states
        assert head == f"des (0, {told.transitions}, {told.states + 1})"
        assert lines[:2] == ['(0, "SETUP_CONSTANTS", 1)', '(0, "SETUP_CONSTANTS", 2)']
    else:  # the one initial state is the first
        assert head == f"des (0, {told.transitions - 1}, {told.states})"
    assert len(lines) == int(head.split(",")[1])
    operations: Counter[str] = Counter()
    for line in lines:
        source, label = line.removeprefix("(").split(", ", 1)
        target = label.rstrip(")").rpartition(", ")[2]
        assert 0 <= int(source) < int(head.rstrip(")").split(", ")[2])
        assert 0 <= int(target) < int(head.rstrip(")").split(", ")[2])
        operations[label.split('"')[1].split("(")[0]] += 1
    expected = Counter(told.operations)
    if text != TWO_STARTS:
        del expected["INITIALISATION"]
    assert operations == expected


def test_json_and_csv_have_all_edges(tmp_path: Path) -> None:
    for graph in graphs(tmp_path):
        said = json.loads(FORMAT["json"].write(graph))
        assert said["command"] == "graph"
        assert [n["states"] for n in said["nodes"]] == [node.states for node in graph.nodes]
        assert [dict(n["values"]) for n in said["nodes"]] == [dict(n.values) for n in graph.nodes]
        rows = list(csv.DictReader(io.StringIO(FORMAT["csv"].write(graph))))
        expected = [(e.source, e.target, e.event, e.label, e.count) for e in graph.edges]
        for found in (said["edges"], rows):
            assert [
                (int(e["source"]), int(e["target"]), e["event"], e["label"], int(e["count"]))
                for e in found
            ] == expected


def test_own_pictures_are_xml_with_everything_in_them(tmp_path: Path) -> None:
    for graph in graphs(tmp_path):
        text = render_svg(graph)
        picture = fromstring(text)
        assert "<script" not in text
        assert len([r for r in picture.iter(f"{SVG}rect") if r.get("class") == "node"]) == len(
            graph.nodes
        )
        pairs = {(e.source, e.target, e.tone, tuple(e.look.items())) for e in graph.edges}
        drawn = [p for p in picture.iter(f"{SVG}path") if (p.get("class") or "")[:4] == "edge"]
        assert len(drawn) == len(pairs)
        shown = [t.text or "" for t in picture.iter(f"{SVG}text")]
        for reason in graph.reasons:
            assert any(line.startswith("incomplete: " + reason[:5]) for line in shown)


def test_what_a_user_calls_a_colour_is_no_way_into_the_picture() -> None:
    graph = DrawnGraph("G", (DrawnNode("n", look={"fillcolor": '"/><script>', "color": "x<"}),), ())
    assert "script" not in render_svg(graph)


@pytest.mark.parametrize("name", [row.name for row in FORMATS])
def test_the_same_graph_gives_the_same_text(name: str, tmp_path: Path) -> None:
    assert [FORMAT[name].write(g) for g in graphs(tmp_path)] == [
        FORMAT[name].write(g) for g in graphs(tmp_path)
    ]


def test_suffixes() -> None:
    for row in FORMATS:
        for suffix in row.suffixes:
            assert by_suffix(f"Some.File{suffix.upper()}") is row
    assert by_suffix("picture.png") is None
