"""How many examples a property-based test gets."""

from __future__ import annotations

from hypothesis import settings


def fewer(divisor: int) -> settings:
    """Return the settings in force with so many times fewer examples, for suites of many tests."""
    usual = settings.default
    assert usual is not None
    return settings(usual, max_examples=max(usual.max_examples // divisor, 2))
