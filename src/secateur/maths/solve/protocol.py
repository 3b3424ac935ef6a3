"""What the solver needs of the evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from secateur.maths.ast import Expr
from secateur.maths.operators.protocol import Settings
from secateur.maths.types import Type
from secateur.maths.values import SetValue, Value


class Evaluator(Protocol):
    """The exact meaning of expressions: it has the last word on every solution."""

    @property
    def settings(self) -> Settings:
        """MAXINT and MININT, and the strings of the model."""

    def value(self, e: Expr, bindings: Mapping[str, Value]) -> Value:
        """Return the value of `e`, whose free names are known here or in `bindings`.

        A predicate gives a bool.  Raises IllDefined or Undecided.
        """

    def knows(self, name: str) -> bool:
        """Whether `name` has a value without any binding."""

    def all_values(self, type_: Type) -> SetValue:
        """Return the set of all values of a type; it may be infinite."""
