"""Unknown truths and numbers, what is still possible for them, and a trail to undo by.

A propagator watches some of them and narrows others; `Network.propagate` runs those
that were woken until nothing changes.  Narrowing only ever removes what no solution has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any, Final

INFINITY: Final = float("inf")
HOLES_UP_TO: Final = 512
"""An interval of at most this many numbers may get holes; wider ones keep their bounds only."""

WIDE: Final = 64
CREEPS: Final = 100
"""Between two choices, a wide interval may be narrowed by a little only so many times.

Otherwise `x < y & y < x` would go on for ever over infinite intervals, and very long over
long ones.  Narrowing less is always right.
"""

Bound = int | float
"""An integer, or an infinity."""


class Conflict(Exception):
    """Nothing is possible any more: the search must go back."""


class OutOfWork(Exception):
    """The search took longer than it was allowed to."""


class Outlook(Enum):
    """When a propagator can have something to do again."""

    ON_CHANGE = "whenever something it watches changes"
    ON_FIX = "when something it watches is fixed"
    NEVER = "never: it holds whatever happens"


class Propagator(ABC):
    """Something that narrows; subclasses say what and how in `run`."""

    __slots__ = ("queued",)
    slow = False
    """Whether to wait until the quick ones have settled."""

    def __init__(self) -> None:
        self.queued = False

    @abstractmethod
    def run(self, net: Network) -> None:
        """Narrow what can be narrowed; raise Conflict if something becomes impossible."""

    def outlook(self) -> Outlook:
        """Return when it must run again, given that it has just run."""
        return Outlook.ON_CHANGE


class Gate(Propagator):
    """A propagator between truths that a search may branch on."""

    __slots__ = ()

    @abstractmethod
    def undecided(self) -> Bool | None:
        """Return a truth to branch on: one alternative must hold, and it is open which."""


class Bool:
    """A truth to be found: `value` is None until it is known."""

    __slots__ = ("opposite", "value", "watchers")

    def __init__(self) -> None:
        self.value: bool | None = None
        self.watchers: list[Propagator] = []
        self.opposite: Bool | None = None

    @property
    def fixed(self) -> bool:
        """Whether the truth is known."""
        return self.value is not None


class Scalar:
    """A number to be found, or anything that is ordered like one (an element of a given set).

    Possible are the numbers from `lo` to `hi`; if `values` is given, only those in it
    (then `lo` and `hi` are its least and greatest).
    """

    __slots__ = ("equals", "hi", "lo", "on_fix", "values", "watchers")

    def __init__(self, lo: Bound, hi: Bound, values: frozenset[Any] | None = None) -> None:
        self.lo: Any = lo
        self.hi: Any = hi
        self.values = values
        self.watchers: list[Propagator] = []
        self.on_fix: list[Propagator] = []
        self.equals: dict[Any, Bool] | None = None

    @property
    def fixed(self) -> bool:
        """Whether only one value is left."""
        return bool(self.lo == self.hi)

    def size(self) -> Bound:
        """Return how many values are possible."""
        return self.hi - self.lo + 1 if self.values is None else len(self.values)

    def possible(self, x: Any) -> bool:
        """Whether `x` is still possible."""
        if self.values is None:
            return bool(self.lo <= x <= self.hi)
        return x in self.values

    def listed(self) -> Iterable[Any]:
        """Return the possible values, ascending; there must be finitely many."""
        return range(self.lo, self.hi + 1) if self.values is None else sorted(self.values)


Variable = Bool | Scalar


def among(values: frozenset[Any]) -> Scalar:
    """Return a number that is one of `values` (at least one)."""
    lo, hi = min(values), max(values)
    if type(lo) is int and hi - lo + 1 == len(values):
        return Scalar(lo, hi)
    return Scalar(lo, hi, values)


def opposite(b: Bool) -> Bool:
    """Return the negation of `b`: one truth seen from the other side."""
    if b.opposite is None:
        other = Bool()
        other.value = None if b.value is None else not b.value
        other.opposite = b
        b.opposite = other
    return b.opposite


def _creeps(v: Scalar, lo: Bound, hi: Bound) -> bool:
    """Whether new bounds bring little: no end becomes finite and most of the interval stays."""
    new_end = (v.lo == -INFINITY != lo) or (v.hi == INFINITY != hi)
    return not new_end and bool(hi - lo >= 0.9 * (v.hi - v.lo))


class Network:
    """The trail and the queue; it settles at most `work` times."""

    def __init__(self, work: int | None = None) -> None:
        self.work = work
        self.gates: list[Gate] = []
        self._watched: list[tuple[Propagator, tuple[Variable, ...]]] = []
        self._trail: list[tuple[Any, ...]] = []
        self._quick: deque[Propagator] = deque()
        self._slow: deque[Propagator] = deque()
        self._creeps = 0
        self.found: dict[int, Any] = {}
        """Values of what is fixed, under numbers of those who ask; they last until `undo`."""

    def add(self, propagator: Propagator, *watched: Variable) -> None:
        """Run `propagator` now and whenever one of `watched` changes."""
        self._watched.append((propagator, watched))
        for each in watched:
            each.watchers.append(propagator)
        self.wake(propagator)

    def add_on_fix(self, propagator: Propagator, *watched: Variable) -> None:
        """Run `propagator` now and whenever one of `watched` is fixed."""
        for each in watched:
            (each.on_fix if isinstance(each, Scalar) else each.watchers).append(propagator)
        self.wake(propagator)

    def propagators(self) -> Iterator[Propagator]:
        """Yield what was added."""
        return (propagator for propagator, _ in self._watched)

    def settle(self) -> None:
        """Propagate, then let go of propagators that are not needed in the search to come."""
        self.propagate()
        idle: set[Propagator] = set()
        rare: set[Propagator] = set()
        for propagator, _ in self._watched:
            outlook = propagator.outlook()
            if outlook is Outlook.NEVER:
                idle.add(propagator)
            elif outlook is Outlook.ON_FIX:
                rare.add(propagator)
        gone = idle | rare
        for each in {v: None for p, watched in self._watched if p in gone for v in watched}:
            if isinstance(each, Scalar):
                each.on_fix.extend(p for p in each.watchers if p in rare)
                each.watchers = [p for p in each.watchers if p not in gone]
            else:
                each.watchers = [p for p in each.watchers if p not in idle]

    def wake(self, propagator: Propagator) -> None:
        """Let `propagator` run when it is its turn."""
        if not propagator.queued:
            propagator.queued = True
            (self._slow if propagator.slow else self._quick).append(propagator)

    def propagate(self) -> None:
        """Run what was woken until nothing changes; raise Conflict if nothing is possible."""
        quick, slow = self._quick, self._slow
        self._creeps = 0
        if self.work is not None:
            self.work -= 1
            if self.work < 0:
                raise OutOfWork
        try:
            while quick or slow:
                propagator = quick.popleft() if quick else slow.popleft()
                propagator.queued = False
                try:
                    propagator.run(self)
                except OverflowError:
                    # A number beyond what floats hold met an infinity: nothing is narrowed.
                    continue
        except Conflict:
            self._forget_queue()
            raise

    def _forget_queue(self) -> None:
        for queue in (self._quick, self._slow):
            for propagator in queue:
                propagator.queued = False
            queue.clear()

    def mark(self) -> int:
        """Return the present, for `undo`."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Take back everything that was narrowed since `mark`."""
        trail = self._trail
        self.found.clear()
        while len(trail) > mark:
            entry = trail.pop()
            what = entry[0]
            if len(entry) == 1:
                what.value = None
                if what.opposite is not None:
                    what.opposite.value = None
            else:
                _, what.lo, what.hi, what.values = entry
        self._forget_queue()

    def set(self, b: Bool, value: bool) -> None:  # noqa: FBT001 - it is the value to set
        """Make `b` known."""
        if b.value is not None:
            if b.value is not value:
                raise Conflict
            return
        self._trail.append((b,))
        b.value = value
        for propagator in b.watchers:
            self.wake(propagator)
        other = b.opposite
        if other is not None:
            other.value = not value
            for propagator in other.watchers:
                self.wake(propagator)

    def narrow(self, v: Scalar, lo: Bound, hi: Bound) -> None:
        """Keep what lies between `lo` and `hi`."""
        if lo <= v.lo and hi >= v.hi:
            return
        if v.values is not None:
            self._keep(v, frozenset([x for x in v.values if lo <= x <= hi]))
            return
        lo, hi = max(lo, v.lo), min(hi, v.hi)
        if lo > hi:
            raise Conflict
        if hi - lo > WIDE and _creeps(v, lo, hi):
            self._creeps += 1
            if self._creeps > CREEPS:
                return
        self._trail.append((v, v.lo, v.hi, None))
        v.lo, v.hi = lo, hi
        self._changed(v)

    def remove(self, v: Scalar, x: Any) -> None:
        """Rule `x` out."""
        if v.values is not None:
            if x in v.values:
                self._keep(v, v.values - {x})
        elif x == v.lo:
            self.narrow(v, x + 1, v.hi)
        elif x == v.hi:
            self.narrow(v, v.lo, x - 1)
        elif v.lo < x < v.hi and v.hi - v.lo < HOLES_UP_TO:
            self._keep(v, frozenset(range(v.lo, v.hi + 1)) - {x})

    def restrict(self, v: Scalar, values: frozenset[Any]) -> None:
        """Keep what is in `values`."""
        if v.values is None:
            kept = frozenset([x for x in values if v.lo <= x <= v.hi])
            if len(kept) < v.size():
                self._keep(v, kept)
            return
        # The kept objects are v's own: an Element equals its number but has a name.
        kept = frozenset([x for x in v.values if x in values])
        if len(kept) < len(v.values):
            self._keep(v, kept)

    def assign(self, v: Scalar, x: Any) -> None:
        """Make `x` the value of `v`."""
        if v.lo == v.hi:
            if v.lo != x:
                raise Conflict
        elif v.values is None:
            self.narrow(v, x, x)
        else:
            self._keep(v, frozenset([e for e in v.values if e == x]))

    def _keep(self, v: Scalar, values: frozenset[Any]) -> None:
        if not values:
            raise Conflict
        self._trail.append((v, v.lo, v.hi, v.values))
        v.lo, v.hi, v.values = min(values), max(values), values
        self._changed(v)

    def _changed(self, v: Scalar) -> None:
        for propagator in v.watchers:
            self.wake(propagator)
        if v.lo == v.hi:
            for propagator in v.on_fix:
                self.wake(propagator)
