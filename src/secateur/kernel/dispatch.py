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
_LOOKED_AT: Final = 100
"""Of so many actions it is counted how many values they tell apart."""

Tests = dict[Load, int]
"""What numbers of the state must be for an action to do anything at all."""


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive actions, all of which do nothing unless one number has some value."""

    members: range
    load: Load | None
    """The number; None where there is none that they share."""


def runs(bodies: Sequence[Block]) -> tuple[Run, ...]:
    """Divide the bodies of actions into runs, in their order; what shares nothing is a run of one.

    A body that is empty may be in any run.
    """
    tests = [first_tests(body) if body else None for body in bodies]
    ends = _ends(tests)
    found: list[Run] = []
    start = 0
    while start < len(bodies):
        # the number that saves most tests; the first of several
        saved = {load: _saved(tests[start:end], load) for load, end in ends[start].items()}
        load = max(saved, key=lambda each: saved[each], default=None)
        end = start + 1 if load is None else ends[start][load]
        if load is None or end - start < _LEAST or saved[load] < 1:
            load, end = None, start + 1
        found.append(Run(range(start, end), load))
        start = end
    return tuple(found)


def _ends(tests: Sequence[Tests | None]) -> list[dict[Load, int]]:
    """Return, for each action and each number that it tests, where those that test it end."""
    ends: list[dict[Load, int]] = [{} for _ in range(len(tests) + 1)]
    for i in reversed(range(len(tests))):
        after, here = ends[i + 1], tests[i]
        ends[i] = after if here is None else {load: after.get(load, i + 1) for load in here}
    return [{} if t is None else e for t, e in zip(tests, ends, strict=False)]


def _saved(tests: Sequence[Tests | None], load: Load) -> float:
    """Return how many actions less are looked at, on average, if a number is looked at first."""
    values = {each[load] for each in tests[:_LOOKED_AT] if each is not None}
    return len(tests) - len(tests) / len(values)


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
    return _nothing_set(otherwise) and all(
        isinstance(s, If)
        and _nothing_set(s.otherwise)
        and isinstance(next(_conjuncts(s.condition)), Local)
        for s in others
    )


def _nothing_set(block: Block) -> bool:
    return all(isinstance(s, Assign) and s.value == Truth(value=False) for s in block)


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
