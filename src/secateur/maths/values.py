"""The values of B and Event-B expressions.

| type          | value                                                             |
|---------------|-------------------------------------------------------------------|
| INTEGER       | `int`                                                             |
| BOOL          | `bool`                                                            |
| REAL          | `float`                                                           |
| STRING        | `str`                                                             |
| given set     | `Element`                                                         |
| free type     | `FreeValue`                                                       |
| `A*B`         | `tuple` of two; `(a, b, c)` is `((a, b), c)`                      |
| `struct(...)` | `RecordValue`                                                     |
| `POW(A)`      | `frozenset`, or a `SymbolicSet` where that is infinite or large   |

Values are immutable and hashable, and equal values are equal in Python: hashing and
equality run in C for everything but symbolic sets.  Typing keeps apart what Python
would confuse (`True == 1`).
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Any, Final

from secateur.source import Span

Value = Any
"""One of the above.  `Any`: inference has made sure of the rest."""


class IllDefined(Exception):
    """An expression has no value here: a violation of well-definedness, not a crash.

    The evaluator adds the place of the innermost expression at fault.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class Undecided(Exception):
    """The question is meaningful but cannot be answered without an unbounded enumeration.

    `what` names the culprit; the verdict becomes incomplete.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class Element(int):
    """An element of a deferred or enumerated set: a number with a name.

    The number is unique within a model, so that hashing, equality and order are those
    of `int`, in C and the same in every run.
    """

    name: str
    set_name: str

    def __new__(cls, number: int, name: str, set_name: str) -> Element:  # noqa: D102
        element = super().__new__(cls, number)
        element.name = name
        element.set_name = set_name
        return element

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__


class RecordValue(tuple[Value, ...]):
    """A record: the field values, ordered by field name."""

    names: tuple[str, ...]

    def __new__(cls, names: tuple[str, ...], values: Iterable[Value]) -> RecordValue:  # noqa: D102
        record = super().__new__(cls, values)
        record.names = names
        return record

    def field(self, name: str) -> Value:
        """Return the value of field `name`."""
        return self[self.names.index(name)]

    def replace(self, name: str, value: Value) -> RecordValue:
        """Return this record with another value in field `name`."""
        at = self.names.index(name)
        return RecordValue(self.names, (*self[:at], value, *self[at + 1 :]))

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}:{v!r}" for n, v in zip(self.names, self, strict=True))
        return f"rec({inside})"


def record(fields: dict[str, Value]) -> RecordValue:
    """Return the record with these fields."""
    names = tuple(sorted(fields))
    return RecordValue(names, (fields[n] for n in names))


class FreeValue(tuple[Value, ...]):
    """An element of a free type: the constructor's number and, where it has one, its argument."""

    constructor: str

    def __new__(cls, number: int, constructor: str, *argument: Value) -> FreeValue:  # noqa: D102
        value = super().__new__(cls, (number, *argument))
        value.constructor = constructor
        return value

    @property
    def argument(self) -> Value:
        """What the constructor was applied to."""
        return self[1]

    def __repr__(self) -> str:
        return f"{self.constructor}({self[1]!r})" if len(self) > 1 else self.constructor


class _Plain(ABCMeta):
    """Abstract classes without virtual subclasses: to ask for one need not look for these.

    Whether a value is a symbolic set is asked of nearly every value there is.
    """

    __instancecheck__ = type.__instancecheck__


