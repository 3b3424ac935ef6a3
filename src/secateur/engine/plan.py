"""Which combinations of options are lawful; the only place that decides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from secateur.engine.codes import OPTION_OUT_OF_RANGE, OPTION_WITHOUT_EFFECT, UNKNOWN_SEARCH
from secateur.engine.limits import NO_LIMITS, Limits
from secateur.engine.search.protocol import SearchRow
from secateur.engine.search.registry import SEARCHES
from secateur.source import Diagnostic, InputError
from secateur.system.system import PropertyKind

DEFAULT_SEARCH: Final = "bf"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asks for; None where the user leaves the choice to us."""

    search: str = DEFAULT_SEARCH
    ratio: float | None = None
    seed: int = 0
    collect: bool = False
    unchecked: frozenset[PropertyKind] = frozenset()
    limits: Limits = NO_LIMITS


@dataclass(frozen=True, slots=True)
class Plan:
    """A lawful combination."""

    search: SearchRow
    ratio: float
    seed: int
    collect: bool
    kinds: frozenset[PropertyKind]
    limits: Limits


_DEFAULT_RATIO: Final = 1 / 3


def plan(wish: Wish) -> Plan:
    """Return the plan for `wish`; raise InputError with every objection if it is not lawful."""
    row = next((r for r in SEARCHES if r.name == wish.search), None)
    objections = [*_objections_to_search(wish, row), *_objections_to_limits(wish.limits)]
    if objections or row is None:
        raise InputError(*objections)
    ratio = _DEFAULT_RATIO if wish.ratio is None else wish.ratio
    kinds = frozenset(PropertyKind) - wish.unchecked
    return Plan(row, ratio, wish.seed, wish.collect, kinds, wish.limits)


def _objections_to_search(wish: Wish, row: SearchRow | None) -> list[Diagnostic]:
    if row is None:
        known = ", ".join(r.name for r in SEARCHES)
        message = f"there is no search called '{wish.search}'"
        return [Diagnostic(UNKNOWN_SEARCH, message, help=f"the searches are {known}")]
    if wish.ratio is None:
        return []
    if not row.uses_ratio:
        able = ", ".join(r.name for r in SEARCHES if r.uses_ratio)
        message = f"search '{row.name}' has no ratio of depth-first to breadth-first"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help=f"use --search {able}")]
    if not 0 <= wish.ratio <= 1:
        message = f"the ratio {wish.ratio:g} is not between 0 and 1"
        way_out = "0 is breadth-first, 1 is depth-first"
        return [Diagnostic(OPTION_OUT_OF_RANGE, message, help=way_out)]
    return []


def _objections_to_limits(limits: Limits) -> list[Diagnostic]:
    given = (("states", limits.states), ("seconds", limits.seconds), ("memory", limits.memory))
    return [
        Diagnostic(
            OPTION_OUT_OF_RANGE,
            f"the limit on {what} is {value:g}, which allows nothing",
            help="leave the option out for no limit",
        )
        for what, value in given
        if value is not None and value <= 0
    ]
