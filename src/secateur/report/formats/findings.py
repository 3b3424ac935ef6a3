"""What became of each property that was asked about."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.report.formats.protocol import Asked, Evidence, Story
from secateur.source.records import dataclass
from secateur.system.temporal import TemporalResult
from secateur.system.verdict import Violated


@dataclass(frozen=True, slots=True)
class Finding:
    """A property and what is known of it: it fails, is undecided for a reason, is none, or holds."""

    asked: Asked
    violations: tuple[Story, ...] = ()
    """The paths that show that it fails; there need not be one."""
    fails: bool = False
    undecided: str | None = None
    wrong: str | None = None
    seconds: float | None = None


def findings(evidence: Evidence) -> Iterator[Finding]:
    """Yield all that was asked, violated or not, and violations of what nobody asked for by name."""
    left = [story for story in evidence.stories if story.violated and not _temporal(story)]
    why = why_undecided(evidence)
    for asked in evidence.asked:
        mine = tuple(story for story in left if _is(asked, story))
        left = [story for story in left if story not in mine]
        yield Finding(asked, mine, fails=bool(mine), undecided=None if mine else why)
    for story in left:
        yield Finding(Asked(story.kind, story.name, story.span), (story,), fails=True)
    for formula in evidence.result.temporal:
        yield _formula(formula, evidence)


def why_undecided(evidence: Evidence) -> str | None:
    """Return why a property that was not violated need not hold; None if it does."""
    result = evidence.result
    if result.exhaustive:
        return None
    reasons = "; ".join(result.reasons)
    if isinstance(result.verdict, Violated):
        return reasons or "the search ended at a violation of something else"
    return reasons or "not all states were visited"


def _temporal(story: Story) -> bool:
    return story.kind in ("ltl", "ctl")


def _is(asked: Asked, story: Story) -> bool:
    """Whether a violation is of this property; one without a name is all of its kind."""
    return asked.kind == story.kind and asked.name in ("", story.name)


def _formula(formula: TemporalResult, evidence: Evidence) -> Finding:
    asked = Asked(formula.logic, formula.name)
    mine = tuple(
        story
        for story in evidence.stories
        if _temporal(story) and story.violated and story.name == formula.name
    )
    undecided = wrong = None
    if formula.errors:
        wrong = "; ".join(f"{each.code}: {each.message}" for each in formula.errors)
    elif formula.holds is None:
        undecided = "; ".join(formula.reasons) or "not all states were visited"
    return Finding(
        asked,
        mine,
        fails=formula.holds is False,
        undecided=undecided,
        wrong=wrong,
        seconds=formula.seconds,
    )
