"""DEFINITIONS are macros over trees.

A use of a definition is replaced by its body with the arguments put in.  Free names of
the body mean what they mean at the place of use, as in a textual macro; but a binder in
the body never captures a name of an argument.  External functions are declared like
definitions and become operators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from secateur.lang.b.ast import Definition
from secateur.lang.b.codes import (
    CYCLIC_DEFINITION,
    UNSUPPORTED_EXTERNAL,
    WRONG_ARGUMENTS,
    WRONG_KIND_OF_DEFINITION,
)
from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Lambda,
    Let,
    Name,
    Number,
    Quantified,
    Text,
    rebuild,
)
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import EXTERNALS
from secateur.maths.replace import Replacement
from secateur.maths.substitution import (
    AnyWhere,
    LetBe,
    OperationCall,
    Skip,
    Substitution,
    VarIn,
)
from secateur.maths.substitution import rebuild as rebuild_substitution
from secateur.source import Span, fail

EXTERNAL_PREFIXES: Final = (
    "EXTERNAL_FUNCTION_",
    "EXTERNAL_PREDICATE_",
    "EXTERNAL_SUBSTITUTION_",
)
ALWAYS_KNOWN: Final = frozenset({"TO_STRING", "STRING_CONC"})
"""Externals that string templates use without a declaration."""
PRINTING: Final = frozenset({"PRINT", "PRINTF", "FPRINTF", "DPRINT", "DPRINTF", "printf"})
"""External substitutions that change nothing."""

_Hidden = frozenset[str]
_Tree = TypeVar("_Tree")


class Definitions:
    """The definitions that one component sees."""

    def __init__(self, table: Mapping[str, Definition], externals: frozenset[str]) -> None:
        self.table = table
        self.externals = externals | ALWAYS_KNOWN
        self.printed: set[str] = set()
        """The printing statements that were met and left out."""
        self._expressions: dict[str, Expr] = {}
        self._substitutions: dict[str, Substitution] = {}
        self._open: list[str] = []

    # Expressions

    def expression(self, e: Expr, hidden: _Hidden = frozenset()) -> Expr:
        """Return `e` with every definition expanded; `hidden` names are none."""
        match e:
            case Name(text):
                return e if text in hidden else self._name(e)
            case Number() | Text():
                return e
            case Call(Name(text) as function, args) if text not in hidden:
                expanded = tuple(self.expression(a, hidden) for a in args)
                return self._call(e, function, expanded)
            case Forall() | Exists() | Comprehension() | Lambda() | Quantified() | Let():
                inner = _hiding(hidden, e.binders)
                return rebuild(e, lambda part: self.expression(part, inner))
            case _:
                return rebuild(e, lambda part: self.expression(part, hidden))

    def _name(self, e: Name) -> Expr:
        if self._is_external(e.text):
            return self._external(e.text, (), e.span)
        if e.text not in self.table:
            return e
        return self._instance(e.text, (), e.span)

    def _call(self, e: Call, function: Name, args: tuple[Expr, ...]) -> Expr:
        if self._is_external(function.text):
            return self._external(function.text, args, e.span)
        definition = self.table.get(function.text)
        if definition is None:
            return Call(function, args, e.span)
        if not definition.parameters:
            return Call(self._instance(function.text, (), function.span), args, e.span)
        return self._instance(function.text, args, e.span)

    def _instance(self, name: str, args: tuple[Expr, ...], span: Span) -> Expr:
        definition = self.table[name]
        _check_arguments(definition, args, span)
        body = self.body(name, span)
        return Replacement(_arguments(definition, args), textual=True).in_expression(body)

    def body(self, name: str, span: Span) -> Expr:
        """Return the expanded body of definition `name`, which must not be a substitution."""
        found = self._expressions.get(name)
        if found is None:
            definition = self.table[name]
            raw = definition.body
            if isinstance(raw, Substitution):
                message = f"definition {name} is a substitution, not an expression or a predicate"
                raise fail(WRONG_KIND_OF_DEFINITION, message, span)
            hidden = frozenset(definition.parameters)
            found = self._guarded(name, span, lambda: self.expression(raw, hidden))
            self._expressions[name] = found
        return found

    def _guarded(self, name: str, span: Span, expand: Callable[[], _Tree]) -> _Tree:
        """Expand the body of `name`, complaining if that leads back to `name`."""
        if name in self._open:
            chain = " -> ".join([*self._open[self._open.index(name) :], name])
            raise fail(CYCLIC_DEFINITION, f"definition {name} uses itself: {chain}", span)
        self._open.append(name)
        try:
            return expand()
        finally:
            self._open.pop()

    # External functions

    def _is_external(self, name: str) -> bool:
        return name in self.externals

    def _external(self, name: str, args: tuple[Expr, ...], span: Span) -> Expr:
        operator: Operator | None = EXTERNALS.get(name)
        if operator is None:
            raise fail(UNSUPPORTED_EXTERNAL, f"external function {name} is not supported", span)
        return Apply(operator, args, span)

    # Substitutions

    def substitution(self, s: Substitution, hidden: _Hidden = frozenset()) -> Substitution:
        """Return `s` with every definition expanded; `hidden` names are none."""
        match s:
            case OperationCall() if s.operation not in hidden:
                return self._statement(s, hidden)
            case AnyWhere() | LetBe() | VarIn():
                return self._parts(s, _hiding(hidden, s.binders))
            case _:
                return self._parts(s, hidden)

    def _parts(self, s: Substitution, hidden: _Hidden) -> Substitution:
        return rebuild_substitution(
            s, lambda e: self.expression(e, hidden), lambda t: self.substitution(t, hidden)
        )

    def _statement(self, s: OperationCall, hidden: _Hidden) -> Substitution:
        name = s.operation
        if self._is_external(name) and name in PRINTING:
            self.printed.add(name)
            return Skip(s.span)
        definition = self.table.get(name)
        if definition is None:
            return self._parts(s, hidden)
        if self._is_external(name):
            raise fail(UNSUPPORTED_EXTERNAL, f"external {name} is not supported", s.span)
        _check_arguments(definition, s.args, s.span)
        arguments = _arguments(definition, [self.expression(a, hidden) for a in s.args])
        replacement = Replacement(arguments, textual=True)
        body = self._statement_body(definition, s)
        result = replacement.in_substitution(body)
        return _with_targets(result, [self.expression(t, hidden) for t in s.targets], s)

    def _statement_body(self, definition: Definition, use: OperationCall) -> Substitution:
        name, hidden = definition.name, frozenset(definition.parameters)
        found = self._substitutions.get(name)
        if found is None:
            raw = definition.body
            body = raw if isinstance(raw, Substitution) else _as_call(definition, raw, use)
            found = self._guarded(name, use.span, lambda: self.substitution(body, hidden))
            self._substitutions[name] = found
        return found


def _as_call(definition: Definition, body: Expr, use: OperationCall) -> OperationCall:
    """Return a body that reads both ways as an operation call."""
    match body:
        case Name(text):
            return OperationCall((), text, (), body.span)
        case Call(Name(text), args):
            return OperationCall((), text, args, body.span)
    message = f"definition {definition.name} is an expression or a predicate, not a substitution"
    raise fail(WRONG_KIND_OF_DEFINITION, message, use.span)


def _with_targets(s: Substitution, targets: Sequence[Expr], use: OperationCall) -> Substitution:
    if not targets:
        return s
    if isinstance(s, OperationCall) and not s.targets:
        return OperationCall(tuple(targets), s.operation, s.args, s.span)
    raise fail(WRONG_KIND_OF_DEFINITION, f"{use.operation} has no results", use.span)


def _hiding(hidden: _Hidden, binders: Sequence[Binder]) -> _Hidden:
    return hidden | {b.name for b in binders}


def _arguments(definition: Definition, args: Sequence[Expr]) -> dict[str, Expr]:
    return dict(zip(definition.parameters, args, strict=True))


def _check_arguments(definition: Definition, args: Sequence[Expr], span: Span) -> None:
    wanted = len(definition.parameters)
    if wanted != len(args):
        raise fail(
            WRONG_ARGUMENTS,
            f"definition {definition.name} takes {wanted} argument(s), {len(args)} given",
            span,
            f"it is defined at {definition.span}",
        )
