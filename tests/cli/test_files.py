"""`-o FILE`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Runner


def test_a_file_for_each_format_beside_what_is_printed(secateur: Runner, tmp_path: Path) -> None:
    plain = secateur("check", "Lift.mch", "--json")
    names = ["t.itf.json", "t.prob2trace", "r.sarif", "r.xml", "t.csv", "r.json", "r.txt"]
    wanted = [word for name in names for word in ("-o", str(tmp_path / name))]
    run = secateur("check", "Lift.mch", "--json", *wanted)
    assert run.code == plain.code == 1
    assert _timeless(run.json()) == _timeless(plain.json())
    for name in names:
        assert f"wrote {tmp_path / name}" in run.err
        assert (tmp_path / name).read_text()
    assert _timeless(json.loads((tmp_path / "r.json").read_text())) == _timeless(plain.json())
    assert (tmp_path / "r.txt").read_text().startswith("invariant violated")
    assert "-o" in (tmp_path / "r.xml").read_text()  # the command line is told


def _timeless(report: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in report.items() if name != "seconds"}


def test_every_violation_has_a_trace_of_its_own(secateur: Runner, tmp_path: Path) -> None:
    secateur("check", "Lift.mch", "--all", "--quiet", "-o", str(tmp_path / "a.b.itf.json"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.b-2.itf.json", "a.b.itf.json"]


def test_a_format_can_be_named(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "results"
    run = secateur("check", "Lift.mch", "--output", f"sarif:{path}")
    assert run.code == 1
    assert json.loads(path.read_text())["version"] == "2.1.0"


def test_formulas_have_files_as_well(secateur: Runner, tmp_path: Path) -> None:
    trace, cases = tmp_path / "t.itf.json", tmp_path / "r.xml"
    words = (
        "--ltl",
        "G F {floor = 2}",
        "--ltl",
        "G {floor < 9}",
        "-o",
        str(trace),
        "-o",
        str(cases),
    )
    run = secateur("ltl", "Lift.mch", *words)
    assert run.code == 1
    assert "loop" in json.loads(trace.read_text())
    assert 'tests="2" failures="1"' in cases.read_text()
    beside = secateur("check", "Lift.mch", "--no-invariant", *words)
    assert beside.code == 1
    assert "exploration" in cases.read_text()


def test_no_trace_is_no_error(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "t.itf.json"
    run = secateur("check", "Switch.mch", "--no-deadlock", "--no-invariant", "-o", str(path))
    assert run.code == 0
    assert f"nothing was written to {path}" in run.err
    assert not path.exists()


@pytest.mark.parametrize(
    ("file", "code", "said"),
    [
        ("a.pdf", "SEC460", ".itf.json (itf)"),
        ("word:a.pdf", "SEC460", ".prob2trace"),
        ("nowhere/a.csv", "SEC461", "no folder"),
        ("folder.csv", "SEC461", "a directory"),
        ("x" * 300 + ".csv", "SEC461", "cannot be written"),
        ("nul\0.csv", "SEC461", "cannot be written"),
    ],
)
def test_what_cannot_be_written(
    secateur: Runner, tmp_path: Path, file: str, code: str, said: str
) -> None:
    (tmp_path / "folder.csv").mkdir()
    os.chdir(tmp_path)
    run = secateur("check", str(Path(__file__).parent / "models" / "Endless.mch"), "-o", file)
    assert run.code == 2
    assert not run.out
    assert code in run.err
    assert said in run.err
    assert "Traceback" not in run.err


def test_one_file_twice(secateur: Runner, tmp_path: Path) -> None:
    path = str(tmp_path / "a.csv")
    run = secateur("check", "Lift.mch", "-o", path, "-o", f"json:{path}")
    assert (run.code, "SEC461" in run.err) == (2, True)


def test_one_file_by_two_names(secateur: Runner, tmp_path: Path) -> None:
    (tmp_path / "o").mkdir()
    one, other = str(tmp_path / "a.xml"), str(tmp_path / "o" / ".." / "a.xml")
    run = secateur("check", "Lift.mch", "-o", one, "-o", other)
    assert (run.code, "is to be written twice" in run.err) == (2, True)
    base = tmp_path / "b.json"
    words = ("-o", str(base), "--baseline", str(base), "--update-baseline")
    assert secateur("check", "Lift.mch", *words).code == 2
    assert not base.exists()


def test_a_file_that_a_further_trace_needs(secateur: Runner, tmp_path: Path) -> None:
    one, other = str(tmp_path / "a.itf.json"), str(tmp_path / "a-2.itf.json")
    run = secateur("check", "Lift.mch", "--all", "-o", one, "-o", other)
    assert (run.code, "is where a further trace of" in run.err) == (2, True)
    third = str(tmp_path / "a-1.itf.json")
    assert secateur("check", "Lift.mch", "--all", "-o", one, "-o", third).code == 1


@pytest.mark.parametrize(
    "words",
    [
        ("check", "P.mch", "--report", "P.mch"),
        ("check", "P.mch", "-o", "json:./x/../P.mch"),
        ("check", "P.mch", "-o", "json:link.json"),
        ("check", "P.mch", "--baseline", "P.mch", "--update-baseline"),
        ("check", "P.mch", "--certificate", "P.mch"),
        ("ltl", "P.mch", "--ltl", "G {floor < 9}", "-o", "text:P.mch"),
        ("ltl", "P.mch", "--file", "f.txt", "-o", "f.txt"),
        ("replay", "P.mch", "t.itf.json", "-o", "t.itf.json"),
    ],
    ids=" ".join,
)
def test_what_is_read_is_not_overwritten(
    secateur: Runner, tmp_path: Path, words: tuple[str, ...]
) -> None:
    text = (Path(__file__).parent / "models" / "Lift.mch").read_text()
    os.chdir(tmp_path)
    (tmp_path / "P.mch").write_text(text)
    (tmp_path / "x").mkdir()
    (tmp_path / "link.json").symlink_to("P.mch")
    (tmp_path / "f.txt").write_text("G {floor < 9}\n")
    (tmp_path / "t.itf.json").write_text("{}")
    run = secateur(*words)
    assert (run.code, run.out) == (2, "")
    assert "SEC461" in run.err
    assert "the file that is read" in run.err
    assert (tmp_path / "P.mch").read_text() == text


def test_old_traces_are_not_taken_for_new(secateur: Runner, tmp_path: Path) -> None:
    trace = tmp_path / "t.itf.json"
    secateur("check", "Lift.mch", "--all", "-o", str(trace), "--quiet")
    first = secateur("check", "Lift.mch", "-o", str(trace))
    second = f"warning: {tmp_path / 't-2.itf.json'} was there before and is not of this run\n"
    assert second in first.err
    assert f"warning: {trace} " not in first.err
    held = secateur("check", "Switch.mch", "-o", str(trace))
    assert held.code == 0
    assert f"warning: {trace} was there before and is not of this run\n" in held.err
    assert second in held.err


@pytest.mark.skipif(os.name != "posix", reason="names of files are text elsewhere")
@pytest.mark.parametrize("name", ["r.html", "r.sarif", "r.xml", "t.itf.json", "r.json", "r.txt"])
def test_names_of_files_need_not_be_text(secateur: Runner, tmp_path: Path, name: str) -> None:
    model = os.fsdecode(os.fsencode(tmp_path) + b"/\xe9t.mch")
    text = (Path(__file__).parent / "models" / "Lift.mch").read_text()
    try:
        Path(model).write_text(text)
    except OSError:
        pytest.skip("this file system takes text only")
    os.chdir(tmp_path)
    for path in (model, Path(model).name):
        run = secateur("check", path, "-o", str(tmp_path / name))
        assert run.code == 1, run.err
        assert (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_does_not_cost_the_result(secateur: Runner) -> None:
    run = secateur("check", "Lift.mch", "--json", "-o", "csv:/dev/full")
    assert run.code == 2
    assert run.json()["verdict"] == "violated"
    assert "SEC461" in run.err


def test_replay_says_where_a_trace_stops(secateur: Runner, tmp_path: Path) -> None:
    trace = tmp_path / "t.itf.json"
    secateur("check", "Lift.mch", "-o", str(trace), "--quiet")
    run = secateur("replay", "Lift.mch", str(trace))
    assert run.code == 0
    assert "replays: Lift (itf): all 5 steps" in run.out
    assert "still violated: invariant: door = open => floor < 3" in run.out
    edited = tmp_path / "Lift.mch"
    text = (Path(__file__).parent / "models" / "Lift.mch").read_text()
    edited.write_text(text.replace("floor < roof &", "floor < 2 &"))
    run = secateur("replay", str(edited), str(trace))
    assert run.code == 1
    assert "stops: Lift (itf) at step 4 of the 5 in the file: up (guard)" in run.out
    assert "guard floor < 2 does not hold (floor = 2)" in run.out
    told = secateur("replay", str(edited), str(trace), "--json").json()
    assert told["verdict"] == "stops"
    assert told["obstacle"]["reasons"][0]["place"]["line"] == 11


def test_replay_converts(secateur: Runner, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    secateur("check", "Lift.mch", "--all", "--quiet", "-o", str(report))
    files = [tmp_path / f"t{suffix}" for suffix in (".itf.json", ".prob2trace", ".json", ".itf")]
    before = report
    for file in files[:3]:
        number = ["--violation", "2"] if before is report else []
        run = secateur("replay", "Lift.mch", str(before), *number, "-o", str(file), "--quiet")
        assert run.code == 0, run.err
        before = file
    run = secateur("replay", "Lift.mch", str(before), "-o", f"itf:{files[3]}")
    first, last = (json.loads(f.read_text()) for f in (files[0], files[3]))
    assert first["states"] == last["states"]
    assert secateur("replay", "Lift.mch", str(report), "--violation", "3").code == 2
    refused = secateur("replay", "Lift.mch", str(before), "-o", str(tmp_path / "r.sarif"))
    assert (refused.code, "SEC460" in refused.err) == (2, True)


def test_replay_gives_up_within_its_bounds(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "little.prob2trace"
    steps = [{"name": "$initialise_machine"}, *({"name": "open_door"} for _ in range(2))]
    path.write_text(json.dumps({"transitionList": steps}))
    run = secateur("replay", "Lift.mch", str(path), "--max-ways", "2")
    assert run.code == 3
    assert "incomplete" in run.out
    assert secateur("replay", "Lift.mch", str(path)).code == 1
    assert secateur("replay", "Lift.mch", str(tmp_path / "no.json")).code == 2
