"""Which combinations of options are lawful; the only place that decides it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from secateur.engine.certificates import objections_to_certificate
from secateur.engine.codes import OPTION_OUT_OF_RANGE, OPTION_WITHOUT_EFFECT, UNKNOWN_SEARCH
from secateur.engine.limits import NO_LIMITS, Limits, objections_to_limits
from secateur.engine.merging import objections_to_merging, strategy_of
from secateur.engine.pruning import (
    AUTO,
    SMALLEST,
    Pruning,
    objections_to_pruning,
    pruning_of,
)
from secateur.engine.search.protocol import SearchRow
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.engine.symbolic.wish import (
    SYMBOLIC,
    Symbolically,
    may_be_symbolic,
    objections_to_engine,
    symbolically,
)
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.source import Diagnostic, InputError
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind

DEFAULT_SEARCH: Final = "bf"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asks for; None where the user leaves the choice to us."""

    search: str = DEFAULT_SEARCH
    ratio: float | None = None
    seed: int = 0
    collect: bool = False
    """Whether to go on after every violation."""
    stop_at: frozenset[str] | None = None
    """The kinds of violation that end the search; all if this is None."""
    unchecked: frozenset[PropertyKind] = frozenset()
    limits: Limits = NO_LIMITS
    native: bool | None = None
    """Whether to use the native engine: at once, never, or if a short attempt without it fails."""
    threads: int = 1
    compress: bool = False
    """Whether to keep no more of a state than is needed to know it again."""
    fingerprint: bool = False
    """Whether to keep only a hash of a state, so that states may be left out."""
    por: str = AUTO
    """The reduction."""
    proviso: str = AUTO
    choice: str = SMALLEST
    """Which of several sets a reduction takes: the smallest, or one at random."""
    heuristic: str = AUTO
    symmetry: str = AUTO
    """How symmetric states are merged."""
    engine: str = AUTO
    """Whether states are explored one by one or as sets."""
    image: str = AUTO
    """The order in which actions are applied to sets."""
    diagrams: str = AUTO
    """The package of decision diagrams."""
    reorder: bool = False
    """Whether the order of their variables changes on the way."""
    experiment: bool = False
    """Whether what would miss errors may be tried; the verdict is then never "holds"."""
    shares: bool = False
    """Whether to count how many states there would be without each variable."""
    certified: bool = False
    """Whether a certificate of the reduction is wanted."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A lawful combination."""

    search: SearchRow
    ratio: float
    seed: int
    ends: frozenset[PropertyKind]
    kinds: frozenset[PropertyKind]
    limits: Limits
    native: bool | None
    threads: int
    compress: bool
    fingerprint: bool
    pruning: Pruning
    strategy: StrategyRow | None
    """How symmetric states are merged, if that was asked for by name."""
    may_merge: bool
    """Whether it is left to us to merge them."""
    symbolic: Symbolically | None = None
    """How sets of states are explored, if that was asked for."""
    may_be_symbolic: bool = False
    """Whether it is left to us to explore sets."""
    shares: bool = False
    """Whether to count how many states there would be without each variable."""


_DEFAULT_RATIO: Final = 1 / 3


def plan(wish: Wish) -> Plan:
    """Return the plan for `wish`; raise InputError with every objection if it is not lawful."""
    row = next((r for r in ALL_SEARCHES if r.name == wish.search), None)
    objections = [
        *_objections_to_search(wish, row),
        *_objections_to_end(wish),
        *objections_to_limits(wish.limits),
        *_objections_to_threads(wish),
        *_objections_to_storage(wish),
        *objections_to_pruning(wish, row),
        *objections_to_merging(wish),
        *objections_to_engine(wish),
        *objections_to_certificate(wish),
    ]
    if objections or row is None:
        raise InputError(*objections)
    ratio = _DEFAULT_RATIO if wish.ratio is None else wish.ratio
    kinds = frozenset(PropertyKind) - wish.unchecked
    return Plan(
        search=row,
        ratio=ratio,
        seed=wish.seed,
        ends=_ends(wish),
        kinds=kinds,
        limits=wish.limits,
        native=wish.native,
        threads=wish.threads,
        compress=wish.compress,
        fingerprint=wish.fingerprint,
        pruning=pruning_of(wish, row),
        strategy=strategy_of(wish),
        may_merge=wish.symmetry == AUTO and wish.por == AUTO and wish.native is None,
        symbolic=symbolically(wish) if wish.engine == SYMBOLIC else None,
        may_be_symbolic=may_be_symbolic(wish) and wish.native is None,
        shares=wish.shares,
    )


