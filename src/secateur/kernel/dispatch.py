"""Which actions look at the same number first: one jump decides between them.

An action of a process is possible at one place of its program, `pc = 7`.  Of hundreds of such
actions a jump by the value of `pc` finds the few that need be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import takewhile
from typing import Final

from secateur.kernel.bit_tests import bit_test
from secateur.kernel.language import (
    STATE,
    Action,
    Assign,
    Binary,
    Block,
    Expr,
    If,
    Load,
    Local,
    Number,
    Statement,
    Truth,
)
from secateur.kernel.operators import Op

_LEAST: Final = 3
"""So many actions at least are worth a jump."""

Tests = dict[Load, int]
"""What numbers of the state must be for an action to do anything at all."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive actions, all of which do nothing unless one number has some value."""

    members: range
    load: Load | None
    """The number; None where there is none that they share."""


def runs(actions: Sequence[Action]) -> tuple[Run, ...]:
    """Divide actions into runs, in their order; what shares nothing is a run of one."""
    found: list[Run] = []
    for members, shared in _longest([first_tests(a.body) for a in actions]):
        values = {load: len(each) for load, each in shared.items()}
        if len(members) >= _LEAST and values:
            # the number that tells most of them apart; the first of several
            found.append(Run(members, max(values, key=lambda load: values[load])))
        else:
            found += (Run(range(j, j + 1), None) for j in members)
    return tuple(found)


def _longest(tests: Sequence[Tests]) -> Iterator[tuple[range, dict[Load, set[int]]]]:
    """Return runs that are as long as possible, with the values of each number that they share."""
    start = 0
    shared: dict[Load, set[int]] = {}
    for j, each in enumerate(tests):
        common = {load: shared[load] | {each[load]} for load in shared if load in each}
        if j > start and not common:
            yield range(start, j), shared
            start = j
        shared = common or {load: {value} for load, value in each.items()}
    if tests:
        yield range(start, len(tests)), shared


def first_tests(body: Block) -> Tests:
    """Return what numbers must be, as a body finds out before anything that may trap."""
    tests: Tests = {}
    match body:
        case (If(condition, _, otherwise), *others) if _idle(otherwise, others):
            for part in takewhile(bit_test, _conjuncts(condition)):
                test = _equation(part)
                if test is not None:
                    tests.setdefault(*test)
    return tests


def at(body: Block, load: Load) -> Block:
    """Return what a body does where the number has the value that it is tested for."""
    match body:
        case (If(condition, then, otherwise), *others):
            parts = list(_conjuncts(condition))
            first = next(i for i, part in enumerate(parts) if _tests(part, load))
            del parts[first]
            if parts:
                then = (If(reduce(partial(Binary, Op.AND), parts), then, otherwise),)
            return (*then, *others)
    raise AssertionError(body)


def _idle(otherwise: Block, others: Sequence[Statement]) -> bool:
    """Whether nothing happens where a first test fails: locals stay false, all others wait."""
    return all(isinstance(s, Assign) and s.value == Truth(value=False) for s in otherwise) and all(
        isinstance(s, If) and not s.otherwise and isinstance(next(_conjuncts(s.condition)), Local)
        for s in others
    )


def _conjuncts(e: Expr) -> Iterator[Expr]:
    """Return the parts of a conjunction, in the order in which they are looked at."""
    if isinstance(e, Binary) and e.op is Op.AND:
        yield from _conjuncts(e.left)
        yield from _conjuncts(e.right)
    else:
        yield e


def _tests(e: Expr, load: Load) -> bool:
    test = _equation(e)
    return test is not None and test[0] == load


def _equation(e: Expr) -> tuple[Load, int] | None:
    match e:
        case Binary(Op.EQUAL, Load(_, Number(), buffer) as load, Number(value)) | Binary(
            Op.EQUAL, Number(value), Load(_, Number(), buffer) as load
        ) if buffer == STATE:
            return load, value
    return None
