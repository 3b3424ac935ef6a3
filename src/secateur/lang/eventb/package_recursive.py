"""Operators of theories that are defined case by case over a data type, mostly by recursion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from secateur.lang.eventb.codes import UNSUPPORTED_THEORY
from secateur.lang.eventb.package_datatypes import type_of
from secateur.lang.eventb.package_formula import Formulas
from secateur.lang.eventb.prolog import Term
from secateur.lang.eventb.theory import Definition, Theory
from secateur.maths.ast import Apply, Binder, Expr, Name, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import FAULTS, GAPS, Code
from secateur.maths.evaluate.universe import Universe
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate
from secateur.maths.operators.build import call, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.symbolic.datatypes import OpenType, arguments_of
from secateur.maths.types import (
    PREDICATE,
    DataType,
    Given,
    Power,
    Product,
    Type,
    Variable,
)
from secateur.maths.values import FreeValue, IllDefined, Undecided, Value
from secateur.source import InputError, Source, Span, fail
from secateur.source.records import dataclass


@dataclass(slots=True)
class _Case:
    """What the operator means for the values that one constructor makes."""

    constructor: str
    names: tuple[str, ...]
    types: tuple[Type, ...]
    body: Term


class _ByCases:
    """The function itself; its cases are compiled once all operators are known."""

    def __init__(self, name: str, place: int) -> None:
        self.name = name
        self.place = place
        self.compilers: dict[str, tuple[Compiler, tuple[str, ...]]] = {}
        self.bodies: dict[str, Expr] = {}
        self._codes: dict[str, Code] = {}

    def __call__(self, *values: Value) -> Value:
        subject: FreeValue = values[self.place]
        constructor = subject.constructor
        if constructor not in self.bodies:
            raise IllDefined(f"{self.name} has no case for {constructor}")
        compiler, names = self.compilers[constructor]
        if constructor not in self._codes:
            self._codes[constructor] = compiler.code(self.bodies[constructor])
        parts = arguments_of(subject, len(names) - len(values))
        env = compiler.environment(None, zip(names, (*values, *parts), strict=True))
        result = self._codes[constructor](env)
        if env[GAPS] or env[FAULTS]:
            raise Undecided(f"{self.name} cannot be computed without trying unbounded values")
        return result


def read_by_cases(
    source: Source, term: Term, theory: Theory, generic: frozenset[str]
) -> Definition:
    """Return `operator(Name, Arguments, Condition, [], Cases)`; raise InputError.

    `generic` are the names of the theory's type parameters.
    """
    return _Reader(source, term, theory, generic).definition()


class _Reader:
    def __init__(self, source: Source, term: Term, theory: Theory, generic: frozenset[str]) -> None:
        self.generic = generic
        self.name = term.args[0].name
        self.source = Source(source.name, source.text, f"theory operator {self.name}")
        self.theory = theory
        arguments = term.args[1].args
        self.parameters = tuple(a.args[0].name for a in arguments)
        self.types = tuple(type_of(source, a.args[1], theory.datatypes) for a in arguments)
        self.place, self.cases = self._cases(term.args[4].args)
        self.function = _ByCases(self.name, self.place)
        self.told: tuple[str, ...] = ()
        """The type parameters whose sets of values the function gets after its arguments."""

    def definition(self) -> Definition:
        """Return the operator with the type that its cases have."""
        guess = self._operator(Variable("result of " + self.name))
        base = next((c for c in self.cases if not _mentions(c.body, self.name)), self.cases[0])
        if self._infer([base], guess)[1] is PREDICATE:
            result: Type = PREDICATE
        else:
            result = _generic(self._infer(self.cases, guess)[1])
        bodies = self._elaborated(self._operator(result))
        self.told = self._type_parameters(bodies)
        operator = self._operator(result)
        if self.told:
            bodies = self._elaborated(operator)
        universe = Universe(sets={t: OpenType(t) for t in self.generic})
        for case, body in zip(self.cases, bodies, strict=True):
            names = (*self.parameters, *self.told, *case.names)
            compiler = Compiler(universe).bind([Binder(n) for n in names])
            self.function.compilers[case.constructor] = (compiler, names)
            self.function.bodies[case.constructor] = body
        return self._definition(operator)

    def _elaborated(self, operator: Operator) -> list[Expr]:
        inference, _, bodies = self._infer(self.cases, operator)
        typed = [elaborate(body, inference) for body in bodies]
        inference.finish()
        return typed

    def _type_parameters(self, bodies: Sequence[Expr]) -> tuple[str, ...]:
        """Return the type parameters whose sets of values the bodies use."""
        needed: set[str] = set()
        for case, body in zip(self.cases, bodies, strict=True):
            needed |= free_names(body) - {*self.parameters, *case.names}
        known = frozenset[str]().union(*map(_variables, self.types))
        if not needed <= self.generic & known:
            raise self._unsupported("its operands do not tell its type parameters")
        return tuple(sorted(needed))

    def _cases(self, terms: Sequence[Term]) -> tuple[int, list[_Case]]:
        place = self.parameters.index(terms[0].args[0].name)
        subject = self.types[place]
        if not isinstance(subject, DataType):
            raise self._unsupported("its cases are not those of a data type")
        given = zip(subject.declaration.parameters, subject.arguments, strict=True)
        arguments = {parameter.name: argument for parameter, argument in given}
        types = dict(subject.declaration.constructors)
        found = []
        for term in terms:
            pattern = _untyped(term.args[2])
            constructor = pattern.args[1].name
            names = tuple(_untyped(p).args[1].name for p in pattern.args[2].args)
            inside = tuple(_filled(t, arguments) for t in types[constructor])
            found.append(_Case(constructor, names, inside, term.args[3]))
        return place, found

    def _operator(self, result: Type) -> Operator:
        typing = signature(*self.types, result)
        operator = partial(call(self.name, self.name, typing, self.function))
        return replace(operator, carriers=tuple(map(Variable, self.told)))

    def _definition(self, operator: Operator) -> Definition:
        body = Apply(operator, tuple(map(Name, self.parameters)))
        return Definition(self.name, self.parameters, body)

    def _infer(
        self, cases: Sequence[_Case], operator: Operator
    ) -> tuple[Inference, Type, list[Expr]]:
        """Return the common type of the cases, in which `operator` is the one being defined."""
        known = {**self.theory.definitions, self.name: self._definition(operator)}
        formulas = Formulas(self.source, replace(self.theory, definitions=known))
        inference = Inference()
        result: Type = inference.types.fresh()
        bodies = []
        for case in cases:
            names = zip((*self.parameters, *case.names), (*self.types, *case.types), strict=True)
            scope = {
                **{parameter: Power(Given(parameter)) for parameter in self.generic},
                **{name: _rigid(t) for name, t in names},
            }
            body = formulas.expression(case.body)
            found = inference.infer(body, scope)
            if found is PREDICATE:
                result = PREDICATE
            elif not inference.types.unify(found, result, body.span):
                raise self._unsupported("its cases have different types")
            bodies.append(body)
        inference.settle()
        inference.finish()
        return inference, inference.types.resolve(result), bodies

    def _unsupported(self, reason: str) -> InputError:
        return fail(UNSUPPORTED_THEORY, reason, Span(self.source, 0, 0))


def _untyped(term: Term) -> Term:
    return _untyped(term.args[1]) if term.name == "typeof" else term


def _mentions(term: Term, name: str) -> bool:
    called = term.name in {"extended_expr", "extended_pred"} and term.args[1].name == name
    return called or any(_mentions(a, name) for a in term.args)


def _filled(type_: Type, arguments: dict[str, Type]) -> Type:
    """Return `type_` with types for its variables."""
    match type_:
        case Variable(name):
            return arguments.get(name, type_)
        case Power(element):
            return Power(_filled(element, arguments))
        case Product(left, right):
            return Product(_filled(left, arguments), _filled(right, arguments))
        case DataType(declaration, inner):
            return DataType(declaration, tuple(_filled(t, arguments) for t in inner))
        case _:
            return type_


def _rigid(type_: Type) -> Type:
    """Return `type_` with its parameters as types that nothing else is equal to."""
    match type_:
        case Variable(name):
            return Given(name)
        case Power(element):
            return Power(_rigid(element))
        case Product(left, right):
            return Product(_rigid(left), _rigid(right))
        case DataType(declaration, inner):
            return DataType(declaration, tuple(map(_rigid, inner)))
        case _:
            return type_


def _variables(type_: Type) -> frozenset[str]:
    """Return the names of the type parameters in `type_`."""
    match type_:
        case Variable(name):
            return frozenset({name})
        case Power(element):
            return _variables(element)
        case Product(left, right):
            return _variables(left) | _variables(right)
        case DataType(_, inner):
            return frozenset[str]().union(*map(_variables, inner))
        case _:
            return frozenset()


def _generic(type_: Type) -> Type:
    """Return `type_` with its parameters free again."""
    match type_:
        case Given(name):
            return Variable(name)
        case Power(element):
            return Power(_generic(element))
        case Product(left, right):
            return Product(_generic(left), _generic(right))
        case DataType(declaration, inner):
            return DataType(declaration, tuple(map(_generic, inner)))
        case _:
            return type_
