"""Diagrams of the package CUDD, through `dd`: an optional second opinion.

F. Somenzi: *CUDD, CU decision diagram package*; I. Filippidis, S. Haesaert, S. C. Livingston,
M. Wenzel: *dd*.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any, Final

from dd import cudd

from secateur.engine.symbolic.diagrams.protocol import Diagrams

_BYTES: Final = 64
"""What a node takes, with its share of the tables."""


class CuddDiagrams:
    """A manager of CUDD.  Variables are called by their numbers."""

    out_of_nodes = (RuntimeError, ValueError)  # the latter where a node is missing

    def __init__(self, count: int, nodes: int, *, reorder: bool = False) -> None:
        self._manager = cudd.BDD(memory_estimate=nodes * _BYTES)
        # It complains if it is freed before its nodes, and garbage is collected in any order.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._manager))
        self._manager.configure(reordering=reorder, max_memory=nodes * _BYTES)
        self.count_of_variables = count
        self._names = [f"v{i}" for i in range(count)]
        self._manager.declare(*self._names)
        self.true: Any = self._manager.true
        self.false: Any = self._manager.false

    def variable(self, number: int) -> Any:
        """Return the function that is true where a variable is."""
        return self._manager.var(self._names[number])

    def variables(self, numbers: Iterable[int]) -> frozenset[str]:
        """Return a set of variables."""
        return frozenset(self._names[n] for n in numbers)

    def renaming(self, numbers: Mapping[int, int]) -> dict[str, Any]:
        """Return a renaming."""
        return {self._names[old]: self.variable(new) for old, new in numbers.items()}

    def renamed(self, f: Any, renaming: Any) -> Any:
        """Return a function of other variables."""
        return self._manager.let(renaming, f)

    def composed(self, f: Any, functions: Mapping[int, Any]) -> Any:
        """Return a function of functions."""
        return self._manager.let({self._names[n]: g for n, g in functions.items()}, f)

    def some(self, f: Any, variables: Any) -> Any:
        """Return where there are such values."""
        return self._manager.exist(variables, f)

    def some_of_both(self, f: Any, g: Any, variables: Any) -> Any:
        """Return where there are values for both."""
        return cudd.and_exists(f, g, variables)

    def differ(self, f: Any, g: Any) -> Any:
        """Return where exactly one is true."""
        return self._manager.apply("xor", f, g)

    def choice(self, condition: Any, f: Any, g: Any) -> Any:
        """Return one function or the other."""
        return self._manager.ite(condition, f, g)

    def count(self, f: Any) -> int:
        """Count exactly: CUDD itself counts with floating point numbers."""
        return self._counted(f, {self.true: 1 << self.count_of_variables, self.false: 0})

    def _counted(self, f: Any, known: dict[Any, int]) -> int:
        found = known.get(f)
        if found is None:
            branches = self.branches(f)
            assert branches is not None
            _, high, low = branches
            found = known[f] = (self._counted(high, known) + self._counted(low, known)) >> 1
        return found

    def branches(self, f: Any) -> tuple[int, Any, Any] | None:
        """Return the first variable, and what follows."""
        if f.var is None:
            return None
        number = int(f.var[1:])
        high, low = f.high, f.low
        return (number, ~high, ~low) if f.negated else (number, high, low)

    def size(self, f: Any) -> int:
        """Return the number of nodes."""
        return int(f.dag_size)

    def collect(self) -> None:
        """Throw away what nobody has: the manager does so by itself, and tells of the others."""

    def nodes(self) -> int:
        """Return the number of all nodes."""
        return len(self._manager)


def make(count: int, nodes: int, *, reorder: bool) -> Diagrams:
    """Return a manager."""
    return CuddDiagrams(count, nodes, reorder=reorder)
