"""Sequences: functions from `1..n`; some of their operators also take strings."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, Apply, call, infix, overloaded, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import INTEGER, STRING, Power, sequence
from secateur.maths.values import SetValue, Value

_SEQ: Final = sequence(A)


def _todo(*_: Value) -> SetValue:
    raise NotImplementedError


def _space(name: str, spelling: str, apply: Apply = _todo) -> Operator:
    return call(name, spelling, signature(Power(A), Power(_SEQ)), apply)


SEQUENCES: Final = _space("sequences", "seq")
SEQUENCES1: Final = _space("non-empty sequences", "seq1")
INJECTIVE_SEQUENCES: Final = _space("injective sequences", "iseq")
INJECTIVE_SEQUENCES1: Final = _space("non-empty injective sequences", "iseq1")
PERMUTATIONS: Final = _space("permutations", "perm")
SIZE: Final = overloaded(
    "size",
    partial(call("length of a sequence", "size", signature(_SEQ, INTEGER), _todo)),
    call("length of a string", "size", signature(STRING, INTEGER), len),
)
CONCATENATION: Final = overloaded(
    "concatenation",
    partial(infix("concatenation of sequences", "^", 160, signature(_SEQ, _SEQ, _SEQ), _todo)),
    infix("concatenation of strings", "^", 160, signature(STRING, STRING, STRING), _todo),
)
PREPEND: Final = partial(infix("prepending", "->", 160, signature(A, _SEQ, _SEQ), _todo))
APPEND: Final = partial(infix("appending", "<-", 160, signature(_SEQ, A, _SEQ), _todo))
TAKE: Final = partial(
    infix("prefix of length", "/|\\ ↑", 160, signature(_SEQ, INTEGER, _SEQ), _todo)
)
DROP: Final = partial(infix("without first", "\\|/ ↓", 160, signature(_SEQ, INTEGER, _SEQ), _todo))
REVERSE: Final = overloaded(
    "reverse",
    partial(call("reversed sequence", "rev", signature(_SEQ, _SEQ), _todo)),
    call("reversed string", "rev", signature(STRING, STRING), _todo),
)
FIRST: Final = partial(call("first element", "first", signature(_SEQ, A), _todo))
LAST: Final = partial(call("last element", "last", signature(_SEQ, A), _todo))
FRONT: Final = partial(call("all but the last", "front", signature(_SEQ, _SEQ), _todo))
TAIL: Final = partial(call("all but the first", "tail", signature(_SEQ, _SEQ), _todo))
FLATTEN: Final = overloaded(
    "general concatenation",
    partial(call("concatenation of all", "conc", signature(sequence(_SEQ), _SEQ), _todo)),
    partial(
        call("concatenation of all strings", "conc", signature(sequence(STRING), STRING), _todo)
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
