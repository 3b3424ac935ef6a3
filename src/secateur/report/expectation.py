"""What a run was expected to say, and whether it did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from secateur.report.json import verdict_word
from secateur.report.temporal import WORDS
from secateur.source.records import dataclass
from secateur.system.result import Result
from secateur.system.temporal import TemporalResult

VERDICTS: Final = ("holds", "violated", "incomplete")
_LABEL: Final = re.compile(r"[^\W\d]\w*(\.[^\s.]+)+")
"""A label of a component: `M0.inv3`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verdict, and what was violated: kinds (`invariant`, `ltl`) with names."""

    verdict: str
    violated: tuple[tuple[str, str], ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expectation:
    """A verdict; if it is `violated`, perhaps what: a name, its last part, or a kind."""

    verdict: str
    what: str | None = None

    def __str__(self) -> str:
        return self.verdict if self.what is None else f"{self.verdict}:{self.what}"

    def covers(self, kind: str, name: str) -> bool:
        """Whether a violation is one that was expected."""
        if self.verdict != "violated":
            return False
        wanted = None if self.what is None else " ".join(self.what.split())
        is_so = " ".join(name.split())
        if wanted in (None, kind, is_so):
            return True
        # A text may end in `.5` as well, and means nothing of the sort.
        return _LABEL.fullmatch(is_so) is not None and is_so.endswith(f".{wanted}")


def parse_expectation(text: str) -> Expectation:
    """Read `holds`, `violated`, `violated:inv3` or `incomplete`; raise ValueError for others."""
    verdict, colon, what = text.strip().partition(":")
    meant = Expectation(verdict.strip(), what.strip() or None if colon else None)
    if meant.verdict not in VERDICTS or (colon and (meant.verdict != "violated" or not meant.what)):
        raise ValueError(text)
    return meant


def outcome_of_check(result: Result) -> Outcome:
    """Return what a check said, formulas included."""
    found = [(v.kind.value, v.name) for v in result.violations]
    return Outcome(
        verdict_word(result),
        (*found, *_refuted(result.temporal)),
        (*result.reasons, *(r for t in result.temporal for r in t.reasons)),
    )


def outcome_of_formulas(results: Sequence[TemporalResult]) -> Outcome:
    """Return what a check of formulas said."""
    verdicts = [result.holds for result in results]
    holds = False if False in verdicts else None if None in verdicts else True
    reasons = tuple(reason for result in results for reason in result.reasons)
    return Outcome(WORDS[holds], tuple(_refuted(results)), reasons)


def _refuted(results: Iterable[TemporalResult]) -> list[tuple[str, str]]:
    return [(result.logic, result.name) for result in results if result.holds is False]


def why_unexpected(expected: Sequence[Expectation], outcome: Outcome) -> list[str]:
    """Return why the outcome is not what was expected, a sentence each; nothing if it is.

    All that was expected must have happened, and nothing else may be violated.
    """
    why: list[str] = []
    for each in expected:
        if each.verdict != outcome.verdict:
            why.append(f"expected {each}, but the verdict is {_told(outcome)}")
        elif each.what and not any(each.covers(*v) for v in outcome.violated):
            why.append(f"expected {each}, but what is violated is {_list(outcome.violated)}")
    if not why:
        others = [v for v in outcome.violated if not any(each.covers(*v) for each in expected)]
        why += [f"not expected, but violated: {_list(others)}"] if others else []
    return why


def _told(outcome: Outcome) -> str:
    if outcome.violated:
        return f"{outcome.verdict}: {_list(outcome.violated)}"
    return f"{outcome.verdict}{': ' if outcome.reasons else ''}{'; '.join(outcome.reasons)}"


def _list(violated: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{kind} {name}" for kind, name in violated)
