"""Relations given by a rule: they can be applied without being listed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from secateur.maths.function_tables import function_table
from secateur.maths.show import brief
from secateur.maths.symbolic.space import Space, elements, sample
from secateur.maths.values import (
    LISTING_LIMIT,
    IllDefined,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    explicit,
)

INDEXED: Final = 32
"""What a relation with more pairs than this relates an argument to is looked up in a table."""


class SymbolicRelation(SymbolicSet):
    """A symbolic set of pairs."""

    __slots__ = ()

    @abstractmethod
    def apply(self, argument: Value) -> Value:
        """Return the image of `argument`; raise IllDefined where there is none or several."""

    @abstractmethod
    def image(self, arguments: SetValue) -> SetValue:
        """Return everything related to some of the `arguments`."""

    @abstractmethod
    def domain(self) -> SetValue:
        """Return the arguments that have an image."""

    def range(self) -> SetValue:
        """Return all images."""
        return self.image(self.domain())

    def is_function(self) -> bool | None:
        """Whether no argument has two images; None if the rule does not tell."""
        return None

    def is_injective(self) -> bool | None:
        """Whether no two arguments share an image; None if the rule does not tell."""
        return None

    def range_bound(self) -> SetValue | None:
        """Return a set with all images, and perhaps more; None if that is not easily found.

        There is one only if the rule is well-defined for all arguments.
        """
        return None

    def sample(self) -> Iterator[Value]:
        """Yield pairs of a few arguments and their images, where these are easily found."""
        return self.sample_at(sample(self.domain()))

    def sample_at(self, arguments: Iterable[Value]) -> Iterator[Value]:
        """Yield pairs of these arguments and a few of their images."""
        for x in arguments:
            try:
                images = list(sample(images_of(self, x)))
            except (IllDefined, Undecided):
                continue  # others will do
            yield from ((x, y) for y in images)

    def all_images(self, arguments: SetValue, test: Callable[[Value, SetValue], bool]) -> bool:
        """Whether each of `arguments` and its images pass; undecided if there are too many."""
        size = cardinality(arguments)
        if size is None or size > LISTING_LIMIT:
            raise Undecided(f"there are too many arguments to go through {self!r}")
        each = arguments if isinstance(arguments, frozenset) else arguments.any_order()
        return all(test(x, images_of(self, x)) for x in each)


class DerivedRelation(SymbolicRelation, Space):
    """A relation whose rule says what the images of one argument are."""

    __slots__ = ()

    @abstractmethod
    def images(self, argument: Value) -> SetValue:
        """Return everything related to `argument`."""

    def structure(self) -> tuple[Value, ...]:
        """Return the operands, which are what the relation consists of."""
        slots: Sequence[str] = type(self).__slots__
        return tuple(getattr(self, name) for name in slots)

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, tuple)
        return value[1] in self.images(value[0])

    def apply(self, argument: Value) -> Value:
        """Return the image of `argument`; raise IllDefined where there is none or several."""
        return the_image(self.images(argument), argument)

    def image(self, arguments: SetValue) -> SetValue:
        """Return everything related to some of the `arguments`."""
        return frozenset().union(*[explicit(self.images(x)) for x in arguments])

    def size(self) -> int | None:
        """Return the number of pairs."""
        domain = self.domain()
        arguments = cardinality(domain)
        if arguments is None or self.is_function() is True:
            return arguments
        sizes = [cardinality(self.images(x)) for x in domain]
        return None if None in sizes else sum(n for n in sizes if n is not None)

    def __iter__(self) -> Iterator[Value]:
        return ((x, y) for x in elements(self.domain()) for y in elements(self.images(x)))


def the_image(images: SetValue, argument: Value) -> Value:
    """Return the only one of the `images` of `argument`; raise IllDefined if it is not alone."""
    found = list(images) if isinstance(images, frozenset) else list(images.expand())
    if len(found) == 1:
        return found[0]
    if found:
        raise IllDefined(f"not a function: {brief(argument)} has {len(found)} images")
    raise IllDefined(f"{brief(argument)} is not in the domain")


def images_of(r: SetValue, argument: Value) -> SetValue:
    """Return everything that `r` relates to `argument`."""
    if isinstance(r, frozenset):
        return _images_in_list(r, argument)
    if isinstance(r, DerivedRelation):
        return r.images(argument)
    if isinstance(r, SymbolicRelation):
        return r.image(frozenset({argument}))
    return images_of(r.expand(), argument)


def _images_in_list(r: frozenset[Value], argument: Value) -> SetValue:
    if len(r) >= INDEXED:
        try:
            table = function_table(r)
        except IllDefined:
            pass  # no function
        else:
            return frozenset({table[argument]}) if argument in table else frozenset()
    return frozenset([y for x, y in r if x == argument])


def image_of(r: SetValue, arguments: SetValue) -> SetValue:
    """Return everything that `r` relates to some of the `arguments`."""
    if isinstance(r, SymbolicRelation):
        return r.image(arguments)
    return frozenset([y for x, y in explicit(r) if x in arguments])


def domain_of(r: SetValue) -> SetValue:
    """Return the first components of `r`."""
    if isinstance(r, SymbolicRelation):
        return r.domain()
    return frozenset([p[0] for p in explicit(r)])


def range_of(r: SetValue) -> SetValue:
    """Return the second components of `r`."""
    if isinstance(r, SymbolicRelation):
        return r.range()
    return frozenset([p[1] for p in explicit(r)])


def are_functions(*parts: SetValue) -> bool | None:
    """Whether all `parts` are functions; None where that is not known, or not the case.

    A relation made from such functions is one; made from others, it may still be.
    """
    return all(map(_is_function, parts)) or None


def _is_function(r: SetValue) -> bool:
    if isinstance(r, frozenset):
        return len(dict(r)) == len(r)
    return isinstance(r, SymbolicRelation) and r.is_function() is True
