"""The labels of a body, and where jumps lead: neither into a `d_step` nor out of one."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Statement
from secateur.lang.promela.codes import DECLARED_TWICE, JUMP_ACROSS_D_STEP
from secateur.source import Span, fail

_Steps = tuple[int, ...]
"""The `d_step`s around a statement, from outside to inside."""
_Placed = tuple[Statement, _Steps, _Steps | None]
"""A label or a jump, and the `d_step`s around it and around the innermost loop that it is in."""


def labels_of(body: ast.Sequence) -> frozenset[str]:
    """Return the labels of a process, once jumps are known to stay inside or outside of `d_step`s."""
    found: dict[str, _Steps] = {}
    jumps: list[tuple[ast.Goto, _Steps]] = []
    for statement, steps, loop in _placed(body, (), None):
        match statement:
            case ast.Labelled(label, _, span):
                if label in found:
                    raise fail(DECLARED_TWICE, f"the label {label} is declared twice", span)
                found[label] = steps
            case ast.Goto():
                jumps.append((statement, steps))
            case ast.Break(span):
                if loop is not None:
                    _check(steps, loop, span)
    for jump, steps in jumps:
        _check(steps, found.get(jump.label, steps), jump.span)
    return frozenset(found)


def _check(source: _Steps, target: _Steps, span: Span) -> None:
    if source == target:
        return
    if target == source[: len(target)]:
        message = "this jump leads out of a d_step"
        hint = "a d_step ends after its last statement; an atomic sequence may be left anywhere"
    else:
        message, hint = "this jump leads into a d_step", "a d_step begins with its first statement"
    raise fail(JUMP_ACROSS_D_STEP, message, span, hint)


def _placed(statement: Statement, steps: _Steps, loop: _Steps | None) -> Iterator[_Placed]:
    match statement:
        case ast.Goto() | ast.Break():
            yield statement, steps, loop
        case ast.Labelled(statement=inner):
            yield statement, steps, loop
            yield from _placed(inner, steps, loop)
        case ast.Sequence(statements) | ast.If(statements):
            for inner in statements:
                yield from _placed(inner, steps, loop)
        case ast.Do(options):
            for option in options:
                yield from _placed(option, steps, steps)
        case ast.ForRange(body=body) | ast.ForIn(body=body):
            yield from _placed(body, steps, steps)
        case ast.Atomic(body):
            yield from _placed(body, steps, loop)
        case ast.DStep(body):
            yield from _placed(body, (*steps, id(statement)), loop)
        case ast.Unless(body, escape):
            yield from _placed(body, steps, loop)
            yield from _placed(escape, steps, loop)
