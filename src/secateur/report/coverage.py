"""What a model has that makes no difference, and what its states are spent on."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.report.errors import Json, place_to_json
from secateur.system.coverage import Coverage, Vacuity
from secateur.system.result import Result
from secateur.system.statistics import Statistics


def render_coverage(result: Result) -> list[str]:
    """Return the lines of the section; none if it was not asked for."""
    if result.coverage is None:
        return []
    counted = result.coverage.statistics
    return [
        *_units(result.coverage),
        *_vacuities(result.coverage),
        *_events(counted),
        *_shares(counted),
    ]


def _units(coverage: Coverage) -> Iterator[str]:
    """Yield the statements of each unit that no process has reached."""
    so_far = "" if coverage.exhaustive else " so far"
    for unit in coverage.units:
        yield f"unreached in {unit.name}{so_far}: {len(unit.unreached)} of {unit.statements} statements"
        for text, span in unit.unreached:
            place = place_to_json(span)
            yield f"  {text}" if place is None else f"  {place['file']}:{place['line']}: {text}"


def _vacuities(coverage: Coverage) -> Iterator[str]:
    so_far = "" if coverage.exhaustive else " so far"
    made = len(coverage.vacuities)
    yield f"makes no difference{so_far}: {made} of {coverage.asked} parts looked at"
    for each in coverage.vacuities:
        yield f"  {_place(each)}{each.where}: {each.text} is {each.what}"
    for each in coverage.unknown:
        yield f"  {_place(each)}{each.where}: whether {each.text} is {each.what} is not known"
    if coverage.statistics.never_enabled and not coverage.units:
        yield f"never enabled{so_far}: {', '.join(coverage.statistics.never_enabled)}"
    if coverage.constant:
        yield f"variables that never change{so_far}: {', '.join(coverage.constant)}"


def _place(vacuity: Vacuity) -> str:
    place = place_to_json(vacuity.span)
    return "" if place is None else f"line {place['line']}, "


def _events(statistics: Statistics) -> Iterator[str]:
    """Yield how many transitions of each operation led to a state that was new."""
    if not statistics.fresh:
        return
    yield "new states per operation:"
    width = max(map(len, statistics.operations), default=0)
    for name, count in statistics.operations.items():
        if count:
            fresh = statistics.fresh.get(name, 0)
            yield f"  {name:<{width}}  {fresh} of {count} transitions ({100 * fresh / count:.0f} %)"


def _shares(statistics: Statistics) -> Iterator[str]:
    """Yield how many states there would be without each variable, the dearest first."""
    counted = [(v.without, v.name) for v in statistics.coverage if v.without is not None]
    if not counted:
        return
    yield "states without a variable:"
    width = max(len(name) for _, name in counted)
    total = statistics.states
    for without, name in sorted(counted):
        less = 100 * (1 - without / total) if total else 0.0
        yield f"  {name:<{width}}  {without} ({less:.0f} % less)"


def coverage_to_json(result: Result) -> Json | None:
    """Return the same for programs."""
    coverage = result.coverage
    if coverage is None:
        return None
    return {
        "exhaustive": coverage.exhaustive,
        "asked": coverage.asked,
        "vacuous": [_vacuity(v) for v in coverage.vacuities],
        "unknown": [_vacuity(v) for v in coverage.unknown],
        "constant": list(coverage.constant),
        "units": [
            {
                "name": unit.name,
                "statements": unit.statements,
                "unreached": [
                    {"text": text, "place": place_to_json(span)} for text, span in unit.unreached
                ],
            }
            for unit in coverage.units
        ],
        "states": coverage.statistics.states,
        "never_enabled": list(coverage.statistics.never_enabled),
        "fresh": dict(coverage.statistics.fresh),
        "without": {v.name: v.without for v in coverage.statistics.coverage},
        "seconds": round(coverage.seconds, 3),
    }


def _vacuity(vacuity: Vacuity) -> Json:
    return {
        "where": vacuity.where,
        "text": vacuity.text,
        "what": vacuity.what,
        "place": place_to_json(vacuity.span),
    }