class SymbolicSet(metaclass=_Plain):
    """A set known by a rule rather than by its elements.

    Membership always works.  A finite one can be expanded and is then equal to, and
    hashes like, the `frozenset` of its elements.
    """

    __slots__ = ()

    @abstractmethod
    def __contains__(self, value: object) -> bool:
        """Whether `value` (of the element type) is an element."""

    @abstractmethod
    def size(self) -> int | None:
        """Return the number of elements, None if infinite; raise Undecided if unknown."""

    @abstractmethod
    def __iter__(self) -> Iterator[Value]:
        """Yield the elements in canonical order; raise Undecided where that cannot end."""

    def is_empty(self) -> bool:
        """Whether there is no element."""
        return next(iter(self), _NOTHING) is _NOTHING

    def expand(self) -> frozenset[Value]:
        """Return the same set with its elements listed."""
        size = self.size()
        if size is None:
            raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")
        if size > LISTING_LIMIT:
            raise Undecided(f"the {size} elements of {self!r} are too many to list")
        return frozenset(self.any_order())

    def holds_all(self, values: Collection[Value]) -> bool:
        """Whether all `values` are elements."""
        return all(x in self for x in values)

    def worth_listing(self) -> bool:
        """Whether trying to list the elements will not take long, as far as one can tell."""
        return True

    def is_dear(self) -> bool:
        """Whether this, or what it is made of, is finite but takes much effort to list."""
        return any(part.is_dear() for part in _parts(self.structure()))

    def any_order(self) -> Iterable[Value]:
        """Return the elements in whatever order is the least effort."""
        return self

    def structure(self) -> tuple[Value, ...] | None:
        """Return what determines this set, for comparing infinite ones; None if only identity does."""
        return None

    def within(self, other: SymbolicSet) -> bool | None:  # noqa: ARG002  (for subclasses)
        """Whether this is a subset of `other`, as far as the rules tell; None if they do not."""
        return None

    def covers(self, other: SymbolicSet) -> bool | None:  # noqa: ARG002  (for subclasses)
        """Whether `other` is a subset of this, as far as the rules tell; None if they do not."""
        return None

    def sample(self) -> Iterator[Value]:
        """Yield a few elements, by which sets can be told apart; none if they are hard to find."""
        return iter(())

    def lacks(self, value: Value) -> bool:
        """Whether `value` is surely not an element, and that is found without much effort."""
        try:
            return value not in self
        except (IllDefined, Undecided):
            return False

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, frozenset | SymbolicSet):
            return NotImplemented
        return _equal_sets(self, other)

    def __hash__(self) -> int:
        """Return a hash; raise Undecided where nobody can tell which frozenset this equals, if any.

        In a set, what has another hash is another element: to guess would be to answer.
        """
        if not self.worth_listing() and not self.is_dear():
            raise unknown_elements(self)
        return INFINITE_HASH if self.size() is None else hash(self.expand())


def unknown_elements(set_: SymbolicSet) -> Undecided:
    """Return the complaint that it is not known whether a set is finite."""
    return Undecided(f"whether {set_!r} is finite, and what it equals")


_NOTHING: Final = object()
INFINITE_HASH: Final = 0x1F1A17E
"""The hash of all infinite sets: whether two of them are the same, only a comparison can tell."""


def _parts(structure: Value) -> Iterator[SymbolicSet]:
    """Yield the symbolic sets that a structure speaks of."""
    if isinstance(structure, SymbolicSet):
        yield structure
    elif type(structure) is tuple:
        for each in structure:
            yield from _parts(each)


def outline(value: Value, depth: int = 2) -> Hashable:
    """Return what tells values apart as they are written, without listing anything."""
    if isinstance(value, tuple):
        return tuple(outline(each, depth) for each in value)
    if isinstance(value, frozenset):
        return frozenset(outline(each, depth) for each in value)
    if not isinstance(value, SymbolicSet):
        known: Hashable = value
        return known
    structure = value.structure() if depth else ()
    return (type(value).__name__, id(value) if structure is None else outline(structure, depth - 1))


LISTING_LIMIT: Final = 10_000_000
"""A set with more elements than this is not listed: memory would end before."""

SetValue = frozenset[Value] | SymbolicSet


def _equal_sets(left: SymbolicSet, right: SetValue) -> bool:
    same = isinstance(right, SymbolicSet) and left.structure() is not None
    if same and type(left) is type(right) and left.structure() == right.structure():
        return True
    left_size = left.size()
    right_size = right.size() if isinstance(right, SymbolicSet) else len(right)
    if left_size != right_size:
        return False
    if left_size is None:
        assert isinstance(right, SymbolicSet)
        return _equal_infinite_sets(left, right)
    return is_subset(right, left) if isinstance(right, frozenset) else is_subset(left, right)


