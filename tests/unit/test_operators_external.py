"""External functions, by example: what ProB's manual and its test machines say."""

from __future__ import annotations

from typing import Any

import pytest

from secateur.maths.operators.protocol import Fixity, Settings
from secateur.maths.operators.registry import EXTERNALS, LIBRARIES, OPERATORS
from secateur.maths.symbolic import INTEGERS, NATURALS, Integers
from secateur.maths.values import IllDefined, record


def seq(*items: Any) -> frozenset[Any]:
    return frozenset(enumerate(items, 1))


S = frozenset
FOUND = record({"length": 3, "position": 10, "string": "234", "submatches": seq("2", "34")})
LOST = record({"length": -1, "position": -1, "string": "", "submatches": S()})

EXAMPLES: list[tuple[str, tuple[Any, ...], Any]] = [
    ("STRING_LENGTH", ("abc",), 3),
    ("STRING_APPEND", ("abc", ""), "abc"),
    ("STRING_CONC", (seq("a", "b", "c"),), "abc"),
    ("STRING_SPLIT", ("/usr/local", "/"), seq("", "usr", "local")),
    ("STRING_SPLIT", ("usr", ""), seq("usr")),
    ("STRING_SPLIT", ("", "."), seq("")),
    ("STRING_JOIN", (seq("a", "b"), ";"), "a;b"),
    ("STRING_CHARS", ("ab",), seq("a", "b")),
    ("STRING_CODES", (" a",), seq(32, 97)),
    ("CODES_TO_STRING", (seq(65, 66),), "AB"),
    ("STRING_TO_UPPER", ("az-09-äàö",), "AZ-09-AAO"),
    ("STRING_TO_LOWER", ("AZ-ÄÖ",), "az-ao"),
    ("STRING_REV", ("abc",), "cba"),
    ("SUB_STRING", ("abcdefg", 4, 2), "de"),
    ("SUB_STRING", ("abcdefg", 1, 100), "abcdefg"),
    ("SUB_STRING", ("abcdefg", 11, 3), ""),
    ("STRING_REPLACE", ("abab", "a", "c"), "cbcb"),
    ("STRING_PADLEFT", ("7", 3, "0"), "007"),
    ("STRING_CONTAINS_STRING", ("b0a", "0a"), True),
    ("STRING_CONTAINS_STRING", ("", "zer"), False),
    ("STRING_EQUAL_CASE_INSENSITIVE", ("aB", "Ab"), True),
    ("STRING_IS_ALPHANUMERIC", ("a1",), True),
    ("TO_STRING", (((True, 3), S({(11, record({"a": 22}))})),), "(TRUE|->3|->{(11|->rec(a:22))})"),
    ("TO_STRING", ("1204",), "1204"),
    ("TO_STRING", (S({"1204"}),), '{"1204"}'),
    ("FORMAT_TO_STRING", ("a=~w, b=~w", seq("1", "2")), "a=1, b=2"),
    ("STRING_IS_INT", (" - 1204",), True),
    ("STRING_IS_INT", ("012.3",), False),
    ("STRING_IS_INT", ("",), False),
    ("STRING_IS_NUMBER", ("39.948",), True),
    ("STRING_IS_DECIMAL", (".",), False),
    ("STRING_TO_INT", (" - 00001",), -1),
    ("INT_TO_STRING", (-1024,), "-1024"),
    ("DEC_STRING_TO_INT", ("-57.9", -1), -6),
    ("DEC_STRING_TO_INT", ("3.05", 1), 31),
    ("DEC_STRING_TO_INT", ("-0.5", 0), -1),
    ("DEC_STRING_TO_INT", (" 1125.001", 5), 112500100),
    ("DEC_STRING_TO_INT", (".9", 0), 1),
    ("DEC_STRING_TO_INT", ("9.", 1), 90),
    ("INT_TO_DEC_STRING", (-10, 3), "-0.010"),
    ("INT_TO_DEC_STRING", (234, -5), "23400000"),
    ("INT_TO_HEX_STRING", (-254,), "-fe"),
    ("IS_REGEX", ("ab[0-9",), False),
    ("REGEX_MATCH", ("äbc", "[[:alpha:]]{3}"), True),
    ("REGEX_MATCH", ("abc1", "[a-z]+"), False),
    ("REGEX_REPLACE", ("1abd00abc2", "([a-z]+).*?([a-z]+)", "<<$2$1>>"), "1<<abcabd>>2"),
    ("REGEX_SEARCH", ("abcdef000234daf", 1, "([1-9])([0-9]*)"), FOUND),
    ("REGEX_SEARCH", ("0123", 1, "[[:alpha:]]+"), LOST),
    ("REGEX_SEARCH_STR", ("abcdef000234daf", "[[:alpha:]]+$"), "daf"),
    ("REGEX_SEARCH_ALL", ("10234", r"\d{1,3}"), seq("102", "34")),
    ("CHOOSE", (S("cab"),), "a"),
    ("CHOOSE", (NATURALS,), 0),
    ("CHOOSE", (INTEGERS,), 0),
    ("CHOOSE", (Integers(None, -5),), -5),
    ("CHOOSE", (Integers(7, None),), 7),
    ("MU", (S({2}),), 2),
    ("SORT", (S({"ab", "a", "10", "2"}),), seq("10", "2", "a", "ab")),
    ("SQUASH", (S({(4, "b"), (0, "a"), (44, "a")}),), seq("a", "b", "a")),
    ("SCCS", (S({(1, 2), (2, 1), (2, 3), (3, 4), (4, 3)}),), S({S({1, 2}), S({3, 4})})),
    ("CLOSURE1", (S({(1, 2), (2, 3)}),), S({(1, 2), (2, 3), (1, 3)})),
    ("LESS", (1, 2), True),
    ("LEQ_SYM_BREAK", (S({1}), S({2})), True),
    ("FORCE", (Integers(1, 3),), S({1, 2, 3})),
    ("COPY", (3,), 3),
    ("ABS", (-10,), 10),
    ("GCD", (-10, -15), 5),
    ("MSB", (1025,), 10),
    ("FACTORIAL", (5,), 120),
    ("SIN", (157,), 100),
    ("COS", (314,), -100),
    ("TAN", (200,), -219),
    ("SINx", (100, 157), 100),
    ("COSx", (100, 157), 0),
    ("TANx", (10000, 61400), -1442),
    ("LOGx", (100, 200, 900), 317),
    ("BNOT", (0,), -1),
    ("BAND", (6, 3), 2),
    ("BOR", (1, 4), 5),
    ("BXOR", (5, 255), 250),
    ("BLSHIFT", (16, 2), 64),
    ("BRSHIFT", (16, 2), 4),
    ("RADD", (1.0, 0.5), 1.5),
    ("RSUB", (1.0, 0.5), 0.5),
    ("RMUL", (1.5, 2.0), 3.0),
    ("RDIV", (3.0, 2.0), 1.5),
    ("RINV", (2.0,), 0.5),
    ("RABS", (-2.2,), 2.2),
    ("RSIGN", (-2.2,), -1.0),
    ("RMAX", (1.4, 1.5), 1.5),
    ("RMIN", (1.4, 1.5), 1.4),
    ("RLT", (1.0, 2.0), True),
    ("RLEQ", (2.0, 2.0), True),
    ("REQ", (2.0, 2.0), True),
    ("RNEQ", (2.0, 2.0), False),
    ("RGT", (1.0, 2.0), False),
    ("RGEQ", (2.0, 2.0), True),
    ("ROUND", (-2.5,), -3),
    ("RSIN", (0.0,), 0.0),
    ("RCOS", (0.0,), 1.0),
    ("RTAN", (0.0,), 0.0),
    ("RASIN", (0.0,), 0.0),
    ("RACOS", (1.0,), 0.0),
    ("RATAN", (0.0,), 0.0),
    ("RSINH", (0.0,), 0.0),
    ("RCOSH", (0.0,), 1.0),
    ("RTANH", (0.0,), 0.0),
    ("RSQRT", (2.0,), 1.4142135623730951),
    ("REXP", (0.0,), 1.0),
    ("RLOGe", (1.0,), 0.0),
    ("RLOG", (2.0, 1024.0), 10.0),
    ("RPOW", (2.0, 10.0), 1024.0),
    ("RATAN2", (0.0, 1.0), 0.0),
    ("printf", ("~w", 1), True),
    ("dprintf", ("~w", 1), True),
    ("tprintf", ("~w", 1), True),
    ("printf_nonvar", ("~w", 1), True),
    ("printf1", ("~w", 1), True),
    ("printf_opt_trace", ("~w", 1, False), True),
    ("printf_two", ("~w", 1, "~w", 2), True),
    ("fprintf", ("file", "~w", 1), True),
    ("observe", (1,), True),
    ("observe_silent", (1,), True),
    ("tobserve", (1,), True),
    ("observe_indicate", (1,), True),
    ("ENUMERATE", (1,), True),
    ("DO_NOT_ENUMERATE", (1,), True),
    ("CHECK_DET", (1,), True),
    ("TRACE", (True,), True),
    ("vprintf", ("~w", 7), 7),
    ("fvprintf", ("file", "~w", 7), 7),
    ("ASSERT_TRUE", (True, "message"), True),
    ("ASSERT_EXPR", (True, "message", 7), 7),
]

