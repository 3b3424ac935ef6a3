"""Replacing free identifiers by expressions, without capture.

Used for the parameters of definitions and machines and for renaming included machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from dataclasses import replace as with_fields
from itertools import count
from typing import TypeVar

from secateur.maths.ast import (
    Before,
    Binder,
    Binding,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Lambda,
    Let,
    Name,
    Quantified,
    children,
    free_names,
    rebuild,
)
from secateur.maths.codes import NOT_ASSIGNABLE
from secateur.maths.substitution import (
    AnyWhere,
    BecomesSuch,
    LetBe,
    OperationCall,
    Substitution,
    VarIn,
)
from secateur.maths.substitution import rebuild as rebuild_substitution
from secateur.source import fail
from secateur.source.records import dataclass

_Bound = TypeVar("_Bound", bound=Binding | AnyWhere | LetBe | VarIn)


@dataclass(frozen=True)
class Replacement:
    """What to put for which free identifier; every use of it gets a copy of its own.

    A binder hides the identifiers it binds.  With `textual`, as in a macro, a bound
    identifier that is to be replaced by another identifier is renamed instead.  A
    binder that would capture an identifier of a replacement gets a new name.
    """

    names: Mapping[str, Expr]
    operations: Mapping[str, str] = field(default_factory=dict)
    textual: bool = False
    free: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)
    """The free identifiers of a replacement, by what is replaced: found once, then shared."""

    def in_expression(self, e: Expr) -> Expr:
        """Return a copy of `e` with the identifiers replaced."""
        match e:
            case Name(text):
                found = self.names.get(text)
                return e if found is None else _copy(found)
            case Before(text):
                target = self.names.get(text)
                return Before(target.text, e.span) if isinstance(target, Name) else e
            case Forall() | Exists() | Comprehension() | Lambda() | Quantified() | Let():
                node, inner = self._under(e)
                return rebuild(node, inner.in_expression)
            case _:
                return rebuild(e, self.in_expression)

    def in_substitution(self, s: Substitution) -> Substitution:
        """Return a copy of `s` with the identifiers replaced."""
        match s:
            case AnyWhere() | LetBe() | VarIn():
                node, inner = self._under(s)
                return rebuild_substitution(node, inner.in_expression, inner.in_substitution)
            case OperationCall():
                s = with_fields(s, operation=self._operation(s.operation))
            case BecomesSuch():
                self._refuse_strange_targets(s)
        return rebuild_substitution(s, self.in_expression, self.in_substitution)

    def without(self, names: frozenset[str]) -> Replacement:
        """Return the replacement that leaves `names` alone."""
        kept = {n: e for n, e in self.names.items() if n not in names}
        return with_fields(self, names=kept)

    def _operation(self, name: str) -> str:
        target = self.names.get(name) if self.textual else None
        return target.text if isinstance(target, Name) else self.operations.get(name, name)

    def _refuse_strange_targets(self, s: BecomesSuch) -> None:
        for target in s.targets:
            if not isinstance(self.names.get(target.text, target), Name):
                raise fail(NOT_ASSIGNABLE, f"{target.text} must be an identifier here", s.span)

    def _under(self, node: _Bound) -> tuple[_Bound, Replacement]:
        """Return `node` with its binders renamed as need be, and what to do inside."""
        inner, free = dict(self.names), dict(self.free)
        captured = self._captured(node.binders)
        binders = []
        for binder in node.binders:
            name = self._new_name(binder, captured)
            inner.pop(binder.name, None)
            free.pop(binder.name, None)
            if name != binder.name:
                inner[binder.name] = Name(name, binder.span)
            binders.append(Binder(name, binder.type, binder.span))
        return with_fields(node, binders=tuple(binders)), with_fields(self, names=inner, free=free)

    def _captured(self, binders: tuple[Binder, ...]) -> frozenset[str]:
        bound = {b.name for b in binders}
        for name, e in self.names.items():
            if name not in self.free:
                self.free[name] = free_names(e)
        return frozenset[str]().union(*(f for name, f in self.free.items() if name not in bound))

    def _new_name(self, binder: Binder, captured: frozenset[str]) -> str:
        target = self.names.get(binder.name) if self.textual else None
        if isinstance(target, Name):
            return target.text
        if binder.name not in captured:
            return binder.name
        return next(n for i in count(1) if (n := f"{binder.name}__{i}") not in captured)


def _copy(e: Expr) -> Expr:
    return rebuild(e, _copy) if children(e) else with_fields(e)
