"""Substitutions: one example each."""

from __future__ import annotations

import pytest

from secateur.lang.b.lex import lex
from secateur.lang.b.parse_substitution import SubstitutionParser
from secateur.lang.b.reread import as_substitution
from secateur.maths import substitution as sub
from secateur.maths.ast import Binder, Call, Field, Name, Number
from secateur.maths.parse import parse_formula
from secateur.maths.print_substitution import show_substitution
from secateur.maths.substitution import Assign, Branch, OperationCall, Skip, Substitution
from secateur.source import Source

x, y, p, q = Name("x"), Name("y"), Name("p"), Name("q")
S, T, U = (OperationCall((), name, ()) for name in "STU")
skip = Skip()


def parse(text: str) -> Substitution:
    parser = SubstitutionParser(lex(Source("s", text)))
    found = parser.substitution()
    assert parser.at == len(parser.kinds) - 1
    return found


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("skip", skip),
        ("x := 1", Assign((x,), (Number(1),))),
        ("x ≔ 1", Assign((x,), (Number(1),))),
        ("x, y := y, x", Assign((x, y), (y, x))),
        ("x(p)(q) := 1", Assign((Call(Call(x, (p,)), (q,)),), (Number(1),))),
        ("x'y := 1", Assign((Field(x, "y"),), (Number(1),))),
        ("x :: S", sub.BecomesElement((x,), Name("S"))),
        ("x, y :: S", sub.BecomesElement((x, y), Name("S"))),
        ("x :(p)", sub.BecomesSuch((x,), p)),
        ("x, y : (p)", sub.BecomesSuch((x, y), p)),
        ("S", S),
        ("M1.op(x, y)", OperationCall((), "M1.op", (x, y))),
        ("x, y <-- op(p)", OperationCall((x, y), "op", (p,))),
        ("BEGIN S END", S),
        ("PRE p THEN S END", sub.Precondition(p, S)),
        ("ASSERT p THEN S END", sub.Assertion(p, S)),
        ("SELECT p THEN S END", sub.Select((Branch(p, S),))),
        (
            "SELECT p THEN S WHEN q THEN T ELSE U END",
            sub.Select((Branch(p, S), Branch(q, T)), U),
        ),
        ("IF p THEN S END", sub.IfThen((Branch(p, S),))),
        (
            "IF p THEN S ELSIF q THEN T ELSE U END",
            sub.IfThen((Branch(p, S), Branch(q, T)), U),
        ),
        (
            "CASE x OF EITHER 1, y THEN S OR 2 THEN T ELSE U END END",
            sub.Case(x, (sub.CaseBranch((Number(1), y), S), sub.CaseBranch((Number(2),), T)), U),
        ),
        ("CHOICE S OR T OR U END", sub.Choice((S, T, U))),
        ("ANY x, y WHERE p THEN S END", sub.AnyWhere((Binder("x"), Binder("y")), p, S)),
        ("LET x BE p IN S END", sub.LetBe((Binder("x"),), p, S)),
        ("VAR x, y IN S END", sub.VarIn((Binder("x"), Binder("y")), S)),
        ("WHILE p DO S INVARIANT q VARIANT x END", sub.While(p, S, q, x)),
        ("WHILE p DO S VARIANT x INVARIANT q END", sub.While(p, S, q, x)),
        ("S || T || U", sub.Parallel((S, T, U))),
        ("S ; T ; U", sub.Sequential((S, T, U))),
        ("S || T ; U", sub.Sequential((sub.Parallel((S, T)), U))),
        ("S ; T || U", sub.Parallel((sub.Sequential((S, T)), U))),
        ("S || BEGIN T ; U END", sub.Parallel((S, sub.Sequential((T, U))))),
        ("BEGIN S; T; END", sub.Sequential((S, T))),
    ],
)
def test_constructs(text: str, tree: Substitution) -> None:
    assert parse(text) == tree
    assert parse(show_substitution(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "S",
        "f(x, y)",
        "(S || T || U)",
        "(S ; T ; U)",
        "IF p THEN S ELSE f(x) END",
        "LET x BE x = 1 IN S END",
        "x :(p)",
    ],
)
def test_formulas_that_read_as_substitutions(text: str) -> None:
    bare = text[1:-1] if text.startswith("(") else text
    assert as_substitution(parse_formula(text)) == parse(bare)


@pytest.mark.parametrize("text", ["x + 1", "1", "IF p THEN 1 ELSE S END", "x + 1 : S", "(S ; 1)"])
def test_formulas_that_do_not(text: str) -> None:
    assert as_substitution(parse_formula(text)) is None
