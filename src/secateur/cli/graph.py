"""`secateur graph`: draw or export the states of a model, its events, or one state."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur.app.codes import NO_SUCH_STEP
from secateur.app.load import load
from secateur.app.model import Model
from secateur.app.pictures.animation import animation_picture
from secateur.app.pictures.chosen_state import chosen_state, counterexample_of
from secateur.app.pictures.custom_graph import GRAPH, custom_graph
from secateur.app.pictures.drawn import MOST_NODES, Wanted, drawn_events, drawn_states
from secateur.app.pictures.graph import counterexample, gather
from secateur.app.pictures.special_values import left_out
from secateur.cli.arguments import add_limits, add_model, add_output, count, load_options, path
from secateur.cli.codes import NOT_IN_THIS_FORMAT, TOO_LARGE, UNKNOWN_FORMAT, USAGE
from secateur.cli.exit import ExitCode
from secateur.cli.output import complain, emit
from secateur.cli.places import files_read, refuse_clashes, refuse_unwritable, save
from secateur.cli.progress import ProgressPrinter
from secateur.engine.limits import Limits
from secateur.report.graphs.arrows import arrows
from secateur.report.graphs.dot import DOT
from secateur.report.graphs.graphviz import SVG
from secateur.report.graphs.json import JSON
from secateur.report.graphs.layout import TooLarge
from secateur.report.graphs.protocol import DrawnGraph, GraphFormat
from secateur.report.graphs.registry import FORMATS, by_suffix
from secateur.report.graphs.svg import render_svg
from secateur.source import InputError, fail

KINDS: Final = ("states", "enable", "animation", "custom")
_MOST_DRAWN: Final = 300
"""Graphviz gets no more nodes to draw, and no more than four times as many edges."""

_ANALYSIS_SECONDS: Final = 20.0

Write = Callable[[GraphFormat], str]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments; the formats come from their table."""
    add_model(parser)
    parser.epilog = "A limit that is hit is told in the picture and on stderr; the exit code is 3."
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default=KINDS[0],
        help="states (the default); enable: which events may enable or disable which; animation: "
        "a state as its ANIMATION_FUNCTION shows it; custom: as CUSTOM_GRAPH does",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=path,
        action="append",
        default=[],
        metavar="FILE",
        help="write to FILE instead of stdout, in the format of its suffix; may be repeated",
    )
    parser.add_argument(
        "--format",
        choices=[row.name for row in FORMATS],
        help="the format (by default dot, or what the suffix of FILE says): "
        + ", ".join(f"{row.name} {row.title}" for row in FORMATS),
    )
    parser.add_argument(
        "--layout",
        choices=("auto", "own"),
        default="auto",
        help="how SVG pictures are laid out: by Graphviz where it is installed (auto), or never",
    )
    _add_states(parser)
    _add_others(parser)
    add_limits(parser, "the graph of states")
    add_output(parser)


