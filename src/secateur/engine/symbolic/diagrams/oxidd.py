"""Diagrams of the package OxiDD, with complement edges.

N. Husung, C. Dubslaff, H. Hermanns, M. A. Köhl: *OxiDD, a safe, concurrent, modular, and performant
decision diagram framework in Rust*, TACAS 2024.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import and_
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_AS, getpagesize, getrlimit
from typing import Any, Final

from oxidd.bcdd import BCDDFunction, BCDDManager
from oxidd.util import BooleanOperator, DDMemoryError

from secateur.engine.symbolic.diagrams.protocol import Diagrams

_CACHE_SHARE: Final = 4
"""There is one place in the cache of results for so many nodes."""


_STACK: Final = 3 << 29
"""The stack of its worker, and a little more."""


class OxiDiagrams:
    """A manager of OxiDD.

    A node that holds variables is a conjunction of them; it is asked with one thread: more are
    slower on diagrams of the usual size.
    """

    out_of_nodes = (DDMemoryError,)

    def __init__(self, count: int, nodes: int) -> None:
        self._manager = BCDDManager(nodes, max(nodes // _CACHE_SHARE, 1 << 16), 1)
        self._manager.add_vars(count)
        self.count_of_variables = count
        self.true: Any = self._manager.true()
        self.false: Any = self._manager.false()
        self._variables = [self._manager.var(i) for i in range(count)]

    def variable(self, number: int) -> BCDDFunction:
        """Return the function that is true where a variable is."""
        return self._variables[number]

    def variables(self, numbers: Iterable[int]) -> Any:
        """Return a set of variables."""
        ordered = sorted(numbers, reverse=True)
        return reduce(and_, (self._variables[n] for n in ordered), self.true)

    def renaming(self, numbers: Mapping[int, int]) -> Any:
        """Return a renaming."""
        return BCDDFunction.make_substitution(
            (old, self._variables[new]) for old, new in numbers.items()
        )

    def renamed(self, f: Any, renaming: Any) -> Any:
        """Return a function of other variables."""
        return f.substitute(renaming)

    def composed(self, f: Any, functions: Mapping[int, Any]) -> Any:
        """Return a function of functions."""
        return f.substitute(BCDDFunction.make_substitution(functions.items()))

    def some(self, f: Any, variables: Any) -> Any:
        """Return where there are such values."""
        return f.exists(variables)

    def some_of_both(self, f: Any, g: Any, variables: Any) -> Any:
        """Return where there are values for both."""
        return f.apply_exists(BooleanOperator.AND, g, variables)

    def differ(self, f: Any, g: Any) -> Any:
        """Return where exactly one is true."""
        return f ^ g

    def choice(self, condition: Any, f: Any, g: Any) -> Any:
        """Return one function or the other."""
        return condition.ite(f, g)

    def count(self, f: Any) -> int:
        """Return how many values there are."""
        return int(f.sat_count(self.count_of_variables))

    def branches(self, f: Any) -> tuple[int, Any, Any] | None:
        """Return the first variable, and what follows."""
        found = f.cofactors()
        return None if found is None else (f.node_var(), found[0], found[1])

    def size(self, f: Any) -> int:
        """Return the number of nodes."""
        return int(f.node_count())

    def collect(self) -> None:
        """Throw away what nobody has."""
        self._manager.gc()

    def nodes(self) -> int:
        """Return the number of all nodes."""
        return int(self._manager.approx_num_inner_nodes())


def _room_for_threads() -> None:
    """Raise MemoryError where the package would end the process instead.

    Its worker has a stack of a gigabyte, which counts where the space of addresses is limited.
    """
    limit, _ = getrlimit(RLIMIT_AS)
    if limit != RLIM_INFINITY and _address_space() + _STACK > limit:
        raise MemoryError


def _address_space() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * getpagesize()
    except OSError:
        return 0


def make(count: int, nodes: int, *, reorder: bool) -> Diagrams:
    """Return a manager; it does not change the order by itself."""
    assert not reorder
    _room_for_threads()
    return OxiDiagrams(count, nodes)
