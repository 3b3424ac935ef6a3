"""All names that a chain of components declares, in one flat table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from secateur.lang.eventb.codes import DECLARED_TWICE
from secateur.lang.eventb.resolve import Chain
from secateur.maths.ast import Name
from secateur.source import Diagnostic, InputError, Span
from secateur.source.records import dataclass


@dataclass()
class Declared:
    """The declared names with the place of each, in the order declared.

    A variable that a refinement keeps is one variable.
    """

    sets: dict[str, Span] = field(default_factory=dict)
    constants: dict[str, Span] = field(default_factory=dict)
    variables: dict[str, Span] = field(default_factory=dict)


def declared(chain: Chain) -> Declared:
    """Return what `chain` declares; raise InputError for what is declared twice."""
    found = Declared()
    diagnostics: list[Diagnostic] = []

    def add(names: Iterable[Name], table: dict[str, Span], *others: dict[str, Span]) -> None:
        for name in names:
            earlier = next((t[name.text] for t in others if name.text in t), None)
            if earlier is not None:
                message = f"{name.text} is declared twice"
                hint = f"the other declaration is at {earlier}"
                diagnostics.append(Diagnostic(DECLARED_TWICE, message, name.span, hint))
            table.setdefault(name.text, name.span)

    for context in chain.contexts:
        add(context.sets, found.sets, found.sets, found.constants)
        add(context.constants, found.constants, found.sets, found.constants)
    for machine in chain.machines:
        add(machine.variables, found.variables, found.sets, found.constants)
    if diagnostics:
        raise InputError(*diagnostics)
    return found
