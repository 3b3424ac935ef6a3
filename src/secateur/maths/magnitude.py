"""Numbers are exact and of any size, but not of any length: some could never be written down."""

from __future__ import annotations

from typing import Final

from secateur.maths.show import brief
from secateur.maths.values import Undecided, Value

MOST_BITS: Final = 2**27
"""The longest number that is computed: some forty million decimal digits."""


def admit(bits: int, *what: Value) -> None:
    """Raise Undecided if a number of so many binary digits is too long; `what` is its name."""
    if bits > MOST_BITS:
        name = " ".join(part if isinstance(part, str) else brief(part) for part in what)
        raise Undecided(f"{name} is a number of too many digits")


def bits_of_power(base: int, exponent: int) -> int:
    """Return how many binary digits `base ** exponent` has at most."""
    return abs(base).bit_length() * exponent if abs(base) > 1 else 1
