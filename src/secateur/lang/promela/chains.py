"""The statements of a body as chains of numbered elements, the first half of `automata.py`.

Elements are numbered in the order in which Spin makes them: those inside a compound statement
come before the compound itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from secateur.lang.promela import ast
from secateur.lang.promela.elements import (
    Chain,
    Element,
    Kind,
    attach_escape,
    leave_out_skips,
    make_atomic,
)
from secateur.source import Span
from secateur.source.records import dataclass

FEW = 32
"""The largest distance of the bounds of a `select` that becomes an `if`."""


@dataclass(frozen=True, slots=True)
class _Label:
    """A label, and the blocks that it is in."""

    name: str
    scope: tuple[int, ...]
    element: Element


def _marked(name: str) -> bool:
    return name.startswith(("accept", "end", "progress"))


class Builder:
    """Makes the chains of one body."""

    def __init__(self, *, claim: bool = False) -> None:
        self.elements: list[Element] = []
        self._labels: list[_Label] = []
        self._jumps: list[Element] = []
        self._breaks: list[list[Element]] = []
        self._scope: tuple[int, ...] = ()
        self._blocks = 0
        self._claim = claim

    def whole(self, body: ast.Sequence) -> Chain:
        """The chain of a whole body, with its end."""
        chain = Chain()
        for statement in body.statements:
            self._add(statement, chain)
        chain.append(self._new(Kind.STOP, body.span))
        chain.extent = chain.final
        for jump in self._jumps:
            jump.goal = self._named(_name_of(jump), jump.scope)
        return chain

    def seen_from_outside(self, labels: frozenset[str]) -> None:
        """A jump that has one of these labels gets a place of its own.

        Otherwise no process would ever be there, and `P@label` would never hold.
        """
        for label in self._labels:
            element = label.element
            if label.name not in labels or element.kind is not Kind.GOTO:
                continue
            jump = self._new(Kind.GOTO, element.span, element.statement)
            jump.goal, jump.following = element.goal, element.following
            element.kind, element.statement = Kind.STEP, _skip(element.span)
            element.following = jump

    # -- elements and labels --------------------------------------------------------------------

    def _new(self, kind: Kind, span: Span, statement: ast.Statement | None = None) -> Element:
        element = Element(len(self.elements) + 1, kind, span, statement)
        self.elements.append(element)
        return element

    def _label(self, name: str, element: Element) -> None:
        self._labels.append(_Label(name, self._scope, element))
        element.labels.append(name)

    def _named(self, name: str, scope: tuple[int, ...]) -> Element:
        """The label that a jump means: that of the innermost block around it, else any."""
        found = [label for label in self._labels if label.name == name]
        around = [label for label in found if scope[: len(label.scope)] == label.scope]
        if around:
            return max(around, key=lambda label: len(label.scope)).element
        return found[-1].element

    # -- chains ---------------------------------------------------------------------------------

    def _chain(self, statements: Iterable[ast.Statement], span: Span) -> Chain:
        chain = Chain()
        for statement in statements:
            self._add(statement, chain)
        if chain.first is None:
            self._add(_skip(span), chain)
        chain.extent = chain.final
        return chain

    def _block(self, sequence: ast.Sequence) -> Chain:
        """The chain of a block, which is a scope for labels."""
        outer = self._scope
        self._blocks += 1
        self._scope = (*outer, self._blocks)
        chain = self._chain(sequence.statements, sequence.span)
        self._scope = outer
        return chain

    def _add(self, statement: ast.Statement, chain: Chain) -> None:
        """`statement` at the end of `chain`; labels belong to the element that stands for it.

        What only declares something is no element.
        """
        names: list[str] = []
        while isinstance(statement, ast.Labelled):
            names.insert(0, statement.label)
            statement = statement.statement
        if isinstance(statement, ast.Exclusive | ast.Declaration):
            return
        element = self._compound(statement, chain)
        simple = element is None
        if element is None:
            element = self._simple(statement)
        for name in names:
            self._label(name, element)
        if simple:
            self._append(element, chain)

    def _append(self, element: Element, chain: Chain) -> None:
        """A jump with a label that means something gets a `skip` before it, with the label."""
        if element.kind is Kind.GOTO and any(map(_marked, element.labels)):
            skip = self._new(Kind.STEP, element.span, _skip(element.span))
            self._move_label(element, skip)
            self._append(skip, chain)
        chain.append(element)

    def _move_label(self, source: Element, target: Element) -> None:
        for place in reversed(range(len(self._labels))):
            label = self._labels[place]
            if label.element is source:
                self._labels[place] = _Label(label.name, label.scope, target)
                source.labels.remove(label.name)
                target.labels.append(label.name)
                return

    def _simple(self, statement: ast.Statement) -> Element:
        """The element of a statement that is appended as it is, `atomic {...}` among them."""
        match statement:
            case ast.Goto(span=span):
                element = self._new(Kind.GOTO, span, statement)
                element.scope = self._scope
                self._jumps.append(element)
            case ast.Break(span=span):
                element = self._new(Kind.GOTO, span, statement)
                self._breaks[-1].append(element)
            case ast.Sequence():
                element = self._enclosed(Kind.BLOCK, statement)
            case ast.Atomic(body=body):
                element = self._enclosed(Kind.ATOMIC, body)
            case ast.DStep(body=body):
                element = self._enclosed(Kind.D_STEP, body)
            case _:
                element = self._new(Kind.STEP, statement.span, statement)
        return element

    def _enclosed(self, kind: Kind, sequence: ast.Sequence) -> Element:
        body = self._block(sequence)
        return self._around(kind, body, sequence.span)

    def _around(self, kind: Kind, body: Chain, span: Span) -> Element:
        if kind is not Kind.BLOCK:
            make_atomic(body, within_d_step=kind is Kind.D_STEP)
        element = self._new(kind, span)
        element.body = body
        return element

    # -- compound statements --------------------------------------------------------------------

    def _compound(self, statement: ast.Statement, chain: Chain) -> Element | None:
        """Puts `if`, `do`, `for`, `select` and `unless` into `chain`; None for all others."""
        match statement:
            case ast.If(options=options, span=span):
                chains = [self._option(option) for option in options]
                return self._choice(chains, chain, span)
            case ast.Do(options=options, span=span):
                self._breaks.append([])
                chains = [self._option(option) for option in options]
                return self._loop(chains, chain, span)
            case ast.ForRange() | ast.ForIn():
                return self._for(statement, chain)
            case ast.Select():
                return self._select(statement, chain)
            case ast.Unless():
                return self._unless(statement, chain)
        return None

    def _option(self, option: ast.Sequence) -> Chain:
        chain = self._chain(option.statements, option.span)
        if not self._claim:
            leave_out_skips(chain)
        return chain

    def _choice(self, options: list[Chain], chain: Chain, span: Span) -> Element:
        element, join = self._head(options, span)
        chain.append(element)
        chain.append(join)
        return element

    def _loop(self, options: list[Chain], chain: Chain, span: Span) -> Element:
        element, join = self._head(options, span)
        leave = self._new(Kind.EXIT, span)
        for jump in self._breaks.pop():
            jump.goal = leave
        chain.append(join)
        chain.append(element)
        chain.append(leave)
        return element

    def _head(self, options: list[Chain], span: Span) -> tuple[Element, Element]:
        """The head of a choice and the place where its options meet; `else` is the last option."""
        element = self._new(Kind.CHOICE, span)
        join = self._new(Kind.JOIN, span)
        element.options = sorted(options, key=_begins_with_else)
        for option in element.options:
            option.append(join)
        return element, join

    def _for(self, statement: ast.ForRange | ast.ForIn, chain: Chain) -> Element:
        variable, span = statement.variable, statement.span
        low, high = _bounds(statement)
        self._add(ast.Assign(variable, low, span), chain)
        self._breaks.append([])
        inner = Chain()
        self._add(ast.Condition(ast.Binary("<=", variable, high, span), span), inner)
        for part in statement.body.statements:
            self._add(part, inner)
        self._add(_increment(variable, span), inner)
        inner.extent = inner.final
        leave = self._chain((ast.Else(span), ast.Break(span)), span)
        return self._loop([leave, inner], chain, span)

    def _select(self, statement: ast.Select, chain: Chain) -> Element:
        """An `if` if the numbers are few and written as such, else a loop that counts."""
        variable, span = statement.variable, statement.span
        match statement:
            case ast.Select(low=ast.Number(low), high=ast.Number(high), literal=True):
                if high - low <= FEW:
                    numbers = [ast.Number(n, span=span) for n in range(low, high + 1)]
                    options = [self._chain((ast.Assign(variable, n, span),), span) for n in numbers]
                    return self._choice(options, chain, span)
        self._add(ast.Assign(variable, statement.low, span), chain)
        first = chain.final
        assert first is not None
        self._breaks.append([])
        below = ast.Condition(ast.Binary("<", variable, statement.high, span), span)
        more = self._chain((below, _increment(variable, span)), span)
        leave = self._chain((ast.Break(span),), span)
        loop = self._loop([more, leave] if statement.literal else [leave, more], chain, span)
        return first if statement.literal else loop

    def _unless(self, statement: ast.Unless, chain: Chain) -> Element:
        """Puts it into `chain`; `label: {...} unless {...}` is `label: {{...} unless {...}}`."""
        names, kind, sequence = _lifted(statement.body)
        body = self._block(sequence)
        if kind in (Kind.ATOMIC, Kind.D_STEP):
            make_atomic(body, within_d_step=kind is Kind.D_STEP)
        escape = self._block(statement.escape)
        if not names:
            return self._escaping(body, escape, chain, statement.span)
        around = Chain()
        self._escaping(body, escape, around, statement.span)
        around.extent = around.final
        element = self._new(kind, statement.span)
        element.body = around
        for name in names:
            self._label(name, element)
        chain.append(element)
        return element

    def _escaping(self, body: Chain, escape: Chain, chain: Chain, span: Span) -> Element:
        element = self._new(Kind.UNLESS, span)
        join = self._new(Kind.JOIN, span)
        element.options = [body, escape]
        body.append(join)
        escape.append(join)
        attach_escape(body, escape)
        chain.append(element)
        chain.append(join)
        return element


# -- what the statements are made of ---------------------------------------------------------------


def _skip(span: Span) -> ast.Condition:
    return ast.Condition(ast.Number(1, span=span), span)


def _name_of(jump: Element) -> str:
    assert isinstance(jump.statement, ast.Goto)
    return jump.statement.label


def _increment(variable: ast.Expr, span: Span) -> ast.Assign:
    return ast.Assign(variable, ast.Binary("+", variable, ast.Number(1, span=span), span), span)


def _bounds(statement: ast.ForRange | ast.ForIn) -> tuple[ast.Expr, ast.Expr]:
    """The first and the last value of the variable; of an array, its indices."""
    if isinstance(statement, ast.ForRange):
        return statement.low, statement.high
    assert isinstance(statement.subject, ast.Use)
    length = statement.subject.variable.dimensions[len(statement.subject.indices)]
    return ast.Number(0, span=statement.span), ast.Number(length - 1, span=statement.span)


def _lifted(body: ast.Sequence) -> tuple[list[str], Kind, ast.Sequence]:
    """The labels of the only statement of `body`, if that is a block, and the block."""
    names: list[str] = []
    if len(body.statements) != 1:
        return names, Kind.BLOCK, body
    statement = body.statements[0]
    while isinstance(statement, ast.Labelled):
        names.insert(0, statement.label)
        statement = statement.statement
    match statement:
        case ast.Sequence() if names:
            return names, Kind.BLOCK, statement
        case ast.Atomic(body=inner) if names:
            return names, Kind.ATOMIC, inner
        case ast.DStep(body=inner) if names:
            return names, Kind.D_STEP, inner
    return [], Kind.BLOCK, body


def _begins_with_else(option: Chain) -> bool:
    return option.first is not None and isinstance(option.first.statement, ast.Else)
