"""Sequences taken apart: the ways in which `s ^ [x] ^ t` can be a given sequence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from secateur.maths.ast import Apply, Expr, SequenceDisplay
from secateur.maths.evaluate.environment import Code, Env, Scope, Stage
from secateur.maths.evaluate.patterns import Pattern, items_of, pattern
from secateur.maths.operators import sequences
from secateur.maths.symbolic import as_sequence
from secateur.maths.values import Value
from secateur.source.records import dataclass

_CONCATENATION: Final = sequences.CONCATENATION.overloads[0]
_FLATTEN: Final = sequences.FLATTEN.overloads[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A part of a concatenation: `length` items if that is known, a sequence for `target`."""

    target: Pattern
    length: int | None
    value: Code | None
    """The sequence itself, where nothing in it is to be found."""


def splits(
    scope: Scope, e: Expr, whole: Code, unbound: Collection[str]
) -> tuple[frozenset[str], Stage] | None:
    """Return the names that `e = whole` binds, and the stage that binds them.

    None if `e` is not a concatenation of patterns.
    """
    parts = list(_parts(e))
    pieces = [_piece(scope, part, unbound) for part in parts]
    found = [piece for piece in pieces if piece is not None]
    names = frozenset[str]().union(*(piece.target.names for piece in found))
    if len(parts) < 2 or len(found) < len(parts):
        return None
    if len(names) < sum(len(piece.target.names) for piece in found):
        return None  # an identifier occurs twice

    def each(env: Env) -> Iterator[None]:
        items = items_of(whole(env))
        if items is not None:
            yield from _match(env, found, items)

    return names, each


def _parts(e: Expr) -> Iterator[Expr]:
    match e:
        case Apply(operator, (left, right)) if operator is _CONCATENATION:
            yield from _parts(left)
            yield from _parts(right)
        case Apply(operator, (first, rest)) if operator is sequences.PREPEND:
            yield SequenceDisplay((first,), first.span)
            yield from _parts(rest)
        case Apply(operator, (rest, last)) if operator is sequences.APPEND:
            yield from _parts(rest)
            yield SequenceDisplay((last,), last.span)
        case Apply(operator, (SequenceDisplay(items),)) if operator is _FLATTEN:
            for item in items:
                yield from _parts(item)
        case _:
            yield e


def _piece(scope: Scope, e: Expr, unbound: Collection[str]) -> _Piece | None:
    target = pattern(scope, e, unbound)
    if target is None:
        return None
    length = len(e.items) if isinstance(e, SequenceDisplay) else None
    return _Piece(target, length, None if target.names else scope.code(e))


def _match(env: Env, pieces: Sequence[_Piece], items: Sequence[Value]) -> Iterator[None]:
    """Stop for every way to cut `items` into the pieces."""
    piece, rest = pieces[0], pieces[1:]
    for length in _lengths(env, piece, rest, len(items)):
        if piece.target.match(env, as_sequence(items[:length])):
            if rest:
                yield from _match(env, rest, items[length:])
            else:
                yield


def _lengths(env: Env, piece: _Piece, rest: Sequence[_Piece], available: int) -> Sequence[int]:
    length = piece.length
    if length is None and piece.value is not None:
        known = items_of(piece.value(env))
        length = -1 if known is None else len(known)
    if length is not None:
        return (length,) if 0 <= length <= available else ()
    return range(available + 1) if rest else (available,)
