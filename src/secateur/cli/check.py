"""`secateur check`: look for errors in every reachable state."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, Final

from secateur.app.deep import run_deep
from secateur.app.evidence import Run, gather
from secateur.app.load import load
from secateur.app.model import Model
from secateur.cli import certificates
from secateur.cli.arguments import add_engine, add_model, add_output, load_options, memory_size
from secateur.cli.codes import USAGE
from secateur.cli.exit import ExitCode
from secateur.cli.files import add_options, outputs_of, write_outputs
from secateur.cli.gates import add_baseline, add_expectation, gate_check, read_baseline
from secateur.cli.ltl import show_bad_formulas
from secateur.cli.output import emit, style_for
from secateur.cli.progress import ProgressPrinter
from secateur.cli.sweep import add_sweep, render_sweep, run_sweep
from secateur.cli.traces import add_traces
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.merging import NO_SYMMETRY
from secateur.engine.plan import DEFAULT_SEARCH
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.pruning import AUTO, RANDOM, SMALLEST
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.engine.symbolic.images.registry import IMAGES
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.report.envelope import enveloped, to_text
from secateur.report.errors import Json
from secateur.report.json import result_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.temporal import render_temporal, with_formulas
from secateur.report.text import render_count, render_result
from secateur.source import fail
from secateur.system.result import Result
from secateur.system.system import PropertyKind


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments; the choices come from the tables."""
    add_model(parser)
    _add_search(parser)
    _add_reduction(parser)
    _add_symmetry(parser)
    _add_sets(add_engine(parser))
    _add_storage(parser)
    _add_properties(parser)
    _add_limits(parser)
    add_traces(parser)
    add_sweep(parser)
    certificates.add_options(parser)
    add_baseline(add_expectation(parser))
    add_output(parser)
    add_options(parser)


