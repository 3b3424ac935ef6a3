"""What the parser says about broken input: place, message, help."""

from __future__ import annotations

import pytest

from secateur.lang.b.parse import parse_component
from secateur.maths.parse import parse_formula
from secateur.source import Diagnostic, InputError, Source


def complaints(text: str) -> list[Diagnostic]:
    with pytest.raises(InputError) as caught:
        parse_component(Source("m.mch", text))
    return list(caught.value.diagnostics)


def shown(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.span} {diagnostic.code}: {diagnostic.message}"


@pytest.mark.parametrize(
    ("text", "code", "message", "help_"),
    [
        (
            "1 +",
            "SEC104",
            "expected an expression or a predicate, but the text ends here",
            "cut off",
        ),
        ("x = (1 + 2", "SEC104", "expected ')' to close '(' of line 1, column 5", "bracket"),
        ("x = 1 y = 2", "SEC100", "expected the end of the formula, found identifier 'y'", "'&'"),
        ("x = 1 && y = 2", "SEC100", "expected an expression or a predicate, found '&'", "one '&'"),
        ("x != 1", "SEC100", "expected the end of the formula, found '!'", "/="),
        ("(c.1(1) = 0)", "SEC100", "expected ')' to close '(' of line 1, column 1", "`c.1`"),
        ("P_0.c.2 = 0", "SEC100", "expected the end of the formula, found '.'", "`P_0.c.2`"),
        ("x == 1", "SEC100", "expected an expression or a predicate, found '='", "one '='"),
        ("a < b < c", "SEC106", "'<' cannot follow '<' without parentheses", "'&'"),
        ("x /* y", "SEC102", "this comment is never closed", "*/"),
        ('x = "abc', "SEC103", "this string is never closed", "'''"),
        ("x ? y", "SEC101", "'?' means nothing here", None),
        ("x$1", "SEC101", "'$' means nothing here", "x$0"),
        ("{x + 1 | x : S}", "SEC107", "only identifiers can stand before '|'", "{x . P | E}"),
        ("iterate(r)", "SEC105", "'iterate' takes 2 operand(s), 1 given", None),
        ("!x . x = 1", "SEC100", "expected '(', found identifier 'x'", None),
        ("card", "SEC104", "expected '(' after 'card'", None),
        ("%card.(x | y)", "SEC100", "expected an identifier, found 'card'", "reserved word"),
        ("", "SEC104", "expected an expression or a predicate", None),
    ],
)
def test_formula(text: str, code: str, message: str, help_: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_formula(text)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.code) == code
    assert message in diagnostic.message
    assert diagnostic.span is not None
    if help_ is not None:
        assert diagnostic.help is not None
        assert help_ in diagnostic.help


def test_several_clauses_are_broken() -> None:
    text = "MACHINE M\nVARIABLES x,\nINVARIANT x : NAT &\nINITIALISATION x = 0\nEND"
    assert [shown(d) for d in complaints(text)] == [
        "m.mch:3:1 SEC100: expected an identifier, found 'INVARIANT'",
        "m.mch:4:1 SEC100: expected an expression or a predicate, found 'INITIALISATION'",
        "m.mch:4:18 SEC100: expected ':=', '::' or ':(', found '='",
    ]


def test_assignment_for_equality_and_the_reverse() -> None:
    (first, second) = complaints(
        "MACHINE M INVARIANT x := 1 INITIALISATION x = 0 END",
    )
    assert first.help is not None
    assert "equality in a formula is written '='" in first.help
    assert second.help is not None
    assert "an assignment is written ':='" in second.help


def test_statements_of_an_operation_without_begin() -> None:
    (found,) = complaints("MACHINE M OPERATIONS op = x := 1 ; y := 2 END")
    assert found.message == "expected the '=' of an operation, found ':='"
    assert found.help is not None
    assert "BEGIN" in found.help


def test_a_broken_definition_does_not_hide_the_next() -> None:
    found = complaints("MACHINE M DEFINITIONS a == 1 +; b == 2 3; c == 4 END")
    assert [shown(d) for d in found] == [
        "m.mch:1:31 SEC100: expected an expression or a predicate, found the end of the definition",
        "m.mch:1:40 SEC100: expected an operator or the end of the definition, found number '3'",
    ]


@pytest.mark.parametrize("cut", range(10, 150, 7))
def test_a_file_cut_off_is_reported_once_or_twice_and_never_crashes(cut: int) -> None:
    text = (
        "MACHINE M VARIABLES x, y INVARIANT x : NAT & y : {1,2} INITIALISATION x, y := 0, 1 "
        "OPERATIONS op(z) = PRE z : NAT THEN IF z = 1 THEN x := z ELSE skip END END END"
    )
    assert 1 <= len(complaints(text[:cut])) <= 2


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "SEC200", "the file is empty"),
        ("hello world", "SEC200", "starts with 'hello'"),
        ("RULES_MACHINE M END", "SEC201", "RULES_MACHINE is not supported"),
        (
            "MACHINE M INVARIANT x=1 INVARIANT y=1 END",
            "SEC203",
            "there is a clause INVARIANT already",
        ),
        ("MACHINE M INITIALISATION f~(x) := 1 END", "SEC204", "only a variable"),
        (
            "MACHINE M INITIALISATION x, y := 1 END",
            "SEC205",
            "2 variable(s) on the left, 1 value(s)",
        ),
        ("MACHINE M INITIALISATION 1 END", "SEC206", "an expression where a substitution"),
        ("MACHINE M END END", "SEC100", "expected the end of the file after END"),
        (
            "MACHINE M VARIABLES x",
            "SEC104",
            "expected 'END' to close 'MACHINE' of line 1, column 1",
        ),
        ("MACHINE M FOO x END", "SEC100", "expected a clause"),
        ("MACHINE M OPERATIONS a = skip b = skip END", "SEC100", "expected the next clause or END"),
        (
            "MACHINE M OPERATIONS a = WHILE x DO skip VARIANT y END END",
            "SEC100",
            "the INVARIANT of",
        ),
    ],
)
def test_component(text: str, code: str, message: str) -> None:
    first = complaints(text)[0]
    assert str(first.code) == code
    assert message in first.message