ILL_DEFINED: list[tuple[str, tuple[Any, ...]]] = [
    ("STRING_TO_INT", ("1.0",)),
    ("DEC_STRING_TO_INT", ("a", 0)),
    ("CODES_TO_STRING", (seq(-1),)),
    ("SUB_STRING", ("abc", 0, 1)),
    ("FORMAT_TO_STRING", ("~w ~w", seq(1))),
    ("REGEX_MATCH", ("a", "[")),
    ("CHOOSE", (S(),)),
    ("MU", (S({1, 2}),)),
    ("SQUASH", (S({(1, 2), (1, 3)}),)),
    ("MSB", (0,)),
    ("FACTORIAL", (-1,)),
    ("LOGx", (1, 2, 0)),
    ("SINx", (0, 2)),
    ("BLSHIFT", (1, -1)),
    ("RSQRT", (-1.0,)),
    ("RDIV", (1.0, 0.0)),
    ("RLOG", (1.0, 2.0)),
    ("RPOW", (-1.0, 0.5)),
    ("ASSERT_TRUE", (False, "message")),
    ("ASSERT_EXPR", (False, "message", 7)),
]


@pytest.mark.parametrize(("name", "args", "expected"), EXAMPLES)
def test_value(name: str, args: tuple[Any, ...], expected: Any) -> None:
    operator = EXTERNALS[name]
    assert operator.apply is not None
    assert operator.signature is not None
    assert len(operator.signature.operands) == len(args)
    assert operator.apply(*args) == expected


@pytest.mark.parametrize(("name", "args"), ILL_DEFINED)
def test_ill_defined(name: str, args: tuple[Any, ...]) -> None:
    operator = EXTERNALS[name]
    assert operator.apply is not None
    assert operator.partial
    with pytest.raises(IllDefined):
        operator.apply(*args)


def test_constants() -> None:
    constants = [o for o in EXTERNALS.values() if o.fixity is Fixity.CONSTANT]
    assert all(isinstance(o.constant(Settings()), float) for o in constants if o.constant)
    assert constants


def test_every_function_has_an_example() -> None:
    functions = {n for n, o in EXTERNALS.items() if o.fixity is Fixity.CALL}
    assert functions == {name for name, _, _ in EXAMPLES}


def test_libraries_name_what_exists() -> None:
    assert {name for names in LIBRARIES.values() for name in names} <= set(EXTERNALS)


def test_no_external_hides_an_operator() -> None:
    assert not set(EXTERNALS) & {spelling for o in OPERATORS for spelling in o.spellings}
