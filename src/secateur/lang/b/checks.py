"""What is well typed and still wrong: operations that call themselves, variables written twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from secateur.lang.b.codes import RECURSIVE_OPERATION, WRITTEN_TWICE
from secateur.lang.model import Operation
from secateur.lang.readwrite import of_substitution
from secateur.maths.substitution import (
    OperationCall,
    Parallel,
    Substitution,
    children,
)
from secateur.source import Diagnostic, InputError, fail

Operations = Mapping[str, Operation]


def check_bodies(initialisations: Sequence[Substitution], operations: Operations) -> None:
    """Raise InputError for operations that call themselves and for what `||` writes twice."""
    _refuse_recursion(operations)
    bodies = [*initialisations, *(o.body for o in operations.values())]
    found = [d for body in bodies for d in _written_twice(body, operations)]
    if found:
        raise InputError(*found)


def _refuse_recursion(operations: Operations) -> None:
    done: set[str] = set()

    def visit(name: str, chain: tuple[str, ...]) -> None:
        if name in chain:
            cycle = " -> ".join([*chain[chain.index(name) :], name])
            message = f"operation {name} calls itself: {cycle}"
            raise fail(RECURSIVE_OPERATION, message, operations[name].span)
        if name in done or name not in operations:
            return
        for part in _all_parts(operations[name].body):
            if isinstance(part, OperationCall):
                visit(part.operation, (*chain, name))
        done.add(name)

    for name in operations:
        visit(name, ())


def _all_parts(s: Substitution) -> Iterator[Substitution]:
    todo = [s]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(children(part))


def _written_twice(s: Substitution, operations: Operations) -> Iterator[Diagnostic]:
    for part in _all_parts(s):
        if not isinstance(part, Parallel):
            continue
        written: dict[str, Substitution] = {}
        for each in part.parts:
            for name in sorted(of_substitution(each, operations).writes):
                if name in written:
                    message = f"{name} is changed by two substitutions that are joined by '||'"
                    hint = f"the other one is at {written[name].span}"
                    yield Diagnostic(WRITTEN_TWICE, message, each.span, hint)
                written[name] = each
