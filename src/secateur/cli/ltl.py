"""`secateur ltl`: check temporal formulas, those of the model or others."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from secateur.app.deep import run_deep
from secateur.app.evidence import Run, gather, of_formulas
from secateur.app.load import load
from secateur.app.readable import Clarity
from secateur.app.temporal.claims import Claim, Manner
from secateur.cli.arguments import add_engine, add_model, add_output, load_options, memory_size
from secateur.cli.codes import NO_FORMULA
from secateur.cli.exit import ExitCode
from secateur.cli.files import add_options, outputs_of, refuse_charts, write_outputs
from secateur.cli.gates import add_expectation, gate_formulas
from secateur.cli.output import complain, emit, style_for
from secateur.cli.traces import add_traces
from secateur.engine.limits import Limits
from secateur.engine.liveness.approach.registry import APPROACHES, DEFAULT_APPROACH
from secateur.engine.liveness.lawful import for_formulas, provisos_for_formulas
from secateur.engine.merging import NO_SYMMETRY
from secateur.engine.pruning import AUTO
from secateur.engine.reduce.protocol import ReductionRow
from secateur.engine.symbolic.fair import CYCLES
from secateur.engine.symbolic.reduce.protocol import ReachRow
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.report.diagnostics import render_diagnostics
from secateur.report.envelope import enveloped, to_text
from secateur.report.temporal import render_temporal, temporal_to_json
from secateur.source import fail
from secateur.source.read import read_source
from secateur.system.temporal import TemporalResult


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.add_argument(
        "--ltl",
        action="append",
        default=[],
        metavar="F",
        help="a formula of LTL, such as 'G([ask] => F {served = TRUE})'; may be repeated",
    )
    parser.add_argument(
        "--ctl", action="append", default=[], metavar="F", help="a formula of CTL; may be repeated"
    )
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="formulas of LTL, one a line; lines that begin with // or %% are left out",
    )
    _add_manner(parser)
    parser.add_argument("--parse", action="store_true", help="show how each formula was understood")
    parser.add_argument("--max-states", type=int, metavar="N", help="visit at most N states")
    parser.add_argument(
        "--max-seconds",
        type=float,
        metavar="S",
        help="read for at most S seconds, and as many for each formula",
    )
    parser.add_argument(
        "--max-memory", type=memory_size, metavar="SIZE", help="use at most SIZE (500M, 2G)"
    )
    add_traces(parser)
    add_expectation(parser)
    add_output(parser)
    add_options(parser)


def _add_manner(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--por",
        choices=list(dict.fromkeys([AUTO, *_names(for_formulas()), *_names(REACHES)])),
        default=AUTO,
        help="leave out what a formula cannot see: auto (the default) once a search takes long, "
        + ", ".join(f"{row.name} {row.title}" for row in for_formulas())
        + "; with --engine symbolic: "
        + ", ".join(f"{row.name} {row.title}" for row in REACHES),
    )
    parser.add_argument(
        "--proviso",
        choices=[AUTO, *(row.name for row in provisos_for_formulas())],
        default=AUTO,
        help="what keeps actions from being left out for ever: "
        + ", ".join(f"{row.name} {row.title}" for row in provisos_for_formulas()),
    )
    parser.add_argument(
        "--approach",
        choices=[row.name for row in APPROACHES],
        default=DEFAULT_APPROACH,
        help="when states are explored: "
        + ", ".join(f"{row.name} {row.title}" for row in APPROACHES),
    )
    parser.add_argument(
        "--symmetry",
        choices=[AUTO, NO_SYMMETRY, *(row.name for row in STRATEGIES if row.exact)],
        default=AUTO,
        help="take states for the same that differ by the names of elements only, if the formula "
        "names none of them: "
        + ", ".join(f"{row.name} {row.title}" for row in STRATEGIES if row.exact),
    )
    add_engine(parser)
    parser.add_argument(
        "--cycles",
        choices=[AUTO, *(row.name for row in CYCLES)],
        default=AUTO,
        help="how fair cycles are found among sets: "
        + ", ".join(f"{row.name} {row.title}" for row in CYCLES),
    )


def _names(rows: Iterable[ReductionRow | ReachRow]) -> list[str]:
    return [row.name for row in rows]


def run(args: argparse.Namespace) -> ExitCode:
    """Check, print what was found, and say it again as an exit code."""
    outputs = outputs_of(args)
    model = load(args.model, **load_options(args))
    refuse_charts(outputs, model)
    claims = [
        *(Claim(text, "ltl", text) for text in args.ltl),
        *(Claim(text, "ctl", text) for text in args.ctl),
        *(claim for file in args.file for claim in _in_file(file)),
    ]
    limits = Limits(args.max_states, args.max_seconds, args.max_memory)
    given = args.ltl or args.ctl or args.file
    manner = Manner(
        args.por,
        args.proviso,
        args.approach,
        symmetry=args.symmetry,
        engine=args.engine,
        cycles=args.cycles,
        diagrams=args.diagrams,
        reorder=args.reorder,
        clarity=Clarity(args.shorten, args.untangle),
    )
    results = model.temporal(claims if given else None, limits, manner)
    if not results:
        message = (
            "there is no formula in the files"
            if given
            else f"{model.name} has no {model.typed.words.formulas}"
        )
        raise fail(NO_FORMULA, message, help="give a formula: --ltl 'G {x > 0}'")
    if args.json:
        emit(to_text("ltl", temporal_to_json(model.name, results)))
    else:
        emit(render_temporal(results, style_for(sys.stdout), understood=args.parse))
        show_bad_formulas(results)
    run = Run(
        "ltl",
        args.model,
        args.words,
        lambda: enveloped("ltl", temporal_to_json(model.name, results)),
        lambda: render_temporal(results, understood=args.parse),
    )
    whole = of_formulas(results)
    written = write_outputs(outputs, lambda: gather(model, run, whole), quiet=args.quiet)
    code = _code(results) if written else ExitCode.BAD_INPUT
    return run_deep(lambda _: gate_formulas(args, results, code))


def show_bad_formulas(results: Sequence[TemporalResult]) -> None:
    """Say on stderr what is wrong with formulas, and where."""
    wrong = [d for result in results for d in result.errors]
    if wrong:
        complain(render_diagnostics(wrong, style_for(sys.stderr)))


def _in_file(file: Path) -> list[Claim]:
    lines = (line.strip() for line in read_source(file).text.splitlines())
    return [
        Claim(f"{file.name}:{number}", "ltl", line)
        for number, line in enumerate(lines, 1)
        if line and not line.startswith(("//", "%"))
    ]


def _code(results: list[TemporalResult]) -> ExitCode:
    if any(result.errors for result in results):
        return ExitCode.BAD_INPUT
    if any(result.holds is False for result in results):
        return ExitCode.VIOLATED
    if any(result.holds is None for result in results):
        return ExitCode.INCOMPLETE
    return ExitCode.HOLDS
