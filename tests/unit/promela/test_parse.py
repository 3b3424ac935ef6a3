"""Every construct of the language, as a tree."""

from __future__ import annotations

import pytest

from secateur.lang.promela import ast
from secateur.lang.promela.ast import Basic, Name, Number, Sequence
from tests.unit.promela.models import body_of, expression_of, file_of, shown, statement_of

X, Y, C = Name("x"), Name("y"), Name("c")
ONE = Number(1)
SKIP = ast.Condition(ONE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3 - 4", "((1 + (2 * 3)) - 4)"),
        ("a - b - c", "((a - b) - c)"),
        ("a || b && c", "(a || (b && c))"),
        ("a && b | c ^ d & e == f", "(a && (b | (c ^ (d & (e == f)))))"),
        ("a == b < c << d + e % f", "(a == (b < (c << (d + (e % f)))))"),
        ("!a == b", "(!a == b)"),
        ("-a * ~b", "(-a * ~b)"),
        ("!(a && b)", "!(a && b)"),
        ("'a' + '\\n'", "(97 + 10)"),
        ("true + false + skip", "((1 + 0) + 1)"),
        ("_pid + _nr_pr + _", "((_pid + _nr_pr) + _)"),
        ("timeout && np_", "(timeout && np_)"),
    ],
)
def test_priorities_are_those_of_spin(text: str, expected: str) -> None:
    assert shown(expression_of(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[] p -> <> q -> X r", "(([] p -> <> q) -> X r)"),
        ("p U q U r", "((p U q) U r)"),
        ("!p U q && <> r", "((!p U q) && <> r)"),
        ("p == 1 U q", "((p == 1) U q)"),
        ("p | q U r", "((p | q) U r)"),
        ("[] p == 1", "([] p == 1)"),
        ("always (p implies eventually q)", "[] (p -> <> q)"),
        ("p until q || p weakuntil q || p release q", "(((p U q) || (p W q)) || (p V q))"),
        ("p stronguntil q equivalent next r", "((p U q) <-> X r)"),
        ("p <-> q W r", "(p <-> (q W r))"),
        ("(p /\\ q) \\/ r", "((p && q) || r)"),
        ("[]<>(p V !!q)", "[] <> (p V !!q)"),
    ],
)
def test_formulas_bind_as_in_spin(text: str, expected: str) -> None:
    (unit,) = file_of(f"ltl f {{ {text} }}").units
    assert isinstance(unit, ast.LtlBlock)
    assert (unit.name, shown(unit.formula)) == ("f", expected)


