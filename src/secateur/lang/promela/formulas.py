"""Temporal formulas of a program, in the words of `ltl/`.

An `ltl` block is written anew, with conditions on states in the model's own terms; so are the
questions that Spin asks of labels: whether a run is accepted for ever, or makes no progress.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.lang.promela import ast, terms
from secateur.lang.promela.expressions import Expressions, Here
from secateur.lang.promela.view import UNCHANGED
from secateur.maths.ast import Apply, Call, Expr, Name, Number, rebuild
from secateur.maths.operators.machine_integers import OF_ANY_WIDTH, WIDTH
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import CHANNELS, MACHINE_INTEGERS
from secateur.maths.print import show

_UNARY: Final = {"[]": "G", "<>": "F", "X": "X"}
_BINARY: Final = {"U": "U", "W": "W", "V": "R", "->": "=>", "<->": "<=>", "&&": "&", "||": "or"}


class Formulas:
    """Formulas about the processes of one world."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def text(self, e: ast.Expr) -> str:
        """Return a formula as text."""
        match e:
            case ast.Temporal(op, (operand,)):
                return f"{_UNARY[op]}({self.text(operand)})"
            case ast.Temporal(op, (left, right)):
                return f"({self.text(left)}) {_BINARY[op]} ({self.text(right)})"
            case ast.Unary("!", operand) if _is_temporal(operand):
                return f"not({self.text(operand)})"
            case ast.Binary("&&" | "||" as op, left, right) if _is_temporal(e):
                return f"({self.text(left)}) {_BINARY[op]} ({self.text(right)})"
            case _:
                return atom(self.expressions.condition(e, Here(None, UNCHANGED)))

    def about_labels(self) -> Iterator[tuple[str, str]]:
        """Yield what is asked of labels, with a name each: no run is accepted, every run makes progress."""
        accepting = self._at("accept")
        if accepting is not terms.FALSE:
            yield "acceptance", f"not(G(F({atom(accepting)})))"
        progress = self._at("progress")
        if progress is not terms.FALSE:
            # a run that comes to an end is a matter of end states, not of progress
            yield "progress", f"G(F({atom(progress)})) or F(deadlock)"

    def _at(self, kind: str) -> Expr:
        return terms.any_of(
            self.expressions.processes.at(instance, place.number, UNCHANGED)
            for instance in self.expressions.world.instances
            for place in instance.automaton.locations
            if getattr(place, kind)
        )


def atom(condition: Expr) -> str:
    """Return a condition on a state as a formula."""
    known = terms.truth_of(condition)
    if known is not None:
        return "true" if known else "false"
    return f"{{{show(condition)}}}"


_OPERATORS: Final = {str(each).strip("`"): each for each in (*MACHINE_INTEGERS, *CHANNELS)}


def with_operators(formula: Expr, taken: frozenset[str]) -> Expr:
    """Return a formula that was read as B, in which some names stand for operators of Promela.

    They have more than one operand, or nothing has their name: arrays have one index.  Of those
    with one, an `ltl` block is written with the one whose name nothing can have.
    """
    match formula:
        case Call(Name(text), args, span) if text in _OPERATORS and (
            len(args) > 1 or text not in taken
        ):
            parts = tuple(with_operators(each, taken) for each in args)
            return Apply(_operator(text, parts), parts, span)
        case _:
            return rebuild(formula, lambda part: with_operators(part, taken))


def _operator(text: str, args: Sequence[Expr]) -> Operator:
    """Return what a name stands for beside these operands: users may write any."""
    found = _OPERATORS[text]
    match args:
        case (_, Number(width)) if 1 <= width <= WIDTH:
            return found
        case _:
            return OF_ANY_WIDTH.get(found, found)


def _is_temporal(e: ast.Expr) -> bool:
    match e:
        case ast.Temporal():
            return True
        case ast.Unary(_, operand):
            return _is_temporal(operand)
        case ast.Binary(_, left, right):
            return _is_temporal(left) or _is_temporal(right)
        case _:
            return False
