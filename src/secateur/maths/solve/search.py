"""Searching a network: the smallest choice first, undone by the trail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from secateur.maths.solve.network import INFINITY, Bool, Conflict, Network, Scalar
from secateur.maths.solve.terms import Needed, is_open

SPLIT_ABOVE: Final = 40
"""A larger interval is halved rather than gone through."""

Cell = tuple[str, Needed]
"""Something to be fixed, and the name of the unknown that it belongs to."""
Choice = Callable[[], None]


class Search:
    """Goes through all ways to fix `cells`; `window` bounds what nothing else bounds."""

    def __init__(
        self,
        net: Network,
        cells: Sequence[Cell],
        window: tuple[int, int],
        on_unbounded: Callable[[str], None],
    ) -> None:
        self.net = net
        self.cells = cells
        self.window = window
        self.on_unbounded = on_unbounded
        self.outside: set[int] = set()
        """Scalars that lie outside the window before anything is chosen."""
        self.branched = False
        """Whether alternatives were gone through: then a solution may come up twice."""

    def run(self) -> Iterator[None]:
        """Stop once per way in which everything is fixed and nothing is in conflict."""
        net = self.net
        try:
            net.propagate()
        except Conflict:
            return
        low, high = self.window
        for _, (variable, _) in self.cells:
            if isinstance(variable, Scalar) and (variable.lo > high or variable.hi < low):
                self.outside.add(id(variable))
        stack: list[tuple[int, Iterator[Choice]]] = []
        going_down = True
        while True:
            if going_down:
                cell = self._next_cell()
                if cell is None:
                    yield
                else:
                    stack.append((net.mark(), self._choices(cell)))
            if not stack:
                return
            mark, choices = stack[-1]
            net.undo(mark)
            tried = self._try(choices)
            if tried is None:
                stack.pop()
            going_down = bool(tried)

    def _try(self, choices: Iterator[Choice]) -> bool | None:
        """Make the next choice: whether it is possible, or None if none is left."""
        for choose in choices:
            try:
                choose()
                self.net.propagate()
            except Conflict:
                return False
            return True
        return None

    def _next_cell(self) -> Cell | None:
        best = None
        least = INFINITY
        fallback = None
        for cell in self.cells:
            needed = cell[1]
            if not is_open(needed):
                continue
            variable = needed[0]
            size = 2 if isinstance(variable, Bool) else variable.size()
            if size < least:
                best, least = cell, size
                if size <= 2:  # nothing is smaller
                    break
            elif fallback is None:
                fallback = cell
        return self._alternative(fallback) if best is None else best

    def _alternative(self, unbounded: Cell | None) -> Cell | None:
        """Return an alternative to settle before something without bound is enumerated."""
        if unbounded is not None:
            for gate in self.net.gates:
                part = gate.undecided()
                if part is not None:
                    self.branched = True
                    return unbounded[0], (part, ())
        return unbounded

    def _choices(self, cell: Cell) -> Iterator[Choice]:
        name, (variable, _) = cell
        if isinstance(variable, Bool):
            yield lambda: self.net.set(variable, False)
            yield lambda: self.net.set(variable, True)
            return
        if variable.size() == INFINITY:
            self.on_unbounded(name)
            low, high = self._window(variable)
            yield lambda: self.net.narrow(variable, low, high)
        elif variable.values is None and variable.size() > SPLIT_ABOVE:
            middle = (variable.lo + variable.hi) // 2
            low, high = variable.lo, variable.hi
            yield lambda: self.net.narrow(variable, low, middle)
            yield lambda: self.net.narrow(variable, middle + 1, high)
        else:
            for x in list(variable.listed()):
                yield lambda x=x: self.net.assign(variable, x)  # type: ignore[misc]

    def _window(self, v: Scalar) -> tuple[int, int]:
        """Return MININT..MAXINT; for what can only lie beyond, the bound itself.

        A bound that goes beyond only because of a choice (`m mod b = 0` once b is MAXINT) tells
        nothing about the model: then the window stays and that choice has no continuation.
        """
        if id(v) in self.outside:
            return (v.hi, v.hi) if v.lo < self.window[0] else (v.lo, v.lo)
        return self.window
