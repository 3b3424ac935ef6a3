"""Several runs of one check, with other sizes, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.report.errors import Json
from secateur.report.json import result_to_json, verdict_word
from secateur.report.temporal import with_formulas
from secateur.source.records import dataclass
from secateur.system.result import Result


@dataclass(frozen=True, slots=True)
class Swept:
    """What came of one combination of values."""

    values: tuple[int, ...]
    result: Result


def render_sweep(names: Sequence[str], rows: Sequence[Swept]) -> str:
    """Return a table: values, verdict, states, transitions, seconds, and what fails."""
    heads = [*names, "verdict", "states", "transitions", "seconds", "violated"]
    lines = [heads, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(heads))]
    shown = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return "\n".join(shown)


def _cells(row: Swept) -> list[str]:
    result = row.result
    failed = [f"{v.kind.value}: {v.name}" for v in result.violations]
    failed += [f"{t.logic}: {t.name}" for t in result.temporal if t.holds is False]
    return [
        *map(str, row.values),
        verdict_word(result),
        str(result.statistics.states),
        str(result.statistics.transitions),
        f"{result.seconds:.2f}",
        "; ".join(failed) or "; ".join(result.reasons[:1]),
    ]


def sweep_to_json(model: str, names: Sequence[str], rows: Sequence[Swept]) -> Json:
    """Return the same with all that is known of each run."""
    runs = [
        {
            "values": dict(zip(names, row.values, strict=True)),
            **with_formulas(result_to_json(model, row.result), row.result.temporal),
        }
        for row in rows
    ]
    return {"model": model, "runs": runs}
