"""Expressions with their names resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Expr, Special
from secateur.lang.promela.codes import (
    BAD_SIZE,
    MISPLACED_RUN,
    MISPLACED_SPECIAL,
    MISPLACED_TEMPORAL,
    MISSING_INDEX,
    MIXED_MTYPES,
    NOT_A_CHANNEL,
    NOT_A_STRUCTURE,
    NOT_AN_ARRAY,
    STRUCTURE_AS_VALUE,
    UNDECLARED,
    UNKNOWN_LABEL,
    UNKNOWN_PROCTYPE,
    WRONG_MESSAGE,
    WRONG_RUN_ARGUMENTS,
)
from secateur.lang.promela.constants import value_of
from secateur.lang.promela.scopes import Scope, Symbol
from secateur.lang.promela.wording import fields_of
from secateur.source import Span, fail
from secateur.source.records import dataclass

_SPECIALS: Final = {special.value: special for special in Special}


@dataclass(slots=True)
class Process:
    """What other processes can see of one."""

    labels: frozenset[str]
    parameters: tuple[ast.Variable, ...] = ()
    scope: Scope = field(default_factory=Scope)
    """The parameters, and the variables that no inner block declares."""


@dataclass(slots=True)
class Known:
    """What is known of the whole model."""

    processes: dict[str, Process] = field(default_factory=dict)
    mtypes: dict[str, ast.Number] = field(default_factory=dict)
    subtypes: dict[str, str] = field(default_factory=dict)
    """The subtypes of the elements of `mtype`; "" for none."""
    notes: list[str] = field(default_factory=list)

    def note(self, span: Span, message: str) -> None:
        """Keep a remark for the user."""
        text = f"{span}: {message}"
        if text not in self.notes:
            self.notes.append(text)

    def check_element(self, name: str, subtype: str, written: Expr) -> None:
        """Complain about an element of `mtype` that a variable of this subtype cannot be.

        As in Spin, only of one that is written there itself.
        """
        if isinstance(written, ast.Name) and not written.passed:
            found = self.subtypes.get(written.text, subtype)
            if found != subtype:
                message = f"{written.text} is of {_mtype(found)}, but {name} of {_mtype(subtype)}"
                raise fail(MIXED_MTYPES, message, written.span)


_HIGHEST_PRIORITY: Final = 255


def check_priority(priority: int, span: Span) -> None:
    """Complain about a priority that no process can have."""
    if not 1 <= priority <= _HIGHEST_PRIORITY:
        message = f"a process of priority {priority}: 1 to {_HIGHEST_PRIORITY} is possible"
        raise fail(BAD_SIZE, message, span)


def _mtype(subtype: str) -> str:
    return f"mtype:{subtype}" if subtype else "mtype without a subtype"


@dataclass(frozen=True, slots=True)
class Found:
    """A variable or structure as far as it was read: `indices` are those given so far."""

    symbol: Symbol
    indices: tuple[Expr, ...]
    open: bool
    """Whether it is an array whose index is still to come."""


WHERE_RUN_STANDS: Final = (
    "it can be a statement, and part of what is assigned, asserted or printed: `x = run P()`"
)


class ExpressionResolver:
    """Resolves the names in expressions."""

    def __init__(
        self, known: Known, scope: Scope, *, claim: bool = False, creates: bool = False
    ) -> None:
        self.known = known
        self.scope = scope
        self.claim = claim
        """Whether the expression belongs to a never claim or a formula."""
        self.creates = creates
        """Whether a process may be created while the expression is evaluated."""

    # -- variables

    def find(self, expr: Expr) -> Found:
        """Return the variable or structure that an expression names."""
        match expr:
            case ast.Name(text, span):
                symbol = self.scope.find(text)
                if symbol is None:
                    raise fail(UNDECLARED, f"{text} is not declared", span, self._hint(text))
                return Found(symbol, (), symbol.length is not None)
            case ast.Index(base, index, span):
                return self._indexed(self.find(base), self.value(index), span)
            case ast.Member(base, name, span):
                return self._member(self.find(base), name, span)
            case _:
                raise fail(UNDECLARED, "a variable is needed here", expr.span)

    def _hint(self, name: str) -> str | None:
        if name in self.known.mtypes:
            return f"{name} is an element of mtype, not a variable"
        if name in self.known.processes:
            return f"{name} is a proctype, not a variable"
        near = [other for other in self._visible() if other.lower() == name.lower()]
        return f"is {near[0]} meant?" if near else None

    def _visible(self) -> list[str]:
        found = list(self.known.mtypes)
        scope: Scope | None = self.scope
        while scope is not None:
            found.extend(scope.names)
            scope = scope.outer
        return found

    def _indexed(self, found: Found, index: Expr, span: Span) -> Found:
        if found.open:
            return Found(found.symbol, (*found.indices, index), False)
        if value_of(index) == 0:
            return found  # as in Spin, a scalar is an array of length 1
        raise fail(NOT_AN_ARRAY, f"{span.text} has an index, but is no array", span)

    def _member(self, found: Found, name: str, span: Span) -> Found:
        if found.open:
            raise fail(MISSING_INDEX, "an index is missing before this field", span)
        part = found.symbol.parts.get(name)
        if part is None:
            fields = ", ".join(found.symbol.parts)
            hint = f"its fields are {fields}" if fields else "it is no structure"
            raise fail(NOT_A_STRUCTURE, f"there is no field {name}", span, hint)
        return Found(part, found.indices, part.length is not None)

    def use(self, expr: Expr) -> ast.Use:
        """Resolve a variable without structure, all of whose indices are given."""
        found = self.find(expr)
        if found.open:
            raise fail(MISSING_INDEX, "this is an array: an index is missing", expr.span)
        if found.symbol.variable is None:
            hint = "only messages and the arguments of run can be structures"
            raise fail(STRUCTURE_AS_VALUE, "this is a structure, not a number", expr.span, hint)
        return ast.Use(found.symbol.variable, found.indices, expr.span)

    def spread(self, expr: Expr) -> list[ast.Use] | None:
        """Return the numbers of a structure, one after the other; None if it is none."""
        if not isinstance(expr, ast.Name | ast.Index | ast.Member) or self._constant(expr):
            return None
        if isinstance(expr, ast.Name) and self._own(expr) is not None:
            return None
        found = self.find(expr)
        if found.symbol.variable is not None:
            return None
        if found.open:
            raise fail(MISSING_INDEX, "this is an array: an index is missing", expr.span)
        return [
            ast.Use(variable, (*found.indices, *(ast.Number(i) for i in below)), expr.span)
            for variable, below in found.symbol.leaves(expr.span)
        ]

    def values(self, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Resolve arguments, structures among them as their numbers one after the other."""
        found: list[Expr] = []
        for arg in args:
            spread = self.spread(arg)
            found.extend([self.value(arg)] if spread is None else spread)
        return tuple(found)

    def channel(self, expr: Expr) -> ast.Use:
        """Resolve what must be a channel."""
        found = self.use(expr)
        if found.variable.type is not Basic.CHAN:
            message = f"{found.variable.name} is a {found.variable.type.value}, not a channel"
            raise fail(NOT_A_CHANNEL, message, expr.span)
        return found

    # -- values

    def _constant(self, expr: Expr) -> ast.Number | ast.Known | None:
        """Return what a name stands for that is no variable."""
        if not isinstance(expr, ast.Name):
            return None
        if expr.text in _SPECIALS:
            return ast.Known(_SPECIALS[expr.text], expr.span)
        if expr.text in self.known.mtypes:
            return replace(self.known.mtypes[expr.text], span=expr.span)
        return None

    def value(self, expr: Expr) -> Expr:
        """Resolve an expression whose value is used, which `_` has none of."""
        match expr:
            case ast.Name():
                return self._name(expr)
            case ast.Index() | ast.Member():
                return self.use(expr)
            case ast.Unary(op, operand, span):
                return ast.Unary(op, self.value(operand), span)
            case ast.Binary():
                return self._binary(expr)
            case ast.Conditional(condition, then, otherwise, span):
                first, second = self.value(then), self.value(otherwise)
                return ast.Conditional(self.value(condition), first, second, span)
            case ast.ChannelTest(question, channel, span):
                return ast.ChannelTest(question, self.channel(channel), span)
            case ast.Run():
                if not self.creates:
                    raise fail(MISPLACED_RUN, "run cannot stand here", expr.span, WHERE_RUN_STANDS)
                return self.run(expr)
            case ast.Temporal(span=span):
                message = "a temporal operator cannot stand inside of an arithmetic expression"
                hint = "[] and <> bind more strongly than == and <: put brackets around"
                raise fail(MISPLACED_TEMPORAL, message, span, hint)
            case ast.RemoteLabel() | ast.RemoteVariable():
                return self._remote(expr)
            case _:
                return self._about_processes(expr)

    def _binary(self, expr: ast.Binary) -> Expr:
        """Resolve a chain of operators from its left end, since it may be a long one."""
        chain = [expr]
        while isinstance(left := chain[-1].left, ast.Binary):
            chain.append(left)
        found = self.value(chain[-1].left)
        for link in reversed(chain):
            found = ast.Binary(link.op, found, self.value(link.right), link.span)
        return found

    def _name(self, expr: ast.Name) -> Expr:
        constant = self._constant(expr)
        if constant is None:
            return self._own(expr) or self.use(expr)
        if isinstance(constant, ast.Known):
            if constant.special is Special.SCRATCH:
                raise fail(MISPLACED_SPECIAL, "_ has no value to read", expr.span)
            if constant.special is Special.NP and not self.claim:
                message = "np_ has a meaning in never claims and formulas only"
                raise fail(MISPLACED_SPECIAL, message, expr.span)
        return constant

    def _own(self, expr: ast.Name) -> Expr | None:
        """Return what `_priority` and `_p` stand for: functions of the process itself."""
        own = ast.Known(Special.PID, expr.span)
        if expr.text == "_priority":
            return ast.Priority(own, None, expr.span)
        return ast.PcValue(own, expr.span) if expr.text == "_p" else None

    def _about_processes(self, expr: Expr) -> Expr:
        match expr:
            case ast.Poll(channel, args, any_place, span):
                asked = self.channel(channel)
                wanted = self.message(args)
                self.compare(asked, wanted, span, partly=True)
                return ast.Poll(asked, wanted, any_place, span)
            case ast.Eval(inner, span):
                return ast.Eval(self.value(inner), span)
            case ast.Enabled(pid, span):
                return ast.Enabled(self.value(pid), span)
            case ast.PcValue(pid, span):
                return ast.PcValue(self.value(pid), span)
            case ast.Priority(pid, value, span):
                changed = None if value is None else self.value(value)
                return ast.Priority(self.value(pid), changed, span)
            case _:
                return expr

    def message(self, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """Resolve the arguments of a receive: `_` stands for itself."""
        found: list[Expr] = []
        for arg in args:
            constant = self._constant(arg)
            if isinstance(constant, ast.Known) and constant.special is Special.SCRATCH:
                found.append(constant)
            else:
                spread = self.spread(arg)
                found.extend([self.value(arg)] if spread is None else spread)
        return tuple(found)

    def compare(
        self, channel: ast.Use, args: tuple[Expr, ...], span: Span, *, partly: bool
    ) -> None:
        """Compare a message with what the channel holds, if that is known.

        Fewer fields are a mistake only where the statement is executed, unless it may look at a
        part (`partly`): it stays where it is then.
        """
        held = channel.variable.channel
        if held is None or len(args) == len(held.fields):
            return
        message = fields_of(channel.variable.name, len(held.fields), len(args))
        if len(args) > len(held.fields):
            raise fail(WRONG_MESSAGE, message, span)
        if not partly:
            self.known.note(span, message)

    def formula(self, expr: Expr) -> Expr:
        """Resolve a formula of temporal logic."""
        match expr:
            case ast.Temporal(op, operands, span):
                return ast.Temporal(op, tuple(map(self.formula, operands)), span)
            case ast.Unary("!", operand, span):
                return ast.Unary("!", self.formula(operand), span)
            case ast.Binary("&&" | "||" as op, left, right, span):
                return ast.Binary(op, self.formula(left), self.formula(right), span)
            case _:
                return self.value(expr)

    # -- processes

    def run(self, expr: ast.Run) -> Expr:
        """Resolve `run P(args)`."""
        process = self._process(expr.proctype, expr.span)
        args = self.values(expr.args)
        if len(args) != len(process.parameters):
            needed = len(process.parameters)
            message = f"{expr.proctype} has {needed} parameter(s), not {len(args)}"
            raise fail(WRONG_RUN_ARGUMENTS, message, expr.span)
        written = [arg for arg in expr.args for _ in self.spread(arg) or (arg,)]
        for parameter, arg in zip(process.parameters, written, strict=True):
            if parameter.type is Basic.MTYPE:
                self.known.check_element(parameter.name, parameter.subtype, arg)
        priority = None if expr.priority is None else self.value(expr.priority)
        known = None if priority is None else value_of(priority)
        if known is not None:
            check_priority(known, expr.span)
        return ast.Run(expr.proctype, args, priority, expr.span)

    def _process(self, name: str, span: Span) -> Process:
        if name not in self.known.processes or name == "init":
            near = get_close_matches(name, self.known.processes, n=1)
            hint = f"is {near[0]} meant?" if near else None
            raise fail(UNKNOWN_PROCTYPE, f"there is no proctype {name}", span, hint)
        return self.known.processes[name]

    def _remote(self, expr: ast.RemoteLabel | ast.RemoteVariable) -> Expr:
        process = self._process(expr.proctype, expr.span)
        pid = None if expr.pid is None else self.value(expr.pid)
        if isinstance(expr, ast.RemoteLabel):
            if expr.label not in process.labels:
                message = f"{expr.proctype} has no label {expr.label}"
                raise fail(UNKNOWN_LABEL, message, expr.span)
            return ast.RemoteLabel(expr.proctype, pid, expr.label, expr.span)
        there = _Elsewhere(self.known, process.scope, self)
        return ast.RemoteVariable(expr.proctype, pid, there.use(expr.variable), expr.span)


class _Elsewhere(ExpressionResolver):
    """Resolves the variable of a remote reference: it belongs to the other process.

    Its indices are written here, and so are resolved here.
    """

    def __init__(self, known: Known, scope: Scope, here: ExpressionResolver) -> None:
        super().__init__(known, scope)
        self._here = here

    def value(self, expr: Expr) -> Expr:
        return self._here.value(expr)


def constants_of(subtypes: Mapping[str, tuple[str, ...]]) -> dict[str, ast.Number]:
    """Return the numbers of the elements of `mtype`: each subtype counts from 1."""
    return {
        name: ast.Number(number, name)
        for names in subtypes.values()
        for number, name in enumerate(names, 1)
    }
