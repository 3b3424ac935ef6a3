"""Going on past what is ill-defined, where values are searched for.

A plan is fast, and stops at the first thing that is ill-defined.  That alone decides nothing: other
values may settle the question, and another conjunct may be false for the same values, in which
case nobody need have asked.  Which of them is met first depends on the order of the search.  So
where a plan meets something ill-defined, the search begins again with a *careful* one.  It
tests all conjuncts for each candidate; what is ill-defined counts where all others hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from secateur.maths.ast import Expr, Not
from secateur.maths.evaluate.effort import OutOfEffort
from secateur.maths.evaluate.environment import FAULTS, Code, Env, Scope, Stage, widen
from secateur.maths.evaluate.faults import first_fault
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass

PATIENCE: Final = 10
"""After so many candidates that cannot be decided, no others are tried: each may have taken long."""


def only_tested(e: Expr) -> Expr:
    """Return `e` behind two negations: no values are generated from it then."""
    return Not(Not(e, e.span), e.span)


class Noticing:
    """How a careful plan notes, in the environment, what is ill-defined or undecided.

    `strict`: both are kept, at `place`, until all candidates were tried; otherwise what is
    ill-defined is among the faults of the environment, and what is undecided is an error.
    """

    def __init__(self, place: int, *, strict: bool) -> None:
        self._place = place
        self._strict = strict

    def stage(self, stage: Stage) -> Stage:
        """Return `stage`, ended but not with an error where it is ill-defined."""

        def run(env: Env) -> Iterator[None]:
            try:
                yield from stage(env)
            except (IllDefined, Undecided) as error:
                self._note(env, error)

        return run

    def test(self, codes: Sequence[Code]) -> Code:
        """Return the test that all hold; it fails, and is noted, where one is ill-defined."""

        def test(env: Env) -> bool:
            errors: list[IllDefined | Undecided] = []
            for code in codes:
                try:
                    if not code(env):
                        return False
                except (IllDefined, Undecided) as error:
                    errors.append(error)
            if errors:
                self._note_all(env, errors)
            return not errors

        return test

    def _note_all(self, env: Env, errors: Sequence[IllDefined | Undecided]) -> None:
        """Note what is wrong with some values."""
        ill_defined = [error for error in errors if isinstance(error, IllDefined)]
        if ill_defined and not self._strict:
            self._note(env, first_fault(ill_defined))  # whatever is undecided besides
            errors = [error for error in errors if isinstance(error, Undecided)]
        if errors:
            self._note(env, first_error(errors))

    def _note(self, env: Env, error: IllDefined | Undecided) -> None:
        if not self._strict:
            if isinstance(error, Undecided):
                raise error
            env[FAULTS].append(error)
            return
        notes: list[IllDefined | Undecided] = env[self._place]
        notes.append(error)
        if isinstance(error, Undecided):
            undecided = [each for each in notes if isinstance(each, Undecided)]
            if len(undecided) >= PATIENCE:
                raise undecided[0]

    def has_failed(self, env: Env) -> bool:
        """Whether the search will end with an error."""
        return self._strict and bool(env[self._place])

    def whole(self, run: Stage) -> Stage:
        """Return a careful search that ends with an error if there was one that mattered."""
        place = self._place

        def careful(env: Env) -> Iterator[None]:
            notes: list[IllDefined | Undecided] = []
            env[place] = notes
            try:
                yield from run(env)
            except OutOfEffort as end:
                raise end from (first_error(notes) if notes else None)
            if notes:
                raise first_error(notes)

        return careful if self._strict else run


def first_error(errors: Sequence[IllDefined | Undecided]) -> IllDefined | Undecided:
    """Return what to say of a question that nothing has settled.

    What is undecided might have settled it: it comes before what is ill-defined.
    """
    for error in errors:
        if isinstance(error, Undecided):
            return error
    return first_fault([error for error in errors if isinstance(error, IllDefined)])


@dataclass(frozen=True, slots=True, eq=False)
class Careful:
    """A careful search; `has_failed` says while it runs whether it will end with an error."""

    run: Stage
    has_failed: Callable[[Env], bool]


def going_on(
    fast: Stage, careful: Callable[[], Careful], places: Sequence[int], scope: Scope
) -> Stage:
    """Return the search that begins again, with care, where something is ill-defined.

    For those who want all solutions: there are no others once it is known that it fails.
    """

    def solution(env: Env) -> tuple[object, ...]:
        return tuple([env[place] for place in places])

    has_begun_again = False
    """Where that was necessary it often is for the next state, too: solutions are kept then."""

    def run(env: Env) -> Iterator[None]:
        nonlocal has_begun_again
        found = 0
        kept: set[tuple[object, ...]] | None = set() if has_begun_again else None
        try:
            for _ in fast(env):
                found += 1
                if kept is not None:
                    kept.add(solution(env))
                yield
        except IllDefined:
            has_begun_again = True
        else:
            has_begun_again = False
            return
        again = careful()
        widen(env, scope)
        known = _first_of(fast, env, found, solution) if kept is None else kept
        try:
            for _ in again.run(env):
                if again.has_failed(env):
                    continue  # what else is wrong may come first in the text
                if not known or solution(env) not in known:
                    yield
        except OutOfEffort as end:
            if isinstance(end.__cause__, IllDefined):
                raise end.__cause__ from None
            raise

    return run


def _first_of(
    stage: Stage, env: Env, count: int, solution: Callable[[Env], tuple[object, ...]]
) -> set[tuple[object, ...]]:
    """Return the first solutions, found once more: to keep them all the time would be dear."""
    known: set[tuple[object, ...]] = set()
    if count:
        for _ in stage(env):
            known.add(solution(env))
            if len(known) == count:
                break
    return known