def test_words_of_temporal_logic_are_names_elsewhere() -> None:
    assert shown(expression_of("U + X + always + in")) == "(((U + X) + always) + in)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a[i].b.c[2]",
            ast.Index(ast.Member(ast.Member(ast.Index(Name("a"), Name("i")), "b"), "c"), Number(2)),
        ),
        ("(x -> 1 : y)", ast.Conditional(X, ONE, Y)),
        ("run P(x, 1)", ast.Run("P", (X, ONE))),
        ("run P() priority 3", ast.Run("P", (), Number(3))),
        ("len(c)", ast.ChannelTest(ast.ChannelQuestion.LEN, C)),
        ("nfull(c)", ast.ChannelTest(ast.ChannelQuestion.NFULL, C)),
        ("c?[x, 1]", ast.Poll(C, (X, ONE), False)),
        ("c??[x]", ast.Poll(C, (X,), True)),
        ("enabled(1)", ast.Enabled(ONE)),
        ("pc_value(x)", ast.PcValue(X)),
        ("get_priority(x)", ast.Priority(X)),
        ("P[x]@l", ast.RemoteLabel("P", X, "l")),
        ("P@l", ast.RemoteLabel("P", None, "l")),
        ("P[1]:y", ast.RemoteVariable("P", ONE, Y)),
        ("P:y[1]", ast.RemoteVariable("P", None, ast.Index(Y, ONE))),
    ],
)
def test_an_expression_is(text: str, expected: ast.Expr) -> None:
    (found,) = body_of(f"proctype P() {{ skip }} init {{ x = {text} }}")
    assert found == ast.Assign(X, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x == 1", ast.Condition(ast.Binary("==", X, ONE))),
        ("x++", ast.Assign(X, ast.Binary("+", X, ONE))),
        ("x--", ast.Assign(X, ast.Binary("-", X, ONE))),
        ("c!x, 1", ast.Send(C, (X, ONE))),
        ("c!x(1, y)", ast.Send(C, (X, ONE, Y))),
        ("c!!x", ast.Send(C, (X,), True)),
        ("c?x, 1", ast.Receive(C, (X, ONE))),
        ("c?x(y, -1)", ast.Receive(C, (X, Y, Number(-1)))),
        ("c?(x, y)", ast.Receive(C, (X, Y))),
        ("c??x", ast.Receive(C, (X,), True)),
        ("c?<x>", ast.Receive(C, (X,), False, True)),
        ("c??<x, eval(y)>", ast.Receive(C, (X, ast.Eval(Y)), True, True)),
        ("c[1].d!x", ast.Send(ast.Member(ast.Index(C, ONE), "d"), (X,))),
        ("c?[x] && y", ast.Condition(ast.Binary("&&", ast.Poll(C, (X,), False), Y))),
        ("assert(x)", ast.Assert(X)),
        ("assert x", ast.Assert(X)),
        ('printf("%d\\n", x)', ast.Print("%d\\n", (X,))),
        ("printm(x)", ast.Print(None, (X,))),
        ("xr c, x", ast.Exclusive(True, (C, X))),
        ("xs c", ast.Exclusive(False, (C,))),
        ("set_priority(x, 1)", ast.Condition(ast.Priority(X, ONE))),
        ("goto l", ast.Goto("l")),
        ("l: goto l", ast.Labelled("l", ast.Goto("l"))),
        ("l: ", ast.Labelled("l", SKIP)),
        ("l: m: skip", ast.Labelled("l", ast.Labelled("m", SKIP))),
        ("if :: x -> y :: else fi", ast.If((Sequence((ast.Condition(X), ast.Condition(Y))), Sequence((ast.Else(),))))),
        ("do :: break od", ast.Do((Sequence((ast.Break(),)),))),
        ("for (x : 1 .. y) { skip }", ast.ForRange(X, ONE, Y, Sequence((SKIP,)))),
        ("for (x in c) { skip }", ast.ForIn(X, C, Sequence((SKIP,)))),
        ("for (x in in) { skip }", ast.ForIn(X, Name("in"), Sequence((SKIP,)))),
        ("select (x : 1 .. y)", ast.Select(X, ONE, Y)),
        ("atomic { skip }", ast.Atomic(Sequence((SKIP,)))),
        ("d_step { skip; }", ast.DStep(Sequence((SKIP,)))),
        ("{ skip }", Sequence((SKIP,))),
        ("x unless y", ast.Unless(Sequence((ast.Condition(X),)), Sequence((ast.Condition(Y),)))),
        ("{ skip } unless { y; x }", ast.Unless(Sequence((SKIP,)), Sequence((ast.Condition(Y), ast.Condition(X))))),
    ],
)  # fmt: skip
def test_a_statement_is(text: str, expected: ast.Statement) -> None:
    assert statement_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x = 1; y = 1",
        "x = 1 -> y = 1",
        "x = 1;; y = 1;",
        "x = 1 -> ; y = 1;;",
        "x = 1\n y = 1",
        "x = 1\n;\n y = 1",
    ],
)
def test_statements_are_separated_as_spin_allows(text: str) -> None:
    assert body_of(f"init {{ {text} }}") == (ast.Assign(X, ONE), ast.Assign(Y, ONE))


def test_after_braces_and_else_no_separator_is_needed() -> None:
    block = Sequence((SKIP,))
    assert body_of("init { {skip} {skip} x++ }")[:2] == (block, block)
    (choice,) = body_of("init { if :: else skip fi }")
    assert choice == ast.If((Sequence((ast.Else(), SKIP)),))


