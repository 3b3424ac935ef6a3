"""The theories that a package carries with it."""

from __future__ import annotations

from collections.abc import Iterable

from secateur.lang.eventb.package_formula import Formulas
from secateur.lang.eventb.prolog import Term
from secateur.lang.eventb.theory import Definition, Theory
from secateur.source import InputError, Source


def read_theories(source: Source, parts: Iterable[Term]) -> Theory:
    """Return what the theories among `parts` define; proofs are passed over."""
    theory = Theory()
    for term in _theories(parts):
        _read(source, term, theory)
    return theory


def _theories(parts: Iterable[Term]) -> Iterable[Term]:
    for part in parts:
        if part.is_list:
            yield from (t for t in part.args if t.name == "theory")


def _read(source: Source, term: Term, theory: Theory) -> None:
    for part in term.args:
        for each in part.args if part.is_list else ():
            match each.name:
                case "operator" if len(each.args) >= 5:
                    _operator(source, each, theory)
                case "datatype" if len(each.args) >= 3:
                    _datatype(each, theory)
                case "axiomatic_def_block":
                    _axiomatic(each, theory)


def _operator(source: Source, term: Term, theory: Theory) -> None:
    """Read `operator(Name, Arguments, Condition, [Definition], Cases)`."""
    name = term.args[0].name
    if not term.args[3].args:
        theory.reasons[name] = "it is defined by cases over a data type"
        return
    formulas = Formulas(Source(f"{source.name} (theory operator {name})", source.text), theory)
    parameters = tuple(a.args[0].name for a in term.args[1].args)
    try:
        body = formulas.expression(term.args[3].args[0])
    except InputError as error:
        theory.reasons[name] = str(error)
        return
    theory.definitions[name] = Definition(name, parameters, body)


def _datatype(term: Term, theory: Theory) -> None:
    name = term.args[0].name
    theory.reasons[name] = "it is a data type"
    for constructor in term.args[2].args:
        theory.reasons[constructor.args[0].name] = f"it belongs to the data type {name}"
        for destructor in constructor.args[1].args:
            theory.reasons[destructor.args[0].name] = f"it belongs to the data type {name}"


def _axiomatic(term: Term, theory: Theory) -> None:
    for part in term.args:
        for each in part.args if part.is_list else ():
            if each.name == "opdef":
                theory.reasons[each.args[0].name] = "it is defined by axioms only"