def _ends(wish: Wish) -> frozenset[PropertyKind]:
    """Return the kinds of violation that end the search."""
    if wish.collect:
        return frozenset()
    every = frozenset(PropertyKind)
    return every if wish.stop_at is None else frozenset(map(PropertyKind, wish.stop_at))


def _objections_to_search(wish: Wish, row: SearchRow | None) -> list[Diagnostic]:
    if row is None:
        known = ", ".join(r.name for r in ALL_SEARCHES)
        message = f"there is no search called '{wish.search}'"
        return [Diagnostic(UNKNOWN_SEARCH, message, help=f"the searches are {known}")]
    if wish.ratio is None:
        return []
    if not row.uses_ratio:
        able = ", ".join(r.name for r in ALL_SEARCHES if r.uses_ratio)
        message = f"search '{row.name}' has no ratio of depth-first to breadth-first"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help=f"use --search {able}")]
    if not 0 <= wish.ratio <= 1:
        message = f"the ratio {wish.ratio:g} is not between 0 and 1"
        way_out = "0 is breadth-first, 1 is depth-first"
        return [Diagnostic(OPTION_OUT_OF_RANGE, message, help=way_out)]
    return []


def _objections_to_end(wish: Wish) -> list[Diagnostic]:
    if wish.stop_at is None:
        return []
    if wish.collect:
        message = "to go on after every violation and to stop at some of them exclude each other"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help="use --all or --stop-at, not both")]
    kinds = [kind.value for kind in PropertyKind]
    unchecked = {kind.value for kind in wish.unchecked}
    return [
        Diagnostic(OPTION_OUT_OF_RANGE, f"'{each}' is no kind of violation", help=_list(kinds))
        if each not in kinds
        else Diagnostic(OPTION_WITHOUT_EFFECT, f"'{each}' is not looked for", help=_UNCHECKED)
        for each in sorted(wish.stop_at)
        if each not in kinds or each in unchecked
    ]


_UNCHECKED: Final = "leave out the option that says so, or do not stop at it"


def _list(kinds: Sequence[str]) -> str:
    return f"the kinds are {', '.join(kinds)}"


def _objections_to_threads(wish: Wish) -> list[Diagnostic]:
    if wish.threads < 1:
        message = f"{wish.threads} threads can do nothing"
        return [Diagnostic(OPTION_OUT_OF_RANGE, message, help="use --threads 1 or more")]
    if wish.threads > 1 and wish.search != DEFAULT_SEARCH:
        message = f"search '{wish.search}' uses one thread"
        way_out = f"use --search {DEFAULT_SEARCH}, or leave --threads out"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)]
    return []


def _objections_to_storage(wish: Wish) -> list[Diagnostic]:
    given = [name for name in ("compress", "fingerprint") if getattr(wish, name)]
    if len(given) > 1:
        message = "to keep states exactly and to keep only their hashes exclude each other"
        way_out = "use --compress or --fingerprint, not both"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)]
    if given and wish.search != DEFAULT_SEARCH:
        message = f"search '{wish.search}' keeps all states as they are"
        way_out = f"use --search {DEFAULT_SEARCH}, or leave --{given[0]} out"
        return [Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)]
    return []
