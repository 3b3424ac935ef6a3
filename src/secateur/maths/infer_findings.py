"""Where type inference keeps what it knows and what it objects to."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final

from secateur.maths.ast import Expr, Name
from secateur.maths.codes import TYPE_MISMATCH, UNKNOWN_NAME, UNTYPED
from secateur.maths.infer_unify import Unifier, is_ground, show
from secateur.maths.types import Type, Variable
from secateur.source import Code, Diagnostic, InputError, Span

Scope = Mapping[str, Type]
"""The identifiers that can be used, with their types."""

_EXCERPT: Final = 60


def excerpt(e: Expr) -> str:
    """Return the text of `e` for a message, on one line and not too long."""
    text = " ".join(e.span.text.split())
    if not text:
        return e.text if isinstance(e, Name) else "this"
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 3] + "..."


def near_miss(text: str, known: Mapping[str, object]) -> str | None:
    """Return a hint at the known identifier that `text` may be a misspelling of."""
    close = get_close_matches(text, known, n=1, cutoff=0.6)
    return f"did you mean {close[0]}?" if close else None


class Findings:
    """The types found so far, and the complaints."""

    def __init__(self) -> None:
        self.types = Unifier()
        self.diagnostics: list[Diagnostic] = []
        self.also: Mapping[str, object] = {}
        """What a user may have meant besides the identifiers in scope, such as definitions."""
        self._reported: set[tuple[Code, str, Span | None]] = set()

    def complain(
        self, code: Code, message: str, span: Span | None, hint: str | None = None
    ) -> None:
        """Note a complaint, once."""
        key = (code, message, span)
        if key not in self._reported:
            self._reported.add(key)
            self.diagnostics.append(Diagnostic(code, message, span, hint))

    def finish(self) -> None:
        """Raise all complaints together, if there are any."""
        if self.diagnostics:
            raise InputError(*self.diagnostics)

    def show(self, type_: Type) -> str:
        """Return what is known of `type_`, for a message."""
        return show(self.types.resolve(type_))

    def demand(self, e: Expr, found: Type, wanted: Type, scope: Scope, who: str) -> bool:
        """Demand that `e`, found to be of type `found`, is of type `wanted`."""
        if self.types.unify(found, wanted, e.span):
            return True
        self.complain(
            TYPE_MISMATCH,
            f"{who} expects {self.show(wanted)}, but {excerpt(e)} is {self.show(found)}",
            e.span,
            self.since(e, scope),
        )
        return False

    def since(self, e: Expr, scope: Scope) -> str | None:
        """Return which text gave the identifier `e` its type, if it is one and that is known."""
        declared = scope.get(e.text) if isinstance(e, Name) else None
        reason = self.types.why(declared) if declared is not None else None
        if reason is None or not reason.text:
            return None
        line = " ".join(reason.source.line(reason.source.line_and_column(reason.start)[0]).split())
        return f"{excerpt(e)} got its type from '{line}' at {reason}"

    def lookup(self, text: str, span: Span, scope: Scope) -> Type:
        """Return the type of identifier `text`; if it is unknown, suggest a near miss."""
        found = scope.get(text)
        if found is not None:
            return found
        hint = near_miss(text, {**self.also, **scope})
        self.complain(UNKNOWN_NAME, f"unknown identifier {text}", span, hint)
        return self.types.fresh()

    def ground(self, name: str, type_: Type, span: Span) -> Type:
        """Return the type of `name`, complaining if it is not fully known."""
        found = self.types.resolve(type_)
        if not is_ground(found) and not self._other_complaints():
            partly = "" if isinstance(found, Variable) else f": all that is known is {show(found)}"
            self.complain(
                UNTYPED,
                f"cannot infer the type of {name}{partly}",
                span,
                f"add a typing predicate, such as '{name} : INTEGER'",
            )
        return found

    def _other_complaints(self) -> bool:
        """Whether a missing type may be but the consequence of another mistake."""
        return any(d.code is not UNTYPED for d in self.diagnostics)
