"""Type inference for substitutions, in the same two passes as for expressions."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, assert_never

from secateur.maths.ast import Binder, Call, Expr, Field, Name
from secateur.maths.codes import (
    BOUND_TWICE,
    NOT_ASSIGNABLE,
    REPEATED_CASE,
    UNKNOWN_OPERATION,
    WRONG_ARITY,
)
from secateur.maths.infer import Inference
from secateur.maths.infer_findings import Scope, excerpt, near_miss
from secateur.maths.infer_unify import product
from secateur.maths.substitution import (
    AnyWhere,
    Assertion,
    Assign,
    BecomesElement,
    BecomesSuch,
    Branch,
    Case,
    Choice,
    IfThen,
    LetBe,
    OperationCall,
    Parallel,
    Precondition,
    Select,
    Sequential,
    Skip,
    Substitution,
    VarIn,
    While,
)
from secateur.maths.types import INTEGER, Power, Type
from secateur.source import Span
from secateur.source.records import dataclass

_WORDS: Final = {Precondition: "PRE", Assertion: "ASSERT"}


@dataclass(frozen=True, slots=True)
class OperationTypes:
    """The types of an operation's parameters and results."""

    parameters: tuple[Type, ...]
    results: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """What a substitution may use: identifiers, those it may change, operations to call."""

    scope: Scope
    assignable: frozenset[str]
    operations: Mapping[str, OperationTypes]

    def inside(self, inference: Inference, binders: Sequence[Binder], *, changing: bool) -> Context:
        """Return the context under `binders`, which can be assigned only if `changing`."""
        names = frozenset(b.name for b in binders)
        assignable = self.assignable | names if changing else self.assignable - names
        return replace(self, scope=inference.bind(binders, self.scope), assignable=assignable)

    def remembering(self, names: frozenset[str]) -> Context:
        """Return the context in which `x$0` is the earlier value of each `x` in `names`."""
        old = {f"{n}$0": self.scope[n] for n in names if n in self.scope}
        return replace(self, scope=ChainMap(old, self.scope))  # type: ignore[arg-type]


class SubstitutionTyping:
    """Walks over substitutions for an `Inference`."""

    def __init__(self, inference: Inference) -> None:
        self.inference = inference

    def check(self, s: Substitution, context: Context) -> None:
        """Find the types in `s`, complaining about what does not fit."""
        match s:
            case Skip():
                return
            case Assign() | BecomesElement() | BecomesSuch():
                self._change(s, context)
            case OperationCall():
                self._call(s, context)
            case Precondition(condition, body) | Assertion(condition, body):
                self._predicate(condition, context, _WORDS[type(s)])
                self.check(body, context)
            case Select(branches, otherwise) | IfThen(branches, otherwise):
                self._branches(branches, otherwise, context)
            case Case():
                self._case(s, context)
            case Choice(parts) | Parallel(parts) | Sequential(parts):
                for part in parts:
                    self.check(part, context)
            case AnyWhere(binders, condition, body):
                inner = context.inside(self.inference, binders, changing=False)
                self._predicate(condition, inner, "WHERE")
                self.check(body, inner)
            case LetBe(binders, condition, body):
                inner = context.inside(self.inference, binders, changing=False)
                self.inference.let(binders, condition, inner.scope)
                self.check(body, inner)
            case VarIn(binders, body):
                self.check(body, context.inside(self.inference, binders, changing=True))
            case While(condition, body, invariant, variant):
                self._predicate(condition, context, "WHILE")
                inner = context.remembering(context.assignable)
                self._predicate(invariant, inner, "INVARIANT")
                self.inference.expect(variant, INTEGER, inner.scope, "VARIANT")
                self.check(body, context)
            case _:
                assert_never(s)

    def _predicate(self, e: Expr, context: Context, who: str) -> None:
        self.inference.predicate(e, context.scope, who)

    def _branches(
        self, branches: Sequence[Branch], otherwise: Substitution | None, context: Context
    ) -> None:
        for branch in branches:
            self._predicate(branch.condition, context, "IF")
            self.check(branch.body, context)
        if otherwise is not None:
            self.check(otherwise, context)

    def _case(self, s: Case, context: Context) -> None:
        subject = self.inference.infer(s.subject, context.scope)
        seen: list[Expr] = []
        for branch in s.branches:
            for value in branch.values:
                self.inference.expect(value, subject, context.scope, "CASE")
                if value in seen:
                    message = f"case {excerpt(value)} is listed twice"
                    self.inference.complain(REPEATED_CASE, message, value.span)
                seen.append(value)
            self.check(branch.body, context)
        if s.otherwise is not None:
            self.check(s.otherwise, context)

    def _change(self, s: Assign | BecomesElement | BecomesSuch, context: Context) -> None:
        targets = self._targets(s.targets, context)
        match s:
            case Assign(_, values):
                self._arity("an assignment to", len(targets), len(values), s.span)
                for value, target, wanted in zip(values, s.targets, targets, strict=False):
                    self.inference.expect(value, wanted, context.scope, f"'{excerpt(target)} :='")
            case BecomesElement(_, set_):
                wanted = Power(product(targets))
                self.inference.expect(set_, wanted, context.scope, "'::'")
            case BecomesSuch(_, condition):
                inner = context.remembering(frozenset(t.text for t in s.targets))
                self._predicate(condition, inner, ":(...)")

    def _targets(self, targets: Sequence[Expr], context: Context) -> list[Type]:
        seen: set[str] = set()
        for target in targets:
            name = target_name(target)
            if name is None or (name in context.scope and name not in context.assignable):
                self.inference.complain(
                    NOT_ASSIGNABLE, f"{excerpt(target)} cannot be assigned here", target.span
                )
            elif isinstance(target, Name) and name in seen:
                self.inference.complain(BOUND_TWICE, f"{name} is assigned twice", target.span)
            seen.add(name or "")
        return [self.inference.infer(target, context.scope) for target in targets]

    def _call(self, s: OperationCall, context: Context) -> None:
        targets = self._targets(s.targets, context)
        operation = context.operations.get(s.operation)
        if operation is None:
            hint = near_miss(s.operation, context.operations)
            message = f"unknown operation {s.operation}"
            self.inference.complain(UNKNOWN_OPERATION, message, s.span, hint)
            return
        who = s.operation
        self._arity(f"{who} with parameters", len(operation.parameters), len(s.args), s.span)
        self._arity(f"{who} with results", len(operation.results), len(targets), s.span)
        for arg, wanted in zip(s.args, operation.parameters, strict=False):
            self.inference.expect(arg, wanted, context.scope, who)
        for target, found, wanted in zip(s.targets, targets, operation.results, strict=False):
            self.inference.demand(target, found, wanted, context.scope, f"the result of {who}")

    def _arity(self, who: str, wanted: int, found: int, span: Span) -> None:
        if wanted != found:
            self.inference.complain(WRONG_ARITY, f"{who} needs {wanted}, not {found}", span)


def target_name(target: Expr) -> str | None:
    """Return the identifier that an assignment to `target` changes."""
    while isinstance(target, Call | Field):
        target = target.function if isinstance(target, Call) else target.record
    return target.text if isinstance(target, Name) else None
