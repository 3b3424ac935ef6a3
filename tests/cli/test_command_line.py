"""Command lines that are refused: what is said, and what is offered instead."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Runner


def test_refusals_as_json(secateur: Runner) -> None:
    run = secateur("check", "--json", "--serch", "df", "--xyzzy", "Lift.mch")
    found = run.json()
    assert run.code == 2
    assert found["verdict"] == "error"
    assert [e["code"] for e in found["errors"]] == ["SEC450", "SEC450"]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("check", "--serch", "df", "Lift.mch"), "no option --serch", "did you mean --search?"),
        (
            ("check", "--max-states=3", "--max-second=3", "Lift.mch"),
            "--max-second",
            "--max-seconds",
        ),
        (("check", "--sear", "df", "Lift.mch"), "no option --sear", "did you mean --search?"),
        (("check", "--xyzzy", "Lift.mch"), "no option --xyzzy", "secateur check --help"),
        (("chek", "Lift.mch"), "no command chek", "did you mean check?"),
        (("frobnicate",), "no command frobnicate", "secateur --help"),
        (("check", "Lift.mch", "more"), "a word too many: more", "secateur check --help"),
        (("check",), "required: MODEL", "secateur check --help"),
        (("check", ""), "the name of the file is empty", "secateur check --help"),
        (("check", "--search", "bff", "Lift.mch"), "invalid choice: 'bff'", "--help"),
        (("--json",), "no option --json", "secateur --help"),
    ],
)
def test_what_is_not_understood(
    secateur: Runner, words: tuple[str, ...], message: str, hint: str
) -> None:
    run = secateur(*words)
    shown = run.err if run.err else run.out
    assert run.code == 2
    assert "SEC450" in shown
    assert message in shown
    assert hint in shown


def test_only_check_has_options_of_later_versions(secateur: Runner) -> None:
    assert "SEC450" in secateur("info", "--por", "ample", "Lift.mch").err
    assert secateur("eval", '"--por"').out == '"--por"\n'
