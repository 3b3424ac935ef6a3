"""The values of variables in the states that the native explorer has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from secateur._native import Explorer
from secateur.engine.native.protocol import Packed
from secateur.engine.search.protocol import Task
from secateur.system.statistics import MOST_VALUES, VariableCoverage, coverage, summary
from secateur.system.system import State

_WORD: Final = (1 << 64) - 1
_MOST: Final = 2_000_000
"""How many states are counted without a variable."""


def values_seen(explorer: Explorer, packed: Packed) -> dict[str, set[Any]]:
    """Return the values of the variables in the states so far; of none that has too many."""
    found = explorer.distinct_values([mask for _, mask in packed.variables], MOST_VALUES)
    return {
        name: {packed.value(name, words) for words in values}
        for (name, _), values in zip(packed.variables, found, strict=True)
        if values is not None
    }


def told_variables(
    explorer: Explorer, packed: Packed, task: Task, initial: Iterable[State]
) -> tuple[VariableCoverage, ...]:
    """Return how many values each constant and variable has, and which numbers."""
    names = [name for name, _ in packed.variables]
    constants = [c for c in coverage(task.system, initial) if c.name not in names]
    if explorer.fingerprint:  # the states are gone
        return tuple(constants)
    narrow = [(name, mask) for name, mask in packed.variables if not _is_wide(mask)]
    values = explorer.distinct_values([mask for _, mask in narrow], MOST_VALUES)
    told = {
        name: _summary(packed, name, each) for (name, _), each in zip(narrow, values, strict=True)
    }
    # No number is as wide as that: nobody wants to know the values themselves.
    for name, mask in packed.variables:
        if name not in told:
            told[name] = _counted(name, explorer.count_distinct(mask, MOST_VALUES))
    found = [told[name] for name in names]
    if task.shares:
        found = [
            replace(each, without=explorer.count_distinct([~m & _WORD for m in mask], _MOST))
            for each, (_, mask) in zip(found, packed.variables, strict=True)
        ]
    return (*constants, *found)


def _is_wide(mask: Sequence[int]) -> bool:
    """Whether a variable takes more of a state than a number can."""
    return len(mask) - mask.count(0) > 2


def _counted(name: str, count: int | None) -> VariableCoverage:
    if count is None:
        return VariableCoverage(name, MOST_VALUES, more=True)
    return VariableCoverage(name, count)


def _summary(packed: Packed, name: str, values: Sequence[Sequence[int]] | None) -> VariableCoverage:
    if values is None:
        return VariableCoverage(name, MOST_VALUES, more=True)
    # Only of numbers the least and the greatest are told; different values have different words.
    if values and type(packed.value(name, values[0])) not in (int, float):
        return VariableCoverage(name, len(values))
    return summary(name, {packed.value(name, words) for words in values})
