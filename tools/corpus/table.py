"""Tables of results, and the difference between two runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tools.corpus.outcome import Grade, Outcome, Status, counts_equal, verdicts_equal
from tools.corpus.records import LOADED, Record

ORDER = ("core", "tiny", "convention", "ext", "stress", "infinite", "error", "noload")

HEAD = (
    "tier",
    "models",
    "loaded",
    "counts =",
    "verdicts =",
    "all =",
    "unfinished =",
    "time-out",
    "memory",
    "crash",
)


def tier_table(outcomes: Iterable[Outcome], records: Mapping[str, Record]) -> Iterator[str]:
    """Yield the lines of a table with a row per tier."""
    by_tier: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_tier.setdefault(outcome.tier, []).append(outcome)
    rows: list[Sequence[str]] = [HEAD]
    rows += [_row(tier, by_tier[tier], records) for tier in ORDER if tier in by_tier]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()


def _row(tier: str, outcomes: Sequence[Outcome], records: Mapping[str, Record]) -> Sequence[str]:
    total = len(outcomes)
    explored = [o for o in outcomes if o.status is Status.EXPLORED]
    counts = sum(counts_equal(o, records[o.path]) for o in explored)
    verdicts = sum(verdicts_equal(o, records[o.path]) for o in explored)
    status = Counter(o.status for o in outcomes)
    judged_by_count = tier not in LOADED and tier != "error"
    return (
        tier,
        str(total),
        _share(sum(o.loaded for o in outcomes), total),
        _share(counts, total) if judged_by_count and tier != "convention" else "",
        _share(verdicts, total) if judged_by_count else "",
        _share(sum(o.grade is Grade.EQUAL for o in outcomes), total),
        str(sum(o.grade is Grade.UNFINISHED for o in outcomes) or ""),
        str(status[Status.TIMEOUT] or ""),
        str(status[Status.MEMORY] or ""),
        str(status[Status.CRASH] or ""),
    )


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f} %)"


def differences(outcomes: Iterable[Outcome], *, limit: int) -> Iterator[str]:
    """Yield a line per model that is not as recorded, at most `limit` per grade."""
    by_grade: dict[Grade, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.grade is not Grade.EQUAL:
            by_grade.setdefault(outcome.grade, []).append(outcome)
    for grade in Grade:
        found = sorted(by_grade.get(grade, []), key=lambda o: (o.tier, o.path))
        if found:
            yield f"{grade} ({len(found)}):"
            yield from (f"  {describe(o)}" for o in found[:limit])
            if len(found) > limit:
                yield f"  ... and {len(found) - limit} more"


def describe(outcome: Outcome) -> str:
    """Return one line about an outcome that differs."""
    parts = [f"[{outcome.tier}]", outcome.path]
    if outcome.status is Status.EXPLORED and outcome.expected:
        seen = (outcome.states, outcome.transitions, outcome.deadlock, outcome.invariant_violated)
        parts.append(f"got {_facts(*seen)}, recorded {_facts(*outcome.expected.values())}")
    parts += [outcome.error] if outcome.error else []
    parts += [f"fault: {f}" for f in (outcome.faults or [])[:1]]
    parts += [f"gap: {g}" for g in (outcome.gaps or [])[:1]]
    parts += [f"note: {n}" for n in (outcome.notes or [])[:1]]
    parts += [f"unfinished: {outcome.unfinished}"] if outcome.unfinished else []
    return " ".join(parts)


def _facts(states: int, transitions: int, deadlock: bool | None, bad: bool | None) -> str:  # noqa: FBT001
    words = [w for w, flag in (("deadlock", deadlock), ("violated", bad)) if flag]
    return "/".join([str(states), str(transitions), *words])


def comparison(old: Iterable[Outcome], new: Iterable[Outcome]) -> Iterator[str]:
    """Yield a line per model whose grade changed between two runs."""
    before = {o.path: o for o in old}
    better: list[str] = []
    worse: list[str] = []
    order = list(Grade)
    for outcome in sorted(new, key=lambda o: o.path):
        was = before.get(outcome.path)
        if was is not None and was.grade is not outcome.grade:
            line = f"  {was.grade} -> {outcome.grade}: {describe(outcome)}"
            rank = order.index(outcome.grade) - order.index(was.grade)
            (worse if rank > 0 else better).append(line)
    yield f"better than before: {len(better)}"
    yield from better
    yield f"worse than before: {len(worse)}"
    yield from worse