def _add_states(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("states")
    group.add_argument(
        "--by",
        action="append",
        default=[],
        metavar="WHAT",
        help="merge states that agree in WHAT: variables (x,y), an expression ('card(s)'), "
        "`signature` (the events that are enabled) or `distance` (steps from the beginning); "
        "may be repeated",
    )
    group.add_argument(
        "--full",
        action="store_true",
        help="do not merge states, however many there are; without --by, pictures have them merged "
        "where there are more than --max-nodes, and formats for programs do not",
    )
    group.add_argument(
        "--max-nodes",
        type=count,
        default=MOST_NODES,
        metavar="N",
        help=f"merge states until a picture has at most N nodes (default {MOST_NODES})",
    )
    group.add_argument(
        "--no-loops", action="store_true", help="leave out edges from a node to itself"
    )
    group.add_argument(
        "--trace",
        action="store_true",
        help="highlight a shortest way to a violation or deadlock; for one state: "
        "take the last one of the counterexample that `check` finds",
    )
    group.add_argument(
        "--arguments",
        action="store_true",
        help="tell arguments and results of every transition, also of more than 1,000 states, "
        "which takes longer",
    )


def _add_others(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("other kinds")
    group.add_argument(
        "--instances",
        action="store_true",
        help="enable: show events with their parameters bound",
    )
    group.add_argument(
        "--analysis-seconds",
        type=float,
        default=_ANALYSIS_SECONDS,
        metavar="S",
        help="enable: spend at most S seconds on relations between events "
        f"(default {_ANALYSIS_SECONDS:g})",
    )
    group.add_argument(
        "--step",
        type=count,
        metavar="N",
        help="animation, custom: the state after step N of the counterexample (with --trace), or "
        "of a walk that always takes the first transition; by default the first initial state",
    )


def run(args: argparse.Namespace) -> ExitCode:
    """Write the graph in all formats asked for; what is to be said of it goes to stderr."""
    _refuse_ignored(args)
    targets = _targets(args)
    model = load(args.model, **load_options(args))
    write, notes, complete = _made(model, args, {row.picture for _, row in targets})
    written = [(place, write(row)) for place, row in targets]
    for place, text in written:
        if place is None:
            emit(text.removesuffix("\n"))
        else:
            save(place, text)
    if not args.quiet:
        for note in notes:
            complain(note)
    return ExitCode.HOLDS if complete else ExitCode.INCOMPLETE


def _made(
    model: Model, args: argparse.Namespace, pictures: set[bool]
) -> tuple[Write, tuple[str, ...], bool]:
    """Return what writes the graph, what is said of it, and whether it is complete.

    `pictures` says whether there are formats for looking at, and others.
    """
    limits = Limits(args.max_states, args.max_seconds, args.max_memory)
    if args.kind == "states":
        return _states(model, args, limits, pictures)
    if args.kind == "enable":
        graph = drawn_events(model, args.analysis_seconds, instances=args.instances)
        return _writer(graph, args.layout), (), True
    trace = counterexample_of(model, limits) if args.trace else None
    if args.trace and trace is None:
        raise fail(NO_SUCH_STEP, "there is no counterexample to take a state of")
    state, remarks = chosen_state(model, trace, args.step)
    if args.kind == "custom":
        graph = custom_graph(model, state, remarks)
        return _writer(graph, args.layout), left_out(model, GRAPH), True
    picture = animation_picture(model, state, remarks)
    return (lambda _: picture), left_out(model, "ANIMATION_"), True


def _states(
    model: Model, args: argparse.Namespace, limits: Limits, pictures: set[bool]
) -> tuple[Write, tuple[str, ...], bool]:
    progress = None if args.quiet else ProgressPrinter()
    try:
        graph = gather(model, limits, arguments=args.arguments or None, watcher=progress)
    finally:
        if progress is not None:
            progress.close()
    way = counterexample(graph) if args.trace else None

    def drawn(picture: bool) -> DrawnGraph:  # noqa: FBT001
        wanted = Wanted(
            by=tuple(_criteria(args.by)),
            # Programs can read what is too large for people.
            full=args.full or not picture,
            most=args.max_nodes,
            loops=not args.no_loops,
            way=None if way is None else tuple(way),
        )
        return drawn_states(model, graph, wanted)

    made = {picture: drawn(picture) for picture in sorted(pictures)}
    notes = dict.fromkeys(note for each in made.values() for note in each.notes)
    if args.trace and way is None:
        notes["no counterexample: nothing is violated in these states"] = None
    if not graph.arguments and any(each.merged_by is None for each in made.values()):
        notes["transitions are told without arguments; --arguments adds them"] = None

    def write(row: GraphFormat) -> str:
        return _writer(made[row.picture], args.layout)(row)

    return write, tuple(notes), not graph.reasons


def _criteria(given: list[str]) -> list[str]:
    """Return what states are compared by; `x,y` is two, a comma within brackets is none."""
    found: list[str] = []
    for text in given:
        depth, begin = 0, 0
        for i, letter in enumerate(text + ","):
            if letter in "([{":
                depth += 1
            elif letter in ")]}":
                depth -= 1
            elif letter == "," and (depth <= 0 or i == len(text)):
                found.append(text[begin:i].strip())
                begin = i + 1
    return [text for text in found if text]


def _writer(graph: DrawnGraph, layout: str) -> Write:
    def write(row: GraphFormat) -> str:
        if row is not SVG:
            return row.write(graph)
        try:
            # Graphviz would take minutes or hours for it.
            size = max(len(graph.nodes), len(arrows(graph.edges)) // 4)
            large = size > _MOST_DRAWN
            return render_svg(graph) if layout == "own" or large else row.write(graph)
        except TooLarge:
            message = f"the picture would have {len(graph.nodes):,} nodes"
            message += f" and {len(graph.edges):,} edges: too many to draw"
            hint = "merge states with --by, or use a format that other programs read, such as aut"
            raise fail(TOO_LARGE, message, help=hint) from None

    return write


_OF_KIND: Final = {
    "states": ("by", "full", "max_nodes", "no_loops", "trace", "arguments"),
    "enable": ("instances", "analysis_seconds"),
    "animation": ("trace", "step"),
    "custom": ("trace", "step"),
}
"""The options that make a difference to each kind of graph."""
_USUAL: Final = {"max_nodes": MOST_NODES, "analysis_seconds": _ANALYSIS_SECONDS}


def _refuse_ignored(args: argparse.Namespace) -> None:
    """Raise InputError for options that would make no difference."""
    for name in dict.fromkeys(name for names in _OF_KIND.values() for name in names):
        given = getattr(args, name) not in (None, False, [], _USUAL.get(name))
        if given and name not in _OF_KIND[args.kind]:
            raise _refused(f"--kind {args.kind}", _option(name))
    for name in ("by", "max_nodes"):
        if args.full and getattr(args, name) not in ([], _USUAL.get(name)):
            raise _refused("--full", _option(name))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refused(one: str, other: str) -> InputError:
    message = f"{other} makes no difference beside {one}"
    return fail(USAGE, message, help=f"leave out {other} or {one}")


def _targets(args: argparse.Namespace) -> list[tuple[Path | None, GraphFormat]]:
    """Return where to write, and in which format."""
    asked = next((row for row in FORMATS if row.name == args.format), None)
    usual = SVG if args.kind == "animation" else DOT
    if args.json:
        others = [str(p) for p in args.output if by_suffix(p.name) not in (JSON, None)]
        others = [f"-o {other}" for other in others]
        others += [f"--format {args.format}"] if asked not in (JSON, None) else []
        if others:
            raise _refused("--json", others[0])
        asked = JSON
    found: list[tuple[Path | None, GraphFormat]] = []
    for place in args.output:
        row = asked or by_suffix(place.name)
        if row is None:
            known = ", ".join(suffix for row in FORMATS for suffix in row.suffixes)
            message = f"no format is known for {place}"
            raise fail(UNKNOWN_FORMAT, message, help=f"use --format or one of {known}")
        found.append((place, row))
    found = found or [(None, asked or usual)]
    if args.kind == "animation" and any(row is not SVG for _, row in found):
        message = "an animation is a picture: it can be written as SVG only"
        raise fail(NOT_IN_THIS_FORMAT, message)
    for place in args.output:
        refuse_unwritable(place)
    refuse_clashes(args.output, files_read(args))
    return found
