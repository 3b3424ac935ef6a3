"""Which checks hold in every reachable state, because no step leads out of where they do.

C. Flanagan, K. R. M. Leino: *Houdini, an Annotation Assistant for ESC/Java*, FME 2001,
LNCS 2021.  All checks that hold initially are assumed; those are dropped that some action
can violate under what is still assumed, until nothing is left to drop.  What remains holds
initially and is preserved by all steps that are not at fault, hence holds in every state
that is reached without a fault on the way: as with `reachable.py`, and for the same use.

Deviations from the paper:

  D1  what was proven is proven again only if something that the proof needs was dropped;
  D2  what is not found out counts as violated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Protocol

from secateur.analysis.assumptions import Admitted
from secateur.analysis.compare import NOT_TRUE, TRUE, Comparison
from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.reachable import Reachable, initial_codes
from secateur.analysis.tables import Table, Tables, Truths
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.packing import Misfit


class Prover(Protocol):
    """Whoever proves what enumeration cannot."""

    def violated(
        self, action: int, checks: frozenset[int], assumed: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate where it happens and is not at fault.

        Before, all that are `assumed` hold; the second set are those of them that are needed
        to show that the other checks are preserved.
        """


def related(system: EventSystem, mask: int, among: Iterable[int]) -> frozenset[int]:
    """Return the checks that say something about some bits, directly or through other ones."""
    left, found = set(among), set[int]()
    while True:
        more = {n for n in left if system.checks[n].reads & mask}
        if not more:
            return frozenset(found)
        found |= more
        left -= more
        for n in more:
            mask |= system.checks[n].reads


@dataclass(slots=True)
class Induction:
    """Finds out which checks are inductive together."""

    tables: Tables
    known: Reachable
    purse: Purse
    prover: Prover | None
    _comparison: Comparison = field(init=False)

    def __post_init__(self) -> None:
        self._comparison = Comparison(self.purse)

    def of(self, checks: Iterable[int]) -> frozenset[int]:
        """Return those of the checks that are proven."""
        try:
            held = set(self._initially(checks))
        except (TooMuch, Misfit):
            return frozenset()
        needed: list[dict[int, frozenset[int]]] = [{} for _ in self.tables.system.actions]
        dropped = True
        while dropped:
            dropped = False
            for action, proofs in enumerate(needed):
                open_ones = self._open(action, proofs, held)
                violated = self._violated(action, open_ones, frozenset(held), proofs)
                held -= violated
                dropped = dropped or bool(violated)
        return frozenset(held)

    def _open(
        self, action: int, proofs: dict[int, frozenset[int]], held: set[int]
    ) -> frozenset[int]:
        """Return the checks that an action may change, less what is proven."""
        system = self.tables.system
        written = system.actions[action].may_write
        return frozenset(
            n
            for n in held
            if system.checks[n].reads & written and not (n in proofs and proofs[n] <= held)
        )

    def _initially(self, checks: Iterable[int]) -> list[int]:
        """Return the checks that hold in all initial states."""
        held = sorted(checks)
        for state in initial_codes(self.tables, self.purse):
            held = [n for n in held if self.tables.system.holds(n, state) is True]
        return held

    def _violated(
        self,
        action: int,
        checks: frozenset[int],
        assumed: frozenset[int],
        proofs: dict[int, frozenset[int]],
    ) -> frozenset[int]:
        """Return the checks that an action may violate; note what the others are proven with."""
        left: set[int] = set()
        for check in sorted(checks):
            found = self._listed(action, check, assumed)
            if found is None:
                left.add(check)
            else:
                proofs[check] = found
        if not left or self.prover is None or self.purse.unsolvable:
            return frozenset(left)
        begun = self.purse.clock()
        violated, needed = self.prover.violated(action, frozenset(left), assumed)
        self.purse.solving += self.purse.clock() - begun
        proofs.update(dict.fromkeys(left - violated, needed))
        return violated

    def _listed(self, action: int, check: int, assumed: frozenset[int]) -> frozenset[int] | None:
        """Return what is needed to show that an action preserves a check, by enumeration."""
        try:
            self.purse.check()
            table, truths = self.tables.action(action), self.tables.check(check)
            if table is not None and truths is not None:
                return self._by_tables(table, truths, assumed)
        except TooMuch:
            pass
        return None

    def _by_tables(
        self, table: Table, truths: Truths, assumed: frozenset[int]
    ) -> frozenset[int] | None:
        mask = table.mask | truths.mask
        innocent = {code: found for code, found in table.rows.items() if found is not None}
        steps = Table(table.mask, table.writes, dict(innocent))
        occurs = self.known.within(mask)
        if self._comparison.change(steps, truths, (TRUE, NOT_TRUE), occurs) is None:
            return frozenset()
        checks = self.tables.system.checks
        listed = {n: self.tables.check(n) for n in assumed if checks[n].reads & mask}
        useful = {n: each for n, each in listed.items() if each is not None}
        admitted = occurs.also(Admitted(useful.values()))
        if self._comparison.change(steps, truths, (TRUE, NOT_TRUE), admitted) is None:
            return frozenset(useful)
        return None
