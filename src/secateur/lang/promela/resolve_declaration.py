"""Declarations: types with all sizes known, and the variables made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Channel, ChannelField, Expr
from secateur.lang.promela.codes import (
    BAD_INITIAL_VALUE,
    BAD_PARAMETER,
    BAD_SIZE,
    DECLARED_TWICE,
    MISPLACED_SPECIAL,
    NOT_CONSTANT,
    RECURSIVE_TYPEDEF,
    UNDECLARED,
)
from secateur.lang.promela.constants import value_of
from secateur.lang.promela.resolve_expression import ExpressionResolver, Known
from secateur.lang.promela.scopes import LARGEST, Field, Owner, Scope, Symbol, make_symbol
from secateur.source import Span, fail

_SPECIAL_NAMES = frozenset({"_", "_pid", "_nr_pr", "_last", "np_", "_priority", "_p"})


class Declarations:
    """Resolves the declarations of a model."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.typedefs: dict[str, tuple[Field, ...]] = {}

    def typedef(self, unit: ast.Typedef, scope: Scope) -> None:
        """Take in a structure."""
        if unit.name in self.typedefs:
            raise fail(DECLARED_TWICE, f"the type {unit.name} is declared twice", unit.span)
        fields: list[Field] = []
        for declaration in unit.fields:
            if declaration.type.basic is None and declaration.type.name == unit.name:
                message = f"{unit.name} contains itself"
                raise fail(RECURSIVE_TYPEDEF, message, declaration.type.span)
            for declarator in declaration.variables:
                if any(known.name == declarator.name for known in fields):
                    message = f"{unit.name} has two fields {declarator.name}"
                    raise fail(DECLARED_TWICE, message, declarator.span)
                fields.append(self.field(declaration.type, declarator, scope))
        self.typedefs[unit.name] = tuple(fields)

    def field(self, type_: ast.TypeName, declarator: ast.Declarator, scope: Scope) -> Field:
        """Return what a declarator declares, with all sizes known."""
        length = None
        if declarator.length is not None:
            length = self.constant(declarator.length, scope)
            if not 0 < length <= LARGEST:
                message = f"{declarator.name} has the length {length}"
                raise fail(BAD_SIZE, message, declarator.span, f"1 to {LARGEST} is possible")
        structure = self._structure(type_)
        initial, channel = self._initial(declarator, type_, length, scope)
        return Field(
            declarator.name,
            type_.basic,
            structure,
            length,
            self._width(type_, declarator, scope),
            type_.name,
            initial,
            channel,
        )

    def _structure(self, type_: ast.TypeName) -> tuple[Field, ...]:
        if type_.basic is not None:
            return ()
        if type_.name not in self.typedefs:
            raise fail(UNDECLARED, f"there is no type {type_.name}", type_.span)
        return self.typedefs[type_.name]

    def _width(self, type_: ast.TypeName, declarator: ast.Declarator, scope: Scope) -> int:
        if type_.basic is not Basic.UNSIGNED:
            if declarator.width is not None:
                raise fail(BAD_SIZE, "only an unsigned can have a width", declarator.span)
            bits = type_.basic in (Basic.BIT, Basic.BOOL)
            return 8 if bits and declarator.length is not None else 0
        if declarator.width is None:
            hint = f"for example: unsigned {declarator.name} : 4"
            raise fail(BAD_SIZE, "an unsigned needs a width in bits", declarator.span, hint)
        width = self.constant(declarator.width, scope)
        if not 0 < width <= 32:
            message = f"{declarator.name} has a width of {width} bits"
            raise fail(BAD_SIZE, message, declarator.span, "1 to 32 is possible")
        return width

    def _initial(
        self, declarator: ast.Declarator, type_: ast.TypeName, length: int | None, scope: Scope
    ) -> tuple[tuple[Expr, ...], Channel | None]:
        initial = declarator.initial
        if initial is None:
            return (), None
        if type_.basic is None:
            # Spin passes over it in silence.
            message = f"the structure {declarator.name} does not get this initial value"
            self.known.note(initial.span, message)
            return (), None
        resolver = ExpressionResolver(self.known, scope)
        match initial:
            case ast.ChannelInit():
                if type_.basic is not Basic.CHAN:
                    message = f"{declarator.name} is no channel"
                    raise fail(BAD_INITIAL_VALUE, message, initial.span)
                return (), self._channel(initial, scope)
            case ast.ListInit(items):
                return self._list(declarator, tuple(map(resolver.value, items)), length), None
            case _:
                if type_.basic is Basic.MTYPE and type_.name:
                    self.known.check_element(declarator.name, type_.name, initial)
                return (resolver.value(initial),), None

    def _list(
        self, declarator: ast.Declarator, items: tuple[Expr, ...], length: int | None
    ) -> tuple[Expr, ...]:
        """Return a value per element: as in Spin, the last one stands for all that are missing."""
        if length is None:
            message = f"{declarator.name} is no array"
            raise fail(BAD_INITIAL_VALUE, message, declarator.span)
        if len(items) != length:
            message = f"{declarator.name} has {length} elements, not {len(items)}"
            self.known.note(declarator.span, message)
        return (*items[:length], *(items[-1:] * (length - len(items))))

    def _channel(self, initial: ast.ChannelInit, scope: Scope) -> Channel:
        capacity = self.constant(initial.capacity, scope)
        if not 0 <= capacity <= LARGEST:
            raise fail(BAD_SIZE, f"a channel has the capacity {capacity}", initial.span)
        message = Field("", None, tuple(self._message_field(type_) for type_ in initial.fields))
        if message.size > LARGEST:
            raise fail(BAD_SIZE, f"a message of {message.size} numbers", initial.span)
        match message.structure:
            case (Field(type=None, subtype=typedef),):
                pass
            case _:
                typedef = ""
        return Channel(capacity, _stored(tuple(message.numbers())), typedef)

    def _message_field(self, type_: ast.TypeName) -> Field:
        found = Field("", type_.basic, self._structure(type_), subtype=type_.name)
        if any(number.type is Basic.UNSIGNED for number in found.numbers()):
            hint = "its width would be lost: use byte, short or int"
            raise fail(BAD_SIZE, "an unsigned cannot be in a message", type_.span, hint)
        return found

    def constant(self, expr: Expr, scope: Scope) -> int:
        """Return the value of an expression that must have one before the model runs.

        As in Spin, a variable may stand there too, for the value that it has to begin with.
        """
        resolved = ExpressionResolver(self.known, scope).value(expr)
        if isinstance(resolved, ast.Use) and not resolved.indices:
            initial = resolved.variable.initial
            resolved = initial[0] if initial else ast.Number(0)
            self.known.note(expr.span, f"{expr.span.text} stands for its initial value here")
        value = value_of(resolved)
        if value is None:
            raise fail(NOT_CONSTANT, "this is not a constant", expr.span)
        return value

    # -- variables

    def declare(self, declaration: ast.Declaration, scope: Scope, owner: Owner) -> list[Symbol]:
        """Declare all variables of a declaration in `scope`."""
        return [
            self.declare_one(declaration.type, declarator, scope, owner)
            for declarator in declaration.variables
        ]

    def declare_one(
        self, type_: ast.TypeName, declarator: ast.Declarator, scope: Scope, owner: Owner
    ) -> Symbol:
        """Declare a variable in `scope`."""
        self.check_new(declarator.name, scope, declarator.span)
        made = self.field(type_, declarator, scope)
        symbol = make_symbol(made, owner, declarator.span, declarator.name)
        scope.names[declarator.name] = symbol
        return symbol

    def check_new(self, name: str, scope: Scope, span: Span) -> None:
        """Complain about a name that is known already: as in Spin, in an outer block too."""
        if name in _SPECIAL_NAMES:
            raise fail(MISPLACED_SPECIAL, f"{name} cannot be declared", span)
        if scope.find(name) is not None or name in self.known.mtypes:
            hint = "an inner block cannot have a variable of that name either"
            raise fail(DECLARED_TWICE, f"{name} is declared twice", span, hint)

    def parameters(self, unit: ast.ProctypeDeclaration, scope: Scope) -> Iterator[ast.Variable]:
        """Declare the parameters of a proctype and yield them."""
        owner = Owner(unit.name, parameter=True)
        for declaration in unit.parameters:
            for declarator in declaration.variables:
                if declarator.length is not None:
                    message = f"{declarator.name}: an array cannot be a parameter"
                    raise fail(BAD_PARAMETER, message, declarator.span)
                if declarator.initial is not None:
                    message = f"{declarator.name}: a parameter has no initial value"
                    raise fail(BAD_PARAMETER, message, declarator.span)
                symbol = self.declare_one(declaration.type, declarator, scope, owner)
                if any(variable.dimensions for variable in symbol.variables):
                    message = f"{declarator.name}: a structure with arrays cannot be a parameter"
                    raise fail(BAD_PARAMETER, message, declarator.span)
                yield from symbol.variables


def _stored(fields: tuple[ChannelField, ...]) -> tuple[ChannelField, ...]:
    """Return the fields of a message as Spin stores them: a bit that is all of it takes a byte."""
    match fields:
        case (ChannelField(Basic.BIT | Basic.BOOL) as only,):
            return (replace(only, width=8),)
        case _:
            return fields
