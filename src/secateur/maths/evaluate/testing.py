"""The tests of a loop, in the order that rejects soonest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from secateur.maths.evaluate.environment import Code, Env
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass

ENOUGH: Final = 64
"""After so many rejections it is known which test rejects."""
MOST: Final = 0.9
"""The share of the rejections that makes a test the first one."""


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A condition, and how to ask it before those that precede it, if that is lawful.

    It is where they cannot be ill-defined: then nothing is left unsaid if it does not hold.
    """

    code: Code
    ahead: Code | None = None


def tolerant(code: Code) -> Code:
    """Return the test that lets pass what has no answer yet: it is asked again in its turn."""

    def test(env: Env) -> bool:
        try:
            return bool(code(env))
        except (IllDefined, Undecided):
            return True

    return test


def conjunction(tests: Sequence[Condition]) -> Code | None:
    """Return the code that asks whether all `tests` hold, None if there are none."""
    if not tests:
        return None
    if any(test.ahead is not None for test in tests):
        return _adaptive(tests)
    codes = tuple(test.code for test in tests)
    if len(codes) == 1:
        return codes[0]
    if len(codes) == 2:
        first, second = codes
        return lambda env: first(env) and second(env)

    def all_of(env: Env) -> bool:
        for code in codes:
            if not code(env):
                return False
        return True

    return all_of


def _adaptive(tests: Sequence[Condition]) -> Code:
    """Return the conjunction that asks first what has rejected nearly all so far.

    Models say of a candidate what it is before they say which one is wanted: if going
    through candidates is all that can be done, the former never rejects any.
    """
    codes = tuple(enumerate(test.code for test in tests))
    rejections = [0] * len(codes)
    ahead: Code | None = None
    undetermined = True

    def ahead_of_all() -> Code | None:
        best = max(range(len(codes)), key=rejections.__getitem__)
        return tests[best].ahead if rejections[best] >= MOST * sum(rejections) else None

    def all_of(env: Env) -> bool:
        nonlocal ahead, undetermined
        if ahead is not None and not ahead(env):
            return False
        for number, code in codes:
            if not code(env):
                if undetermined:
                    rejections[number] += 1
                    if sum(rejections) >= ENOUGH:
                        undetermined = False
                        ahead = ahead_of_all()
                return False
        return True

    return all_of
