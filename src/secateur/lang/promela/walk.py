"""Going through a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from secateur.lang.promela.ast import Program, RemoteLabel, Variable
from secateur.source import Span


def nodes(tree: Any) -> Iterator[Any]:
    """Yield a node and everything below it; of a variable that is used, only the use."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if is_dataclass(node) and not isinstance(node, Span | Variable):
            yield node
        todo.extend(reversed(below(node)))


def below(node: Any) -> Sequence[Any]:
    """Return the parts of a node, or the elements of a list of nodes."""
    if isinstance(node, tuple | list):
        return node
    if is_dataclass(node) and not isinstance(node, Span | Variable):
        return [getattr(node, each.name) for each in fields(node)]
    return ()


def labels_asked_for(program: Program) -> frozenset[str]:
    """Return the labels that other processes, or claims, ask for."""
    bodies = [p.body for p in (*program.proctypes, *program.nevers)]
    return frozenset(
        node.label for node in nodes([*bodies, *program.ltl]) if isinstance(node, RemoteLabel)
    )
