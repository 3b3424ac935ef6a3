"""Which parts of a predicate decide it: the conjunct that is false, for which values."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.explain.point import Point
from secateur.maths.ast import (
    And,
    Equivalent,
    Exists,
    Expr,
    Forall,
    If,
    Implies,
    Labelled,
    Let,
    Not,
    Or,
)
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A part of a predicate that cannot be taken apart further, where it is looked at, its truth."""

    part: Expr
    point: Point
    holds: bool


def reasons(e: Expr, point: Point, *, holds: bool) -> list[Reason]:
    """Return the parts of `e` that make it what it is; the whole where they cannot be found."""
    try:
        return list(_reasons(e, point, holds))
    except (IllDefined, Undecided):
        return [Reason(e, point, holds)]


def decisive(e: Expr, point: Point) -> Reason:
    """Return a part of `e`, which is false, without which `e` cannot be true.

    Only of conjunctions, and of what is to hold for all values, each part is needed.
    """
    try:
        return _decisive(e, point)
    except (IllDefined, Undecided):
        return Reason(e, point, holds=False)


def _decisive(e: Expr, point: Point) -> Reason:
    match e:
        case Labelled(_, body):
            return _decisive(body, point)
        case And(parts):
            return _decisive(next(part for part in parts if not point.value(part)), point)
        case Forall():
            found = point.refuting(e)
            if found is not None:
                return _decisive(e.body, found)
    return Reason(e, point, holds=False)


def _reasons(e: Expr, point: Point, holds: bool) -> Iterator[Reason]:  # noqa: FBT001
    match e:
        case Labelled(_, body):
            yield from _reasons(body, point, holds)
        case Not(body):
            yield from _reasons(body, point, not holds)
        case And(parts) | Or(parts):
            yield from _of_parts(parts, point, holds, decides=isinstance(e, Or))
        case Implies(left, right):
            yield from _of_implication(left, right, point, holds)
        case Equivalent(left, right):
            yield from _reasons(left, point, bool(point.value(left)))
            yield from _reasons(right, point, bool(point.value(right)))
        case If(condition, then, otherwise):
            chosen = bool(point.value(condition))
            yield from _reasons(condition, point, chosen)
            yield from _reasons(then if chosen else otherwise, point, holds)
        case Forall() | Exists() | Let():
            yield from _of_quantified(e, point, holds)
        case _:
            yield Reason(e, point, holds)


def _of_parts(
    parts: tuple[Expr, ...],
    point: Point,
    holds: bool,  # noqa: FBT001
    *,
    decides: bool,
) -> Iterator[Reason]:
    """One part decides if it has the truth value that `decides`; else all of them together do."""
    if holds is not decides:
        for part in parts:
            yield from _reasons(part, point, holds)
        return
    decisive = next(part for part in parts if bool(point.value(part)) is decides)
    yield from _reasons(decisive, point, holds)


def _of_implication(left: Expr, right: Expr, point: Point, holds: bool) -> Iterator[Reason]:  # noqa: FBT001
    premise = bool(point.value(left))
    if not holds or not premise:
        yield from _reasons(left, point, premise)
    if premise:
        yield from _reasons(right, point, holds)


def _of_quantified(e: Forall | Exists | Let, point: Point, holds: bool) -> Iterator[Reason]:  # noqa: FBT001
    found: Point | None = None
    match e:
        case Forall() if not holds:
            found = point.refuting(e)
        case Exists(binders, body) if holds:
            found = point.smallest(binders, [body])
        case Let(binders, condition, _):
            found = point.smallest(binders, [condition])
    if found is None:
        yield Reason(e, point, holds)
    else:
        yield from _reasons(e.body, found, holds)
