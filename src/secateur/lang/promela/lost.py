"""Values that a step computes and does not keep: what is wrong with one is wrong with the step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from secateur.lang.promela.terms import Term, may_fail
from secateur.lang.promela.variants import Write
from secateur.lang.promela.view import NOTHING, View
from secateur.maths.ast import And, Apply, Call, Expr, If, Name, Or, children
from secateur.maths.operators import comparison


def overwritten(writes: Sequence[Write], before: View, after: View) -> Iterator[Expr]:
    """Yield the values that were written, by these or before, and are no more."""
    names = dict.fromkeys(write.name for write in writes)
    for name in names:
        yield from _gone(name, before, after)
    kept = {id(value) for name in names for value in _written(name, after)}
    yield from (write.value.expr for write in writes if id(write.value) not in kept)


def _written(name: str, view: View) -> Iterator[Term]:
    if name in view.scalars:
        yield view.scalars[name]
    yield from (value for _, value in view.arrays.get(name, NOTHING).pairs())


def _gone(name: str, before: View, after: View) -> Iterator[Expr]:
    scalar = before.scalars.get(name)
    if scalar is not None and after.scalars.get(name) is not scalar:
        yield scalar.expr
    if name not in before.arrays:
        return
    kept = {id(value) for value in _written(name, after)}
    for index, value in before.arrays[name].pairs():
        if id(value) in kept:
            continue
        match value.expr:
            case If(_, stored, Call(Name(array), (place,))) if (array, place) == (name, index.expr):
                yield stored  # the index is looked at where the other value is written
            case found:
                yield found


def demanded(lost: Iterable[Expr], kept: Iterable[Expr]) -> tuple[Expr, ...]:
    """Return conditions that have a value only if those have that are lost, and that hold then.

    What is part of others that are kept need not be asked for.
    """
    risky = [e for e in lost if may_fail(e)]
    known = {part for e in kept for part in _computed(e)} if risky else set()
    return tuple(Apply(comparison.EQUAL, (e, e)) for e in risky if e not in known)


def _computed(e: Expr) -> Iterator[Expr]:
    """Yield the parts of an expression without which it has no value."""
    yield e
    match e:
        case If(condition):
            yield from _computed(condition)
        case And(parts) | Or(parts):
            yield from _computed(parts[0])
        case _:
            for part in children(e):
                yield from _computed(part)
