"""Processes that are created by a statement: by itself, or while something is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Special
from secateur.lang.promela.codes import MISPLACED_RUN
from secateur.lang.promela.walk import below, nodes
from secateur.source import fail


def run_in(step: object) -> ast.Run | None:
    """Return the process that a statement creates, if it does."""
    match step:
        case ast.Condition(ast.Run() as run):
            return run
        case ast.Assign(_, value) | ast.Assert(value):
            return next(_runs(value), None)
        case ast.Print(args=args):
            return next(_runs(args), None)
        case _:
            return None


def check_creation(statement: ast.Statement) -> None:
    """Complain where it is not clear what the creation of a process among other things comes to."""
    runs = list(_runs(statement))
    if len(runs) > 1:
        message = "a statement can create one process only"
        raise fail(MISPLACED_RUN, message, runs[1].span, "make it a statement of its own")
    beside = next(_about_others(statement), None) if runs else None
    if beside is not None:
        message = "this may change with the process that the statement creates"
        hint = "C does not tell which comes first: create the process in a statement of its own"
        raise fail(MISPLACED_RUN, message, beside.span, hint)


def _runs(tree: object) -> Iterator[ast.Run]:
    return (node for node in nodes(tree) if isinstance(node, ast.Run))


def _about_others(tree: Any) -> Iterator[Any]:
    """Yield what depends on channels or other processes, the arguments of `run` aside: they come first."""
    match tree:
        case ast.Run():
            return
        case (
            ast.ChannelTest()
            | ast.Poll()
            | ast.RemoteLabel()
            | ast.RemoteVariable()
            | ast.PcValue()
            | ast.Priority()
            | ast.Enabled()
            | ast.Known(Special.NR_PR)
        ):
            yield tree
        case _:
            for part in below(tree):
                yield from _about_others(part)
