"""Constants that axioms define to be the transitive closure.

Event-B has no operator for it, so projects write axioms that say the same:

    tcl : D --> D
    !r.(r : D => r <: tcl(r))
    !r.(r : D => r ; tcl(r) <: tcl(r))
    !r, t.(r : D & r <: t & r ; t <: t => tcl(r) <: t)

The first two make `tcl(r)` include the closure of r; the last one makes it no larger.  To
find such a function by search is hopeless, to compute it is easy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.b.facts import all_conjuncts
from secateur.lang.model import Property
from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Expr,
    Forall,
    Implies,
    Lambda,
    Name,
    conjuncts,
)
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators.comparison import EQUAL, MEMBER, SUBSET
from secateur.maths.operators.function_spaces import RELATIONS, TOTAL_FUNCTIONS
from secateur.maths.operators.relations import CLOSURE1, COMPOSITION
from secateur.source import NOWHERE
from secateur.source.records import dataclass


def closures(axioms: Sequence[Expr]) -> Iterator[Property]:
    """Yield, per constant that is the transitive closure, the equation that says so."""
    parts = list(all_conjuncts(axioms))
    for part in parts:
        match part:
            case Apply(op, (Name(f), Apply(space, (source, target)))) if (
                op is MEMBER and space is TOTAL_FUNCTIONS and source == target
            ):
                shape = _Shape(f, source)
                binder = shape.binder(parts)
                if binder is not None:
                    yield Property(f"{f} is the transitive closure", shape.equation(binder))


@dataclass(frozen=True)
class _Shape:
    """The axioms about one function."""

    function: str
    domain: Expr

    def equation(self, binder: Binder) -> Expr:
        """Return that the function is the transitive closure on its domain."""
        r = Name(binder.name)
        condition = Apply(MEMBER, (r, self.domain))
        whole = Lambda((binder,), condition, Apply(CLOSURE1, (r,)))
        return Apply(EQUAL, (Name(self.function), whole))

    def binder(self, parts: Sequence[Expr]) -> Binder | None:
        """Return a bound identifier for the domain's elements if all three axioms are there."""
        ones = [p for p in parts if isinstance(p, Forall) and len(p.binders) == 1]
        twos = [p for p in parts if isinstance(p, Forall) and len(p.binders) == 2]
        includes = [p for p in ones if self._includes(p)]
        if includes and any(map(self._goes_on, ones)) and any(map(self._is_least, twos)):
            return includes[0].binders[0]
        return None

    def _includes(self, axiom: Forall) -> bool:
        r = Name(axiom.binders[0].name)
        return self._concludes(axiom, self._typing(r), [_subset(r, self._image(r))])

    def _goes_on(self, axiom: Forall) -> bool:
        r = Name(axiom.binders[0].name)
        image = self._image(r)
        steps = [_subset(_then(r, image), image), _subset(_then(image, r), image)]
        return self._concludes(axiom, self._typing(r), steps)

    def _is_least(self, axiom: Forall) -> bool:
        for first, second in (axiom.binders, axiom.binders[::-1]):
            r, t = Name(first.name), Name(second.name)
            ends = [_subset(self._image(r), t)]
            for step in (_then(r, t), _then(t, r)):
                demands = [_subset(r, t), _subset(step, t), *self._typing_of_bound(t)]
                if self._concludes(axiom, [*demands, *self._typing(r)], ends):
                    return True
        return False

    def _concludes(self, axiom: Forall, demands: Sequence[Expr], ends: Sequence[Expr]) -> bool:
        """Whether `axiom` says one of `ends`, given no more than types and `demands`."""
        if not isinstance(axiom.body, Implies) or axiom.body.right not in ends:
            return False
        types = [
            Apply(MEMBER, (Name(b.name), carrier(b.type, NOWHERE)))
            for b in axiom.binders
            if b.type is not None
        ]
        return all(c in (*demands, *types) for c in conjuncts(axiom.body.left))

    def _typing_of_bound(self, t: Name) -> list[Expr]:
        """Return that t is in the domain, if that has the closures of all its elements."""
        match self.domain:
            case Apply(operator, (left, right)) if operator is RELATIONS and left == right:
                return [Apply(MEMBER, (t, self.domain))]
            case _:
                return []

    def _typing(self, r: Name) -> list[Expr]:
        return [Apply(MEMBER, (r, self.domain))]

    def _image(self, argument: Expr) -> Expr:
        return Call(Name(self.function), (argument,))


def _subset(left: Expr, right: Expr) -> Expr:
    return Apply(SUBSET, (left, right))


def _then(left: Expr, right: Expr) -> Expr:
    return Apply(COMPOSITION, (left, right))
