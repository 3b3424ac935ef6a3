"""`secateur probcli`: ProB's flags, phrases, counts; and exit codes that tell the truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.cli.probcli.flags import ACCEPTED, FLAGS, REFUSED, plain
from secateur.cli.probcli.formulas import formulas_of
from tests.cli.conftest import Run, Runner
from tests.cli.probcli_machines import MACHINES

ALL_VISITED = "No counter example found. ALL states visited."
FOUND = "*** COUNTER EXAMPLE FOUND ***"


class Probcli:
    """The command among the machines, each in a file of its own."""

    def __init__(self, secateur: Runner, folder: Path) -> None:
        self._run = secateur
        self.folder = folder
        for name, text in MACHINES.items():
            (folder / f"{name}.mch").write_text(text)

    def __call__(self, machine: str, *words: str) -> Run:
        return self._run("probcli", str(self.folder / f"{machine}.mch"), *words)


@pytest.fixture
def probcli(secateur: Runner, tmp_path: Path) -> Probcli:
    return Probcli(secateur, tmp_path)


@pytest.mark.parametrize("flag", ["-model_check", "--model-check", "--model_check", "-model-check"])
def test_a_model_that_holds(probcli: Probcli, flag: str) -> None:
    run = probcli("Holds", flag, "-coverage")
    assert run.code == 0
    assert (
        "\nALL OPERATIONS COVERED\n% Model checking finished, all open states visited\n" in run.out
    )
    assert f"States analysed: 4\nTransitions fired: 11\n{ALL_VISITED}\n" in run.out
    assert (
        "Coverage:\n[STATES (5),deadlocked:0,invariant_violated:0,invariant_not_checked:0,open:0,live:5,"
        "total:5,TOTAL_TRANSITIONS,11,COVERED_OPERATIONS (4),Dec:3,Get:4,INITIALISATION:1,Inc:3,"
        "UNCOVERED_OPERATIONS (0)]\n"
    ) in run.out
    assert run.err == ""


@pytest.mark.parametrize(
    ("machine", "flags", "kind", "trace"),
    [
        ("Dead", (), "deadlock", ["INITIALISATION(x=0)", "Inc(1)", "Inc(2)"]),
        (
            "Inv",
            (),
            "invariant_violation",
            ["SETUP_CONSTANTS(c=2)", "INITIALISATION(x=0,y=FALSE)", "Inc(2)"],
        ),
        ("Goal", (), "assertion_violation", ["INITIALISATION(x=0)", "Inc", "Inc"]),
        ("Goal", ("-noass",), "goal_found", ["INITIALISATION(x=0)", "Inc", "Inc"]),
        ("WD", (), "well_definedness_error", ["INITIALISATION(x=2)", "Dec", "Dec"]),
        ("NoInit", (), "deadlock", []),
    ],
)
def test_a_counterexample_is_red(
    probcli: Probcli, machine: str, flags: tuple[str, ...], kind: str, trace: list[str]
) -> None:
    steps = "".join(f" {number}: {step}\n" for number, step in enumerate(trace, 1))
    run = probcli(machine, "-mc", "1000", *flags)
    assert run.code == 1
    assert f"{FOUND}\n\n{kind}\n*** TRACE (length={len(trace)}):\n{steps}" in run.out
    assert f"! *** error occurred ***\n! {kind}\n! Total Errors: 1, Warnings:0\n" in run.err
    expected = probcli(machine, "-mc", "1000", *flags, "-expcterr", kind)
    assert (expected.code, expected.err) == (0, "")
    assert expected.out.endswith("All expected errors occurred.\n")


def test_an_expected_error_that_does_not_occur_is_red(probcli: Probcli) -> None:
    run = probcli("Holds", "-mc", "100", "-expcterr", "mc")
    assert run.code == 1
    assert "*** Expected Error of following type to occur: mc\n*** Some expected" in run.out
    other = probcli("Dead", "-mc", "100", "-expcterr", "invariant_violation")
    assert other.code == 1
    assert probcli("Dead", "-mc", "100", "-expcterr", "mc").code == 0


def test_a_limit_is_incomplete(probcli: Probcli) -> None:
    run = probcli("Unb", "-mc", "10")
    assert run.code == 3
    assert "States analysed: 10\n" in run.out
    assert "No counter example found, not all states visited\n" in run.out
    assert "! Not all states examined due to limit set by user: 10\n" in run.err
    assert ALL_VISITED not in run.out
    assert probcli("Unb", "-mc", "10", "-expcterr", "model_check_incomplete").code == 0


def test_a_timeout_is_incomplete(probcli: Probcli) -> None:
    run = probcli("Unb", "-model_check", "-timeout", "100")
    assert run.code == 3
    assert "*** Timeout occurred while Model Checking: 100\n" in run.out


def test_a_limit_of_a_formula_may_be_0(probcli: Probcli) -> None:
    run = probcli("Goal", "-ltllimit", "0", "-ltlformula", "G {x < 4}")
    assert run.code == 3
    assert "LTL Formula UNKNOWN.\n" in run.out


def test_what_is_not_looked_for_is_counted(probcli: Probcli) -> None:
    run = probcli("Two", "-mc", "100", "-noinv", "-nodead", "-c")
    assert run.code == 0
    assert (
        "[STATES (7),invariant_violated:0,open:0,live:6,deadlocked:1,invariant_not_checked:6,total:7,"
    ) in run.out


def test_counts(probcli: Probcli) -> None:
    assert probcli("Deferred", "-mc", "100", "-card", "S", "3", "-cc", "65", "209").code == 0
    assert (
        probcli("Deferred", "-mc", "99", "-p", "default_setsize", "3", "-cc", "65", "209").code == 0
    )
    run = probcli("Deferred", "-mc", "100", "-card", "S", "3", "-cc", "65", "1")
    assert run.code == 1
    assert "! Unexpected number of transitions:  209\n! Expected:  1\n" in run.err
    assert run.err.endswith("! coverage\n! Total Errors: 1, Warnings:0\n")
    assert probcli("Const", "-mc", "100", "-cc", "8", "16").code == 0


def test_reductions_are_used_only_where_preferences_say_so(probcli: Probcli) -> None:
    run = probcli("Deferred", "-mc", "999", "-card", "S", "3", "-p", "SYMMETRY_MODE", "nauty")
    assert run.code == 0
    assert "States analysed: 13\n" in run.out  # of 64; the elements of T are alike, too


def test_expressions(probcli: Probcli) -> None:
    run = probcli("Two", "-animate", "2", "-eval", "x + 1", "-eval", "x > 3", "-eval", "z = x")
    assert (
        "eval: x + 1\nExpression Value = \n3\neval: x > 3\nPredicate is FALSE\nFALSE\n" in run.out
    )
    assert "over z is TRUE\nSolution: \n       z = 2\nTRUE\n" in run.out
    assert "INVARIANT VIOLATED after 3 steps: x < 2\n     ( x=2 )\n" in run.out
    assert run.code == 1
    bad = probcli("Two", "-eval", "x +", "-eval", "x")
    assert bad.code == 2
    assert bad.out.endswith("eval: x\nExpression Value = \n0\n")
    assert probcli("Two", "-eval", "1 / 0").code == 1


def test_animation(probcli: Probcli, tmp_path: Path) -> None:
    history, state = tmp_path / "h.txt", tmp_path / "s.txt"
    run = probcli("Two", "-animate", "2", "-his", str(history), "-sptxt", str(state), "-c")
    assert run.code == 0
    assert history.read_text() == "Inc\n"
    assert state.read_text() == "/* Variables */\n   x = 1\n"
    assert "[STATES (3),deadlocked:0,invariant_violated:0,live:2,open:1," in run.out
    stuck = probcli("Dead", "-animate", "10")
    assert stuck.code == 1
    assert "! Deadlock occurred during -animate, at step number: " in stuck.err
    assert probcli("Dead", "-animate_all").code == 0
    assert probcli("Dead", "-execute", "10", "-expcterr", "deadlock").code == 0
    assert probcli("Inv", "-init", "-det_check").code == 1
    assert probcli("NoInit", "-init", "-expcterr", "setup_constants_fails").code == 0
    shown = probcli("Two", "-animate", "2", "-his", str(history), "-his_option", "show_states")
    assert shown.code == 0
    assert history.read_text().startswith("/* Initialisation */\n/* Variables\n   x = 0\n*/\nInc\n")


def test_assertions(probcli: Probcli) -> None:
    run = probcli("Ass", "-assertions")
    assert run.code == 1
    assert "\n==> c > 5\nFALSE\n" in run.out
    assert "2 predicates: 1 TRUE, 1 FALSE, 0 UNKNOWN (0 timeouts)\nChecking Dynamic" in run.out
    assert probcli("Ass", "-main_assertions", "-expcterr", "check_assertions").code == 0
    assert probcli("Ass", "-properties").code == 0
    assert probcli("Goal", "-check_goal").code == 1
    assert probcli("Goal", "-check_goal", "-goal", "x = 0").code == 0


def test_formulas(probcli: Probcli, tmp_path: Path) -> None:
    true = probcli("Goal", "-ltlformula", "G {x < 4}", "-ctlformula", "EF {x = 3}")
    assert true.code == 0
    assert true.out == (
        "LTL Formula TRUE.\nNo counter example found for G {x < 4}.\n"
        "CTL Formula TRUE.\nNo counter example found for EF {x = 3}.\n"
    )
    false = probcli("Goal", "-ltlassertions")
    assert false.code == 1
    assert "Checking LTL formula _1: F {x = 3}\nFormula FALSE.\n*** TRACE (length=" in false.out
    assert "! Model Check Counter-Example found for: F {x = 3}\n" in false.err
    none = probcli("Holds", "-ltlassertions")
    assert none.code == 1
    assert "*** No LTL assertions found, test failed\n" in none.out
    file = tmp_path / "some.ltl"
    file.write_text("# nothing\n")
    nothing = probcli("Goal", "-ltlfile", str(file))
    assert (nothing.code, "has no formula" in nothing.err) == (2, True)
    file.write_text("# two\n[Safe]\nG {x < 4}\n[Bad] G {x < 2}\n")
    both = probcli("Goal", "-ltlfile", str(file))
    assert both.code == 1
    assert "Checking formula Safe:\nLTL Formula TRUE." in both.out
    assert "Checking formula Bad:\nFormula FALSE." in both.out
    assert probcli("Goal", "-ltlformula", "G (").code == 2


def test_files_of_formulas() -> None:
    named = formulas_of("[A] G {x=1}\n[B]\nF {x=2}\n or {x=3}\n")
    assert [(c.name, c.text) for c in named] == [("A", "G {x=1}"), ("B", "F {x=2} or {x=3}")]
    plain_ones = formulas_of("[Inc] => X {x=1}\n// no\n[Inc] U [Dec]\n")
    assert [c.text for c in plain_ones] == ["[Inc] => X {x=1}", "[Inc] U [Dec]"]
    assert not list(formulas_of("\n# nothing\n"))


def test_bad_models(probcli: Probcli) -> None:
    assert probcli("Parse", "-mc", "10").code == 2
    assert probcli("Parse", "-mc", "10", "-expcterr", "parse_error").code == 0
    assert probcli("TypeErr", "-init", "-expcterr", "type_error").code == 0
    assert probcli("TypeErr", "-init", "-expcterr", "load_main_file").code == 0
    assert probcli("Missing", "-init", "-expcterr", "load_main_file").code == 0


def test_several_actions_in_one_call(probcli: Probcli) -> None:
    words = (
        "-c",
        "-eval",
        "x",
        "-ltlformula",
        "G {x<9}",
        "-assertions",
        "-mc",
        "9",
        "-nodead",
        "-noinv",
    )
    run = probcli("Two", *words)
    order = ["% Checking ASSERTIONS", "States analysed", "eval: x", "LTL Formula TRUE", "Coverage:"]
    places = [run.out.index(word) for word in order]
    assert places == sorted(places)


def test_several_files(secateur: Runner, probcli: Probcli) -> None:
    files = [str(probcli.folder / f"{name}.mch") for name in ("Two", "Holds")]
    run = secateur("probcli", *files, "-mc", "100")
    assert run.code == 1
    assert f"% Processing file 2/2: {files[1]}\n" in run.out
    assert ALL_VISITED in run.out


def test_tables_and_the_model_itself(probcli: Probcli, tmp_path: Path, secateur: Runner) -> None:
    operations, values, listing = (tmp_path / name for name in ("o.csv", "v.csv", "Listed.mch"))
    tables = (
        "-csv",
        "quick_operation_coverage",
        str(operations),
        "-csv",
        "variable_coverage",
        str(values),
    )
    assert probcli("Two", "-mc", "99", "-noinv", "-nodead", *tables, "-pp", str(listing)).code == 0
    assert operations.read_text() == "Operation,Covered\nINITIALISATION,1\nInc,5\n"
    assert values.read_text() == "Variable,Distinct,Min,Max\nx,6,0,5\n"
    listing.write_text(listing.read_text().replace("MACHINE Two", "MACHINE Listed"))
    again = secateur("check", str(listing), "--json").json()
    assert [v["name"] for v in again["violations"]] == ["x < 2"]
    assert " dynamic_assertions : 2\n" in probcli("Goal", "-machine_stats").out
    summary = probcli("Dead", "-mc", "99", "-nodead", "-coverage_summary").out
    assert " States: 5\n Transitions: 6\n Uninitialised states: 1" in summary
    assert " Uncovered operations (1): Never\n" in summary


def test_all_that_is_wrong_is_told_at_once_and_where(secateur: Runner) -> None:
    run = secateur("probcli", "Lift.mch", "-bogus", "-cbc_deadlock", "-mc", "many", "-mcmode", "df")
    assert run.code == 2
    assert run.out == ""
    for said in (
        "error[SEC470]: there is no flag -bogus\n --> command line:1:27\n",
        "error[SEC471]: -cbc_deadlock is not done here\n",
        "error[SEC472]: -mc takes a number as N, not 'many'\n",
        "error[SEC470]: there is no flag -mcmode\n",
        "help: did you mean -mc_mode?",
    ):
        assert said in run.err


@pytest.mark.parametrize(
    "words",
    [
        ("Lift.mch", "-mc"),
        ("-mc", "3"),
        ("Lift.mch", "-mc", "3", "-mc_mode", "sideways"),
        ("Lift.mch", "-pref_group", "integer", "int3"),
        ("Lift.mch", "-pref_group", "what", "int32"),
        ("Lift.mch", "-csv", "what", "f.csv"),
        ("Lift.mch", "-his_option", "trace_file"),
    ],
)
def test_bad_arguments(secateur: Runner, words: tuple[str, ...]) -> None:
    run = secateur("probcli", *words)
    assert run.code == 2
    assert "error[SEC472]" in run.err


@pytest.mark.parametrize("name", [flag.name for flag in REFUSED])
def test_what_is_refused_names_a_way_out(secateur: Runner, name: str) -> None:
    run = secateur("probcli", "Lift.mch", f"--{name.replace('_', '-')}", "a", "b", "c", "d")
    assert run.code == 2
    assert f"error[SEC471]: -{name} is not done here\n" in run.err
    assert "\nhelp: " in run.err


def test_no_name_is_used_twice() -> None:
    names = [name for flag in (*ACCEPTED, *REFUSED) for name in (flag.name, *flag.aliases)]
    assert len(names) == len(set(names)) == len(FLAGS)
    assert all(plain(f"-{name}") == name for name in names)


def test_a_file_that_cannot_be_written(secateur: Runner, tmp_path: Path) -> None:
    run = secateur("probcli", "Lift.mch", "-init", "-his", str(tmp_path / "no" / "such"))
    assert run.code == 2
    assert "error[SEC451]" in run.err


def test_help_and_version(secateur: Runner) -> None:
    shown = secateur("probcli", "-help")
    assert shown.code == 0
    assert "A red result is red" in shown.out
    assert all(f"-{flag.name}" in shown.out for flag in (*ACCEPTED, *REFUSED))
    assert secateur("probcli").code == 0
    assert secateur("probcli", "-svers").out.startswith("VERSION secateur ")


def test_integers_in_groups(secateur: Runner, probcli: Probcli) -> None:
    run = probcli(
        "Two",
        "-pref_group",
        "integer",
        "int32",
        "-eval",
        "MAXINT",
        "-p",
        "MININT",
        "-5",
        "-eval",
        "MININT",
    )
    assert "\n2147483647\n" in run.out
    assert "\n-5\n" in run.out


def test_graphs_and_traces(secateur: Runner, tmp_path: Path) -> None:
    graph, merged, trace = tmp_path / "s.dot", tmp_path / "d.dot", tmp_path / "t.prob2trace"
    secateur("check", "Lift.mch", "-o", str(trace), "--quiet")
    run = secateur(
        "probcli",
        "Lift.mch",
        *("-trace_replay", "json", str(trace)),
        *("-spdot", str(graph)),
        *("-dotexpr", "transition_diagram", "door", str(merged)),
        *("-dot", "enable_graph", str(tmp_path / "e.dot")),
    )
    assert run.code == 0
    assert "Replaying trace" in run.out
    assert graph.read_text().startswith("digraph")
    assert len(merged.read_text()) < len(graph.read_text())
    assert (tmp_path / "e.dot").exists()
    trace.write_text(
        '{"transitionList":[{"name":"$initialise_machine"},{"name":"count"},{"name":"fly"}]}'
    )
    assert secateur("probcli", "Lift.mch", "-trace_replay", "json", str(trace)).code == 1


def test_graphs_that_there_are_none_of(secateur: Runner) -> None:
    for words in (
        ("-dot", "formula_tree", "f.dot"),
        ("-dotexpr", "expr_as_graph", "1", "f.dot"),
        ("-trace_replay", "prolog", "f.trace"),
    ):
        run = secateur("probcli", "Lift.mch", *words)
        assert run.code == 2
        assert "SEC472" in run.err
