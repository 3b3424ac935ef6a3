"""What a second thread saves: `python -m bench --threads`.

Both run in turn, and each pair gives a ratio of their wall clocks, from the model in memory to the
verdict; its median counts, for a busy machine slows one run of a pair now and then.  A virtual
machine says how much of the time its host took for others: where that is more than a per cent or
two, the second processor was not there all the time.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Final

from bench import ours
from bench.cases import OWN, Case

_TWO: Final = "--threads 2"
HEADER: Final = (
    f"{'model':28}{'one s':>8}{'two s':>8}{'median':>8}{'least':>8}{'most':>8}{'stolen':>8}"
)
_COUNTERS: Final = Path("/proc/stat")


def measure_threads(rounds: int, only: str) -> int:
    """Print a table; return 1 if the counts depend on the number of threads."""
    cases = [c for c in OWN if _TWO in c.variants and only.lower() in c.model.stem.lower()]
    if not cases:
        print(f"no model that is run with two threads has a name with {only}", file=sys.stderr)
        return 2
    print(HEADER)
    right = [_show(case, rounds) for case in cases]
    return 0 if all(right) else 1


def _show(case: Case, rounds: int) -> bool:
    """Measure a model; return whether both have the same counts."""
    before = _ticks()
    pairs = [(ours.measure(case.model, ""), ours.measure(case.model, _TWO)) for _ in range(rounds)]
    ratios = [one.wall / two.wall for one, two in pairs]
    alike = all(
        (one.states, one.transitions) == (two.states, two.transitions) for one, two in pairs
    )
    print(
        f"{case!s:28}{median(one.wall for one, _ in pairs):8.2f}"
        f"{median(two.wall for _, two in pairs):8.2f}{median(ratios):8.2f}"
        f"{min(ratios):8.2f}{max(ratios):8.2f}{_stolen(before, _ticks()):>8}{'' if alike else '  COUNTS DIFFER'}",
        flush=True,
    )
    return alike


def _ticks() -> list[int]:
    """Return what the processors have done since the start, in ticks; nothing where nobody counts."""
    if not _COUNTERS.exists():
        return []
    return [int(each) for each in _COUNTERS.read_text(encoding="ascii").split("\n")[0].split()[1:9]]


def _stolen(before: list[int], after: list[int]) -> str:
    """Return what part of the time in which the processors had work the host took for others."""
    spent = [b - a for a, b in zip(before, after, strict=True)]
    if not spent:
        return "?"
    user, nice, system, _idle, _waiting, hardware, software, stolen = spent
    return f"{stolen / max(1, user + nice + system + hardware + software + stolen):.1%}"
