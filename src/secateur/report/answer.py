"""Answers to questions about a state."""

from __future__ import annotations

from secateur.maths.print_value import show_value
from secateur.report.diagnostics import render_excerpt
from secateur.report.errors import Json, place_to_json
from secateur.report.json import values_to_json
from secateur.report.style import PLAIN, Style
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown


def render_answer(answer: Answer, style: Style = PLAIN) -> str:
    """Return the value, or the truth and the solution that shows it."""
    match answer:
        case Evaluated(value):
            return show_value(value)
        case Decided(truth, solution):
            lines = ["TRUE" if truth else "FALSE"]
            if solution:
                lines.append("Solution:")
                lines += [f"  {name} = {show_value(value)}" for name, value in solution]
            return "\n".join(lines)
        case Undefined(message, span):
            head = f"{style.bad('not well-defined')}: {message}"
            return "\n".join([head, *render_excerpt(span, style)])
        case Unknown(reason):
            return f"{style.doubt('unknown')}: {reason}"


def answer_to_json(answer: Answer) -> Json:
    """Return the same as JSON."""
    content: Json = {"result": None, "solution": {}}
    match answer:
        case Evaluated(value):
            return {**content, "outcome": "value", "result": show_value(value)}
        case Decided(truth, solution):
            result = "TRUE" if truth else "FALSE"
            found = values_to_json(solution)
            return {**content, "outcome": "predicate", "result": result, "solution": found}
        case Undefined(message, span):
            place = place_to_json(span)
            return {**content, "outcome": "undefined", "message": message, "place": place}
        case Unknown(reason):
            return {**content, "outcome": "unknown", "message": reason}
