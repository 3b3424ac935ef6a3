"""Values as states hold them: listed where that is cheap, rules that compare otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from secateur.maths.print_value import show_value
from secateur.maths.symbolic.space import is_small
from secateur.maths.values import FreeValue, IllDefined, SymbolicSet, Undecided, Value, outline


class Unlisted:
    """A set that stays a rule within a state, or what has such a set in it, as it is written.

    Whether two rules are the same set may be undecided; two states are then different
    states, which is never wrong, only more to visit.
    """

    __slots__ = ("_hash", "value")

    def __init__(self, value: Value) -> None:
        self.value = value
        # A rule that is listed later on looks different; its hash must stay what it was.
        size = _size(value) if isinstance(value, SymbolicSet) else None
        self._hash = hash(outline(value)) if size is None else hash(size)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unlisted):
            return False
        try:
            return self.value is other.value or bool(self.value == other.value)
        except (IllDefined, Undecided):
            return False

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return show_value(self.value)


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
    if isinstance(value, SymbolicSet):
        if not _can_be_listed(value):
            return Unlisted(value)
        value = value.expand()
    return Unlisted(value) if _has_rules(value) else value


def _can_be_listed(set_: SymbolicSet) -> bool:
    try:
        if set_.worth_listing() and set_.size() is not None:
            set_.expand()
            return True
    except (IllDefined, Undecided):
        return False
    return False


def _has_rules(value: Value) -> bool:
    """Whether there is a set within `value` that cannot be listed."""
    return _have_rules([value])


def _have_rules(values: Collection[Value]) -> bool:
    """Whether there is a set that cannot be listed within values of one type.

    A set of relations has the same few pairs many times over: each is looked at once.
    """
    first = next(iter(values), None)
    if not _has_sets(first):
        return False
    if isinstance(first, FreeValue):  # others of its type may have another form
        return any(_have_rules([part]) for value in values for part in value)
    if isinstance(first, tuple):
        columns = ({id(v[i]): v[i] for v in values} for i in range(len(first)))
        return any(_have_rules(column.values()) for column in columns)
    listed = [v for v in values if isinstance(v, frozenset)]
    if not all(_can_be_listed(v) for v in values if not isinstance(v, frozenset)):
        return True
    if not _has_sets(next((element for v in listed for element in v), None)):
        return False
    return _have_rules({id(element): element for v in listed for element in v}.values())


def _has_sets(value: Value) -> bool:
    """Whether `value` is a set, or has one in it."""
    if isinstance(value, FreeValue):
        return True  # or others of its type have
    if isinstance(value, tuple):
        return any(map(_has_sets, value))
    return isinstance(value, frozenset | SymbolicSet)


def settled_constant(value: Value) -> Value:
    """Return a constant fit for a state: what is large stays a rule until somebody needs it."""
    try:
        large = isinstance(value, SymbolicSet) and not is_small(value)
    except IllDefined:
        large = True
    return Unlisted(value) if large else settled(value)


def unsettled(value: Value) -> Value:
    """Return a value of a state as the evaluator wants it."""
    return value.value if isinstance(value, Unlisted) else value


def all_unsettled(values: Sequence[Value]) -> Iterable[Value]:
    """Return the values of a state as the evaluator wants them; most states have no rules."""
    return map(unsettled, values) if Unlisted in map(type, values) else values