def test_the_end_of_a_line_separates_what_could_go_on() -> None:
    assert len(body_of("init { x = y\n -1 < x\n !y\n c!x\n (y) }")) == 5
    assert len(body_of("init { x = (y\n -1) }")) == 1


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("byte x", ast.Declarator("x")),
        ("byte x[3] = 1", ast.Declarator("x", Number(3), None, ONE)),
        ("byte x[2] = {1, 3}", ast.Declarator("x", Number(2), None, ast.ListInit((ONE, Number(3))))),
        ("unsigned x : 4 = 1", ast.Declarator("x", None, Number(4), ONE)),
        ("chan x", ast.Declarator("x")),
    ],
)  # fmt: skip
def test_a_declaration_has(text: str, variable: ast.Declarator) -> None:
    (unit,) = file_of(text).units
    assert isinstance(unit, ast.Declaration)
    assert unit.variables == (variable,)


def test_a_channel_has_a_capacity_and_fields() -> None:
    (_, unit) = file_of("typedef T { bit b }; chan c = [2] of {mtype, T, mtype:k}").units
    assert isinstance(unit, ast.Declaration)
    fields = (
        ast.TypeName(Basic.MTYPE),
        ast.TypeName(None, "T"),
        ast.TypeName(Basic.MTYPE, "k"),
    )
    assert unit.variables[0].initial == ast.ChannelInit(Number(2), fields)


def test_units_are_read() -> None:
    text = """
    mtype = {a, b c}
    mtype:k = {d};
    typedef T { byte x; hidden short y, z }
    local bit l; show bool s;
    active [2] proctype P(byte x, y; chan c) priority 3 provided (l) { skip }
    D_proctype Q() { skip }
    init { skip }
    never { do :: true od }
    never n { do :: true od }
    ltl { true }
    ltl g { true; }
    """
    units = file_of(text).units
    assert units[0] == ast.MtypeDeclaration("", ("a", "b", "c"))
    assert units[1] == ast.MtypeDeclaration("k", ("d",))
    assert isinstance(units[2], ast.Typedef)
    assert isinstance(units[3], ast.Declaration)
    assert units[3].local
    process = units[5]
    assert isinstance(process, ast.ProctypeDeclaration)
    assert (process.active, process.priority, process.provided) == (Number(2), Number(3), Name("l"))
    assert [len(d.variables) for d in process.parameters] == [2, 1]
    assert isinstance(units[6], ast.ProctypeDeclaration)
    assert units[6].deterministic
    assert units[6].active is None
    assert [
        u.name for u in units[8:] if not isinstance(u, ast.Declaration | ast.MtypeDeclaration)
    ] == ["never_0", "n", "ltl_0", "g"]


def test_formulas_without_a_name_are_numbered_among_themselves() -> None:
    units = file_of("ltl a { true } ltl { true } ltl b { true } ltl { true }").units
    assert [u.name for u in units if isinstance(u, ast.LtlBlock)] == ["a", "ltl_0", "b", "ltl_1"]


def test_a_place_is_that_of_the_text() -> None:
    (found,) = body_of("init {\n  x = y + 1\n}")
    assert str(found.span) == "m.pml:2:3"
    assert found.span.text == "x = y + 1"


def test_an_inline_stands_in_place_of_its_call() -> None:
    text = "inline f(a, b) { a = b; t.a++ } init { f(x, y + 1); f(z, (1, 2)) }"
    with pytest.raises(Exception, match="expected"):
        body_of(text)
    (block,) = body_of("inline f(a, b) { a = b; t.a++ } init { f(x, y + 1) }")
    field = ast.Member(Name("t"), "x")
    assert block == Sequence(
        (
            ast.Assign(X, ast.Binary("+", Y, ONE)),
            ast.Assign(field, ast.Binary("+", field, ONE)),
        )
    )


def test_inlines_call_inlines_and_return_values() -> None:
    text = "inline f(a) { return a + 1 } inline g(b) { b = f(b) } init { g(x) }"
    assert body_of(text) == (Sequence((Sequence((ast.Assign(X, ast.Binary("+", X, ONE)),)),)),)


def test_each_call_of_an_inline_has_labels_of_its_own() -> None:
    text = "inline f() { l: goto l; goto m } init { f(); f(); m: l: skip }"
    first, second, last = body_of(text)
    assert isinstance(first, Sequence)
    assert first.statements == (ast.Labelled("l_2", ast.Goto("l_2")), ast.Goto("m"))
    assert isinstance(second, Sequence)
    assert second.statements[0] == ast.Labelled("l_3", ast.Goto("l_3"))
    assert last == ast.Labelled("m", ast.Labelled("l", SKIP))
