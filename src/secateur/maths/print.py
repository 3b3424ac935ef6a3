"""Formulas, substitutions and values in ASCII B, with no more parentheses than needed.

`parse_formula(show(e)) == e` for every `e` that the parser makes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, assert_never

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr
from secateur.maths.grammar import CONNECTIVES, FORMULAS
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.print_value import quoted, show_value

__all__ = ["show", "show_name", "show_names", "show_value"]

_LABEL: Final = 41
_TIGHTEST: Final = 240
"""Stronger than any infix or prefix: an operand that can be called or indexed."""
_ATOM: Final = 1000

_PRIORITIES: Final = {infix.spelling: infix.priority for infix in CONNECTIVES}
_RESERVED: Final = frozenset(FORMULAS.lexicon.words)


def show(e: Expr, minimum: int = 0) -> str:
    """Return `e` as text, in parentheses if it binds less strongly than `minimum`.

    Outside of brackets a semicolon separates, so callers that put a formula there pass
    `OPEN`.
    """
    text, priority = _shown(e)
    return text if priority >= minimum else f"({text})"


OPEN: Final = 21
"""The least priority that needs no parentheses where `;` and `||` mean something else."""


def show_name(name: str) -> str:
    """Return an identifier, in backquotes where it needs them."""
    return ".".join(map(_show_part, name.split(".")))


def _show_part(part: str) -> str:
    plain = part.isidentifier() and part not in _RESERVED
    return part if plain else f"`{part}`"


def show_names(binders: Iterable[Binder]) -> str:
    """Return bound identifiers separated by commas."""
    return ",".join(show_name(b.name) for b in binders)


def _list(items: Iterable[Expr]) -> str:
    return ",".join(map(show, items))


def _fields(fields: Iterable[tuple[str, Expr]]) -> str:
    return ",".join(f"{show_name(name)}:{show(value)}" for name, value in fields)


def _shown(e: Expr) -> tuple[str, int]:
    """Return `e` as text without parentheses around it, and how strongly it binds."""
    match e:
        case ast.Apply():
            return _apply(e)
        case ast.And(parts):
            return " & ".join(show(p, 41) for p in parts), _PRIORITIES["&"]
        case ast.Or(parts):
            return " or ".join(show(p, 41) for p in parts), _PRIORITIES["or"]
        case ast.Implies(left, right):
            return _connective(left, "=>", right)
        case ast.Equivalent(left, right):
            return _connective(left, "<=>", right)
        case ast.Labelled(label, body):
            return f"/*@label {label} */ {show(body, _LABEL)}", _LABEL
        case _:
            return _atom(e), _ATOM


def _connective(left: Expr, symbol: str, right: Expr) -> tuple[str, int]:
    priority = _PRIORITIES[symbol]
    return f"{show(left, priority)} {symbol} {show(right, priority + 1)}", priority


_Atom = (
    ast.Name
    | ast.Before
    | ast.Number
    | ast.RealNumber
    | ast.Text
    | ast.Call
    | ast.SetDisplay
    | ast.SequenceDisplay
    | ast.Not
    | ast.Bool
    | ast.Forall
    | ast.Exists
    | ast.Comprehension
    | ast.Lambda
    | ast.Quantified
    | ast.If
    | ast.Let
    | ast.Record
    | ast.RecordSet
    | ast.Field
)


def _atom(e: _Atom) -> str:
    match e:
        case ast.Name(text):
            return show_name(text)
        case ast.Before(text):
            return f"{show_name(text)}$0"
        case ast.Number(value):
            return str(value)
        case ast.RealNumber(value):
            return show_value(value)
        case ast.Text(value):
            return quoted(value)
        case ast.Call(function, args):
            return f"{show(function, _TIGHTEST)}({_list(args)})"
        case ast.SetDisplay(items):
            return f"{{{_list(items)}}}"
        case ast.SequenceDisplay(items):
            return f"[{_list(items)}]"
        case ast.Not(body):
            return f"not({show(body)})"
        case ast.Bool(predicate):
            return f"bool({show(predicate)})"
        case ast.If(condition, then, otherwise):
            return f"IF {show(condition)} THEN {show(then)} ELSE {show(otherwise)} END"
        case ast.Record(fields):
            return f"rec({_fields(fields)})"
        case ast.RecordSet(fields):
            return f"struct({_fields(fields)})"
        case ast.Field(record, name):
            return f"{show(record, _TIGHTEST)}'{show_name(name)}"
        case _:
            return _binding(e)


def _binding(e: ast.Binding) -> str:
    names = show_names(e.binders)
    quantified = f"({names})" if len(e.binders) > 1 else names
    match e:
        case ast.Forall(_, body):
            return f"!{quantified}.({show(body)})"
        case ast.Exists(_, body):
            return f"#{quantified}.({show(body)})"
        case ast.Comprehension(_, condition, None):
            return f"{{{names} | {show(condition)}}}"
        case ast.Comprehension(_, condition, value) if value is not None:
            return f"{{{names} . {show(condition)} | {show(value)}}}"
        case ast.Lambda(_, condition, value):
            return f"%{quantified}.({show(condition)} | {show(value)})"
        case ast.Quantified(quantifier, _, condition, value):
            return f"{quantifier.value}({names}).({show(condition)} | {show(value)})"
        case ast.Let(_, condition, body):
            return f"LET {names} BE {show(condition)} IN {show(body)} END"
        case _:
            raise AssertionError(e)


def _apply(e: ast.Apply) -> tuple[str, int]:
    operator, args = e.operator, e.args
    spelling = str(operator)
    match operator.fixity:
        case Fixity.INFIX:
            return _infix(operator, *args)
        case Fixity.PREFIX:
            return f"{spelling}{show(args[0], operator.priority)}", operator.priority
        case Fixity.POSTFIX if len(args) == 2:
            return f"{show(args[0], _TIGHTEST)}[{show(args[1])}]", _ATOM
        case Fixity.POSTFIX:
            return f"{show(args[0], _TIGHTEST)}{spelling}", _ATOM
        case Fixity.CALL:
            return f"{spelling}({_list(args)})", _ATOM
        case Fixity.CONSTANT:
            return ("{}" if spelling == "∅" else spelling), _ATOM
        case _:
            assert_never(operator.fixity)


def _infix(operator: Operator, left: Expr, right: Expr) -> tuple[str, int]:
    infix = FORMULAS.enclosed[str(operator)]
    priority = infix.priority
    to_left = priority + (infix.right_associative or infix.comparison)
    to_right = priority + (not infix.right_associative)
    return f"{show(left, to_left)} {operator} {show(right, to_right)}", priority
