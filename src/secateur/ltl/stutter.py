"""Whether a formula can tell how many silent steps there are between others.

A step is silent if it changes no atom about states and is none of the events that atoms about
steps look for.  A partial order reduction leaves the other steps of a path, in their order and
with the atoms that hold before them, and adds and takes away silent ones.  So a formula may be
checked on a reduced graph if its truth is *steady*: at a silent step the same as at the next one.

An operator of the future is steady if, as far as propositional logic can tell,

  S1  where its right side holds at a silent step, it holds at the next step, too;
  S2  where either side holds at some step, one of them holds at silent steps before it.

With sides that do not look at steps both are always so: LTL without X (L. Lamport: *What good is
temporal logic?*, 1983).  With events, G([e] => f) and F([e] & f) are among them, and fairness, but
not `p U [e]`: e may be the first step, or have silent ones before it in which p does not hold.
Operators of the past are steady if their arguments are and do not look at steps.  X and Y never are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import product
from typing import Final

from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import Binary, Formula, Holds, One, Truth, Two, Unary, core, show

SILENT: Final[Mapping[Kind, bool]] = {
    Kind.EVENT: False,
    Kind.CHANGED: False,
    Kind.INCREASING: False,
    Kind.DECREASING: False,
    Kind.UNCHANGED: True,
    Kind.DEADLOCK: False,
}
"""What atoms about steps say of a silent one.  None ends a path, hence the last."""

MOST: Final = 10
"""With more different parts than this nobody looks."""


def why_not_steady(formula: Formula, steps: Collection[Atom]) -> str | None:
    """Return what in a formula tells silent steps apart, None if nothing does.

    `steps` are the atoms that look at steps, all of kinds in `SILENT`.
    """
    judge = _Judge(frozenset(steps))
    inside = judge.why_not(formula)
    return inside or judge.sees_steps(core(formula), formula)


class _Judge:
    def __init__(self, steps: Collection[Atom]) -> None:
        self.steps = steps

    def why_not(self, f: Formula) -> str | None:
        """Return what keeps a temporal operator inside `f` from being steady."""
        match f:
            case One(Unary.NEXT | Unary.YESTERDAY as operator, _):
                return f"{operator.value} counts steps, and a reduction changes their number"
            case One(_, argument):
                return self.why_not(argument) or self._why_not_here(f)
            case Two(_, left, right):
                return self.why_not(left) or self.why_not(right) or self._why_not_here(f)
        return None

    def _why_not_here(self, f: Formula) -> str | None:
        """Return why an operator with steady arguments is not steady itself."""
        plain = core(f)
        while isinstance(plain, One) and plain.operator is Unary.NOT:
            plain = plain.argument
        match plain:
            case Two(Binary.UNTIL):
                return self._why_not_until(plain, f)
            case Two(Binary.SINCE, left, right):
                return self.sees_steps(left, f) or self.sees_steps(right, f)
        return None

    def sees_steps(self, plain: Formula, f: Formula) -> str | None:
        """Return a complaint if whether a formula holds may depend on the step itself."""
        parts = self._basis(plain)
        if not self._looks(parts):
            return None
        if len(parts) <= MOST and all(
            self._value(plain, world) == self._value(plain, self._hushed(world))
            for world in _worlds(parts)
        ):
            return None
        return f"{show(f)} may hold at a step and not at a silent one before it"

    def _why_not_until(self, plain: Two, f: Formula) -> str | None:
        parts = list(dict.fromkeys([*self._basis(plain.left), *self._basis(plain.right)]))
        if not self._looks(parts):
            return None
        complaint = f"{show(f)} may change with silent steps before others"
        if len(parts) > MOST:
            return complaint
        for world in _worlds(parts):
            silent = self._hushed(world)
            right = self._value(plain.right, world)
            right_before = self._value(plain.right, silent)
            either = right or self._value(plain.left, world)
            either_before = right_before or self._value(plain.left, silent)
            if (right_before and not right) or (either and not either_before):  # S1, S2
                return complaint
        return None

    def _looks(self, parts: list[Formula]) -> bool:
        return any(isinstance(p, Holds) and p.atom in self.steps for p in parts)

    def _hushed(self, world: dict[Formula, bool]) -> dict[Formula, bool]:
        """Return the same at a silent step."""
        return {
            p: SILENT[p.atom.kind] if isinstance(p, Holds) and p.atom in self.steps else value
            for p, value in world.items()
        }

    def _basis(self, f: Formula) -> list[Formula]:
        """Return what a formula is a propositional combination of."""
        match f:
            case Truth():
                return []
            case One(Unary.NOT, argument):
                return self._basis(argument)
            case Two(Binary.AND, left, right):
                return list(dict.fromkeys([*self._basis(left), *self._basis(right)]))
        return [f]

    def _value(self, f: Formula, world: dict[Formula, bool]) -> bool:
        match f:
            case Truth(value):
                return value
            case One(Unary.NOT, argument):
                return not self._value(argument, world)
            case Two(Binary.AND, left, right):
                return self._value(left, world) and self._value(right, world)
        return world[f]


def _worlds(parts: list[Formula]) -> list[dict[Formula, bool]]:
    values = product((False, True), repeat=len(parts))
    return [dict(zip(parts, each, strict=True)) for each in values]
