"""How large the deferred sets are, and what their elements are called.

In this order: what the user says (`--set-size`), `scope_S`, what PROPERTIES say of the
cardinality, the preference DEFAULT_SETSIZE, 2.  A size that nobody stated is an assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from secateur.lang.b.codes import BAD_SET_SIZE, BAD_SPECIAL_DEFINITION
from secateur.lang.b.declarations import Declarations
from secateur.lang.b.facts import Facts, Reader, known_members, known_numbers, known_sets
from secateur.lang.b.specials import integer
from secateur.lang.b.static_symmetry import in_order, least_numbers, named_elements
from secateur.lang.model import CarrierSet, Property
from secateur.maths.ast import Apply, Expr, Name
from secateur.maths.infer_findings import Scope, near_miss
from secateur.maths.operators.comparison import MEMBER
from secateur.maths.operators.protocol import Settings
from secateur.maths.operators.sets import INTERVAL
from secateur.maths.types import Given
from secateur.source import Span, fail
from secateur.source.records import dataclass

DEFAULT_SIZE: Final = 2
SCOPE: Final = "scope_"


@dataclass(frozen=True)
class Sizes:
    """Where sizes can come from."""

    given: Mapping[str, int]
    definitions: Mapping[str, Expr]
    preferences: Mapping[str, str]
    settings: Settings


@dataclass(frozen=True)
class Carrier:
    """A settled set."""

    set: CarrierSet
    named: tuple[str, ...] = ()
    """The constants that name its first elements."""
    symmetry: tuple[Expr, ...] = ()
    """What may be demanded of other constants, as the elements are interchangeable."""
    assumption: str | None = None


class Settler:
    """Settles the sets of one model."""

    def __init__(
        self,
        declared: Declarations,
        scope: Scope,
        properties: Sequence[Expr],
        sizes: Sizes,
        *,
        told_apart: bool = False,
    ) -> None:
        self.declared = declared
        self.scope = scope
        self.properties = properties
        self.sizes = sizes
        self.told_apart = told_apart
        """Whether the model tells elements apart by more than their names."""
        self._numbers = known_numbers(properties, sizes.settings)
        self._sets = known_sets(properties)
        self._members = known_members(properties)
        self._settled: dict[str, Carrier | None] = {}
        """The sets settled so far; None for one that is being settled."""
        self._circular = False
        """Whether a set was asked for that is being settled."""

    def carriers(self) -> list[Carrier]:
        """Settle all sets."""
        self._refuse_unknown()
        return [carrier for n in self.declared.sets if (carrier := self._carrier(n)) is not None]

    def _carrier(self, name: str) -> Carrier | None:
        """Return the set settled; None while that is being done."""
        if name in self._settled:
            self._circular = self._circular or self._settled[name] is None
            return self._settled[name]
        outermost = None not in self._settled.values()
        self._circular = self._circular and not outermost
        self._settled[name] = None
        found = self._settle(name)
        if self._circular and not outermost:
            del self._settled[name]  # a guess: what it depends on is not settled yet
        else:
            self._settled[name] = found
        return found

    def _settle(self, name: str) -> Carrier:
        declaration = self.declared.sets[name]
        if declaration.elements is None:
            return self._deferred(name, declaration.span)
        elements = [e.text for e in declaration.elements]
        return Carrier(_enumerated(name, elements, declaration.span))

    def _other_size(self, name: str) -> int | None:
        """Return the size of another set, unless that is what its own size depends on."""
        carrier = self._carrier(name) if name in self.declared.sets else None
        return None if carrier is None else len(carrier.set.elements)

    def _deferred(self, name: str, span: Span) -> Carrier:
        constants = [c for c in self.declared.constants if self.scope[c] == Given(name)]
        reader = Reader(
            name,
            constants,
            self.sizes.settings,
            self._numbers,
            self._sets,
            self._members,
            self._other_size,
        )
        facts = reader.facts(self.properties)
        proper = [c for c in constants if c not in self.declared.parameters]
        distinct = _as_listed(named_elements(facts, proper), facts.listed)
        size, stated = self._size(name, facts, len(distinct))
        named = distinct if len(distinct) <= size and facts.numbering is None else ()
        complete = facts.listed is not None and len(named) == size
        if not (complete or self._chooses()):
            named = ()
        elements = (*named, *self._fresh_names(name, range(len(named) + 1, size + 1)))
        others = [c for c in constants if c not in named]
        symmetry: list[Expr] = []
        if not self._chooses():
            pass
        elif facts.numbering is not None and size == len(facts.numbering.images):
            symmetry = [in_order(facts.numbering, elements)]
        else:
            symmetry = least_numbers(others, elements, len(named))
        assumption = None if stated else f"deferred set {name} has {size} element(s)"
        deferred = CarrierSet(name, elements, enumerated=complete, span=span)
        return Carrier(deferred, named, tuple(symmetry), assumption)

    def _chooses(self) -> bool:
        """Whether of constants that differ by a permutation one is chosen, as ProB does it.

        Not where something tells elements apart: with `CHOOSE(S) = c` it matters which one c is.
        """
        wanted = self.sizes.preferences.get("USE_STATIC_SYMMETRY_DETECTION", "TRUE")
        return wanted.upper() != "FALSE" and not self.told_apart

    def _size(self, name: str, facts: Facts, distinct: int) -> tuple[int, bool]:
        """Return the size of deferred set `name`, and whether somebody stated it."""
        if name in self.sizes.given:
            return self.sizes.given[name], True
        scope = self.sizes.definitions.get(f"{SCOPE}{name}")
        if scope is not None:
            return _scope_size(name, scope, self.sizes.settings), True
        if facts.size is not None and facts.size > 0:
            return facts.size, True
        if facts.listed is not None and len(facts.listed) <= distinct:
            return len(facts.listed), True
        size = max(_default_size(self.sizes.preferences), facts.least, distinct)
        return (size if facts.listed is None else min(size, len(facts.listed))), False

    def _fresh_names(self, name: str, numbers: range) -> tuple[str, ...]:
        """Return `S1`, `S2`, ..., with an underscore where that is taken."""
        plain = (f"{name}{i}" for i in numbers)
        return tuple(f"{n}_" if n in self.scope else n for n in plain)

    def notes(self) -> Iterator[str]:
        """Yield remarks on the sizes that were given to no avail."""
        deferred = self._deferred_sets()
        for name in self.sizes.definitions:
            set_ = name.removeprefix(SCOPE)
            if name.startswith(SCOPE) and set_ not in deferred:
                yield f"definition {name} has no effect: {set_} is no deferred set"

    def _deferred_sets(self) -> Mapping[str, object]:
        return {n: d for n, d in self.declared.sets.items() if d.elements is None}

    def _refuse_unknown(self) -> None:
        deferred = self._deferred_sets()
        for name, size in self.sizes.given.items():
            if name not in deferred:
                message = f"there is no deferred set {name} whose size could be set"
                raise fail(BAD_SET_SIZE, message, None, near_miss(name, deferred))
            if size < 1:
                raise fail(BAD_SET_SIZE, f"set {name} cannot have {size} elements")


def symmetry(found: Iterable[Carrier]) -> Iterator[Property]:
    """Yield what may be demanded of constants, as elements are interchangeable."""
    for carrier in found:
        for predicate in carrier.symmetry:
            name = f"the elements of {carrier.set.name} are interchangeable"
            yield Property(name, predicate, chooses=True)


def symmetry_notes(found: Iterable[Carrier]) -> Iterator[str]:
    """Yield a remark on each set of which that is so."""
    for carrier in found:
        if carrier.symmetry or (carrier.named and not carrier.set.enumerated):
            yield (
                f"the elements of {carrier.set.name} are interchangeable: constants that differ "
                "only by a permutation of them count once"
            )


def is_declaration(predicate: Expr, named: Mapping[str, str]) -> bool:
    """Whether `predicate` only says that a constant is in the set whose element it names."""
    match predicate:
        case Apply(operator, (Name(constant), Name(set_))) if operator is MEMBER:
            return named.get(constant) == set_
        case _:
            return False


def _as_listed(names: tuple[str, ...], listed: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return the elements in the order in which the set lists them, if it does."""
    if listed is None or not set(names) <= set(listed):
        return names
    return tuple(sorted(names, key=listed.index))


def _enumerated(name: str, elements: Sequence[str], span: Span) -> CarrierSet:
    return CarrierSet(name, tuple(elements), enumerated=True, span=span)


def _default_size(preferences: Mapping[str, str]) -> int:
    text = preferences.get("DEFAULT_SETSIZE")
    if text is None:
        return DEFAULT_SIZE
    if not text.isdigit() or int(text) < 1:
        raise fail(BAD_SET_SIZE, f"DEFAULT_SETSIZE must be a positive number, not {text}")
    return int(text)


def _scope_size(name: str, scope: Expr, settings: Settings) -> int:
    size = integer(scope, settings)
    if isinstance(scope, Apply) and scope.operator is INTERVAL:
        low, high = (integer(a, settings) for a in scope.args)
        size = None if low is None or high is None else 1 + high - low
    if size is None or size < 1:
        message = f"{SCOPE}{name} must be a positive number or an interval"
        raise fail(BAD_SPECIAL_DEFINITION, message, scope.span)
    return size
