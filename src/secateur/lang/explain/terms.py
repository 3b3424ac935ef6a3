"""The values that a part of a predicate depends on, and since when they are what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.explain.point import Point
from secateur.lang.lower import MachineSystem
from secateur.lang.wording import show_worded, value_worded
from secateur.maths.ast import (
    Apply,
    Call,
    Comprehension,
    Exists,
    Expr,
    Field,
    Forall,
    If,
    Lambda,
    Let,
    Name,
    Number,
    Quantified,
    Text,
    children,
    free_names,
)
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import PREDICATE
from secateur.system.explanation import Term
from secateur.system.system import State
from secateur.system.trace import Trace, differ


class Past:
    """The states of a trace, to be asked since when something has been as it is at the end."""

    def __init__(self, system: MachineSystem, trace: Trace) -> None:
        self._system = system
        self._states = trace.states
        self._wording = system.model.wording
        self._variables = frozenset(b.name for b in system.model.variables)

    def show(self, e: Expr) -> str:
        """Return a formula in the words of its language."""
        return show_worded(e, self._wording)

    def point(self) -> Point:
        """Return the last state."""
        return self._at(self._states[-1])

    def _at(self, state: State) -> Point:
        return Point(self._system.scope, self._system.environment(state))

    def since(self, e: Expr, point: Point) -> int | None:
        """Return the number of the step after which `e` has the value that it has at the end.

        None if it does not depend on variables, or has no value.
        """
        bound = {b.name for b, _ in point.bound}
        if not (free_names(e) - bound) & self._variables:
            return None
        last = point.known(e)
        if last is None:
            return None
        number = len(self._states)
        for state in reversed(self._states[:-1]):
            if not self._system.is_initialised(state):
                break
            there = self._at(state)
            earlier = point.at(there.scope, there.env).known(e)
            if earlier is None or differ(earlier, last):
                break
            number -= 1
        return number

    def terms(self, e: Expr, point: Point) -> tuple[Term, ...]:
        """Return the parts of `e` that tell why it is what it is, with their values."""
        bound = frozenset(b.name for b, _ in point.bound)
        found: dict[str, Term] = {}
        for part in _telling(e, bound, point):
            text = self.show(part)
            if text not in found:
                value = point.known(part)
                if value is not None:
                    told = value_worded(part, value, self._wording)
                    found[text] = Term(text, told, self.since(part, point))
        return tuple(found.values())


def _telling(e: Expr, bound: frozenset[str], point: Point) -> Iterator[Expr]:
    """Yield what is worth telling the value of; not the numbers, names and sets that speak for themselves."""
    match e:
        case Number() | Text():
            return
        case Name(text):
            if point.scope.varies(text) and text not in bound:
                yield e
        case Call(function, args):
            yield e
            if not isinstance(function, Name):
                yield from _telling(function, bound, point)
            yield from _of_all(args, bound, point)
        case Field(record):
            yield e
            if not isinstance(record, Name):
                yield from _telling(record, bound, point)
        case Forall() | Exists() | Let():
            yield from _free_in(e, bound, point)
        case Comprehension() | Lambda() | Quantified():
            yield e
            yield from _free_in(e, bound, point)
        case Apply(operator, args) if args:
            if not _is_predicate(operator) and any(_varies(a, bound, point) for a in args):
                yield e
            yield from _of_all(args, bound, point)
        case If():
            yield e
            yield from _of_all(children(e), bound, point)
        case _:
            yield from _of_all(children(e), bound, point)


def _of_all(parts: Sequence[Expr], bound: frozenset[str], point: Point) -> Iterator[Expr]:
    for part in parts:
        yield from _telling(part, bound, point)


def _free_in(e: Expr, bound: frozenset[str], point: Point) -> Iterator[Expr]:
    for name in sorted(free_names(e) - bound):
        if point.scope.varies(name):
            yield Name(name)


def _varies(e: Expr, bound: frozenset[str], point: Point) -> bool:
    return any(point.scope.varies(name) for name in free_names(e) - bound)


def _is_predicate(operator: Operator) -> bool:
    return operator.signature is not None and operator.signature.result is PREDICATE
