"""Formulas: one example per construct, read back as an explicit form."""

from __future__ import annotations

import pytest

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Name, Number, Quantifier
from secateur.maths.parse import parse_formula
from secateur.maths.print import show

x, y, z = Name("x"), Name("y"), Name("z")
bx, by = Binder("x"), Binder("y")


def explicit(e: Expr) -> str:
    """Return the formula with the operators as functions, so that grouping shows."""
    match e:
        case ast.Apply(operator, args):
            return (
                f"{operator.spellings[0]}({','.join(map(explicit, args))})"
                if args
                else str(operator)
            )
        case ast.And(parts):
            return f"&({','.join(map(explicit, parts))})"
        case ast.Or(parts):
            return f"or({','.join(map(explicit, parts))})"
        case ast.Implies(left, right):
            return f"=>({explicit(left)},{explicit(right)})"
        case ast.Equivalent(left, right):
            return f"<=>({explicit(left)},{explicit(right)})"
        case _:
            return show(e)


@pytest.mark.parametrize(
    ("text", "grouping"),
    [
        ("1+2*3", "+(1,*(2,3))"),
        ("1-2-3", "-(-(1,2),3)"),
        ("2**3**4", "**(2,**(3,4))"),
        ("-2**3", "**(-(2),3)"),
        ("a - -b", "-(a,-(b))"),
        ("a mod b * c", "*(mod(a,b),c)"),
        ("1..n-1", "..(1,-(n,1))"),
        ("a |-> b |-> c", "|->(|->(a,b),c)"),
        ("(a, b, c)", "|->(|->(a,b),c)"),
        ("(a, b |-> c)", "|->(a,|->(b,c))"),
        ("A * B --> C --> D", "-->(-->(*(A,B),C),D)"),
        ("A \\/ B /\\ C", "/\\(\\/(A,B),C)"),
        ("A - B \\/ C", "\\/(-(A,B),C)"),
        ("f <+ {} \\/ g", "\\/(<+(f,{}),g)"),
        ("(f ; g || h)", "||(;(f,g),h)"),
        ("x : A --> B", ":(x,-->(A,B))"),
        ("p & q & r", "&(p,q,r)"),
        ("(p & q) & (r & s)", "&(p,q,r,s)"),
        ("p & q or r & s", "&(or(&(p,q),r),s)"),
        ("p => q => r", "=>(=>(p,q),r)"),
        ("p & q => r or s", "=>(&(p,q),or(r,s))"),
        ("p <=> q & r", "&(<=>(p,q),r)"),
        ("x = 1 <=> y = 2", "<=>(=(x,1),=(y,2))"),
        ("x + 1 /: S", "/:(+(x,1),S)"),
        ("f~[S]", "[](~(f),S)"),
        ("-f~(x)", "-(f~(x))"),
        ("card(dom(f))", "card(dom(f))"),
        ("bin(a, b, c)", "bin(a,b,c)"),
        ("x / y", "/(x,y)"),
    ],
)
def test_priorities(text: str, grouping: str) -> None:
    assert explicit(parse_formula(text)) == grouping


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("12", Number(12)),
        ("0x1F", Number(31)),
        ("1.5", ast.RealNumber(1.5)),
        ("1.5e3", ast.RealNumber(1500.0)),
        ('"a\\"b\\n"', ast.Text('a"b\n')),
        ('"\\w"', ast.Text("\\w")),
        ("'''two\nlines \"quoted\"'''", ast.Text('two\nlines "quoted"')),
        ("lift1.floor", Name("lift1.floor")),
        ("`odd name`", Name("odd name")),
        ("`MACHINE`", Name("MACHINE")),
        ("δ_1", Name("δ_1")),
        ("x$0", ast.Before("x")),
        ("{}", ast.SetDisplay(())),
        ("∅", ast.SetDisplay(())),
        ("{x, 1}", ast.SetDisplay((x, Number(1)))),
        ("<>", ast.SequenceDisplay(())),
        ("[]", ast.SequenceDisplay(())),
        ("[x, y]", ast.SequenceDisplay((x, y))),
        ("x(y)", ast.Call(x, (y,))),
        ("x(y, z)", ast.Call(x, (y, z))),
        ("x(y)(z)", ast.Call(ast.Call(x, (y,)), (z,))),
        ("x'y", ast.Field(x, "y")),
        ("x(y)'z", ast.Field(ast.Call(x, (y,)), "z")),
        ("not(x)", ast.Not(x)),
        ("¬x", ast.Not(x)),
        ("bool(x)", ast.Bool(x)),
        ("!x.(y)", ast.Forall((bx,), y)),
        ("!(x,y).(z)", ast.Forall((bx, by), z)),
        ("!x,y.(z)", ast.Forall((bx, by), z)),
        ("#x.(y)", ast.Exists((bx,), y)),
        ("{x | y}", ast.Comprehension((bx,), y)),
        ("{x, y | z}", ast.Comprehension((bx, by), z)),
        ("{(x, y) | z}", ast.Comprehension((bx, by), z)),
        ("{x . y | z}", ast.Comprehension((bx,), y, z)),
        ("{x·y∣z}", ast.Comprehension((bx,), y, z)),
        ("%x.(y | z)", ast.Lambda((bx,), y, z)),
        ("%(x,y).(y | z)", ast.Lambda((bx, by), y, z)),
        ("λx·(y ∣ z)", ast.Lambda((bx,), y, z)),
        ("/*@symbolic*/ %x.(y | z)", ast.Lambda((bx,), y, z)),
        ("SIGMA(x).(y | z)", ast.Quantified(Quantifier.SIGMA, (bx,), y, z)),
        ("PI x.(y | z)", ast.Quantified(Quantifier.PI, (bx,), y, z)),
        ("UNION(x,y).(y | z)", ast.Quantified(Quantifier.UNION, (bx, by), y, z)),
        ("⋂(x).(y | z)", ast.Quantified(Quantifier.INTER, (bx,), y, z)),
        ("IF x THEN y ELSE z END", ast.If(x, y, z)),
        (
            "IF x THEN 1 ELSIF y THEN 2 ELSE 3 END",
            ast.If(x, Number(1), ast.If(y, Number(2), Number(3))),
        ),
        ("LET x BE y IN z END", ast.Let((bx,), y, z)),
        ("LET x, y BE z IN x END", ast.Let((bx, by), z, x)),
        ("rec(x:1, y:z)", ast.Record((("x", Number(1)), ("y", z)))),
        ("struct(x:y)", ast.RecordSet((("x", y),))),
        ("/*@label l 1 */ x", ast.Labelled("l 1", x)),
        ("x /* comment */ // and another\n", x),
    ],
)
def test_constructs(text: str, tree: Expr) -> None:
    assert parse_formula(text) == tree


