"""Diagnostics and excerpts."""

from __future__ import annotations

from secateur.report.diagnostics import render_diagnostics
from secateur.report.errors import place_to_json
from secateur.report.style import Style
from secateur.source import NOWHERE, Code, Diagnostic, Source, Span

CODE = Code(901, "an example")


def diagnostic(text: str, start: int, end: int, help: str | None = None) -> str:
    return render_diagnostics(
        [Diagnostic(CODE, "no good", Span(Source("a.mch", text), start, end), help)]
    )


def test_code_message_place_caret_and_help() -> None:
    shown = diagnostic("x := 1\ny := foo\n", 12, 15, "did you mean fooo?")
    assert shown == (
        "error[SEC901]: no good\n"
        " --> a.mch:2:6\n"
        "2 | y := foo\n"
        "  |      ^^^\n"
        "help: did you mean fooo?"
    )


def test_several_are_set_apart() -> None:
    both = render_diagnostics([Diagnostic(CODE, "one"), Diagnostic(CODE, "two")])
    assert both == "error[SEC901]: one\n\nerror[SEC901]: two"


def test_the_end_of_the_text_has_a_caret_too() -> None:
    assert diagnostic("x :=", 4, 4).endswith("1 | x :=\n  |     ^")


def test_a_span_of_several_lines_is_underlined_in_its_first() -> None:
    assert diagnostic("ab\ncd\nef", 1, 7).endswith("1 | ab\n  |  ^")


def test_tabs_and_control_characters_do_not_move_the_caret() -> None:
    assert diagnostic("\tx\x00 := y", 7, 8).endswith("1 |  x  := y\n  |        ^")


def test_a_line_of_a_megabyte_is_cut_to_what_matters() -> None:
    shown = diagnostic("a" * 500_000 + "BAD" + "b" * 500_000, 500_000, 500_003)
    source, carets = shown.splitlines()[-2:]
    assert len(source) < 130
    assert source[carets.index("^") :].startswith("BAD")


def test_what_no_user_wrote_has_no_place() -> None:
    assert render_diagnostics([Diagnostic(CODE, "x", NOWHERE)]) == "error[SEC901]: x"
    assert place_to_json(NOWHERE) is None


def test_places_count_from_one() -> None:
    place = place_to_json(Span(Source("a.mch", "ab\ncd"), 3, 5))
    assert place == {"file": "a.mch", "line": 2, "column": 1, "end_line": 2, "end_column": 3}


def test_colours_only_where_wanted() -> None:
    assert "\x1b[" in render_diagnostics([Diagnostic(CODE, "x")], Style(colour=True))


def test_a_place_in_a_generated_file_names_the_element() -> None:
    source = Source("M.bum", "x ∈ S", "inc.grd1")
    span = Span(source, 0, 1)
    assert str(span) == "M.bum (inc.grd1):1:1"
    found = place_to_json(span)
    assert found is not None
    assert (found["file"], found["part"]) == ("M.bum", "inc.grd1")
    plain = place_to_json(Span(Source("M.mch", "x"), 0, 1))
    assert plain is not None
    assert "part" not in plain
