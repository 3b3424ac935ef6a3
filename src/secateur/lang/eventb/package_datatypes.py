"""Data types of the theories in a package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from secateur.lang.eventb.codes import UNSUPPORTED_THEORY
from secateur.lang.eventb.prolog import Term
from secateur.lang.eventb.theory import Definition, Theory
from secateur.maths.ast import Apply, Name
from secateur.maths.operators.datatypes import constructor, counted, destructor, values_of
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import (
    BOOL,
    INTEGER,
    DataType,
    DataTypeDeclaration,
    Power,
    Product,
    Type,
    Variable,
)
from secateur.source import InputError, Source, Span, fail


def read_datatypes(source: Source, terms: Iterable[Term], theory: Theory) -> None:
    """Add what `datatype(Name, Parameters, Constructors)` terms declare to `theory`."""
    usable = [t for t in terms if t.name == "datatype" and len(t.args) >= 3]
    declared = {t.args[0].name: _declaration(t) for t in usable}
    for term in usable:
        try:
            _fill(source, term, declared)
        except InputError as error:
            theory.reasons[term.args[0].name] = str(error)
            del declared[term.args[0].name]
    theory.datatypes.update(declared)
    for term in usable:
        found = declared.get(term.args[0].name)
        if found is not None:
            _define(found, term, theory)


def read_tags(terms: Iterable[Term], theory: Theory) -> None:
    """Add the operators that are given by axioms but tagged with what they are."""
    for term in terms:
        if term.name == "tag" and [a.name for a in term.args[1:]] == ["mkinat"]:
            numbers = [d for d in theory.datatypes.values() if _is_numbers(d)]
            if len(numbers) == 1:
                name = term.args[0].name
                _add(name, 1, counted(numbers[0], name), theory)


def _is_numbers(declaration: DataTypeDeclaration) -> bool:
    """Whether the data type has a zero and a successor, and nothing else."""
    match declaration.constructors:
        case ((_, ()), (_, (DataType(inner, ()),))):
            return inner is declaration
        case _:
            return False


def _declaration(term: Term) -> DataTypeDeclaration:
    parameters = (p.args[1].name for p in term.args[1].args)
    return DataTypeDeclaration(term.args[0].name, tuple(map(Variable, parameters)))


def _fill(source: Source, term: Term, declared: Mapping[str, DataTypeDeclaration]) -> None:
    declaration = declared[term.args[0].name]
    declaration.constructors = tuple(
        (c.args[0].name, tuple(type_of(source, d.args[1], declared) for d in c.args[1].args))
        for c in term.args[2].args
    )


def type_of(source: Source, term: Term, declared: Mapping[str, DataTypeDeclaration]) -> Type:
    """Return the type that a term of a theory stands for; its parameters become variables."""

    def inner(part: Term) -> Type:
        return type_of(source, part, declared)

    match term.name:
        case "identifier":
            return Variable(term.args[1].name)
        case "integer_set":
            return INTEGER
        case "bool_set":
            return BOOL
        case "pow_subset":
            return Power(inner(term.args[1]))
        case "cartesian_product":
            return Product(inner(term.args[1]), inner(term.args[2]))
        case "typeof":
            return inner(term.args[1])
        case "extended_expr" if term.args[1].name in declared:
            return DataType(declared[term.args[1].name], tuple(map(inner, term.args[2].args)))
        case _:
            message = f"'{term.name}' in a data type is not supported"
            raise fail(UNSUPPORTED_THEORY, message, Span(source, term.start, term.end))


def _define(declaration: DataTypeDeclaration, term: Term, theory: Theory) -> None:
    _add(declaration.name, len(declaration.parameters), values_of(declaration), theory)
    for number, each in enumerate(term.args[2].args):
        arguments = each.args[1].args
        _add(each.args[0].name, len(arguments), constructor(declaration, number), theory)
        for place, argument in enumerate(arguments):
            name = argument.args[0].name
            _add(name, 1, destructor(declaration, name, number, place), theory)


def _add(name: str, count: int, operator: Operator, theory: Theory) -> None:
    parameters = tuple(f"a{n}" for n in range(1, count + 1))
    body = Apply(operator, tuple(map(Name, parameters)))
    theory.definitions[name] = Definition(name, parameters, body)