@pytest.mark.parametrize(
    ("unicode", "ascii_"),
    [
        ("x ∈ ℕ ∧ y ∉ ℤ", "x : NATURAL & y /: INTEGER"),
        ("x ⊆ y ∨ x ⊂ y", "x <: y or x <<: y"),
        ("∀x·(x∈ℕ1 ⇒ ∃y·(y≥x ∧ y≠x))", "!x.(x:NATURAL1 => #y.(y>=x & y/=x))"),
        ("f ∈ A ⇸ B ⇔ g ∈ A → B", "f : A +-> B <=> g : A --> B"),
        ("A ∪ B ∩ C ∖ D", "A \\/ B /\\ C \\ D"),
        ("{x ↦ y}", "{x |-> y}"),
        ("x × y ÷ z − 1", "x * y / z - 1"),
        ("OBJ −−> S", "OBJ --> S"),
        ("f ⋖ g", "f <+ g"),
        ("ℙ(S)", "POW(S)"),
        ("⊤ or ⊥", "btrue or bfalse"),
    ],
)
def test_unicode_spellings(unicode: str, ascii_: str) -> None:
    assert parse_formula(unicode) == parse_formula(ascii_)


def test_labels_belong_to_one_conjunct() -> None:
    assert parse_formula("/*@label a */ x & /*@ label b */ y") == ast.And(
        (ast.Labelled("a", x), ast.Labelled("b", y))
    )


def test_succ_without_operand_is_a_function() -> None:
    assert show(parse_formula("succ")) == "%x.(x : INTEGER | succ(x))"


def test_a_soft_word_is_an_operator_unless_used_as_a_name() -> None:
    assert isinstance(parse_formula("floor(x)"), ast.Apply)
    assert parse_formula("{floor, floor(x)}") == ast.SetDisplay(
        (Name("floor"), ast.Call(Name("floor"), (x,)))
    )


def test_template_strings_become_concatenations() -> None:
    assert show(parse_formula("```a${x+1}b```")) == 'STRING_CONC(["a",TO_STRING(x + 1),"b"])'
    assert show(parse_formula("```${{1}}```")) == "STRING_CONC([TO_STRING({1})])"


def test_numbers_of_any_length() -> None:
    assert parse_formula("1" + "0" * 10_000) == Number(10**10_000)


def test_spans_cover_what_was_written() -> None:
    e = parse_formula("1 + f(x, y) * 2")
    assert isinstance(e, ast.Apply)
    assert e.span.text == "1 + f(x, y) * 2"
    assert e.args[1].span.text == "f(x, y) * 2"
    assert ast.children(e.args[1])[0].span.text == "f(x, y)"
