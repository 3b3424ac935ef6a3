"""The environments that compiled formulas run in, and what compiles them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.universe import Universe
from secateur.maths.values import Undecided
from secateur.source.records import dataclass

EPOCH: Final = 0
"""`env[EPOCH]` is an object that stands for the values of the constants."""
GAPS: Final = 1
"""`env[GAPS]` lists the names that were enumerated without a bound."""
FAULTS: Final = 2
"""`env[FAULTS]` lists the ill-definedness met by plans that go on after it."""
METER: Final = 3
"""`env[METER]` counts the steps that listings take; all environments of a model share it."""
FIRST_PLACE: Final = 4

Env = list[Any]
Code = Callable[[Env], Any]
Stage = Callable[[Env], Iterator[None]]
"""Stops once per way to go on, having put values into the environment."""


class Scope(Protocol):
    """What planning needs of the compiler: places of identifiers, code of expressions."""

    universe: Universe
    patient: bool
    """Whether a lambda that is ill-defined somewhere is noted and kept as a rule."""

    def code(self, e: Expr) -> Code:
        """Return the function that evaluates `e`."""

    def place(self, name: str) -> int:
        """Return where in an environment `name` has its value."""

    def knows(self, name: str) -> bool:
        """Whether `name` has a meaning here."""

    def varies(self, name: str) -> bool:
        """Whether `name` has a place in environments, rather than one meaning throughout."""

    def frame_size(self) -> int:
        """Return how long an environment must be at present."""

    def bind(self, binders: Sequence[Binder]) -> Scope:
        """Return a scope in which `binders` have places of their own."""

    def free(self, e: Expr) -> frozenset[str]:
        """Return the identifiers that `e` uses and does not bind."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """`run(env)` stops once per solution, with the binders' values in `env`.

    `bounded`: no identifier is enumerated without a bound, unless a set turns out to be infinite.
    Names that were are appended to `env[GAPS]` as it happens.  `finite`: the solver may have
    been asked, but the conjuncts show that there are finitely many values to try.
    """

    run: Stage
    bounded: bool
    places: tuple[int, ...]
    finite: bool = False
    asked: frozenset[str] = frozenset()
    """The identifiers whose values the solver finds, or that are tried without a bound."""
    ways: tuple[Stage, Callable[[], Stage]] | None = None
    """`run` taken apart: what stops at the first error, and what makes the search that goes on."""


def every_solution(plan: Plan, env: Env, text: Callable[[], str]) -> Iterator[None]:
    """Stop once per solution; raise Undecided in the end if some may have been left out.

    Who does not go on to the end has found what there was to find: that other values were
    not tried does not matter then.  `text` says which formula this is about.  A plan that
    expected every set to be finite may have met an infinite one: that it is `bounded` is
    no reason not to look.
    """
    gaps = env[GAPS]
    before = len(gaps)
    try:
        yield from plan.run(env)
        if len(gaps) > before:
            raise Undecided(f"{gaps[before]} in {text()} has no bound")
    finally:
        del gaps[before:]


def widen(env: Env, scope: Scope) -> None:
    """Make `env` long enough for what has been compiled since it was made."""
    missing = scope.frame_size() - len(env)
    if missing > 0:
        env.extend([None] * missing)


def late(scope: Scope, make: Callable[[], Code]) -> Code:
    """Return code that is made when it is first run: much of what could be asked never is."""
    code: Code | None = None

    def run(env: Env) -> Any:
        nonlocal code
        if code is None:
            code = make()
        widen(env, scope)
        return code(env)

    return run


def wide(plan: Plan, scope: Scope) -> Plan:
    """Return `plan` for environments that may be older than it."""

    def run(env: Env) -> Iterator[None]:
        widen(env, scope)
        return plan.run(env)

    return replace(plan, run=run, ways=None)
