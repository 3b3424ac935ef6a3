"""A model with its names resolved: from `ast.File` to `ast.Program`.

Names are known from where they are declared on, as in Spin; formulas and remote references see
all of the model.  Elements of `mtype` have Spin's numbers: the last name of a list has the
smallest, a later list of the same subtype goes on, and every subtype counts from 1.

What declarations become, and which blocks have a scope, is said in `resolve_statement.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from secateur.lang.promela import ast
from secateur.lang.promela.codes import BAD_SIZE, DECLARED_TWICE, NO_PROCESS, WRONG_MTYPE
from secateur.lang.promela.labels import labels_of
from secateur.lang.promela.resolve_declaration import Declarations
from secateur.lang.promela.resolve_expression import (
    ExpressionResolver,
    Known,
    Process,
    check_priority,
    constants_of,
)
from secateur.lang.promela.resolve_statement import Body, StatementResolver, prepare
from secateur.lang.promela.scopes import Owner, Scope
from secateur.source import Source, Span, fail

_MOST_PROCESSES = 255


def resolve(file: ast.File, name: str, source: Source | None = None) -> ast.Program:
    """Return the model that the units of a file are."""
    return _Resolver(file).program(name, source)


class _Resolver:
    """Resolves a model: first all that is declared, then all statements."""

    def __init__(self, file: ast.File) -> None:
        self.file = file
        self.known = Known()
        self.declarations = Declarations(self.known)
        self.scope = Scope()
        self.variables: list[ast.Variable] = []
        self.mtypes: dict[str, tuple[str, ...]] = {}
        self.bodies: dict[int, Body] = {}
        """Per process (by the identity of its unit), what its statements need."""

    def program(self, name: str, source: Source | None) -> ast.Program:
        """Resolve everything."""
        for unit in self.file.units:
            self._declare(unit)
        units = self.file.units
        proctypes = tuple(
            self._proctype(u) for u in units if isinstance(u, ast.ProctypeDeclaration)
        )
        nevers = tuple(self._claim(u) for u in units if isinstance(u, ast.NeverClaim))
        self._check_started(proctypes, source)
        return ast.Program(
            name,
            tuple(self.mtypes.items()),
            tuple(self.variables),
            proctypes,
            nevers,
            tuple(self._formulas()),
            tuple(self.known.notes),
            self._trace([u for u in units if isinstance(u, ast.TraceAssertion)]),
        )

    def _check_started(self, proctypes: tuple[ast.Proctype, ...], source: Source | None) -> None:
        started = sum(proctype.active for proctype in proctypes)
        if started > _MOST_PROCESSES:
            message = f"{started} processes to begin with, {_MOST_PROCESSES} are possible"
            raise fail(BAD_SIZE, message, proctypes[0].span)
        if started == 0:
            place = proctypes[0].span if proctypes else None
            if place is None and source is not None:
                place = Span(source, 0, 0)
            hint = "write 'init' or 'active proctype'"
            raise fail(NO_PROCESS, "no process is active to begin with", place, hint)

    # -- declarations

    def _declare(self, unit: ast.Unit) -> None:
        match unit:
            case ast.MtypeDeclaration():
                self._mtype(unit)
            case ast.Typedef():
                self.declarations.typedef(unit, self.scope)
            case ast.Declaration():
                owner = Owner(None, hidden=unit.hidden)
                for symbol in self.declarations.declare(unit, self.scope, owner):
                    self.variables.extend(symbol.variables)
            case ast.ProctypeDeclaration():
                self._prepare_proctype(unit)
            case ast.NeverClaim():
                process = Process(labels_of(unit.body), (), Scope(self.scope.copy()))
                self._prepare(unit, Body(unit.name, process, claim=True))
            case ast.TraceAssertion():
                process = Process(labels_of(unit.body), (), Scope(self.scope.copy()))
                self._prepare(unit, Body(unit.name, process, claim=True, trace=True))

    def _mtype(self, unit: ast.MtypeDeclaration) -> None:
        taken = {name for names in self.mtypes.values() for name in names}
        for name, count in Counter(unit.names).items():
            if count > 1 or name in taken or self.scope.find(name) is not None:
                raise fail(WRONG_MTYPE, f"{name} is declared twice", unit.span)
        before = self.mtypes.get(unit.subtype, ())
        self.mtypes[unit.subtype] = (*before, *reversed(unit.names))
        if len(self.mtypes[unit.subtype]) > 255:
            raise fail(WRONG_MTYPE, "mtype has more than 255 elements", unit.span)
        self.known.mtypes = constants_of(self.mtypes)
        self.known.subtypes.update((name, unit.subtype) for name in unit.names)

    def _prepare_proctype(self, unit: ast.ProctypeDeclaration) -> None:
        if unit.name in self.known.processes or self.scope.find(unit.name) is not None:
            raise fail(DECLARED_TWICE, f"{unit.name} is declared twice", unit.span)
        process = Process(labels_of(unit.body), (), Scope(self.scope.copy()))
        self.known.processes[unit.name] = process
        process.parameters = tuple(self.declarations.parameters(unit, process.scope))
        self._prepare(unit, Body(unit.name, process))

    def _prepare(self, unit: ast.ProctypeDeclaration | ast.Claim, body: Body) -> None:
        prepare(self.declarations, body, unit.body)
        self.bodies[id(unit)] = body

    # -- statements

    def _body(
        self, unit: ast.ProctypeDeclaration | ast.Claim
    ) -> tuple[ast.Sequence, tuple[ast.Variable, ...]]:
        body = self.bodies[id(unit)]
        scope = Scope(body.process.scope.outer)
        scope.names.update(body.parameters)
        found = StatementResolver(self.declarations, body, scope).whole(unit.body)
        return found, tuple(body.variables)

    def _proctype(self, unit: ast.ProctypeDeclaration) -> ast.Proctype:
        process = self.known.processes[unit.name]
        outside = process.scope.outer or Scope()
        active = 0 if unit.active is None else self.declarations.constant(unit.active, outside)
        if not 0 <= active <= _MOST_PROCESSES:
            message = f"{active} processes to begin with: 0 to {_MOST_PROCESSES} are possible"
            raise fail(BAD_SIZE, message, unit.span)
        priority = 0
        if unit.priority is not None:
            priority = self.declarations.constant(unit.priority, outside)
            if active:
                check_priority(priority, unit.priority.span)
        provided = None
        if unit.provided is not None:
            provided = ExpressionResolver(self.known, outside).value(unit.provided)
        body, variables = self._body(unit)
        return ast.Proctype(
            unit.name,
            process.parameters,
            variables,
            body,
            active,
            priority,
            provided,
            unit.deterministic,
            unit.span,
        )

    def _claim(self, unit: ast.Claim) -> ast.Proctype:
        body, variables = self._body(unit)
        return ast.Proctype(unit.name, (), variables, body, span=unit.span)

    def _trace(self, units: list[ast.TraceAssertion]) -> ast.EventTrace | None:
        if len(units) > 1:
            raise fail(DECLARED_TWICE, "there is more than one trace or notrace", units[1].span)
        found = [ast.EventTrace(self._claim(u), u.negated, u.span) for u in units]
        return found[0] if found else None

    def _formulas(self) -> Iterator[ast.LtlBlock]:
        resolver = ExpressionResolver(self.known, self.scope, claim=True)
        names = {unit.name for unit in self.file.units if isinstance(unit, ast.NeverClaim)}
        for unit in self.file.units:
            if isinstance(unit, ast.LtlBlock):
                if unit.name in names:
                    raise fail(DECLARED_TWICE, f"{unit.name} is declared twice", unit.span)
                names.add(unit.name)
                yield ast.LtlBlock(unit.name, resolver.formula(unit.formula), unit.span)
