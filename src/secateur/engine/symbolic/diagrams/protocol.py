"""What is asked of a package of binary decision diagrams.

R. E. Bryant: *Graph-based algorithms for Boolean function manipulation*, 1986.  A diagram is a
function of Boolean variables, which have numbers in the order in which they are tested; equal
functions are equal diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import product
from typing import Any, Protocol, Self

from secateur.source.records import dataclass


class Diagram(Hashable, Protocol):
    """A Boolean function."""

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __invert__(self) -> Self: ...


class Diagrams(Protocol):
    """A manager of diagrams over a fixed number of variables.

    Sets of variables and renamings are made once (`variables`, `renaming`) and used often.
    """

    @property
    def count_of_variables(self) -> int:
        """How many variables there are."""

    @property
    def true(self) -> Diagram:
        """The function that is always true."""

    @property
    def false(self) -> Diagram:
        """The function that is never true."""

    @property
    def out_of_nodes(self) -> tuple[type[Exception], ...]:
        """What is raised where there is no room for more nodes."""

    def variable(self, number: int) -> Diagram:
        """Return the function that is true where a variable is."""

    def variables(self, numbers: Iterable[int]) -> Any:
        """Return a set of variables, as quantification wants it."""

    def renaming(self, numbers: Mapping[int, int]) -> Any:
        """Return a renaming: each variable that is a key gets the name that is its value."""

    def renamed(self, f: Diagram, renaming: Any) -> Diagram:
        """Return a function of other variables; they are not among those that `f` keeps."""

    def composed(self, f: Diagram, functions: Mapping[int, Diagram]) -> Diagram:
        """Return a function in which variables are replaced by functions, all at once."""

    def some(self, f: Diagram, variables: Any) -> Diagram:
        """Return where there are values of the variables for which `f` is true."""

    def some_of_both(self, f: Diagram, g: Diagram, variables: Any) -> Diagram:
        """Return where there are values of the variables for which `f` and `g` are true."""

    def differ(self, f: Diagram, g: Diagram) -> Diagram:
        """Return where exactly one of two functions is true."""

    def choice(self, condition: Diagram, f: Diagram, g: Diagram) -> Diagram:
        """Return `f` where the condition is true, and `g` elsewhere."""

    def count(self, f: Diagram) -> int:
        """Return for how many values of all variables a function is true."""

    def branches(self, f: Diagram) -> tuple[int, Diagram, Diagram] | None:
        """Return the variable that is tested first, and the function where it is true and false.

        None if the function is constant.
        """

    def size(self, f: Diagram) -> int:
        """Return how many nodes a diagram has."""

    def collect(self) -> None:
        """Throw away the nodes of diagrams that nobody has any more."""

    def nodes(self) -> int:
        """Return how many nodes there are at the moment, of all diagrams; some may be garbage."""


@dataclass(frozen=True, slots=True)
class DiagramsRow:
    """A package, which is loaded when it is used.

    Its `module` has `make(variables, nodes, reorder)`: for so many variables, at most so many nodes,
    and, if it `reorders`, with the order of variables changed on the way.
    """

    name: str
    title: str
    module: str
    package: str
    """What has to be installed."""
    reorders: bool = False

    def make(self, variables: int, nodes: int, *, reorder: bool = False) -> Diagrams:
        """Return a manager."""
        maker: Callable[..., Diagrams] = import_module(self.module).make
        return maker(variables, nodes, reorder=reorder)


def assignments(
    diagrams: Diagrams, f: Diagram, numbers: Iterable[int]
) -> Iterator[dict[int, bool]]:
    """Yield all values of some variables for which a function of them is true."""
    return _assignments(diagrams, f, frozenset(numbers))


def _assignments(diagrams: Diagrams, f: Diagram, left: frozenset[int]) -> Iterator[dict[int, bool]]:
    if f == diagrams.false:
        return
    branches = diagrams.branches(f)
    if branches is None:
        free = sorted(left)
        for values in product((False, True), repeat=len(free)):
            yield dict(zip(free, values, strict=True))
        return
    number, high, low = branches
    assert number in left, "a function of other variables"
    for value, g in ((False, low), (True, high)):
        for rest in _assignments(diagrams, g, left - {number}):
            yield {number: value, **rest}


def one_assignment(diagrams: Diagrams, f: Diagram) -> dict[int, bool]:
    """Return values for which a function is true; those of variables that do not matter are left out.

    The least values: false wherever that is possible.
    """
    assert f != diagrams.false, "never true"
    found: dict[int, bool] = {}
    while (branches := diagrams.branches(f)) is not None:
        number, high, low = branches
        found[number] = low == diagrams.false
        f = high if found[number] else low
    return found
