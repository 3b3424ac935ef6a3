"""Sequences: functions from `1..n`; some of their operators also take strings."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from secateur.maths.function_tables import function_table
from secateur.maths.operators.build import A, call, infix, overloaded, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.show import brief
from secateur.maths.symbolic import (
    Repetition,
    SequenceSpace,
    as_sequence,
    known_items,
    sequence_table,
)
from secateur.maths.types import INTEGER, STRING, Power, sequence
from secateur.maths.values import IllDefined, SetValue, Value, explicit

_SEQ: Final = sequence(A)


def items(s: SetValue, what: str = "") -> Sequence[Value]:
    """Return the elements of a sequence in order; raise IllDefined if it is none."""
    try:
        listed = explicit(s)
        known = known_items(listed)
        if known is not None:
            return known
        table = function_table(listed)
        return list(map(table.__getitem__, range(1, len(table) + 1)))
    except (KeyError, IllDefined):
        raise IllDefined(f"{what or 'an operator'} expects a sequence, not {brief(s)}") from None


def _nonempty(s: SetValue, what: str) -> Sequence[Value]:
    found = items(s, what)
    if not found:
        raise IllDefined(f"{what} of the empty sequence")
    return found


def size(s: SetValue) -> int:
    """Return the length."""
    table = sequence_table(explicit(s))
    if table is None:
        raise IllDefined(f"size expects a sequence, not {brief(s)}")
    return len(table)


def concatenation(s: SetValue, t: SetValue) -> SetValue:
    """Return `s` followed by `t`."""
    first = items(s, "^")
    items(t, "^")
    n = len(first)
    return explicit(s).union([(i + n, x) for i, x in explicit(t)])


def prepend(x: Value, s: SetValue) -> SetValue:
    """Return `s` with `x` before it."""
    return as_sequence([x, *items(s, "->")])


def append(s: SetValue, x: Value) -> SetValue:
    """Return `s` with `x` after it."""
    return explicit(s) | {(len(items(s, "<-")) + 1, x)}


def take(s: SetValue, n: int) -> SetValue:
    """Return the first `n` elements."""
    found = items(s, "/|\\")
    _check_count("/|\\", n, len(found))
    return as_sequence(found[:n])


def drop(s: SetValue, n: int) -> SetValue:
    """Return all but the first `n` elements."""
    found = items(s, "\\|/")
    _check_count("\\|/", n, len(found))
    return as_sequence(found[n:])


def _check_count(what: str, n: int, length: int) -> None:
    if not 0 <= n <= length:
        raise IllDefined(f"{n} is not in 0..{length}, as {what} demands of a count")


def reverse(s: SetValue) -> SetValue:
    """Return the elements from last to first."""
    return as_sequence(items(s, "rev")[::-1])


def first(s: SetValue) -> Value:
    """Return the first element."""
    return _nonempty(s, "first")[0]


def last(s: SetValue) -> Value:
    """Return the last element."""
    return _nonempty(s, "last")[-1]


def front(s: SetValue) -> SetValue:
    """Return all but the last element."""
    return as_sequence(_nonempty(s, "front")[:-1])


def tail(s: SetValue) -> SetValue:
    """Return all but the first element."""
    return as_sequence(_nonempty(s, "tail")[1:])


def flatten(s: SetValue) -> SetValue:
    """Return the concatenation of a sequence of sequences."""
    return as_sequence([x for part in items(s, "conc") for x in items(part, "conc")])


def join(s: SetValue) -> str:
    """Return the concatenation of a sequence of strings."""
    return "".join(items(s, "conc"))


def _space(name: str, spelling: str, repetition: Repetition) -> Operator:
    nonempty = spelling.endswith("1")

    def apply(s: SetValue) -> SetValue:
        return SequenceSpace(s, repetition, nonempty=nonempty)

    return call(name, spelling, signature(Power(A), Power(_SEQ)), apply)


SEQUENCES: Final = _space("sequences", "seq", Repetition.FREE)
SEQUENCES1: Final = _space("non-empty sequences", "seq1", Repetition.FREE)
INJECTIVE_SEQUENCES: Final = _space("injective sequences", "iseq", Repetition.INJECTIVE)
INJECTIVE_SEQUENCES1: Final = _space("non-empty injective sequences", "iseq1", Repetition.INJECTIVE)
PERMUTATIONS: Final = _space("permutations", "perm", Repetition.PERMUTATION)
SIZE: Final = overloaded(
    "size",
    partial(call("length of a sequence", "size", signature(_SEQ, INTEGER), size)),
    call("length of a string", "size", signature(STRING, INTEGER), len),
)
CONCATENATION: Final = overloaded(
    "concatenation",
    partial(
        infix("concatenation of sequences", "^", 160, signature(_SEQ, _SEQ, _SEQ), concatenation)
    ),
    infix("concatenation of strings", "^", 160, signature(STRING, STRING, STRING), operator.add),
)
PREPEND: Final = replace(
    partial(infix("prepending", "->", 160, signature(A, _SEQ, _SEQ), prepend)),
    undo=lambda s: (first(s), tail(s)),
)
APPEND: Final = replace(
    partial(infix("appending", "<-", 160, signature(_SEQ, A, _SEQ), append)),
    undo=lambda s: (front(s), last(s)),
)
TAKE: Final = partial(
    infix("prefix of length", "/|\\ ↑", 160, signature(_SEQ, INTEGER, _SEQ), take)
)
DROP: Final = partial(infix("without first", "\\|/ ↓", 160, signature(_SEQ, INTEGER, _SEQ), drop))
REVERSE: Final = overloaded(
    "reverse",
    partial(call("reversed sequence", "rev", signature(_SEQ, _SEQ), reverse)),
    call("reversed string", "rev", signature(STRING, STRING), lambda text: text[::-1]),
)
FIRST: Final = partial(call("first element", "first", signature(_SEQ, A), first))
LAST: Final = partial(call("last element", "last", signature(_SEQ, A), last))
FRONT: Final = partial(call("all but the last", "front", signature(_SEQ, _SEQ), front))
TAIL: Final = partial(call("all but the first", "tail", signature(_SEQ, _SEQ), tail))
FLATTEN: Final = overloaded(
    "general concatenation",
    partial(call("concatenation of all", "conc", signature(sequence(_SEQ), _SEQ), flatten)),
    partial(
        call("concatenation of all strings", "conc", signature(sequence(STRING), STRING), join)
    ),
)

OPERATORS: Final[tuple[Operator, ...]] = (
    SEQUENCES,
    SEQUENCES1,
    INJECTIVE_SEQUENCES,
    INJECTIVE_SEQUENCES1,
    PERMUTATIONS,
    SIZE,
    CONCATENATION,
    PREPEND,
    APPEND,
    TAKE,
    DROP,
    REVERSE,
    FIRST,
    LAST,
    FRONT,
    TAIL,
    FLATTEN,
)

ON_NONEMPTY: Final = frozenset({FRONT, TAIL, FIRST, LAST})
ON_SEQUENCES: Final[Mapping[Operator, tuple[int, ...]]] = {
    **dict.fromkeys(ON_NONEMPTY, (0,)),
    SIZE.overloads[0]: (0,),
    REVERSE.overloads[0]: (0,),
    CONCATENATION.overloads[0]: (0, 1),
    PREPEND: (1,),
    APPEND: (0,),
    TAKE: (0,),
    DROP: (0,),
}
"""Operators, and which of their operands must be sequences."""
