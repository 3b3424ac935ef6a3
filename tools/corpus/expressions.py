"""Formulas with the answers that ProB printed: values are compared, not texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from secateur.app.evaluate import evaluate_closed
from secateur.source import InputError
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown


class Agreement(StrEnum):
    """How our answer compares with the recorded one."""

    EQUAL = "agree"
    DIFFERENT = "differ"
    UNDECIDED = "no answer"
    REJECTED = "rejected"
    SKIPPED = "not a closed formula"


_COMMAND = re.compile(r":(?:eval|solve\s+\w+|prettyprint)\s+", re.ASCII)

# The record's own spelling of what B writes otherwise.
_SPELLING = str.maketrans({"\N{MINUS SIGN}": "-", "\N{ELEMENT OF}": ":", "\N{DIVIDES}": "|"})


def score_expressions(path: Path, *, show: int) -> Iterator[str]:
    """Yield the lines of a summary of the formulas in `path`."""
    by_kind: dict[Agreement, list[str]] = {a: [] for a in Agreement}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        agreement, remark = _judge(row)
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


def _judge(row: dict[str, Any]) -> tuple[Agreement, str]:
    text, expected = row["input"].strip(), row["expected"].strip()
    command = _COMMAND.match(text)
    if command:
        text = text[command.end() :]
    if text.startswith((":", "MACHINE")) or expected in ("time_out", ""):
        return Agreement.SKIPPED, ""
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
    if isinstance(theirs, Evaluated) and theirs.value == value:
        return Agreement.EQUAL, ""
    if isinstance(theirs, Decided) and theirs.truth == value:
        return Agreement.EQUAL, ""
    return Agreement.DIFFERENT, f": we say {_brief(str(value))}"


def _check_solution(text: str, expected: str) -> tuple[Agreement, str]:
    """Compare further where a solution is recorded: it must be one for us too."""
    _, found, listed = expected.partition("Solution:")
    pairs = [line.strip() for line in listed.split("\n") if " = " in line]
    if not found or not pairs:
        return Agreement.EQUAL, ""
    claim = " & ".join(_readable(p) for p in pairs)
    try:
        answer = evaluate_closed(f"{claim} & ({text})", {})
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
