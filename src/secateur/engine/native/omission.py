"""How likely it is that a search that keeps only hashes has left out a state.

U. Stern and D. Dill, Improved Probabilistic Verification by Hash Compaction, CHARME 1995.
"""

from __future__ import annotations

import math
from typing import Final

_HASHES: Final = 2.0**63


def omission_probability(states: int) -> float:
    """Return a bound on the probability that two of the states reached had one hash."""
    return -math.expm1(-states * (states - 1) / 2 / _HASHES)


def hash_compaction(states: int, *, error: bool) -> str:
    """Return why a run with fingerprints has not looked at everything for sure."""
    what = "hash compaction" if error else "no error found (hash compaction)"
    chance = omission_probability(states)
    return f"{what}; the probability that a state was left out is {chance:.1e}"