def _add_search(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("search")
    group.add_argument(
        "--search",
        choices=[row.name for row in ALL_SEARCHES],
        default=DEFAULT_SEARCH,
        help="the order in which states are visited: "
        + ", ".join(f"{row.name} {row.title}" for row in ALL_SEARCHES),
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="decides random choices")
    group.add_argument(
        "--ratio",
        type=float,
        metavar="A",
        help="share of depth-first steps in a mixed search, 0 to 1",
    )
    group.add_argument(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="explore with N threads (breadth-first search, native engine)",
    )


def _add_reduction(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("partial order reduction and directed search")
    group.add_argument(
        "--por",
        choices=[AUTO, *(row.name for row in REDUCTIONS)],
        default=AUTO,
        help="leave out what need not be visited: auto (the default) once a search takes long "
        "and not with --all, " + ", ".join(f"{row.name} {row.title}" for row in REDUCTIONS),
    )
    group.add_argument(
        "--proviso",
        choices=[AUTO, *(row.name for row in PROVISOS)],
        default=AUTO,
        help="what keeps actions from being left out for ever: "
        + ", ".join(f"{row.name} {row.title}" for row in PROVISOS),
    )
    group.add_argument(
        "--choice",
        choices=[SMALLEST, RANDOM],
        default=SMALLEST,
        help="which of several sets of actions is taken",
    )
    group.add_argument(
        "--heuristic",
        choices=[AUTO, *(row.name for row in HEURISTICS)],
        default=AUTO,
        help="what guides a directed search: "
        + ", ".join(f"{row.name} {row.title}" for row in HEURISTICS),
    )
    group.add_argument(
        "--experiment",
        action="store_true",
        help="allow what would miss errors; the verdict is then never `holds`",
    )


def _add_symmetry(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("symmetry reduction")
    group.add_argument(
        "--symmetry",
        choices=[AUTO, NO_SYMMETRY, *(row.name for row in STRATEGIES)],
        default=AUTO,
        help="take states for the same that differ by the names of elements only: auto (the "
        "default) where that pays and not with --all, none, "
        + ", ".join(f"{row.name} {row.title}" for row in STRATEGIES),
    )


def _add_sets(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--image",
        choices=[AUTO, *(row.name for row in IMAGES)],
        default=AUTO,
        help="how sets grow: " + ", ".join(f"{row.name} {row.title}" for row in IMAGES),
    )
    group.add_argument(
        "--count",
        action="store_true",
        help="print the exact number of reachable states, and check nothing",
    )


def _add_storage(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("storage (breadth-first search, native engine)")
    group.add_argument(
        "--compress",
        action="store_true",
        help="keep less of each state, exactly: more states fit into memory, "
        "and a trace takes two more searches to find",
    )
    group.add_argument(
        "--fingerprint",
        action="store_true",
        help="keep only a hash of 63 bits of each state (hash compaction): an error found is one, "
        "but a state may be left out, so that the verdict is never `holds`; "
        "for states of more than 63 bits, others are smaller with --compress; "
        "--seed chooses another hash",
    )


def _add_properties(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("properties")
    for name in ("deadlock", "invariant", "assertions", "goal", "refinement", "variant"):
        group.add_argument(f"--no-{name}", action="store_true", help=f"do not check: {name}")
    group.add_argument("--goal", metavar="P", help="look for a state in which P holds")
    group.add_argument(
        "--scope",
        metavar="P",
        help="explore only from states in which P holds, instead of the model's SCOPE",
    )
    group.add_argument(
        "--no-scope", action="store_true", help="explore all states, in spite of SCOPE"
    )
    for logic in ("ltl", "ctl"):
        group.add_argument(
            f"--{logic}",
            action="append",
            default=[],
            metavar="F",
            help=f"check a formula of {logic.upper()} as well, as `secateur ltl` does; may be repeated",
        )
    group.add_argument(
        "--coverage",
        action="store_true",
        help="look for what makes no difference: parts of guards that never block, premises that "
        "never hold, variables that never change; and what the states are spent on. "
        "This takes a second exploration, in full",
    )
    group.add_argument("--all", action="store_true", help="go on after the first violation")
    group.add_argument(
        "--stop-at",
        action="append",
        metavar="KIND",
        choices=[kind.value for kind in PropertyKind],
        help="go on after violations of other kinds; may be repeated: "
        + ", ".join(kind.value for kind in PropertyKind),
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("limits (none by default; one that is hit is reported)")
    group.add_argument("--max-states", type=int, metavar="N", help="visit at most N states")
    group.add_argument(
        "--max-seconds", type=float, metavar="S", help="search for at most S seconds"
    )
    group.add_argument(
        "--max-memory", type=memory_size, metavar="SIZE", help="use at most SIZE (500M, 2G)"
    )


def run(args: argparse.Namespace) -> ExitCode:
    """Check, print the verdict, and say it again as an exit code."""
    if args.sweep:
        return _run_sweep(args)
    baseline, outputs = read_baseline(args), outputs_of(args)
    model = load(args.model, **load_options(args))
    try:
        result = _check(model, args)
    except certificates.Contradiction as found:
        return certificates.show_contradiction(model.name, found)

    def report() -> Json:
        return with_formulas(result_to_json(str(args.model), result), result.temporal)

    def render(style: Style = PLAIN) -> str:
        if args.count:
            return render_count(result)
        text = render_result(model.name, result, style)
        formulas = render_temporal(result.temporal, style)
        return f"{formulas}\n\n{text}" if formulas else text

    emit(
        run_deep(
            lambda _: to_text("check", report()) if args.json else render(style_for(sys.stdout))
        )
    )
    if not args.json:
        show_bad_formulas(result.temporal)
    run = _run(args, lambda: enveloped("check", report()), render)
    written = write_outputs(outputs, lambda: gather(model, run, result), quiet=args.quiet)
    code = exit_code(result) if written else ExitCode.BAD_INPUT
    return run_deep(lambda _: gate_check(args, result, report, code, baseline))


def _run_sweep(args: argparse.Namespace) -> ExitCode:
    """Check once for each combination of values; the worst of them decides the exit code."""
    rows = run_sweep(args.model, load_options(args), args.sweep, lambda model: _check(model, args))
    if args.json:
        names = [s.name for s in args.sweep]
        runs = [
            {
                "values": dict(zip(names, row.values, strict=True)),
                **with_formulas(result_to_json(str(args.model), row.result), row.result.temporal),
            }
            for row in rows
        ]
        emit(to_text("sweep", {"model": str(args.model), "runs": runs}))
    else:
        emit(render_sweep(args.sweep, rows))
    codes = {exit_code(row.result) for row in rows}
    order = (ExitCode.BAD_INPUT, ExitCode.VIOLATED, ExitCode.INCOMPLETE)
    return next((code for code in order if code in codes), ExitCode.HOLDS)


def _run(args: argparse.Namespace, report: Callable[[], Json], text: Callable[[], str]) -> Run:
    """Return what was asked, for files about it."""
    unchecked = [
        kind
        for kind in PropertyKind
        if getattr(args, f"no_{_SWITCHES.get(kind, kind.value)}", False)
    ]
    kinds = frozenset() if args.count else frozenset(PropertyKind) - frozenset(unchecked)
    return Run("check", args.model, args.words, report, text, kinds, goal=args.goal is not None)


_SWITCHES: Final = {PropertyKind.ASSERTION: "assertions"}
"""The kinds that the options call otherwise."""


def _check(model: Model, args: argparse.Namespace) -> Result:
    options: dict[str, Any] = {
        "search": args.search,
        "seed": args.seed,
        "ratio": args.ratio,
        "deadlock": not args.no_deadlock,
        "invariant": not args.no_invariant,
        "assertions": not args.no_assertions,
        "goal": False if args.no_goal else (args.goal or True),
        "scope": False if args.no_scope else (args.scope or True),
        "all": args.all,
        "stop_at": args.stop_at,
        "max_states": args.max_states,
        "max_seconds": args.max_seconds,
        "max_memory": args.max_memory,
        "threads": args.threads,
        "refinement": not args.no_refinement,
        "variant": not args.no_variant,
        "por": args.por,
        "symmetry": args.symmetry,
        "proviso": args.proviso,
        "choice": args.choice,
        "heuristic": args.heuristic,
        "experiment": args.experiment,
        "engine": args.engine,
        "image": args.image,
        "diagrams": args.diagrams,
        "reorder": args.reorder,
        "compress": args.compress,
        "fingerprint": args.fingerprint,
        "ltl": args.ltl,
        "ctl": args.ctl,
        "coverage": args.coverage,
        "shorten": args.shorten,
        "untangle": args.untangle,
        "certificate": args.certificate,
    }
    certificates.refuse_without_reduction(args)
    if args.count:
        _refuse_beside_counting(args)
        options |= _COUNTING
    result = _watched(model, options, quiet=args.quiet)
    if args.audit is None:
        return result
    return certificates.audited(model, result, options, args.audit)


def _watched(model: Model, options: dict[str, Any], *, quiet: bool) -> Result:
    if quiet:
        return model.check(**options)
    progress = ProgressPrinter()
    try:
        return model.check(**options, watcher=progress)
    finally:
        progress.close()


_COUNTING: Final[dict[str, Any]] = {
    **dict.fromkeys(("deadlock", "invariant", "assertions", "goal"), False),
    **dict.fromkeys(("refinement", "variant"), False),
    "scope": False,
    "all": True,
    "stop_at": None,
    "por": "none",
    "symmetry": "none",
    "ltl": (),
    "ctl": (),
}
"""What makes a check go through all states, each for itself."""


def _refuse_beside_counting(args: argparse.Namespace) -> None:
    """Raise InputError for options that make no sense where all states are counted."""
    given = [
        name for name in ("ltl", "ctl", "goal", "scope", "stop_at", "all") if getattr(args, name)
    ]
    given += [name for name in ("por", "symmetry") if getattr(args, name) not in (AUTO, "none")]
    if given:
        option = f"--{given[0].replace('_', '-')}"
        message = f"--count goes through all states and checks nothing: {option} has no place there"
        raise fail(USAGE, message, help=f"leave out --count or {option}")


def exit_code(result: Result) -> ExitCode:
    """Return the code that says the same as the verdict."""
    if any(formula.errors for formula in result.temporal):
        return ExitCode.BAD_INPUT
    match result.outcome:
        case True:
            return ExitCode.HOLDS
        case False:
            return ExitCode.VIOLATED
        case None:
            return ExitCode.INCOMPLETE
