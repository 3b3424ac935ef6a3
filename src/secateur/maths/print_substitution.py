"""Substitutions as text, on one line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from secateur.maths import substitution as sub
from secateur.maths.ast import Expr
from secateur.maths.print import OPEN, show, show_name, show_names
from secateur.maths.substitution import Substitution


def show_substitution(s: Substitution) -> str:
    """Return `s` as B writes it."""
    match s:
        case sub.Skip() | sub.Assign() | sub.BecomesElement() | sub.BecomesSuch():
            return _simple(s)
        case sub.OperationCall():
            return _call(s)
        case sub.Precondition(condition, body):
            return f"PRE {_open(condition)} THEN {show_substitution(body)} END"
        case sub.Assertion(condition, body):
            return f"ASSERT {_open(condition)} THEN {show_substitution(body)} END"
        case sub.Select() | sub.IfThen() | sub.Case() | sub.Choice():
            return _branching(s)
        case sub.AnyWhere() | sub.LetBe() | sub.VarIn():
            return _local(s)
        case sub.Parallel(parts):
            return " || ".join(map(_part, parts))
        case sub.Sequential(parts):
            return " ; ".join(map(_part, parts))
        case sub.While(condition, body, invariant, variant):
            loop = f"WHILE {_open(condition)} DO {show_substitution(body)}"
            return f"{loop} INVARIANT {_open(invariant)} VARIANT {_open(variant)} END"
        case _:
            assert_never(s)


def _open(e: Expr) -> str:
    return show(e, OPEN)


def _list(items: Iterable[Expr]) -> str:
    return ", ".join(map(_open, items))


def _part(s: Substitution) -> str:
    text = show_substitution(s)
    return f"BEGIN {text} END" if isinstance(s, sub.Parallel | sub.Sequential) else text


def _simple(s: sub.Skip | sub.Assign | sub.BecomesElement | sub.BecomesSuch) -> str:
    match s:
        case sub.Skip():
            return "skip"
        case sub.Assign(targets, values):
            return f"{_list(targets)} := {_list(values)}"
        case sub.BecomesElement(targets, found):
            return f"{_list(targets)} :: {_open(found)}"
        case sub.BecomesSuch(targets, condition):
            return f"{_list(targets)} :({show(condition)})"
        case _:
            assert_never(s)


def _call(s: sub.OperationCall) -> str:
    results = f"{_list(s.targets)} <-- " if s.targets else ""
    args = f"({', '.join(map(show, s.args))})" if s.args else ""
    return f"{results}{show_name(s.operation)}{args}"


def _branching(s: sub.Select | sub.IfThen | sub.Case | sub.Choice) -> str:
    match s:
        case sub.Select(branches, otherwise):
            return f"SELECT {_branches(branches, ' WHEN ')}{_otherwise(otherwise)} END"
        case sub.IfThen(branches, otherwise):
            return f"IF {_branches(branches, ' ELSIF ')}{_otherwise(otherwise)} END"
        case sub.Choice(bodies):
            return f"CHOICE {' OR '.join(map(show_substitution, bodies))} END"
        case sub.Case(subject, branches, otherwise):
            cases = " OR ".join(
                f"{_list(b.values)} THEN {show_substitution(b.body)}" for b in branches
            )
            return f"CASE {_open(subject)} OF EITHER {cases}{_otherwise(otherwise)} END END"
        case _:
            assert_never(s)


def _branches(branches: Iterable[sub.Branch], between: str) -> str:
    return between.join(f"{_open(b.condition)} THEN {show_substitution(b.body)}" for b in branches)


def _otherwise(body: Substitution | None) -> str:
    return "" if body is None else f" ELSE {show_substitution(body)}"


def _local(s: sub.AnyWhere | sub.LetBe | sub.VarIn) -> str:
    names, body = show_names(s.binders), show_substitution(s.body)
    match s:
        case sub.AnyWhere(_, condition, _):
            return f"ANY {names} WHERE {_open(condition)} THEN {body} END"
        case sub.LetBe(_, condition, _):
            return f"LET {names} BE {_open(condition)} IN {body} END"
        case sub.VarIn():
            return f"VAR {names} IN {body} END"
        case _:
            assert_never(s)
