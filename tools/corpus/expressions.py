"""Formulas with the answers that ProB printed: values are compared, not texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from secateur.app.evaluate import evaluate_closed
from secateur.maths.print_value import show_value
from secateur.maths.values import SymbolicSet, Undecided
from secateur.source import InputError
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown
from tools.corpus.notebooks import (
    DECLARED,
    OTHER_LANGUAGE,
    PROBS_OWN,
    formula_of,
    readable,
    set_of_table,
)
from tools.corpus.runner import Job, Limits, Seen, run_all


class Agreement(StrEnum):
    """How our answer compares with the recorded one."""

    EQUAL = "agree"
    DIFFERENT = "differ"
    UNDECIDED = "no answer"
    REJECTED = "rejected"
    PROBS_OWN = "about ProB itself or unsupported"
    NOTEBOOK = "depends on the notebook"
    COMMAND = "no formula"


Solution = tuple[tuple[str, Any], ...]

# A set that was printed as a predicate, not in a spelling that can be read back.
_SYMBOLIC = re.compile("[\N{DIVIDES}\N{GREEK SMALL LETTER LAMDA}\N{TWO DOT LEADER}]|@symbolic")
_UNKNOWN = re.compile(r"unknown identifier (\w+)")


def score_expressions(path: Path, limits: Limits, show: int) -> Iterator[str]:
    """Yield the lines of a summary of the formulas in `path`."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    jobs = [Job(number, partial(_work, row)) for number, row in enumerate(rows)]
    by_kind: dict[Agreement, list[str]] = {a: [] for a in Agreement}
    for number, seen in sorted(run_all(jobs, limits), key=lambda item: item[0]):
        agreement = seen.get("agreement", Agreement.UNDECIDED)
        remark = (
            seen["remark"] if "remark" in seen else f": {seen['status']} {seen.get('error', '')}"
        )
        row = rows[number]
        by_kind[agreement].append(f"  {_brief(row['input'])} => {_brief(row['expected'])}{remark}")
    yield ""
    for agreement in (Agreement.DIFFERENT, Agreement.UNDECIDED, Agreement.REJECTED):
        found = by_kind[agreement]
        if found:
            yield f"expressions, {agreement} ({len(found)}):"
            yield from found[:show]
            if len(found) > show:
                yield f"  ... and {len(found) - show} more"
    yield "expressions: " + ", ".join(f"{a} {len(by_kind[a])}" for a in Agreement)


def _work(row: dict[str, Any], _: Callable[[Seen], None]) -> Seen:
    agreement, remark = _judge(row)
    return {"agreement": agreement, "remark": remark}


def _judge(row: dict[str, Any]) -> tuple[Agreement, str]:
    expected = row["expected"].strip("\n")
    found = formula_of(row["input"].strip())
    if found is None or expected in ("time_out", ""):
        return Agreement.COMMAND, ""
    command, text = found
    words = frozenset(re.findall(r"\w+", text))
    if words & PROBS_OWN:
        return Agreement.PROBS_OWN, ""
    if _is_about_notebook(row, text, words):
        return Agreement.NOTEBOOK, ""
    try:
        ours = evaluate_closed(text, {})
    except InputError as error:
        message = error.diagnostics[0].message
        unknown = _UNKNOWN.match(message)
        kind = Agreement.NOTEBOOK if unknown else Agreement.REJECTED
        return kind, f": {message}"
    return _compare(text, ours, set_of_table(expected) if command == "table" else expected)


def _is_about_notebook(row: dict[str, Any], text: str, words: frozenset[str]) -> bool:
    """Whether a formula that could stand alone was given a meaning by the notebook."""
    if words & DECLARED.get(row["source"], frozenset()) or text in OTHER_LANGUAGE:
        return True
    return "MAXINT" in words and row["kind"] != "notebook"  # its machine sets it


def _compare(text: str, ours: Answer, expected: str) -> tuple[Agreement, str]:
    truth = expected.split("\n", 1)[0].upper()
    match ours:
        case Undefined(message):
            return Agreement.DIFFERENT, f": ill-defined, {message}"
        case Unknown(reason):
            return Agreement.UNDECIDED, f": {reason}"
        case Decided(found, solution):
            if (truth == "TRUE") != found:
                return Agreement.DIFFERENT, f": we say {found}"
            return _check_solutions(text, expected, solution)
        case Evaluated(value):
            return _compare_values(value, expected)


def _compare_values(value: Any, expected: str) -> tuple[Agreement, str]:
    try:
        theirs = evaluate_closed(readable(expected), {})
    except InputError as error:
        return Agreement.UNDECIDED, f": the record cannot be read ({error.diagnostics[0].message})"
    try:
        if isinstance(theirs, Evaluated) and theirs.value == value:
            return Agreement.EQUAL, ""
    except Undecided as error:
        return Agreement.UNDECIDED, f": cannot compare, {error.what}"
    if isinstance(theirs, Decided) and theirs.truth == value:
        return Agreement.EQUAL, ""
    return Agreement.DIFFERENT, f": we say {_brief(str(value))}"


def _check_solutions(text: str, expected: str, ours: Solution) -> tuple[Agreement, str]:
    """Compare further where there are solutions: ours must be one, and theirs for us too."""
    _, _, listed = expected.partition("Solution:")
    lines = (line.strip() for line in listed.split("\n"))
    theirs = [line for line in lines if " = " in line and not _SYMBOLIC.search(line)]
    bound = [f"{n} = {show_value(v)}" for n, v in ours if not isinstance(v, SymbolicSet)]
    for claims, whose in ((bound, "our"), (map(readable, theirs), "the recorded")):
        answer = _put(text, list(claims))
        if isinstance(answer, str):
            return Agreement.UNDECIDED, f": {whose} solution cannot be read ({answer})"
        if not answer:
            return Agreement.DIFFERENT, f": {whose} solution is none for us"
    return Agreement.EQUAL, ""


def _put(text: str, claims: list[str]) -> bool | str:
    """Whether `text` holds with these values, or why that is not known."""
    if not claims:
        return True
    try:
        answer = evaluate_closed(f"{' & '.join(claims)} & ({text}\n)", {})
    except InputError as error:
        return error.diagnostics[0].message
    return isinstance(answer, Decided) and answer.truth


def _brief(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 70 else flat[:67] + "..."
