"""Macros, conditions and included files."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.promela.preprocess import preprocess
from secateur.source import InputError, Source
from secateur.source.read import read_source


def texts(text: str, **defines: str) -> str:
    return " ".join(t.text for t in preprocess(Source("m.pml", text), defines)).strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 3\nN M", "3 M"),
        ("#define N 3\n#undef N\nN", "N"),
        ("#define f(a, b) a + b\nf(1, (2, 3)) f", "1 + ( 2 , 3 ) f"),
        ("#define f (a)\nf(1)", "( a ) ( 1 )"),
        ("#define f(a) [a]\n#define g f(2)\ng f(f(1))", "[ 2 ] [ [ 1 ] ]"),
        ("#define f(a) [a]\n#define g f\ng(2)", "[ 2 ]"),
        ("#define f(a) [a]\nf(1 +\n2)", "[ 1 + 2 ]"),
        ("#define f() 7\nf()", "7"),
        ("#define x x + y\n#define y x\nx", "x + x"),
        ("#define s(a) #a\ns(b + 1)", '"b + 1"'),
        ("#define p(a, b) a ## b\np(x, 1)", "x1"),
        ("#define p(a) x_##a\np(3)", "x_3"),
        ("#define N 1 + \\\n 2\nN", "1 + 2"),
        ("a /* b\n c */ d // e\nf", "a d f"),
        ("#if 0\ndon't /* look */\n#endif\na", "a"),
        ("#if 1\na\n#else\nb\n#endif", "a"),
        ("#if 0\na\n#elif 2 > 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
        ("#define A\n#ifdef A\na\n#endif\n#ifndef A\nb\n#endif", "a"),
        ("#define A 2\n#if defined(A) && !defined B && A == 2\na\n#endif", "a"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c"),
        ("#if 0\n#elif 0\n#else\nc\n#endif", "c"),
        ("#define if fi\nif", "fi"),
        ("a\n__LINE__ __LINE__\n/*\n*/ __LINE__", "a 2 2 4"),
        ("#define HERE __LINE__\n#define f(a) a HERE \\\n __LINE__\nHERE\nf(__LINE__)", "4 5 5 5"),
        ("\n#if __LINE__ == 2\na\n#endif", "a"),
        ("#define __LINE__ 7\n__LINE__", "7"),
        ("__FILE__", '"m.pml"'),
        ('#pragma once\n# 3 "f"\na', "a"),
    ],
)
def test_the_text_is(text: str, expected: str) -> None:
    assert texts(text) == expected


def test_names_given_by_the_user_are_macros() -> None:
    assert texts("#ifdef N\nN\n#endif", N="4") == "4"


def test_a_line_is_marked_where_it_begins() -> None:
    tokens = preprocess(Source("m.pml", "#define two a\nx two\ny"))
    assert [t.text for t in tokens if t.first] == ["x", "y"]


def test_what_a_macro_stands_for_has_the_place_of_its_use() -> None:
    tokens = preprocess(Source("m.pml", "#define N 1 + 2\na\n  N"))
    assert [str(t.span) for t in tokens[:4]] == ["m.pml:2:1", *["m.pml:3:3"] * 3]


def test_an_included_file_stands_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "b.h").write_bytes(b"#define N 3\r\nb N\r\n")
    (tmp_path / "a.h").write_text('#include "inner/b.h"\na\n', encoding="utf-8")
    (tmp_path / "m.pml").write_text('x\n#include "a.h"\ny N\n', encoding="utf-8")
    tokens = preprocess(read_source(tmp_path / "m.pml"))
    assert [t.text for t in tokens[:-1]] == ["x", "b", "3", "a", "y", "3"]
    assert str(tokens[1].span).endswith("b.h:2:1")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a\n#defin N", "SEC330", "m.pml:2:2"),
        ("#define 3", "SEC330", "m.pml:1:2"),
        ("#define f(a b", "SEC330", "m.pml:1:9"),
        ("#include", "SEC330", "m.pml:1:2"),
        ("\n#if 1\na", "SEC331", "m.pml:2:2"),
        ("#endif", "SEC331", "m.pml:1:2"),
        ("#else", "SEC331", "m.pml:1:2"),
        ("#if 1\n#else\n#else\n#endif", "SEC331", "m.pml:3:2"),
        ("#if", "SEC332", "m.pml:1:2"),
        ("#if 1 / 0\n#endif", "SEC332", "m.pml:1:5"),
        ("#define f(a) a\nf(1, 2)", "SEC333", "m.pml:2:1"),
        ("#define f(a) a\nf(1", "SEC333", "m.pml:2:1"),
        ("#error no good", "SEC335", "m.pml:1:2"),
        ("a /* b", "SEC337", "m.pml:1:3"),
        ('#include "nowhere.h"', "SEC001", "m.pml:1:10"),
    ],
)
def test_a_complaint_has_a_place(text: str, code: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        texts(text)
    (found,) = caught.value.diagnostics
    assert (str(found.code), str(found.span)) == (code, place)


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.pml"
    path.write_text('#include "m.pml"\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        preprocess(read_source(path))
    assert str(caught.value.diagnostics[0].code) == "SEC334"


def test_macros_that_double_the_text_are_stopped() -> None:
    lines = "\n".join(f"#define a{n} a{n + 1} a{n + 1}" for n in range(40))
    with pytest.raises(InputError) as caught:
        texts(f"{lines}\na0")
    assert str(caught.value.diagnostics[0].code) == "SEC336"
