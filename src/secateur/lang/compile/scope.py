"""What identifiers stand for while code is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from operator import or_

from secateur.kernel import build as k
from secateur.kernel.language import STATE, Expr
from secateur.lang.compile.stored import read
from secateur.lang.compile.values import V
from secateur.lang.slots.cells import Cell, bits
from secateur.maths.ast import Binder
from secateur.maths.ast import Expr as Formula
from secateur.maths.values import Value
from secateur.source.records import dataclass

PRIME = "'"
BEFORE = "$0"


@dataclass(frozen=True, slots=True)
class Scope:
    """Identifiers with values, and variables with their cells.

    A variable is read in `buffer`; `x$0` is read in the buffer of `before`, `x'` in that
    of `after`.
    """

    cells: Mapping[str, Cell]
    values: Mapping[str, V] = field(default_factory=dict)
    buffer: int = STATE
    before: int | None = None
    after: int | None = None

    def find(self, name: str) -> V | None:
        """Return what a name stands for; None if it is no variable and bound nowhere."""
        if name in self.values:
            return self.values[name]
        cell = self.cells.get(name)
        if cell is not None:
            return read(cell, self.buffer)
        if name.endswith(PRIME) and self.after is not None:
            cell = self.cells.get(name.removesuffix(PRIME))
            return None if cell is None else read(cell, self.after)
        if name.endswith(BEFORE) and self.before is not None:
            cell = self.cells.get(name.removesuffix(BEFORE))
            return None if cell is None else read(cell, self.before)
        return None

    def knows(self, name: str) -> bool:
        """Whether the name is a variable, or bound here, rather than a constant."""
        plain = name.removesuffix(PRIME).removesuffix(BEFORE)
        return name in self.values or name in self.cells or plain in self.cells

    def bits(self, names: Iterable[str]) -> int:
        """Return what of the state some names may depend on, as one number.

        What a name that is bound here depends on is not known any more: that may be everything.
        """
        plain = {name.removesuffix(PRIME).removesuffix(BEFORE) for name in names}
        if not plain.isdisjoint(self.values):
            plain = set(self.cells)
        return reduce(or_, (bits(self.cells[n]) for n in plain if n in self.cells), 0)

    def bind(self, more: Mapping[str, V]) -> Scope:
        """Return the scope in which these names have these values."""
        return replace(self, values={**self.values, **more})

    def store(self, more: Mapping[str, Cell]) -> Scope:
        """Return the scope with these variables as well."""
        hidden = {n: v for n, v in self.values.items() if n not in more}
        return replace(self, cells={**self.cells, **more}, values=hidden)

    def reading(self, buffer: int) -> Scope:
        """Return the scope that reads variables in another buffer."""
        return replace(self, buffer=buffer)


@dataclass(frozen=True, slots=True)
class Constants:
    """What does not change: the value of an expression for each solution of the constants.

    `evaluate` raises IllDefined or Undecided.  `number` is the number of the solution.
    """

    evaluate: Callable[[Formula], Sequence[Value]]
    solve: Callable[[Binder, Sequence[Formula]], Sequence[Sequence[Value]]]
    """Return the values of an identifier that meet conditions; raise NotCompiled."""
    number: Expr = k.ZERO
    definitions: Mapping[str, Formula] = field(default_factory=dict)
    """What constants are said to be equal to, for those whose value is a rule."""
