"""Statements with their names resolved.

A variable that is declared at the beginning of a process has its initial value when the
process begins.  Anywhere else a declaration is a statement, as in Spin: `byte x = e` is the
assignment `x = e`, `byte x` is `x = 0`, of an array the first element is assigned, and the
declaration of a structure is a step that does nothing.

Names follow Spin 6: what stands in braces has a scope of its own, an option of `if` or `do`
has none; an inner block cannot declare a name again that is known outside of it.

`for (x in a)` becomes the `for` over a range that Spin makes of it: over an array x runs
over its indices; over a channel every message is received into x and sent again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Expr, Special, Statement
from secateur.lang.promela.codes import (
    BAD_INITIAL_VALUE,
    DOUBLE_ELSE,
    MISPLACED_BREAK,
    MISPLACED_SPECIAL,
    NOT_A_CHANNEL,
    NOT_ASSIGNABLE,
    UNKNOWN_LABEL,
    WRONG_MESSAGE,
)
from secateur.lang.promela.creation import check_creation
from secateur.lang.promela.resolve_declaration import Declarations
from secateur.lang.promela.resolve_expression import ExpressionResolver, Process
from secateur.lang.promela.scopes import Owner, Scope, Symbol
from secateur.source import Span, fail
from secateur.source.records import dataclass


@dataclass(slots=True)
class Body:
    """What is gathered about the process while its body is resolved."""

    name: str
    process: Process
    parameters: dict[str, Symbol] = field(default_factory=dict)
    prepared: dict[int, Symbol] = field(default_factory=dict)
    """The symbols of declarators (by identity) that other processes can see, made beforehand."""
    variables: list[ast.Variable] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    """How many variables of each name there are."""
    counters: int = 0
    claim: bool = False
    trace: bool = False
    """Whether it is a `trace` or `notrace`: what is sent is a pattern there."""


def beginning(statements: tuple[Statement, ...]) -> int:
    """Return how many statements of a body come before the first that does something."""
    for number, statement in enumerate(statements):
        if not isinstance(statement, ast.Declaration | ast.Exclusive):
            return number
    return len(statements)


def prepare(declarations: Declarations, body: Body, sequence: ast.Sequence) -> None:
    """Declare the variables of a process that other processes can see."""
    scope = body.process.scope
    body.parameters = dict(scope.names)
    first = {id(s) for s in sequence.statements[: beginning(sequence.statements)]}
    for declaration in outer_declarations(sequence.statements):
        for declarator in declaration.variables:
            plain = declarator
            if id(declaration) not in first:
                plain = replace(declarator, initial=None)
            owner = Owner(body.name)
            symbol = declarations.declare_one(declaration.type, plain, scope, owner)
            body.prepared[id(declarator)] = symbol


def outer_declarations(statements: tuple[Statement, ...]) -> Iterator[ast.Declaration]:
    """Yield the declarations that stand in no braces: other processes can see these variables."""
    for statement in statements:
        match statement:
            case ast.Declaration():
                yield statement
            case ast.If(options) | ast.Do(options):
                for option in options:
                    yield from outer_declarations(option.statements)
            case ast.Labelled(statement=inner):
                yield from outer_declarations((inner,))


class StatementResolver:
    """Resolves the statements of a body."""

    def __init__(self, declarations: Declarations, body: Body, scope: Scope) -> None:
        self.declarations = declarations
        self.known = declarations.known
        self.body = body
        self.scope = scope
        self.loops = 0

    @property
    def expressions(self) -> ExpressionResolver:
        """What resolves expressions here."""
        return ExpressionResolver(self.known, self.scope, claim=self.body.claim)

    @property
    def _computing(self) -> ExpressionResolver:
        """What resolves expressions that may create a process."""
        claim = self.body.claim
        return ExpressionResolver(self.known, self.scope, claim=claim, creates=not claim)

    def whole(self, sequence: ast.Sequence) -> ast.Sequence:
        """Resolve the body of a process: declarations at its beginning are no statements."""
        statements = sequence.statements
        begun = beginning(statements)
        found: list[Statement] = []
        for statement in statements[:begun]:
            if isinstance(statement, ast.Declaration):
                self._declare(statement)
            else:
                found.extend(self._statement(statement))
        found.extend(self._statements(statements[begun:]))
        return ast.Sequence(tuple(found), sequence.span)

    def _statements(self, statements: tuple[Statement, ...]) -> list[Statement]:
        return [made for statement in statements for made in self._statement(statement)]

    def _block(self, sequence: ast.Sequence) -> ast.Sequence:
        """Resolve a sequence with a scope of its own."""
        outer, self.scope = self.scope, Scope(self.scope)
        found = self._option(sequence)
        self.scope = outer
        return found

    def _option(self, sequence: ast.Sequence) -> ast.Sequence:
        """Resolve a sequence that has no scope of its own."""
        return ast.Sequence(tuple(self._statements(sequence.statements)), sequence.span)

    # -- declarations

    def _declare(self, declaration: ast.Declaration) -> list[tuple[ast.Declarator, Symbol]]:
        found = []
        if declaration.hidden:
            message = "only a global variable can be hidden"
            raise fail(MISPLACED_SPECIAL, message, declaration.span)
        for declarator in declaration.variables:
            symbol = self.body.prepared.get(id(declarator))
            if symbol is None:
                symbol = self._new(declaration.type, declarator)
            else:
                self.declarations.check_new(declarator.name, self.scope, declarator.span)
                self.scope.names[declarator.name] = symbol
            self.body.variables.extend(symbol.variables)
            found.append((declarator, symbol))
        return found

    def _new(self, type_: ast.TypeName, declarator: ast.Declarator) -> Symbol:
        """Declare a variable of an inner block; one of several of its name gets a number."""
        self.declarations.check_new(declarator.name, self.scope, declarator.span)
        shown = self._shown(declarator.name)
        plain = replace(declarator, name=shown, initial=None)
        owner = Owner(self.body.name)
        symbol = self.declarations.declare_one(type_, plain, Scope(self.scope), owner)
        self.scope.names[declarator.name] = symbol
        return symbol

    def _shown(self, name: str) -> str:
        """Return a name for a variable that no other variable of the process has."""
        outer = self.body.process.scope
        count = self.body.seen.get(name, 1 if name in outer.names else 0) + 1
        self.body.seen[name] = count
        shown = name if count == 1 else f"{name}_{count}"
        return self._shown(name) if count > 1 and self.scope.find(shown) else shown

    def _late(self, declaration: ast.Declaration) -> Iterator[Statement]:
        """Yield the statements that a declaration in the middle of a body is."""
        for declarator, symbol in self._declare(declaration):
            initial, span = declarator.initial, declarator.span
            if isinstance(initial, ast.ChannelInit | ast.ListInit):
                kind = "channel" if isinstance(initial, ast.ChannelInit) else "list"
                message = f"a {kind} can be the initial value only at the beginning of a process"
                raise fail(BAD_INITIAL_VALUE, message, initial.span)
            if symbol.variable is None:
                if initial is not None:
                    message = "a structure cannot have an initial value"
                    hint = "give its fields initial values in the typedef"
                    raise fail(BAD_INITIAL_VALUE, message, initial.span, hint)
                yield ast.Condition(ast.Number(1, "", span), span)
                continue
            value: Expr = ast.Number(0, "", span)
            if initial is not None:
                value = self.expressions.value(initial)
                self._check_element(symbol.variable, initial)
            first = () if symbol.length is None else (ast.Number(0, "", span),)
            if first and initial is not None:
                self.known.note(span, f"only {declarator.name}[0] gets this initial value")
            yield ast.Assign(ast.Use(symbol.variable, first, span), value, span)

    # -- statements

    def _statement(self, statement: Statement) -> Iterator[Statement]:
        match statement:
            case ast.Declaration():
                yield from self._late(statement)
            case ast.Labelled(label, inner, span):
                first, *rest = self._statement(inner)
                yield ast.Labelled(label, first, span)
                yield from rest
            case ast.Sequence():
                yield self._block(statement)
            case ast.If(options, span):
                yield ast.If(self._options(options), span)
            case ast.Do(options, span):
                self.loops += 1
                yield ast.Do(self._options(options), span)
                self.loops -= 1
            case ast.Atomic(body, span):
                yield ast.Atomic(self._block(body), span)
            case ast.DStep(body, span):
                yield ast.DStep(self._block(body), span)
            case ast.Unless(body, escape, span):
                first_part = self._block(body)
                yield ast.Unless(first_part, self._block(escape), span)
            case ast.ForRange() | ast.ForIn():
                yield self._loop(statement)
            case _:
                simple = self._simple(statement)
                check_creation(simple)
                yield simple

    def _options(self, options: tuple[ast.Sequence, ...]) -> tuple[ast.Sequence, ...]:
        found = tuple(self._option(option) for option in options)
        others = [o.statements[0] for o in found if isinstance(o.statements[0], ast.Else)]
        if len(others) > 1:
            raise fail(DOUBLE_ELSE, "this choice has a second else", others[1].span)
        return found

    def _simple(self, statement: Statement) -> Statement:
        expressions = self.expressions
        match statement:
            case ast.Condition(ast.Run() as run, span):
                return ast.Condition(expressions.run(run), span)
            case ast.Condition(condition, span):
                return ast.Condition(expressions.value(condition), span)
            case ast.Assign(target, value, span):
                return self._assign(target, value, span)
            case ast.Send():
                return self._send(statement)
            case ast.Receive():
                return self._receive(statement)
            case ast.Assert(condition, span):
                return ast.Assert(self._computing.value(condition), span)
            case ast.Print(text, args, span):
                return ast.Print(text, self._computing.values(args), span)
            case ast.Exclusive(receives, channels, span):
                return ast.Exclusive(receives, tuple(self._exclusive(c) for c in channels), span)
            case ast.Select(variable, low, high):
                target = self._target(variable)
                low, high = expressions.value(low), expressions.value(high)
                return replace(statement, variable=target, low=low, high=high)
            case ast.Goto(label, span):
                if label not in self.body.process.labels:
                    raise fail(UNKNOWN_LABEL, f"there is no label {label}", span)
            case ast.Break(span):
                if not self.loops:
                    raise fail(MISPLACED_BREAK, "this break stands in no loop", span)
        return statement

    def _exclusive(self, expr: Expr) -> Expr:
        """Resolve a channel, or all channels of an array."""
        found = self.expressions.find(expr)
        variable = found.symbol.variable
        if variable is None or variable.type is not Basic.CHAN:
            raise fail(NOT_A_CHANNEL, "a channel is needed here", expr.span)
        return ast.Use(variable, found.indices, expr.span)

    def _target(self, expr: Expr) -> ast.Use | ast.Known:
        """Resolve what is assigned to."""
        match expr:
            case ast.Name("_", span):
                return ast.Known(Special.SCRATCH, span)
            case ast.Name(text, span) if text.startswith("_") and not self.scope.find(text):
                raise fail(NOT_ASSIGNABLE, f"{text} cannot be changed", span)
            case ast.Name(text, span) if text in self.known.mtypes:
                message = f"{text} is an element of mtype: it cannot be changed"
                raise fail(NOT_ASSIGNABLE, message, span)
            case _:
                return self.expressions.use(expr)

    def _assign(self, target: Expr, value: Expr, span: Span) -> Statement:
        expressions = self.expressions
        if isinstance(target, ast.Name) and target.text == "_priority":
            pid = ast.Known(Special.PID, target.span)
            return ast.Condition(ast.Priority(pid, expressions.value(value), span), span)
        made = self._target(target)
        if isinstance(made, ast.Use) and "." not in made.variable.name:  # no field: as in Spin
            self._check_element(made.variable, value)
        return ast.Assign(made, self._computing.value(value), span)

    def _check_element(self, variable: ast.Variable, value: Expr) -> None:
        if variable.subtype:
            self.known.check_element(variable.name, variable.subtype, value)

    # -- channels

    def _send(self, statement: ast.Send) -> Statement:
        channel = self.expressions.channel(statement.channel)
        if self.body.trace:
            args = self.expressions.message(statement.args)
        else:
            args = self.expressions.values(statement.args)
        self.expressions.compare(channel, args, statement.span, partly=self.body.trace)
        return ast.Send(channel, args, statement.sorted, statement.span)

    def _receive(self, statement: ast.Receive) -> Statement:
        channel = self.expressions.channel(statement.channel)
        args = self.expressions.message(statement.args)
        for arg in args:
            if not isinstance(arg, ast.Use | ast.Number | ast.Eval) and arg != ast.Known(
                Special.SCRATCH
            ):
                hint = "eval(...) compares with its value"
                raise fail(NOT_ASSIGNABLE, "this cannot take a value", arg.span, hint)
        taken = [arg for arg in args if isinstance(arg, ast.Use) and not arg.indices]
        for number, arg in enumerate(taken):
            if any(arg.variable is other.variable for other in taken[:number]):
                message = f"{arg.variable.name} stands twice in one receive"
                raise fail(WRONG_MESSAGE, message, arg.span)
        partly = statement.copy or self.body.trace
        self.expressions.compare(channel, args, statement.span, partly=partly)
        return replace(statement, channel=channel, args=args)

    # -- loops

    def _loop(self, statement: ast.ForRange | ast.ForIn) -> Statement:
        self.loops += 1
        if isinstance(statement, ast.ForRange):
            expressions = self.expressions
            low, high = expressions.value(statement.low), expressions.value(statement.high)
            variable = self._target(statement.variable)
            found = ast.ForRange(variable, low, high, self._block(statement.body), statement.span)
        else:
            found = self._loop_in(statement)
        self.loops -= 1
        return found

    def _loop_in(self, statement: ast.ForIn) -> ast.ForRange:
        expressions, span = self.expressions, statement.span
        subject = expressions.find(statement.subject)
        zero, one = ast.Number(0, "", span), ast.Number(1, "", span)
        if subject.open and subject.symbol.length is not None:
            last = ast.Number(subject.symbol.length - 1, "", span)
            variable = self._target(statement.variable)
            return ast.ForRange(variable, zero, last, self._block(statement.body), span)
        channel = expressions.channel(statement.subject)
        fields = expressions.spread(statement.variable)
        if fields is None:
            message = "the variable of a loop over a channel must be a structure"
            raise fail(WRONG_MESSAGE, message, statement.variable.span)
        held = channel.variable.channel
        given = expressions.find(statement.variable).symbol.typedef
        if held is not None and (held.typedef != given or held.capacity == 0):
            message = f"a loop over {channel.variable.name} needs a buffer of structures {given}"
            hint = "each message must be exactly one such structure"
            raise fail(WRONG_MESSAGE, message, span, hint)
        turn = (
            ast.Receive(channel, tuple(fields), span=span),
            ast.Send(channel, tuple(fields), span=span),
        )
        length = ast.ChannelTest(ast.ChannelQuestion.LEN, channel, span)
        body = self._block(statement.body)
        whole = ast.Sequence((*turn, *body.statements), body.span)
        last_one = ast.Binary("-", length, one, span)
        return ast.ForRange(self._counter(span), zero, last_one, whole, span)

    def _counter(self, span: Span) -> ast.Use:
        """Return a new variable that counts the messages of a channel."""
        self.body.counters += 1
        name = f"(messages {self.body.counters})"
        variable = ast.Variable(name, Basic.BYTE, owner=self.body.name, span=span)
        self.body.variables.append(variable)
        return ast.Use(variable, (), span)
