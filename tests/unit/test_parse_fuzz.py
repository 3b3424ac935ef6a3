"""Nonsense makes complaints, never crashes."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from secateur.lang.b.lex import GRAMMAR
from secateur.lang.b.parse import parse_component, parse_definitions
from secateur.maths.parse import parse_formula
from secateur.source import InputError, Source

_TOKENS = st.one_of(
    st.sampled_from(sorted(GRAMMAR.lexicon.words)),
    st.sampled_from(sorted(GRAMMAR.lexicon.symbols)),
    st.sampled_from(
        ["x", "y", "x$0", "M.op", "1", "2.5", '"s"', "/*@label l*/", '"', "/*", "$", "?"]
    ),
)
_TEXTS = st.lists(_TOKENS, max_size=40).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_nonsense_is_refused_with_a_place(text: str) -> None:
    for parse in (parse_component, parse_definitions, parse_formula):
        source = Source("nonsense", f"MACHINE M {text}" if parse is parse_component else text)
        try:
            parse(source)
        except InputError as error:
            for diagnostic in error.diagnostics:
                assert diagnostic.span is not None
                assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(source.text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_formula_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        parse_formula(text)
