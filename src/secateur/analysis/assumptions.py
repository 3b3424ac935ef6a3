"""Which states matter: what an analysis may take for granted about them.

Typing is always assumed: slots have lawful codes.  Beyond that a check may be assumed if
it is checked in the same run: then commuting and enabling are only ever used in the states on
the way to the first violation, which satisfy it (and "no deadlock" may be said only if no
violation was found).  Whether an action repairs a check is asked about states that violate it,
so nothing is assumed there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from secateur.analysis.tables import Truths
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The checks that hold in every state that matters, by their numbers.

    With `reachable`, states are left out that are proven not to be reachable without a fault
    on the way (`reachable.py`): for every question, also about checks and faults.
    """

    checks: frozenset[int] = frozenset()
    reachable: bool = False


NOTHING: Final = Assumptions()


REACHABLE: Final = Assumptions(reachable=True)


class Admitted:
    """The states in which some checks may hold, told by whatever is known of a state.

    `mask` are the bits of the slots that these checks read.
    """

    def __init__(self, checks: Iterable[Truths]) -> None:
        self._checks = [c for c in checks if False in c.values.values()]
        self._allowed: list[dict[int, frozenset[int]]] = [{} for _ in self._checks]
        self.mask = 0
        for check in self._checks:
            self.mask |= check.mask

    def also(self, other: Admitted) -> Admitted:
        """Return the states that are admitted by both."""
        return Admitted((*self._checks, *other._checks))

    def __call__(self, code: int, known: int) -> bool:
        """Whether a state that agrees with a code on the known bits may satisfy every check."""
        for check, allowed in zip(self._checks, self._allowed, strict=True):
            seen = check.mask & known
            if not seen:
                continue
            codes = allowed.get(seen)
            if codes is None:
                # where a check has no value it is not known to be violated
                codes = frozenset(c & seen for c, v in check.values.items() if v is not False)
                allowed[seen] = codes
            if code & seen not in codes:
                return False
        return True


ANYTHING: Final = Admitted(())
