"""`python -m tools.promela.graphs FILE...`: the graphs of proctypes beside those of `pan -d`.

Compared are locations and edges in their order, what kind of statement they are, where control
is kept, where escapes come from, and which locations are ends, accepting or progress.  The
numbers of locations may differ (with `unless` after a statement without braces they do).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from secateur.lang.promela import ast, automata
from secateur.lang.promela.automaton import (
    Automaton,
    Deterministic,
    Edge,
    Jump,
    Location,
    Terminate,
)
from secateur.source import InputError
from tools.promela import ours, spin

_HEADING: Final = re.compile(r"^(proctype|claim) (\S+)$|^(init)$")
_EDGE: Final = re.compile(
    r"^\tstate +(\d+) -\(tr +\d+\)-> state +(\d+) +\[id +\d+ tp +\d+(?:,\d+)?(?: org +(\d+))?\]"
    r" \[(.)(.)(.)(.).\] \S+ => (.*)$"
)


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge as both sides know it."""

    source: int
    target: int
    kind: str
    origin: int
    """Where the escape begins; 0 for what is no escape."""
    marks: str
    """Of its source: accepting, end, progress."""
    keeps: bool


@dataclass
class Graph:
    """The edges of one body, the first of which leaves its start."""

    name: str
    arrows: list[Arrow] = field(default_factory=list)


def of_spin(model: Path, defines: Sequence[str] = ()) -> dict[str, Graph]:
    """What `pan -d` prints."""
    with tempfile.TemporaryDirectory() as folder:
        search = spin.Search(breadth_first=False, quick_to_compile=True, defines=tuple(defines))
        spin.generate(model, folder, search)
        done = subprocess.run(
            [f"{folder}/pan", "-d"],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
        )
    return _printed(done.stdout)


def _printed(text: str) -> dict[str, Graph]:
    graphs: dict[str, Graph] = {}
    graph = Graph("")
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            name = heading[2] or "init"
            graph = graphs[name] = Graph(name)
        elif found := _EDGE.match(line):
            source, target, origin, atomic, accept, end, progress, said = found.groups()
            marks = accept + end + progress
            kind = _said_kind(said, atomic)
            arrow = Arrow(int(source), int(target), kind, int(origin or 0), marks, atomic == "A")
            graph.arrows.append(arrow)
    return graphs


def _said_kind(said: str, atomic: str) -> str:
    if said.startswith("D_STEP") or atomic == "D":
        return "d_step"
    if said in {"else", "-end-"}:
        return said
    if said.startswith(("goto ", ".(goto)", "break")) or said == "(1)":
        return "jump"
    return "other"


def of_ours(proctype: ast.Proctype, *, claim: bool, seen: frozenset[str]) -> Graph:
    """Our graph, in the order in which `pan -d` prints."""
    graph = automata.automaton(proctype, claim=claim, seen=seen)
    arrows: list[Arrow] = []
    done: set[int] = set()

    def visit(number: int) -> None:
        if number in done or number not in graph.at:
            return
        done.add(number)
        mine = _arrows(graph, graph.at[number])
        arrows.extend(mine)
        for arrow in mine:
            visit(arrow.target)

    visit(graph.start)
    return Graph(proctype.name, arrows)


def _arrows(graph: Automaton, place: Location) -> list[Arrow]:
    marks = ("a" if place.accept else "-") + ("e" if place.end else "-")
    marks += "p" if place.progress else "-"
    found: list[Arrow] = []
    for escape in place.escapes:
        found += [_arrow(e, place.number, marks, escape.start) for e in escape.edges]
    return found + [_arrow(e, place.number, marks, 0) for e in graph.leaving[place.number]]


def _arrow(edge: Edge, source: int, marks: str, origin: int) -> Arrow:
    kind = _kind(edge)
    return Arrow(source, max(edge.target, 0), kind, origin, marks, edge.keeps)


def _kind(edge: Edge) -> str:
    match edge.step:
        case Deterministic():
            return "d_step"
        case ast.Else():
            return "else"
        case Terminate():
            return "-end-"
        case Jump() | ast.Condition(condition=ast.Number(value=1)):
            return "jump"
    return "other"


def renumbered(graph: Graph) -> list[tuple[int, int, str, bool, str, bool]]:
    """The edges with locations numbered in the order in which they are met."""
    numbers: dict[int, int] = {}

    def number(location: int) -> int:
        return numbers.setdefault(location, len(numbers)) if location else -1

    return [
        (
            number(a.source),
            number(a.target),
            a.kind,
            a.origin > 0,
            a.marks,
            a.keeps and a.kind != "d_step",
        )
        for a in graph.arrows
    ]


def compared(model: Path, defines: Sequence[str] = ()) -> list[str]:
    """What differs, in words; nothing if all is as Spin has it."""
    program = ours.program(model, defines)
    theirs = of_spin(model, defines)
    differing: list[str] = []
    claims = {p.name for p in program.nevers}
    for proctype in (*program.proctypes, *program.nevers):
        name = proctype.name
        if name not in theirs:
            if proctype.name not in claims:
                differing.append(f"{name}: Spin has no such proctype")
            continue
        seen = automata.asked_for(program, name)
        mine = of_ours(proctype, claim=name in claims, seen=seen)
        differing += _differences(name, mine, theirs[name])
    return differing


def _differences(name: str, mine: Graph, spins: Graph) -> list[str]:
    left, right = renumbered(mine), renumbered(spins)
    if left == right:
        return []
    for i, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return [f"{name}: edge {i}: {mine.arrows[i]}, Spin {spins.arrows[i]}"]
    return [f"{name}: {len(left)} edges, Spin {len(right)}"]


def main(argv: Sequence[str] | None = None) -> int:
    """Compare every model, and say what differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.promela.graphs", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("models", nargs="*", type=Path, help="all of the corpus if none is given")
    args = parser.parse_args(argv)
    if (lacking := spin.missing()) is not None:
        print(f"{lacking} is not installed", file=sys.stderr)
        return 2
    equal = wrong = 0
    for model in args.models or ours.corpus():
        try:
            differing = compared(model)
        except (spin.Refused, InputError) as why:
            print(f"{model}: not compared: {str(why).splitlines()[0] if str(why) else why!r}")
            continue
        equal += not differing
        wrong += bool(differing)
        for line in differing:
            print(f"{model}: {line}")
    print(f"{equal} models as Spin has them, {wrong} not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
