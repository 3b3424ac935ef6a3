"""Relations made from other relations, applied by applying those."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from secateur.maths.show import brief
from secateur.maths.symbolic.algebra import difference, intersection, union
from secateur.maths.symbolic.lazy import Selection
from secateur.maths.symbolic.products import cartesian, product_size
from secateur.maths.symbolic.relation import (
    DerivedRelation,
    are_functions,
    domain_of,
    image_of,
    images_of,
    range_of,
)
from secateur.maths.symbolic.space import decided, is_empty, is_small, sample
from secateur.maths.values import (
    SetValue,
    Undecided,
    Value,
    cardinality,
    explicit,
    is_subset,
    ordered,
)

_EMPTY: frozenset[Value] = frozenset()
_SEARCH_LIMIT = 1_000_000
"""How many elements a closure may reach from one argument before the search is given up."""


class Identity(DerivedRelation):
    """The pairs of equal elements of `base`."""

    __slots__ = ("base",)

    def __init__(self, base: SetValue) -> None:
        self.base = base

    def images(self, argument: Value) -> SetValue:
        """Return the argument itself."""
        return frozenset({argument}) if argument in self.base else _EMPTY

    def domain(self) -> SetValue:
        """Return the set."""
        return self.base

    def range(self) -> SetValue:
        """Return the set."""
        return self.base

    def range_bound(self) -> SetValue | None:
        """Return the set."""
        return self.base

    def is_function(self) -> bool | None:
        """Whether it is a function: yes."""
        return True

    def is_injective(self) -> bool | None:
        """Whether it is one to one: yes."""
        return True

    def structure(self) -> tuple[Value, ...]:
        """Return the set."""
        return (self.base,)

    def __repr__(self) -> str:
        return f"id({brief(self.base)})"


class Projection(DerivedRelation):
    """The function from the pairs of two sets to their first or second component."""

    __slots__ = ("index", "sets")

    def __init__(self, left: SetValue, right: SetValue, index: int) -> None:
        self.sets = (left, right)
        self.index = index

    def images(self, argument: Value) -> SetValue:
        """Return the component."""
        inside = argument[0] in self.sets[0] and argument[1] in self.sets[1]
        return frozenset({argument[self.index]}) if inside else _EMPTY

    def domain(self) -> SetValue:
        """Return the pairs."""
        return cartesian(*self.sets)

    def range(self) -> SetValue:
        """Return the set that is projected on."""
        return self.sets[self.index] if not is_empty(self.domain()) else _EMPTY

    def range_bound(self) -> SetValue | None:
        """Return the set that is projected on."""
        return self.sets[self.index]

    def is_function(self) -> bool | None:
        """Whether it is a function: yes."""
        return True

    def structure(self) -> tuple[Value, ...]:
        """Return the sets and the side."""
        return (*self.sets, self.index)

    def __repr__(self) -> str:
        return f"prj{self.index + 1}({brief(self.sets[0])},{brief(self.sets[1])})"


class _Filtered(DerivedRelation):
    """Some of the pairs of `base`: those with one end in `side`, or (`keep` false) the others."""

    __slots__ = ("base", "keep", "side")

    def __init__(self, base: SetValue, side: SetValue, *, keep: bool) -> None:
        self.base = base
        self.side = side
        self.keep = keep

    def structure(self) -> tuple[Value, ...]:
        """Return the relation, the set, and which side of it is kept."""
        return (self.base, self.side, self.keep)

    def is_function(self) -> bool | None:
        """Whether it is made from functions."""
        return are_functions(self.base)


class DomainFiltered(_Filtered):
    """The pairs of `base` that begin in `side`, or (`keep` false) that do not."""

    __slots__ = ()

    def images(self, argument: Value) -> SetValue:
        """Return the images of an argument that is kept."""
        return images_of(self.base, argument) if (argument in self.side) == self.keep else _EMPTY

    def domain(self) -> SetValue:
        """Return the arguments kept."""
        inside = domain_of(self.base)
        return intersection(inside, self.side) if self.keep else difference(inside, self.side)

    def __repr__(self) -> str:
        return f"({brief(self.side)} {'<|' if self.keep else '<<|'} {brief(self.base)})"


class RangeFiltered(_Filtered):
    """The pairs of `base` that end in `side`, or (`keep` false) that do not."""

    __slots__ = ()

    def images(self, argument: Value) -> SetValue:
        """Return the images that are kept."""
        images = images_of(self.base, argument)
        return intersection(images, self.side) if self.keep else difference(images, self.side)

    def domain(self) -> SetValue:
        """Return the arguments with an image that is kept."""
        return _with_images(self, domain_of(self.base))

    def __repr__(self) -> str:
        return f"({brief(self.base)} {'|>' if self.keep else '|>>'} {brief(self.side)})"


class Overwritten(DerivedRelation):
    """`base` with the pairs of `by` in place of those that begin alike."""

    __slots__ = ("base", "by", "replaced")

    def __init__(self, base: SetValue, by: SetValue) -> None:
        self.base = base
        self.by = by
        self.replaced = domain_of(by)

    def structure(self) -> tuple[Value, ...]:
        """Return the operands."""
        return (self.base, self.by)

    def images(self, argument: Value) -> SetValue:
        """Return the new images, or the old where there are none."""
        return images_of(self.by if argument in self.replaced else self.base, argument)

    def sample(self) -> Iterator[Value]:
        """Yield the new pairs before others: they are what is special."""
        return chain(sample(self.by), super().sample())

    def is_function(self) -> bool | None:
        """Whether it is made from functions."""
        return are_functions(self.base, self.by)

    def domain(self) -> SetValue:
        """Return the arguments of both."""
        return union(domain_of(self.base), self.replaced)

    def __repr__(self) -> str:
        return f"({brief(self.base)} <+ {brief(self.by)})"


class Composed(DerivedRelation):
    """First `first`, then `second`."""

    __slots__ = ("first", "second")

    def __init__(self, first: SetValue, second: SetValue) -> None:
        self.first = first
        self.second = second

    def images(self, argument: Value) -> SetValue:
        """Return the images of the images."""
        return image_of(self.second, images_of(self.first, argument))

    def image(self, arguments: SetValue) -> SetValue:
        """Return the images of the images, all at once."""
        return image_of(self.second, image_of(self.first, arguments))

    def is_function(self) -> bool | None:
        """Whether it is made from functions."""
        return are_functions(self.first, self.second)

    def domain(self) -> SetValue:
        """Return the arguments that get through both."""
        arguments = domain_of(self.first)
        if decided(lambda: is_subset(range_of(self.first), domain_of(self.second))):
            return arguments
        return _with_images(self, arguments)

    def __repr__(self) -> str:
        return f"({brief(self.first)};{brief(self.second)})"


class Inverse(DerivedRelation):
    """The pairs of `base` turned round."""

    __slots__ = ("base",)

    def __init__(self, base: SetValue) -> None:
        self.base = base

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, tuple)
        return (value[1], value[0]) in self.base

    def size(self) -> int | None:
        """Return the number of pairs, which is that of `base`."""
        return cardinality(self.base)

    def __iter__(self) -> Iterator[Value]:
        if cardinality(self.base) is None:
            raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")
        return iter(ordered((y, x) for x, y in self.base))

    def images(self, argument: Value) -> SetValue:
        """Return the arguments of `base` with this image."""
        candidates = domain_of(self.base)
        return frozenset([x for x in candidates if (x, argument) in self.base])

    def domain(self) -> SetValue:
        """Return the images of `base`."""
        return range_of(self.base)

    def range(self) -> SetValue:
        """Return the arguments of `base`."""
        return domain_of(self.base)

    def __repr__(self) -> str:
        return f"{brief(self.base)}~"


class DirectProduct(DerivedRelation):
    """The pairs of what two relations relate one element to."""

    __slots__ = ("left", "right")

    def __init__(self, left: SetValue, right: SetValue) -> None:
        self.left = left
        self.right = right

    def images(self, argument: Value) -> SetValue:
        """Return the pairs of images."""
        return cartesian(images_of(self.left, argument), images_of(self.right, argument))

    def is_function(self) -> bool | None:
        """Whether it is made from functions."""
        return are_functions(self.left, self.right)

    def domain(self) -> SetValue:
        """Return the common arguments."""
        return intersection(domain_of(self.left), domain_of(self.right))

    def __repr__(self) -> str:
        return f"({brief(self.left)} >< {brief(self.right)})"


class ParallelProduct(DerivedRelation):
    """Two relations side by side."""

    __slots__ = ("left", "right")

    def __init__(self, left: SetValue, right: SetValue) -> None:
        self.left = left
        self.right = right

    def size(self) -> int | None:
        """Return the product of the sizes."""
        return product_size((self.left, self.right))

    def images(self, argument: Value) -> SetValue:
        """Return the pairs of the images of the components."""
        return cartesian(images_of(self.left, argument[0]), images_of(self.right, argument[1]))

    def is_function(self) -> bool | None:
        """Whether it is made from functions."""
        return are_functions(self.left, self.right)

    def domain(self) -> SetValue:
        """Return the pairs of arguments."""
        return cartesian(domain_of(self.left), domain_of(self.right))

    def __repr__(self) -> str:
        return f"({brief(self.left)} || {brief(self.right)})"


class TransitiveClosure(DerivedRelation):
    """What a relation leads to in one or more steps."""

    __slots__ = ("base",)

    def __init__(self, base: SetValue) -> None:
        self.base = base

    def images(self, argument: Value) -> SetValue:
        """Return what can be reached; undecided if there is no end to it."""
        return self.image(frozenset({argument}))

    def image(self, arguments: SetValue) -> SetValue:
        """Return what can be reached from some argument; undecided if there is no end to it."""
        found: set[Value] = set()
        new = explicit(image_of(self.base, arguments))
        while new:
            found |= new
            if len(found) > _SEARCH_LIMIT:
                raise Undecided(f"what {self!r} relates {brief(arguments)} to has no end")
            new = explicit(image_of(self.base, new)) - found
        return frozenset(found)

    def domain(self) -> SetValue:
        """Return the arguments of the relation."""
        return domain_of(self.base)

    def sample(self) -> Iterator[Value]:
        """Yield nothing: there may be no end to what is reached, and to find that out takes long."""
        return iter(())

    def lacks(self, value: Value) -> bool:  # noqa: ARG002  (for the same reason)
        """Whether `value` is plainly not an element: that is not tried."""
        return False

    def __repr__(self) -> str:
        return f"closure1({brief(self.base)})"


def _with_images(r: DerivedRelation, arguments: SetValue) -> SetValue:
    if is_small(arguments):
        return frozenset([x for x in arguments if not is_empty(r.images(x))])
    return Selection(arguments, lambda x: not is_empty(r.images(x)), f"dom({r!r})")
