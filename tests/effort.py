"""What property-based tests have in common: how many examples they get, and what they leave as it was."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis import settings


def fewer(divisor: int) -> settings:
    """Return the settings in force with so many times fewer examples, for suites of many tests."""
    usual = settings.default
    assert usual is not None
    return settings(usual, max_examples=max(usual.max_examples // divisor, 2))


@contextmanager
def recursion_limit_kept() -> Iterator[None]:
    """Set the limit back: a check raises it, which hypothesis does not like."""
    limit = sys.getrecursionlimit()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
