"""Translation of the operators on sequences, of known length or not.

An unknown sequence has a cell for each place that it may have; the truths of the cells say
how long it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Final

from secateur.maths.ast import Expr
from secateur.maths.operators import sequences
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.context import Context, TermRule
from secateur.maths.solve.equality import cells_of
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.select import choose
from secateur.maths.solve.sets import cardinality
from secateur.maths.solve.terms import Env, Known, Sequence, Term, excluded, holds

Entry = tuple[Truth, Term]


def sequence_of(term: Term) -> Sequence | None:
    """Return a term that is certainly a sequence as one; None if it might be none."""
    if isinstance(term, Sequence):
        return term
    cells = cells_of(term)
    if cells is None:
        return None
    present = {k: entry for k, entry in cells.cells.items() if not excluded(entry[0])}
    certain = all(holds(p) for p, _ in present.values())
    if not certain or any(k != i for i, k in enumerate(present, 1)):
        return None
    return Sequence(present)


def _entries(s: Sequence) -> list[Entry]:
    """Return the places that the sequence may have, in order."""
    return [entry for entry in s.cells.values() if not excluded(entry[0])]


def _numbered(entries: list[Entry]) -> Sequence:
    return Sequence(dict(enumerate(entries, 1)))


def _has_known_length(entries: list[Entry]) -> bool:
    return all(holds(p) for p, _ in entries)


def _on_sequence(rule: Callable[[list[Entry]], list[Entry] | None]) -> TermRule:
    """Translate an operator from a sequence to a sequence."""

    def translate(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
        s = sequence_of(c.term(args[0], env))
        made = None if s is None else rule(_entries(s))
        return None if made is None else _numbered(made)

    return translate


def _is_nonempty(entries: list[Entry]) -> bool:
    """Whether there certainly is a first element: of none there is no tail, and so on."""
    return bool(entries) and holds(entries[0][0])


def _tail(entries: list[Entry]) -> list[Entry] | None:
    return entries[1:] if _is_nonempty(entries) else None


def _front(entries: list[Entry]) -> list[Entry] | None:
    """A place of the front is one that is not the last."""
    if not _is_nonempty(entries):
        return None
    return [(follower, t) for (_, t), (follower, _) in pairwise(entries)]


def _reverse(entries: list[Entry]) -> list[Entry] | None:
    return entries[::-1] if _has_known_length(entries) else None


def _concatenation(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    left, right = (sequence_of(c.term(e, env)) for e in args)
    if left is None or right is None or not _has_known_length(_entries(left)):
        return None
    return _numbered(_entries(left) + _entries(right))


def _prepend(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    s = sequence_of(c.term(args[1], env))
    return None if s is None else _numbered([(True, c.term(args[0], env)), *_entries(s)])


def _append(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    s = sequence_of(c.term(args[0], env))
    if s is None or not _has_known_length(_entries(s)):
        return None
    return _numbered([*_entries(s), (True, c.term(args[1], env))])


def _cut(*, keep_first: bool) -> TermRule:
    """Translate the first n elements, or those without the first n, for a known n."""

    def rule(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
        s, n = sequence_of(c.term(args[0], env)), c.known(args[1], env)
        if s is None or n is None or not 0 <= n <= len(_entries(s)):
            return None
        if not all(holds(p) for p, _ in _entries(s)[:n]):
            return None  # too short a sequence would make it ill-defined
        return _numbered(_entries(s)[:n] if keep_first else _entries(s)[n:])

    return rule


def _first(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    s = sequence_of(c.term(args[0], env))
    return s.cells[1][1] if s is not None and _is_nonempty(_entries(s)) else None


def _last(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    s = sequence_of(c.term(args[0], env))
    if s is None or not _is_nonempty(_entries(s)):
        return None
    entries = _entries(s)
    followers = [*(p for p, _ in entries[1:]), False]
    options = [
        (c.all_of(p, negation(follower)), t)
        for (p, t), follower in zip(entries, followers, strict=True)
    ]
    return choose(c, options)


def _size(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    term = c.term(args[0], env)
    s = sequence_of(term)
    return None if s is None or isinstance(term, Known) else cardinality(c, s)


TERMS: Final[Mapping[Operator, TermRule]] = {
    sequences.SIZE.overloads[0]: _size,
    sequences.FIRST: _first,
    sequences.LAST: _last,
    sequences.FRONT: _on_sequence(_front),
    sequences.TAIL: _on_sequence(_tail),
    sequences.REVERSE.overloads[0]: _on_sequence(_reverse),
    sequences.CONCATENATION.overloads[0]: _concatenation,
    sequences.PREPEND: _prepend,
    sequences.APPEND: _append,
    sequences.TAKE: _cut(keep_first=True),
    sequences.DROP: _cut(keep_first=False),
}
