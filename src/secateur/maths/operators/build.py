"""Short ways to write down an operator; spellings are separated by blanks, ASCII first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from secateur.maths.operators.protocol import Fixity, Operator, Settings, Signature
from secateur.maths.types import Type, Variable

Apply = Callable[..., Any]

A: Final = Variable("A")
B: Final = Variable("B")
C: Final = Variable("C")
D: Final = Variable("D")


def signature(*types: Type) -> Signature:
    """Return the signature with these operands; the last type is the result's."""
    return Signature(types[:-1], types[-1])


def _meaning(apply: Apply) -> str:
    """Return the first sentence of what the function itself says, if it is ours."""
    ours = getattr(apply, "__module__", "").startswith("secateur.")
    return (apply.__doc__ or "").partition("\n")[0] if ours else ""


def infix(name: str, spellings: str, priority: int, typing: Signature, apply: Apply) -> Operator:
    """Return a left-associative operator between two operands."""
    return Operator(
        name,
        tuple(spellings.split()),
        Fixity.INFIX,
        typing,
        apply=apply,
        priority=priority,
        doc=_meaning(apply),
    )


def call(name: str, spellings: str, typing: Signature, apply: Apply) -> Operator:
    """Return an operator written like a function with a fixed number of operands."""
    return Operator(
        name, tuple(spellings.split()), Fixity.CALL, typing, apply=apply, doc=_meaning(apply)
    )


def external(name: str, typing: Signature, apply: Apply) -> Operator:
    """Return an external function."""
    return call(name, name, typing, apply)


def constant(name: str, spellings: str, type_: Type, value: Callable[[Settings], Any]) -> Operator:
    """Return an operator without operands."""
    return Operator(
        name, tuple(spellings.split()), Fixity.CONSTANT, signature(type_), constant=value
    )


def partial(operator: Operator) -> Operator:
    """Return `operator`, which is not defined for all operands."""
    return replace(operator, partial=True)


def telling_apart(operator: Operator) -> Operator:
    """Return `operator`, which sees how a value is written, or its place in an order."""
    return replace(operator, tells_apart=True)


def right_associative(operator: Operator) -> Operator:
    """Return `operator`, of which the rightmost in a chain is applied first."""
    return replace(operator, right_associative=True)


def overloaded(name: str, *meanings: Operator) -> Operator:
    """Return the spelling shared by `meanings`, which agree on how it is written."""
    first = meanings[0]
    return Operator(
        name,
        first.spellings,
        first.fixity,
        priority=first.priority,
        right_associative=first.right_associative,
        partial=any(each.partial for each in meanings),
        overloads=meanings,
    )
