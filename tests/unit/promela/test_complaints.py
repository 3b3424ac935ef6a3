"""Bad models are refused with a code and a place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from secateur.lang.promela import codes
from secateur.lang.promela.frontend import sniff
from secateur.lang.promela.lex import WORDS
from secateur.source import Code, InputError
from tests.unit.promela.models import complaint, program_of

MTYPES = "mtype = {c}; mtype:f = {a}; mtype:g = {b};"
MESSAGES = "typedef T { byte a, b }; typedef U { T t }; T r;"
LOOP = "for (r in c) { skip }"
CASES = [
    # parsing
    ("init { x = 1 y = 2 }", "SEC340", "y"),
    ("init { }", "SEC340", "}"),
    ("init { if fi }", "SEC340", "fi"),
    ("init { ;skip }", "SEC340", ";"),
    ("init { int if }", "SEC340", "if"),
    ("init { 'ab' }", "SEC340", "'"),
    ("byte a[] = 1; init { skip }", "SEC340", "[]"),
    ("init { do :: skip", "SEC341", ""),
    ("inline f() { skip", "SEC341", ""),
    ("c_decl { int n }\ninit { skip }", "SEC342", "c_decl"),
    ("init { c_code { x++; } }", "SEC342", "c_code"),
    ("init { c_expr { x } }", "SEC342", "c_expr"),
    ("inline f() { g() } inline g() { f() } init { f() }", "SEC344", "f"),
    ("inline f(a) { skip } init { f(1, 2) }", "SEC345", "f(1, 2)"),
    ("init { x = " + "(" * 300 + "1" + ")" * 300 + " }", "SEC346", "("),
    ("init { int x; x = 3000000000 }", "SEC347", "3000000000"),
    ("inline f(a) { return a } init { f(1) }", "SEC348", "return"),
    ("init { return 1 }", "SEC348", "return"),
    # names
    ("init { x = 1 }", "SEC350", "x"),
    ("init { { byte x; x = 1 } x = 2 }", "SEC350", "x"),
    ("init { x = 1; byte x }", "SEC350", "x"),
    ("typedef U { byte a; W w }; init { skip }", "SEC340", "W"),
    ("chan c = [1] of {W}; init { skip }", "SEC350", "W"),
    ("byte x; init { byte x; x = 1 }", "SEC351", "x"),
    ("init { byte x; { byte x; skip } }", "SEC351", "x"),
    ("mtype = {x}; init { byte x; skip }", "SEC351", "x"),
    ("init { l: skip; l: skip }", "SEC351", "l: skip"),
    ("proctype P() { skip } proctype P() { skip }", "SEC351", "proctype P() { skip }"),
    ("typedef T { byte a; bit a }; init { skip }", "SEC351", "a"),
    ("typedef T { byte a }; typedef T { bit a }; init { skip }", "SEC351", "typedef T { bit a }"),
    ("ltl p { true } ltl p { true } init { skip }", "SEC351", "ltl p { true }"),
    ("init { byte n, a[n + 1]; skip }", "SEC352", "n + 1"),
    ("byte a[0]; init { skip }", "SEC353", "a[0]"),
    ("unsigned x; init { skip }", "SEC353", "x"),
    ("unsigned x : 33; init { skip }", "SEC353", "x : 33"),
    ("byte x : 3; init { skip }", "SEC353", "x : 3"),
    ("chan c = [-1] of {byte}; init { skip }", "SEC353", "[-1] of {byte}"),
    ("active proctype P() priority 0 { skip }", "SEC353", "0"),
    ("init priority 256 { skip }", "SEC353", "256"),
    (
        "proctype P() { skip } init { run P() priority 300 }",
        "SEC353",
        "run P() priority 300",
    ),
    ("chan c = [1] of {byte, unsigned}; init { skip }", "SEC353", "unsigned"),
    ("typedef T { unsigned a : 3 }; chan c = [1] of {T}; init { skip }", "SEC353", "T"),
    ("active [256] proctype P() { skip }", "SEC353", "active [256] proctype P() { skip }"),
    ("typedef T { byte b[1000] }; T t[100000]; init { skip }", "SEC353", "t[100000]"),
    ("byte x; init { x[2] = 1 }", "SEC354", "x[2]"),
    ("byte x[2]; init { x = 1 }", "SEC355", "x"),
    ("typedef T { byte b }; T t[2]; init { t.b = 1 }", "SEC355", "t.b"),
    ("typedef T { byte b }; T t; init { t.c = 1 }", "SEC356", "t.c"),
    ("byte x; init { x.c = 1 }", "SEC356", "x.c"),
    ("typedef T { byte b }; T t, u; init { t = u }", "SEC357", "t"),
    ("byte c; init { c!1 }", "SEC358", "c"),
    ("byte c; init { len(c) > 0 }", "SEC358", "c"),
    ("byte c; init { xr c; skip }", "SEC358", "c"),
    ("chan c = [1] of {byte}; init { c!1, 2 }", "SEC359", "c!1, 2"),
    ("chan c = [1] of {byte}; init { byte x; c?x, 2 }", "SEC359", "c?x, 2"),
    ("chan c = [1] of {byte, byte}; init { byte x; c?x, x }", "SEC359", "x"),
    (f"{MESSAGES} chan c = [1] of {{byte, byte}}; init {{ {LOOP} }}", "SEC359", LOOP),
    (f"{MESSAGES} chan c = [1] of {{T, byte}}; init {{ {LOOP} }}", "SEC359", LOOP),
    (f"{MESSAGES} chan c = [1] of {{U}}; init {{ {LOOP} }}", "SEC359", LOOP),
    (f"{MESSAGES} chan c = [0] of {{T}}; init {{ {LOOP} }}", "SEC359", LOOP),
    ("chan c = [1] of {byte}; init { c?[1, 2] }", "SEC359", "c?[1, 2]"),
    ("init { run Q() }", "SEC360", "run Q()"),
    ("init { Q@l }", "SEC360", "Q@l"),
    ("proctype P() { l: skip } init { (Q[1]@l) }", "SEC360", "Q[1]@l"),
    ("init { f(1) }", "SEC376", "f"),
    ("init { byte x; x = f(1) }", "SEC376", "f"),
    ("init { f(1) } inline f(a) { skip }", "SEC376", "f"),
    ("proctype P() { skip } init { P() }", "SEC376", "P"),
    ("proctype P(byte x) { skip } init { run P() }", "SEC361", "run P()"),
    ("init { goto l }", "SEC362", "goto l"),
    ("proctype P() { skip } init { P@l }", "SEC362", "P@l"),
    ("proctype P() { skip } init { P:x == 1 }", "SEC350", "x"),
    ("init { break }", "SEC363", "break"),
    ("init { d_step { skip; goto l }; skip; l: skip }", "SEC374", "goto l"),
    ("init { d_step { if :: goto l :: skip fi; skip }; l: skip }", "SEC374", "goto l"),
    ("init { l: d_step { skip; if :: goto l :: else fi; skip } }", "SEC374", "goto l"),
    ("init { if :: goto l :: skip fi; d_step { skip; l: skip } }", "SEC374", "goto l"),
    ("init { d_step { skip; l: skip }; goto l }", "SEC374", "goto l"),
    ("init { do :: d_step { skip; if :: break :: skip fi; skip } od }", "SEC374", "break"),
    ("init { do :: d_step { skip; break } od }", "SEC374", "break"),
    ("init { d_step { d_step { if :: goto l :: else fi; skip }; l: skip } }", "SEC374", "goto l"),
    (f"{MTYPES} mtype:f x; init {{ x = b }}", "SEC375", "b"),
    (f"{MTYPES} mtype:f x; init {{ x = (c) }}", "SEC375", "c"),
    (f"{MTYPES} mtype:f x[2]; init {{ x[1] = b }}", "SEC375", "b"),
    (f"{MTYPES} mtype:f x = b; init {{ skip }}", "SEC375", "b"),
    (f"{MTYPES} init {{ mtype:f x = b; skip }}", "SEC375", "b"),
    (f"{MTYPES} init {{ skip; mtype:f x = b }}", "SEC375", "b"),
    (f"{MTYPES} typedef T {{ mtype:f x = b }}; init {{ T t; skip }}", "SEC375", "b"),
    (f"{MTYPES} proctype P(byte x; mtype:f y) {{ skip }} init {{ run P(1, b) }}", "SEC375", "b"),
    (f"{MTYPES} proctype P(mtype x) {{ skip }} init {{ run P(a) }}", "SEC375", "a"),
    (f"{MTYPES} inline g(v) {{ v = b }} init {{ mtype:f x; g(x) }}", "SEC375", "b"),
    ("init { if :: else :: else fi }", "SEC364", "else"),
    ("init { _pid = 2 }", "SEC365", "_pid"),
    ("mtype = {a}; init { a = 2 }", "SEC365", "a"),
    ("chan c = [1] of {byte}; init { c?_pid }", "SEC365", "_pid"),
    ("init { skip; chan c = [1] of {byte} }", "SEC366", "[1] of {byte}"),
    ("init { skip; byte a[2] = {1, 2} }", "SEC366", "{1, 2}"),
    ("byte c = [1] of {byte}; init { skip }", "SEC366", "[1] of {byte}"),
    ("byte x; ltl p { [] x == 1 } init { skip }", "SEC367", "[] x"),
    ("mtype = {a, b, a}; init { skip }", "SEC368", "mtype = {a, b, a}"),
    ("typedef T { byte a; T t }; init { skip }", "SEC369", "T"),
    ("proctype P() { skip }", "SEC370", "proctype P() { skip }"),
    ("byte x;", "SEC370", ""),
    ("proctype P() { skip } init { run P() > 0 }", "SEC371", "run P()"),
    ("proctype P() { skip } init { byte x = run P(); skip }", "SEC371", "run P()"),
    ("proctype P() { skip } byte b[2]; init { b[run P()] = 1 }", "SEC371", "run P()"),
    ("proctype P() { skip } byte b[9]; init { b[_nr_pr] = run P() }", "SEC371", "_nr_pr"),
    ("proctype P() { skip } byte x; init { x = (run P()) + (run P()) }", "SEC371", "run P()"),
    ("proctype P(byte k) { skip } byte x; init { x = run P(run P(1)) }", "SEC371", "run P(1)"),
    ("proctype P() { skip } byte x; init { x = run P() + pc_value(0) }", "SEC371", "pc_value(0)"),
    ("proctype P() { skip } init { skip } never { assert(run P()) }", "SEC371", "run P()"),
    ("proctype P(byte a[2]) { skip } init { skip }", "SEC372", "a[2]"),
    ("proctype P(byte a = 2) { skip } init { skip }", "SEC372", "a = 2"),
    ("init { byte x; x = _ }", "SEC373", "_"),
    ("init { np_ }", "SEC373", "np_"),
    ("byte _pid; init { skip }", "SEC373", "_pid"),
    ("init { hidden byte x; skip }", "SEC373", "hidden byte x"),
]


@pytest.mark.parametrize(("text", "code", "place"), CASES)
def test_a_bad_model_is_refused_where_it_is_bad(text: str, code: str, place: str) -> None:
    found = complaint(text)
    assert str(found.code) == code, found.message
    assert found.span is not None
    assert found.span.text == place


def test_every_code_is_shown() -> None:
    all_codes = {str(c) for c in vars(codes).values() if isinstance(c, Code)}
    preprocessing = {f"SEC{number}" for number in range(330, 338)}
    when_lowered = {"SEC343", "SEC380", "SEC382"}
    assert all_codes == {code for _, code, _ in CASES} | preprocessing | when_lowered


_TOKENS = st.one_of(
    st.sampled_from(sorted(WORDS)),
    st.sampled_from(
        [
            ";",
            "->",
            "::",
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            ",",
            ".",
            ":",
            "=",
            "!",
            "!!",
            "?",
            "??",
            "<",
            ">",
            "@",
            "++",
            "--",
            "..",
            "[]",
            "<>",
            "#",
            "##",
            "&&",
            "-",
        ]
    ),
    st.sampled_from(
        ["x", "P", "T", "f", "l", "c", "1", "0", '"s"', "'a'", "\n", "\n#if", "é", "/*"]
    ),
)
_TEXTS = st.lists(_TOKENS, max_size=40).map(" ".join)
_WRAPPED: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: f"init {{ {text} }}",
    lambda text: f"chan c = [1] of {{byte}}; byte x; inline f(l) {{ l }} init {{ {text} }}",
    lambda text: f"typedef T {{ byte x }}; T x; proctype P(T c) {{ l: skip }} ltl {{ {text} }}",
)


@settings(max_examples=300, deadline=None)
@given(_TEXTS, st.sampled_from(_WRAPPED))
def test_nonsense_is_refused_with_a_place(text: str, wrap: Callable[[str], str]) -> None:
    model = wrap(text)
    try:
        program_of(model)
    except InputError as error:
        for found in error.diagnostics:
            assert found.span is not None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_model_or_an_input_error(text: str) -> None:
    sniff(text)
    with contextlib.suppress(InputError):
        program_of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/* a model */\n#define N 3\n\nbyte x;", True),
        ("mtype = {a}", True),
        ("mtype:k = {a}", True),
        ("active proctype P() { skip }", True),
        ("#if 0\nwords\n#endif\nPlace x\nactive [2] proctype P() { skip }", True),
        ("words\ninit {\n skip }", True),
        ("MACHINE M END", False),
        ("context c\nend", False),
        ("int main(void)", True),
        ("init the machine", False),
        ("integers are fine", False),
    ],
)
def test_a_model_is_recognised(text: str, expected: bool) -> None:
    assert sniff(text) == expected