def _equal_infinite_sets(left: SymbolicSet, right: SymbolicSet) -> bool:
    """Compare a few elements: what only one of them has tells them apart; then the rules."""
    if any(map(right.lacks, left.sample())) or any(map(left.lacks, right.sample())):
        return False
    return is_subset(left, right) and is_subset(right, left)


def is_subset(left: SetValue, right: SetValue) -> bool:
    """Whether every element of `left` is one of `right`; raise Undecided if that is out of reach."""
    if isinstance(left, frozenset):
        return left <= right if isinstance(right, frozenset) else right.holds_all(left)
    if isinstance(right, SymbolicSet):
        decided = True if left is right else left.within(right)
        decided = right.covers(left) if decided is None else decided
        if decided is not None:
            return decided
    return _subset_by_size(left, right)


def _subset_by_size(left: SymbolicSet, right: SetValue) -> bool:
    size = left.size()
    if size is None or size > LISTING_LIMIT:
        limit = _known_cardinality(right)
        if limit is not None and (size is None or size > limit):
            return False
        raise Undecided(f"whether {left!r} <: {right!r}")
    if isinstance(right, frozenset) and size > len(right):
        return False
    return all(x in right for x in left.any_order())


def _known_cardinality(s: SetValue) -> int | None:
    try:
        return cardinality(s)
    except Undecided:
        return None


def kind_of(value: Value) -> Hashable:
    """Return what tells values of different types apart that Python takes for equal.

    `True == 1`, and an element of a given set equals its number: whoever keeps values of
    several types in one dictionary must keep their kinds, too.
    """
    if type(value) is tuple:
        return tuple(map(kind_of, value))
    if isinstance(value, frozenset):
        return ("set", kind_of(next(iter(value)))) if value else "set"
    return value.set_name if isinstance(value, Element) else type(value).__name__


def is_set(value: Value) -> bool:
    """Whether `value` is a set."""
    return isinstance(value, frozenset | SymbolicSet)


def explicit(value: SetValue) -> frozenset[Value]:
    """Return the set with its elements listed; raise Undecided if it is infinite."""
    return value if isinstance(value, frozenset) else value.expand()


def exchanged(
    whole: frozenset[Value], gone: Iterable[Value], come: Iterable[Value]
) -> frozenset[Value]:
    """Return a set with some elements in place of others, all of which it has.

    What comes may be in the set only if it is among what goes.  The result is one copy of the
    memory of `whole`, whose elements are not hashed again: Python copies what is on the right.
    """
    return frozenset(gone).symmetric_difference(come) ^ whole


def cardinality(value: SetValue) -> int | None:
    """Return the number of elements, None if infinite."""
    return len(value) if isinstance(value, frozenset) else value.size()


def order_key(value: Value) -> Any:
    """Return a key that sorts values of one type in the canonical order.

    Numbers and elements by number, pairs and records by component, sets by size and
    then by their sorted elements; the same in every run.
    """
    if isinstance(value, tuple):
        return tuple(map(order_key, value))
    if isinstance(value, frozenset):
        return (len(value), sorted(map(order_key, value)))
    if isinstance(value, SymbolicSet):
        listed = _listed(value)
        return (float("inf"), [repr(value)]) if listed is None else order_key(listed)
    return value


def _listed(value: SymbolicSet) -> frozenset[Value] | None:
    """Return the elements, None if they are infinitely many or nobody can tell which they are."""
    if not value.worth_listing() and not value.is_dear():
        return None
    try:
        return None if value.size() is None else value.expand()
    except Undecided:
        return None


def ordered(values: Iterable[Value], key: Callable[[Value], Any] = order_key) -> list[Value]:
    """Return `values` in canonical order."""
    listed = list(values)
    if len(listed) < 2:
        return listed  # keys of deep values are dear
    plain = key is order_key and not isinstance(listed[0], tuple | frozenset | SymbolicSet)
    return sorted(listed) if plain else sorted(listed, key=key)
