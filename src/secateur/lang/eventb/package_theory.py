"""The theories that a package carries with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from secateur.lang.eventb.package_datatypes import read_datatypes, read_tags
from secateur.lang.eventb.package_formula import Formulas
from secateur.lang.eventb.package_recursive import read_by_cases
from secateur.lang.eventb.prolog import Term
from secateur.lang.eventb.standard import STANDARD, recognised
from secateur.lang.eventb.theory import Definition, Theory
from secateur.maths.ast import Apply, Expr, Name, SetDisplay, free_names, rebuild
from secateur.maths.operators.eventb import OF_TYPE, WHOLE_TYPE
from secateur.maths.operators.relations import DOMAIN, RANGE
from secateur.maths.operators.sets import GENERALIZED_UNION
from secateur.maths.replace import Replacement
from secateur.source import InputError, Source


def read_theories(source: Source, parts: Iterable[Term]) -> Theory:
    """Return what the theories among `parts` define; proofs are passed over."""
    theory = Theory(dict(STANDARD))
    theories = list(_theories(parts))
    for term in theories:
        for each in _entries(term):
            _note(each, theory)
    entries = [e for term in theories for e in _entries(term)]
    read_datatypes(source, entries, theory)
    read_tags(entries, theory)
    waiting = [
        (each, _type_parameters(term))
        for term in theories
        for each in _entries(term)
        if each.name == "operator" and len(each.args) >= 5
    ]
    for each, _ in waiting:
        theory.definitions.pop(each.args[0].name, None)
    progress = True
    while progress:  # an operator may use others that are defined further on
        left = [(e, types) for e, types in waiting if not _operator(source, e, theory, types)]
        progress = len(left) < len(waiting)
        waiting = left
    return theory


def _theories(parts: Iterable[Term]) -> Iterator[Term]:
    for part in parts:
        if part.is_list:
            yield from (t for t in part.args if t.name == "theory")


def _entries(theory: Term) -> Iterator[Term]:
    for part in theory.args:
        if part.is_list:
            yield from (each for each in part.args if each.args)


def _type_parameters(theory: Term) -> frozenset[str]:
    lists = (part for part in theory.args if part.is_list)
    return frozenset(p.name for part in lists for p in part.args if not p.args)


def _note(term: Term, theory: Theory) -> None:
    """Remember why what has no direct definition cannot be used."""
    match term.name:
        case "datatype" if len(term.args) >= 3:
            _note_datatype(term, theory)
        case "axiomatic_def_block":
            for each in _entries(term):
                if each.name == "opdef":
                    theory.reasons[each.args[0].name] = "it is defined by axioms only"
        case "operator" if len(term.args) >= 5 and not term.args[3].args:
            theory.reasons[term.args[0].name] = "it is defined by cases over a data type"


def _note_datatype(term: Term, theory: Theory) -> None:
    name = term.args[0].name
    theory.reasons[name] = "it is a data type"
    for constructor in term.args[2].args:
        for part in (constructor, *constructor.args[1].args):
            theory.reasons[part.args[0].name] = f"it belongs to the data type {name}"


def _operator(source: Source, term: Term, theory: Theory, types: frozenset[str]) -> bool:
    """Read `operator(Name, Arguments, Condition, [Definition], Cases)`; say whether it is done."""
    name = term.args[0].name
    if not term.args[3].args:
        return _by_cases(source, term, theory, types)
    formulas = Formulas(Source(source.name, source.text, f"theory operator {name}"), theory)
    parameters = tuple(a.args[0].name for a in term.args[1].args)
    try:
        body = formulas.expression(term.args[3].args[0])
        known = _known_types(term.args[1].args, formulas, types)
    except InputError as error:
        theory.reasons[name] = str(error)
        return False
    body = _without(types - known.keys(), body)
    body = Replacement(known).in_expression(body)
    if free_names(body) & types - set(parameters):
        theory.reasons[name] = "its operands do not tell its type parameters"
    else:
        theory.definitions[name] = recognised(Definition(name, parameters, body))
    return True


def _by_cases(source: Source, term: Term, theory: Theory, types: frozenset[str]) -> bool:
    name = term.args[0].name
    if not term.args[4].args:
        return True
    try:
        theory.definitions[name] = read_by_cases(source, term, theory, types)
    except InputError as error:
        theory.reasons[name] = str(error)
        return False
    except (IndexError, KeyError, ValueError):
        theory.reasons[name] = "its definition has a shape that is not known"
        return True
    return True


def _known_types(
    arguments: Iterable[Term], formulas: Formulas, types: frozenset[str]
) -> dict[str, Expr]:
    """Return the type parameters that the arguments tell, as sets made from these."""
    found: dict[str, Expr] = {}
    for argument in arguments:
        name = Name(argument.args[0].name)
        for parameter, values in _parts(argument.args[1], SetDisplay((name,)), formulas):
            if parameter in types:
                found.setdefault(parameter, Apply(WHOLE_TYPE, (values,)))
    return found


def _parts(type_: Term, values: Expr, formulas: Formulas) -> Iterator[tuple[str, Expr]]:
    """Yield the names in a type with expressions for some set of that type's values."""
    match type_.name:
        case "identifier":
            yield formulas.name(type_).text, values
        case "pow_subset":
            yield from _parts(type_.args[1], Apply(GENERALIZED_UNION, (values,)), formulas)
        case "cartesian_product":
            yield from _parts(type_.args[1], Apply(DOMAIN, (values,)), formulas)
            yield from _parts(type_.args[2], Apply(RANGE, (values,)), formulas)


def _without(types: frozenset[str], e: Expr) -> Expr:
    """Return `e` without the typings of generic constants by types that are not known."""
    if isinstance(e, Apply) and e.operator is OF_TYPE and free_names(e.args[1]) & types:
        return _without(types, e.args[0])
    return rebuild(e, lambda inner: _without(types, inner))
