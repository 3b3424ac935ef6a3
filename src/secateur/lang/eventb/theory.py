"""Operators that theories add to the language: those with a definition are put in where used."""

from __future__ import annotations

from dataclasses import field

from secateur.lang.eventb.codes import UNSUPPORTED_THEORY
from secateur.maths.ast import Expr
from secateur.maths.replace import Replacement
from secateur.maths.types import DataTypeDeclaration
from secateur.source import Span, fail
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """`name(parameters)` stands for `body`."""

    name: str
    parameters: tuple[str, ...]
    body: Expr

    def at(self, operands: tuple[Expr, ...]) -> Expr:
        """Return the body with these operands for the parameters."""
        given = dict(zip(self.parameters, operands, strict=True))
        return Replacement(given).in_expression(self.body)


@dataclass(slots=True)
class Theory:
    """The operators of all theories of a project.

    `reasons` says of each known operator without a usable definition why that is so.
    """

    definitions: dict[str, Definition] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    datatypes: dict[str, DataTypeDeclaration] = field(default_factory=dict)

    def use(self, name: str, operands: tuple[Expr, ...], span: Span) -> Expr:
        """Return the meaning of an operator applied to `operands`."""
        definition = self.definitions.get(name)
        if definition is None or len(definition.parameters) != len(operands):
            reason = self.reasons.get(name, "the project does not say what it means")
            message = f"'{name}' is an operator of a theory that is not supported: {reason}"
            raise fail(UNSUPPORTED_THEORY, message, span)
        return definition.at(operands)
