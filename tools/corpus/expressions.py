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
from secateur.maths.values import Undecided
from secateur.source import InputError
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown
from tools.corpus.runner import Job, Limits, Seen, run_all


class Agreement(StrEnum):
    """How our answer compares with the recorded one."""

    EQUAL = "agree"
    DIFFERENT = "differ"
    UNDECIDED = "no answer"
    REJECTED = "rejected"
    SKIPPED = "not a closed formula"


_COMMAND = re.compile(r":(?:eval|solve\s+\w+)\s+", re.ASCII)

# A set that was printed as a predicate, not in a spelling that can be read back.
_SYMBOLIC = re.compile("[\N{DIVIDES}\N{GREEK SMALL LETTER LAMDA}\N{TWO DOT LEADER}]|@symbolic")

# The record's own spelling of what B writes otherwise.
_SPELLING = str.maketrans({"\N{MINUS SIGN}": "-", "\N{ELEMENT OF}": ":", "\N{DIVIDES}": "|"})


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
    text, expected = row["input"].strip(), row["expected"].strip()
    command = _COMMAND.match(text)
    if command:
        text = text[command.end() :]
    if text.startswith((":", "MACHINE")) or expected in ("time_out", ""):
        return Agreement.SKIPPED, ""
    if "MAXINT" in text and row["kind"] != "notebook":
        return Agreement.SKIPPED, ""  # the notebook's machine sets it
    try:
        ours = evaluate_closed(text, {})
    except InputError as error:
        message = error.diagnostics[0].message
        if "unknown" in message.lower():
            return Agreement.SKIPPED, ""
        return Agreement.REJECTED, f": {message}"
    return _compare(text, ours, expected)


def _compare(text: str, ours: Answer, expected: str) -> tuple[Agreement, str]:
    truth = expected.split("\n", 1)[0].upper()
    match ours:
        case Undefined(message):
            return Agreement.DIFFERENT, f": ill-defined, {message}"
        case Unknown(reason):
            return Agreement.UNDECIDED, f": {reason}"
        case Decided(found):
            if (truth == "TRUE") != found:
                return Agreement.DIFFERENT, f": we say {found}"
            return _check_solution(text, expected)
        case Evaluated(value):
            return _compare_values(value, expected)


def _compare_values(value: Any, expected: str) -> tuple[Agreement, str]:
    try:
        theirs = evaluate_closed(_readable(expected), {})
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


def _check_solution(text: str, expected: str) -> tuple[Agreement, str]:
    """Compare further where a solution is recorded: it must be one for us too."""
    _, found, listed = expected.partition("Solution:")
    lines = (line.strip() for line in listed.split("\n"))
    pairs = [line for line in lines if " = " in line and not _SYMBOLIC.search(line)]
    if not found or not pairs:
        return Agreement.EQUAL, ""
    claim = " & ".join(_readable(p) for p in pairs)
    try:
        answer = evaluate_closed(f"{claim} & ({text}\n)", {})
    except InputError as error:
        message = error.diagnostics[0].message
        return Agreement.UNDECIDED, f": the recorded solution cannot be read ({message})"
    if isinstance(answer, Decided) and answer.truth:
        return Agreement.EQUAL, ""
    return Agreement.DIFFERENT, ": the recorded solution is none for us"


def _readable(printed: str) -> str:
    """Return what was printed in the spelling of B, strings apart."""
    pieces = printed.split('"')
    pieces[::2] = [piece.translate(_SPELLING) for piece in pieces[::2]]
    return '"'.join(pieces)


def _brief(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 70 else flat[:67] + "..."
