"""Models as tests of pytest."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import entry_points

import pytest

from secateur.lang.registry import FRONT_ENDS

pytest_plugins = ["pytester"]

# What pytester imports it forgets again, and then classes are there twice: have all of it before.
for row in FRONT_ENDS:
    import_module(row.module)

PLUGIN = "secateur.cli.pytest_plugin"
# An installed package announces its plugin; to name it as well would load it twice.
ANNOUNCED = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
LOADED = () if ANNOUNCED else ("-p", PLUGIN)

HOLDS = """MACHINE Holds
VARIABLES x INVARIANT x : BOOL INITIALISATION x := TRUE OPERATIONS flip = x := bool(x = FALSE)
END
"""
FAILS = """MACHINE Fails
VARIABLES x INVARIANT /*@label low */ x < 3 INITIALISATION x := 0 OPERATIONS up = x := x + 1
END
"""


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*LOADED, "-p", "no:cacheprovider", *words)


def test_models_are_left_alone_unless_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makefile(".mch", Holds=HOLDS, Fails=FAILS)
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED
    run(pytester, "--secateur").assert_outcomes(passed=1, failed=1)
    run(pytester, "Holds.mch").assert_outcomes(passed=1)


def test_a_failure_shows_the_report(pytester: pytest.Pytester) -> None:
    pytester.makefile(".mch", Fails=FAILS)
    result = run(pytester, "--secateur")
    result.stdout.fnmatch_lines(
        [
            "* Fails check *",
            "violated (exit code 1): secateur check *Fails.mch",
            "invariant violated: low",
            "  trace of 4 steps:",
            "FAILED Fails.mch::check - violated*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


def test_expectations_in_comments(pytester: pytest.Pytester) -> None:
    pytester.makefile(
        ".mch",
        Fails=f"/* secateur: expect violated:low */\n{FAILS}",
        Other="// secateur: expect violated:high\n" + FAILS.replace("Fails", "Other"),
        Endless="/* secateur: options --max-states 5 --no-invariant */ // secateur: expect incomplete\n"
        + FAILS.replace("Fails", "Endless"),
        Cut="/* secateur: options --max-states 2 */\n" + FAILS.replace("Fails", "Cut"),
        Long="/* secateur: skip takes an hour */\n" + FAILS.replace("Fails", "Long"),
    )
    result = run(pytester, "--secateur", "-rs")
    result.assert_outcomes(passed=2, failed=2, skipped=1)
    result.stdout.fnmatch_lines(["*expected violated:high, but what is violated is invariant low*"])
    result.stdout.fnmatch_lines(["SKIPPED * takes an hour"])


def test_formulas_are_a_test_of_their_own(pytester: pytest.Pytester) -> None:
    formula = (
        'DEFINITIONS ASSERT_LTL == "G F {x = TRUE}"; ASSERT_LTL_no == "G {x = TRUE}"\nVARIABLES'
    )
    text = HOLDS.replace("VARIABLES", formula)
    pytester.makefile(".mch", Holds=f"/* secateur: ltl expect violated:ASSERT_LTL_no */\n{text}")
    result = run(pytester, "--secateur", "-v")
    result.stdout.fnmatch_lines(["Holds.mch::check PASSED*", "Holds.mch::ltl PASSED*"])


def test_the_project_decides(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        """
        [tool.secateur]
        collect = true
        options = ["--max-seconds", "60"]
        [tool.secateur.models."Fails.mch"]
        expect = ["violated:low"]
        [tool.secateur.models."old*.mch"]
        skip = true
        [tool.secateur.models."Holds.mch"]
        options = "--ltl 'G {x = TRUE}'"
        expect = "violated:ltl"
        """
    )
    pytester.makefile(".mch", Fails=FAILS, old1="nonsense", Holds=HOLDS)
    run(pytester).assert_outcomes(passed=2, skipped=1)


def test_a_pattern_is_one_of_the_whole_path(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        """
        [tool.secateur]
        collect = true
        [tool.secateur.models."models/Fails.mch"]
        expect = "violated:low"
        [tool.secateur.models."**/old/*.mch"]
        skip = true
        """
    )
    for folder in ("models", "other/models", "old", "models/very/old"):
        place = pytester.path / folder
        place.mkdir(parents=True)
        (place / "Fails.mch").write_text(FAILS)
    result = run(pytester, "-rA")
    result.assert_outcomes(passed=1, failed=1, skipped=2)
    result.stdout.fnmatch_lines(["PASSED models/Fails.mch::check"])
    result.stdout.fnmatch_lines(["FAILED other/models/Fails.mch::check*"])


def test_common_options_are_those_of_formulas_too(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        """
        [tool.secateur]
        collect = true
        options = ["--max-states", "1", "--no-deadlock", "--symmetry=flood", "--ctl", "AG {x = x}"]
        [tool.secateur.models."Holds.mch"]
        expect = "incomplete"
        ltl = { expect = "incomplete" }
        """
    )
    formula = 'DEFINITIONS ASSERT_LTL == "G F {x = TRUE}"\nVARIABLES'
    pytester.makefile(".mch", Holds=HOLDS.replace("VARIABLES", formula))
    run(pytester).assert_outcomes(passed=2)


def test_settings_of_pytest_decide(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nsecateur = true\n")
    pytester.makefile(".mch", Holds=HOLDS)
    run(pytester).assert_outcomes(passed=1)


def test_event_b_is_collected(pytester: pytest.Pytester) -> None:
    text = "MACHINE m\nVARIABLES x\nINVARIANTS @inv1 x ∈ 0‥2\nEVENTS\nINITIALISATION\nTHEN @a x ≔ 0\nEND\nEVENT up\nTHEN @a x ≔ x + 1\nEND\nEND\n"
    pytester.makefile(".eventb", m=f"// secateur: expect violated:inv1\n{text}")
    run(pytester, "--secateur").assert_outcomes(passed=1)


@pytest.mark.parametrize("comment", ["secateur: expct holds", "secateur: ltl never"])
def test_what_is_not_understood_is_an_error(pytester: pytest.Pytester, comment: str) -> None:
    pytester.makefile(".mch", Holds=f"/* {comment} */\n{HOLDS}")
    result = run(pytester, "--secateur")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*line 1: 'secateur: *' is not understood*"])


def test_bad_models_and_options_fail(pytester: pytest.Pytester) -> None:
    pytester.makefile(".mch", Bad="nonsense", Holds=f"/* secateur: options --serach df */\n{HOLDS}")
    result = run(pytester, "--secateur")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*there is no option --serach*", "help: did you mean --search?"])


def test_a_project_file_that_is_broken(pytester: pytest.Pytester) -> None:
    pytester.makefile(".mch", Holds=HOLDS)
    pytester.path.joinpath("pyproject.toml").write_text(
        "[tool.secateur.models.'Holds.mch']\nexpects = 'holds'\n"
    )
    result = run(pytester, "--secateur")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*pyproject.toml says expects of it*"])


def test_the_plugin_imports_next_to_nothing() -> None:
    code = (
        f"import {PLUGIN}, sys;"
        "print([m for m in sys.modules if m.startswith('secateur.') and m.count('.') > 1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"['{PLUGIN}']"
