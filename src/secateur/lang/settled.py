"""Values as states hold them: listed where that is cheap, rules that compare otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from secateur.maths.symbolic.space import is_small
from secateur.maths.values import IllDefined, SymbolicSet, Undecided, Value, outline


class Unlisted:
    """A set that stays a rule within a state, compared as it is written.

    Whether two rules are the same set may be undecided; two states are then different
    states, which is never wrong, only more to visit.
    """

    __slots__ = ("_hash", "set")

    def __init__(self, set_: SymbolicSet) -> None:
        self.set = set_
        # A rule that is listed later on looks different; its hash must stay what it was.
        size = _size(set_)
        self._hash = hash(outline(set_)) if size is None else hash(size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unlisted):
            return False
        try:
            return self.set is other.set or bool(self.set == other.set)
        except Undecided:
            return False

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self.set)


def _size(set_: SymbolicSet) -> int | None:
    """Return how many elements a set has, None if that is infinite or takes long to find out."""
    if set_.is_dear() or not set_.worth_listing():
        return None
    try:
        return set_.size()
    except (IllDefined, Undecided):
        return None


def settled(value: Value) -> Value:
    """Return a value fit for a state: a finite set is listed, so that comparing is cheap."""
    if not isinstance(value, SymbolicSet):
        return value
    if value.worth_listing():
        try:
            if value.size() is not None:
                return value.expand()
        except (IllDefined, Undecided):
            return Unlisted(value)
    return Unlisted(value)


def settled_constant(value: Value) -> Value:
    """Return a constant fit for a state: what is large stays a rule until somebody needs it."""
    try:
        large = isinstance(value, SymbolicSet) and not is_small(value)
    except IllDefined:
        large = True
    return Unlisted(value) if large else settled(value)


def unsettled(value: Value) -> Value:
    """Return a value of a state as the evaluator wants it."""
    return value.set if isinstance(value, Unlisted) else value


def all_unsettled(values: Sequence[Value]) -> Iterable[Value]:
    """Return the values of a state as the evaluator wants them; most states have no rules."""
    return map(unsettled, values) if Unlisted in map(type, values) else values
