"""Printing: what is printed parses back to the same tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Name
from secateur.maths.grammar import FORMULAS
from secateur.maths.operators.protocol import Fixity
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.parse import parse_formula
from secateur.maths.print import show, show_value
from secateur.maths.values import Element, FreeValue, record

_NAMES = st.sampled_from(["x", "y1", "Set", "δ", "a.b", "card", "odd name", "floor", "END", "x_2"])
_FIELDS = st.sampled_from(["x", "y1", "Set"])
_BINDERS = st.lists(_NAMES.map(Binder), min_size=1, max_size=3, unique=True).map(tuple)

_LEAVES: st.SearchStrategy[Expr] = st.one_of(
    _NAMES.map(Name),
    _NAMES.map(ast.Before),
    st.integers(0, 10**20).map(ast.Number),
    st.floats(0, allow_nan=False, allow_infinity=False).map(ast.RealNumber),
    st.text(max_size=5).map(ast.Text),
    st.sampled_from([o for o in OPERATORS if o.fixity is Fixity.CONSTANT and str(o) != "∅"]).map(
        ast.Apply
    ),
)


def _several(inner: st.SearchStrategy[Expr], least: int) -> st.SearchStrategy[tuple[Expr, ...]]:
    return st.lists(inner, min_size=least, max_size=3).map(tuple)


def _applied(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    """Every operator of the registry with as many operands as it takes."""

    def operands(operator_: object) -> st.SearchStrategy[Expr]:
        operator = next(o for o in OPERATORS if o is operator_)
        meaning = (operator.overloads or (operator,))[0]
        assert meaning.signature is not None
        count = 3 if operator.variadic else len(meaning.signature.operands)
        return st.tuples(*[inner] * count).map(lambda args: ast.Apply(operator, args))

    return st.sampled_from([o for o in OPERATORS if o.fixity is not Fixity.CONSTANT]).flatmap(
        operands
    )


def _flat(node: type[ast.And] | type[ast.Or], parts: tuple[Expr, ...]) -> Expr:
    return node(tuple(q for p in parts for q in (p.parts if isinstance(p, node) else (p,))))


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    fields = st.lists(st.tuples(_FIELDS, inner), min_size=1, max_size=2).map(tuple)
    return st.one_of(
        _applied(inner),
        _several(inner, 2).map(lambda parts: _flat(ast.And, parts)),
        _several(inner, 2).map(lambda parts: _flat(ast.Or, parts)),
        st.builds(ast.Implies, inner, inner),
        st.builds(ast.Equivalent, inner, inner),
        st.builds(ast.Not, inner),
        st.builds(ast.Bool, inner),
        st.builds(ast.Call, inner, _several(inner, 1)),
        st.builds(ast.SetDisplay, _several(inner, 0)),
        st.builds(ast.SequenceDisplay, _several(inner, 0)),
        st.builds(ast.Forall, _BINDERS, inner),
        st.builds(ast.Exists, _BINDERS, inner),
        st.builds(ast.Comprehension, _BINDERS, inner),
        st.builds(ast.Comprehension, _BINDERS, inner, inner),
        st.builds(ast.Lambda, _BINDERS, inner, inner),
        st.builds(ast.Quantified, st.sampled_from(ast.Quantifier), _BINDERS, inner, inner),
        st.builds(ast.If, inner, inner, inner),
        st.builds(ast.Let, _BINDERS, inner, inner),
        st.builds(ast.Record, fields),
        st.builds(ast.RecordSet, fields),
        st.builds(ast.Field, inner, _FIELDS),
        st.builds(ast.Labelled, st.sampled_from(["inv1", "two words"]), inner),
    )


expressions = st.recursive(_LEAVES, _larger, max_leaves=12)


@settings(max_examples=200, deadline=None)
@given(expressions)
def test_what_is_shown_parses_back(e: Expr) -> None:
    assert parse_formula(show(e)) == e


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda o: o.name)
def test_every_spelling_of_every_operator_is_known(operator: object) -> None:
    (known,) = (o for o in OPERATORS if o is operator)
    for spelling in known.spellings:
        assert known.name == "image" or spelling in {
            *FORMULAS.lexicon.words,
            *FORMULAS.lexicon.symbols,
        }


@pytest.mark.parametrize(
    "text",
    [
        "x + y * z",
        "(x + y) * z",
        "x - (y - z)",
        "2 ** (3 ** 4) ** 5",
        "not(x = y) & (p or q)",
        "(p => q) <=> r",
        "{x,y | x : S & y : T}",
        "f(x)(y)",
        "(f ; g)(x)",
        "(f \\/ g)~[{x}]",
        "%(x,y).(x : S | y)",
        "-(x + y)",
    ],
)
def test_parentheses_are_those_needed(text: str) -> None:
    again = show(parse_formula(text))
    assert parse_formula(again) == parse_formula(text)
    assert len(again) <= len(text)


def test_values() -> None:
    red, green = Element(0, "red", "Colour"), Element(1, "green", "Colour")
    shown = {
        "1": 1,
        "-5": -5,
        "TRUE": True,
        "FALSE": False,
        '"a\\"b"': 'a"b',
        "1.5": 1.5,
        "1.0e+20": 1e20,
        "{}": frozenset(),
        "{1,2,10}": frozenset({10, 2, 1}),
        "{red,green}": frozenset({green, red}),
        "(1|->TRUE)": (1, True),
        "(1|->2|->3)": ((1, 2), 3),
        "(1|->(2|->3))": (1, (2, 3)),
        "[red,green]": frozenset({(2, green), (1, red)}),
        "{(2|->red),(3|->green)}": frozenset({(2, red), (3, green)}),
        "{(TRUE|->1)}": frozenset({(True, 1)}),
        "rec(a:1,b:{2})": record({"b": frozenset({2}), "a": 1}),
        "cons(3)": FreeValue(1, "cons", 3),
        "nil": FreeValue(0, "nil"),
    }
    assert {show_value(value): value for value in shown.values()} == shown
    assert [show_value(value) for value in shown.values()] == list(shown)
