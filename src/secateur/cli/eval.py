"""`secateur eval`: evaluate an expression or a predicate, in a model's first initial state or in none."""

from __future__ import annotations

import argparse
import sys

from secateur.app.deep import run_deep
from secateur.app.evaluate import evaluate_closed
from secateur.app.load import load
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.report.answer import answer_to_json, render_answer
from secateur.report.envelope import to_text
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("expression", metavar="EXPR", help="an expression or a predicate")
    add_model(parser, optional=True)
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Evaluate and print the value, or the truth with a solution for the free identifiers."""
    text = args.expression.strip()
    if args.model is None:
        answer = evaluate_closed(text, load_options(args)["preferences"])
    else:
        answer = load(args.model, **load_options(args)).evaluate(text)

    def render(_: object) -> str:
        if args.json:
            content = {"expression": text, **answer_to_json(answer)}
            return to_text("eval", content)
        return render_answer(answer, style_for(sys.stdout))

    emit(run_deep(render))
    return exit_code(answer)


def exit_code(answer: Answer) -> ExitCode:
    """Return 0 for any value, FALSE included; what has none is a violation or incomplete."""
    match answer:
        case Evaluated() | Decided():
            return ExitCode.HOLDS
        case Undefined():
            return ExitCode.VIOLATED
        case Unknown():
            return ExitCode.INCOMPLETE
