"""Type inference on trees built by hand."""

from __future__ import annotations

import itertools

import pytest

from secateur.maths.ast import (
    And,
    Apply,
    Before,
    Binder,
    Call,
    Comprehension,
    Exists,
    Expr,
    Field,
    Forall,
    If,
    Lambda,
    Let,
    Name,
    Number,
    Quantified,
    Quantifier,
    Record,
    SequenceDisplay,
    SetDisplay,
    Text,
)
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate
from secateur.maths.infer_findings import Scope
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.types import BOOL, INTEGER, STRING, Given, Power, Struct, Type, relation

S = Given("S")


def op(spelling: str, *args: Expr) -> Apply:
    """Return the operator of that spelling, applied; the overloaded one if there is one."""
    found = [o for o in OPERATORS if spelling in o.spellings]
    best = max(found, key=lambda o: bool(o.overloads))
    return Apply(best, args)


def typed(e: Expr, /, **scope: Type) -> tuple[Expr, Inference]:
    """Infer and elaborate `e`."""
    inference = Inference()
    inference.infer(e, scope)
    inference.settle()
    return elaborate(e, inference), inference


def messages(e: Expr, /, **scope: Type) -> list[str]:
    """Return the complaints about `e`."""
    return [d.message for d in typed(e, **scope)[1].diagnostics]


def type_of(e: Expr, scope: Scope) -> Type:
    """Return the type of `e`."""
    inference = Inference()
    found = inference.infer(e, scope)
    inference.settle()
    inference.finish()
    return inference.types.resolve(found)


def x_and(*parts: Expr) -> Expr:
    """Return `{x | parts}`."""
    return Comprehension((Binder("x"),), And(parts))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (SetDisplay((Number(1), Number(2))), Power(INTEGER)),
        (SequenceDisplay((Text("a"),)), relation(INTEGER, STRING)),
        (op("+", Number(1), Number(2)), INTEGER),
        (op("-", Name("s"), Name("s")), Power(S)),
        (op("*", Name("s"), SetDisplay((Number(1),))), relation(S, INTEGER)),
        (Call(Name("f"), (Name("e"),)), INTEGER),
        (Record((("b", Number(1)), ("a", Text("")))), Struct((("a", STRING), ("b", INTEGER)))),
        (Field(Record((("b", Number(1)),)), "b"), INTEGER),
        (If(op("=", Name("e"), Name("e")), Number(1), Number(2)), INTEGER),
        (
            Lambda((Binder("x"),), op(":", Name("x"), Name("s")), Number(1)),
            relation(S, INTEGER),
        ),
        (
            Quantified(
                Quantifier.UNION,
                (Binder("x"),),
                op(":", Name("x"), Name("s")),
                SetDisplay((Name("x"),)),
            ),
            Power(S),
        ),
        (Before("e"), S),
    ],
    ids=map(str, itertools.count(1)),
)
def test_the_type_is_found(expression: Expr, expected: Type) -> None:
    scope: Scope = {"s": Power(S), "e": S, "e$0": S, "f": relation(S, INTEGER)}
    assert type_of(expression, scope) == expected


def test_a_later_conjunct_decides_an_earlier_minus() -> None:
    difference = op("-", Name("x"), Name("x"))
    e = x_and(op("=", difference, Name("x")), op("<:", Name("x"), Name("s")))
    elaborated, inference = typed(e, s=Power(S))
    inference.finish()
    assert isinstance(elaborated, Comprehension)
    assert elaborated.binders[0].type == Power(S)
    (chosen,) = [operator for node, operator in inference.chosen.values() if node is difference]
    assert isinstance(chosen, Operator)
    assert chosen.signature is not None
    assert isinstance(chosen.signature.result, Power)


def test_an_undecided_minus_is_subtraction() -> None:
    elaborated, inference = typed(x_and(op("=", op("-", Name("x"), Name("x")), Name("x"))))
    inference.finish()
    assert isinstance(elaborated, Comprehension)
    assert elaborated.binders[0].type is INTEGER


def test_a_field_waits_for_its_record() -> None:
    e = Forall(
        (Binder("r"), Binder("y")),
        And(
            (
                op("=", Field(Name("r"), "a"), Name("y")),
                op("=", Name("r"), Record((("a", Number(1)),))),
            )
        ),
    )
    elaborated, inference = typed(e)
    inference.finish()
    assert isinstance(elaborated, Forall)
    assert [b.type for b in elaborated.binders] == [Struct((("a", INTEGER),)), INTEGER]


def test_an_inner_binder_hides_an_outer_identifier() -> None:
    e = And(
        (
            Exists((Binder("v"),), op("=", Name("v"), Text("a"))),
            op("=", Name("v"), Number(1)),
        )
    )
    assert messages(e, v=INTEGER) == []


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (op("+", Name("e"), Number(1)), "'+' cannot take S and INTEGER"),
        (op("mod", Name("e"), Number(1)), "'mod' expects INTEGER, but e is S"),
        (Name("speeed"), "unknown identifier speeed"),
        (Call(Name("e"), (Number(1),)), "e is applied but is no function: it is S"),
        (op(":", Name("e"), Name("e")), "':' expects POW(S), but e is S"),
        (SetDisplay((Number(1), Name("e"))), "must have one type"),
        (Forall((Binder("x"),), op("=", Name("x"), Name("x"))), "cannot infer the type of x"),
        (Forall((Binder("x"),), Number(1)), "expects a predicate, but this is INTEGER"),
        (op("=", op("=", Number(1), Number(1)), Name("b")), "expects"),
        (Field(Name("e"), "a"), "it has no field a"),
        (Exists((Binder("x"), Binder("x")), op("=", Name("x"), Number(1))), "x is bound twice"),
        (x_and(op(":", Name("x"), Name("x"))), "expects"),
        (Before("e"), "e$0 is allowed only in"),
        (Record((("a", Number(1)), ("a", Number(2)))), "field a is given twice"),
        (Let((Binder("x"),), op(":", Name("x"), Name("s")), Name("x")), "LET needs"),
        (Let((Binder("x"),), op("=", Name("x"), Name("x")), Name("x")), "LET needs"),
    ],
    ids=map(str, itertools.count(1)),
)
def test_a_mistake_is_reported(expression: Expr, message: str) -> None:
    found = messages(expression, e=S, s=Power(S), b=BOOL, speed=INTEGER)
    assert len(found) == 1
    assert message in found[0]


def test_a_near_miss_is_suggested() -> None:
    (complaint,) = typed(Name("speeed"), speed=INTEGER)[1].diagnostics
    assert complaint.help == "did you mean speed?"


def test_several_mistakes_are_reported_at_once() -> None:
    e = And((op("=", Name("nix"), Number(1)), op("=", Text("a"), Number(1))))
    assert len(messages(e)) == 2
