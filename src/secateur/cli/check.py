"""`secateur check`: look for errors in every reachable state."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, Final

from secateur.app.deep import run_deep
from secateur.app.evidence import Run, asked_of, gather
from secateur.app.load import load
from secateur.app.model import Model
from secateur.cli import certificates
from secateur.cli.arguments import load_options
from secateur.cli.check_arguments import configure
from secateur.cli.counting import COUNTING, counted, refuse_beside_counting
from secateur.cli.exit import ExitCode
from secateur.cli.files import outputs_of, refuse_charts, write_outputs
from secateur.cli.gates import gate_check, read_baseline
from secateur.cli.ltl import show_bad_formulas
from secateur.cli.output import emit, style_for
from secateur.cli.progress import ProgressPrinter
from secateur.cli.sweep import refuse_beside_sweep, run_sweep
from secateur.report.envelope import enveloped, to_text
from secateur.report.errors import Json
from secateur.report.json import result_to_json
from secateur.report.style import PLAIN, Style
from secateur.report.sweep import render_sweep, sweep_to_json
from secateur.report.temporal import render_temporal, with_formulas
from secateur.report.text import render_count, render_result
from secateur.system.result import Result
from secateur.system.system import PropertyKind


def run(args: argparse.Namespace) -> ExitCode:
    """Check, print the verdict, and say it again as an exit code."""
    if args.sweep:
        return _run_sweep(args)
    outputs = outputs_of(args)
    if args.count:
        refuse_beside_counting(args, outputs)
    baseline = read_baseline(args)
    model = load(args.model, **load_options(args))
    refuse_charts(outputs, model)
    try:
        result = _check(model, args)
    except certificates.Contradiction as found:
        return certificates.show_contradiction(model.name, found)

    def report() -> Json:
        told = with_formulas(result_to_json(str(args.model), result), result.temporal)
        told["properties"] = [{"kind": a.kind, "name": a.name} for a in asked_of(model, task)]
        return counted(told) if args.count else told

    def render(style: Style = PLAIN) -> str:
        if args.count:
            return render_count(result)
        text = render_result(model.name, result, style)
        formulas = render_temporal(result.temporal, style)
        return f"{formulas}\n\n{text}" if formulas else text

    task = _run(args, lambda: enveloped("check", report()), render)
    emit(
        run_deep(
            lambda _: to_text("check", report()) if args.json else render(style_for(sys.stdout))
        )
    )
    if not args.json:
        show_bad_formulas(result.temporal)
    written = write_outputs(outputs, lambda: gather(model, task, result), quiet=args.quiet)
    code = exit_code(result) if written else ExitCode.BAD_INPUT
    return run_deep(lambda _: gate_check(args, result, report, code, baseline))


def _run_sweep(args: argparse.Namespace) -> ExitCode:
    """Check once for each combination of values; the worst of them decides the exit code."""
    refuse_beside_sweep(args)
    names = [s.name for s in args.sweep]
    rows = run_sweep(args.model, load_options(args), args.sweep, lambda model: _check(model, args))
    if args.json:
        emit(run_deep(lambda _: to_text("sweep", sweep_to_json(str(args.model), names, rows))))
    else:
        emit(render_sweep(names, rows))
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
        options |= COUNTING
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


__all__ = ["configure", "exit_code", "run"]
