"""Operators of the theories that come with Rodin's theory plug-in.

Their meaning is known here, so that projects which use them can be checked without the
theories' own files, and with those that are given by axioms only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from secateur.lang.eventb.theory import Definition
from secateur.maths.ast import Apply, Expr, If, Name
from secateur.maths.operators.registry import EXTERNALS
from secateur.maths.parse import parse_formula

_IN_B: Final = (
    ("SUM", "s", "SIGMA(i, x).(i |-> x : s | x)"),
    ("PRODUCT", "s", "PI(i, x).(i |-> x : s | x)"),
    ("fix", "f", "inter({s | s : dom(f) & f(s) <: s})"),
    ("cls", "r", "closure1(r)"),
    ("seq", "a", "seq(a)"),
    ("emptySeq", "", "<>"),
    ("seqIsEmpty", "s", "s = <>"),
    ("seqSize", "s", "size(s)"),
    ("seqHead", "s", "first(s)"),
    ("seqTail", "s", "tail(s)"),
    ("seqAppend", "s e", "s <- e"),
    ("seqPrepend", "s e", "e -> s"),
    ("seqConcat", "s t", "s ^ t"),
)
"""Name, parameters and meaning, which is written in classical B."""


def _definitions() -> Iterable[Definition]:
    for name, parameters, body in _IN_B:
        yield Definition(name, tuple(parameters.split()), parse_formula(body))
    yield Definition("choose", ("s",), Apply(EXTERNALS["CHOOSE"], (Name("s"),)))
    condition: Expr = If(Name("c"), Name("a"), Name("b"))
    yield Definition("COND", ("c", "a", "b"), condition)


STANDARD: Final = {d.name: d for d in _definitions()}

_WRITTEN_OUT: Final = {"seq": "{f, n . n : NATURAL & f : 1..n --> a | f}"}
"""How the theories themselves define what classical B has an operator for."""


def recognised(definition: Definition) -> Definition:
    """Return the operator of classical B that `definition` writes out, if it is one we know."""
    text = _WRITTEN_OUT.get(definition.name)
    if text is None or definition.body != parse_formula(text):
        return definition
    return STANDARD[definition.name]
