"""`secateur check --certificate` and `--audit`, `secateur audit`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from secateur.app.certificates.audited import unfolded_for
from secateur.app.deep import run_deep
from secateur.app.load import load
from secateur.app.model import Model
from secateur.audit.certificate import read_certificate
from secateur.cli import certificates
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.reduce.registry import REDUCTIONS
from tests.cli.conftest import Runner
from tools.audit.tamper import TAMPERINGS, lines_of, text_of

THREADS = """MACHINE Threads
SETS ID = {p1, p2, p3}
CONSTANTS most PROPERTIES most : 2..3
VARIABLES pc, seen, log
INVARIANT pc : ID --> 0..3 & seen <: ID & log : NATURAL & log <= 3 & (p1 : seen => pc(p1) >= 1)
INITIALISATION pc := ID * {0} || seen := {} || log := 0
OPERATIONS
  step(p) = SELECT p : ID & pc(p) < most THEN pc(p) := pc(p) + 1 END;
  see(p) = SELECT p : ID & pc(p) = 1 THEN seen := seen \\/ {p} END;
  write = SELECT log < 3 & pc(p1) = most THEN log := log + 1 END;
  turn = SELECT log = 3 THEN log := 0 END
END
"""

ROUND = """MACHINE Round
VARIABLES p, b
INVARIANT p : 0..1 & b : 0..2 & b /= 1
INITIALISATION p, b := 0, 0
OPERATIONS
  there = SELECT p = 0 THEN p := 1 END;
  back = SELECT p = 1 THEN p := 0 END;
  beta = SELECT b < 2 THEN b := b + 1 END
END
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "Threads.mch"
    path.write_text(THREADS)
    return str(path)


NEEDS_PROVISO = [r.name for r in REDUCTIONS if r.cyclic]
LAWFUL = [p.name for p in PROVISOS if p.name != "none"]


@pytest.mark.parametrize(("por", "proviso"), [*product(NEEDS_PROVISO, LAWFUL), ("upset", "auto")])
def test_every_reduction_and_proviso(
    secateur: Runner, model: str, tmp_path: Path, por: str, proviso: str
) -> None:
    file = str(tmp_path / "run.cert")
    search = "df" if proviso == "stack" else "bf"
    words = ("--por", por, "--proviso", proviso, "--search", search, "--quiet")
    checked = secateur("check", model, *words, "--certificate", file)
    assert checked.code == 0, checked.out
    assert "explored in Python, for the certificate" in checked.out
    head = json.loads(Path(file).read_text().splitlines()[0])
    assert head["reduction"] == por
    assert head["proviso"] == (None if por == "upset" else proviso)
    found = secateur("audit", file, model, "--json")
    report = found.json()
    assert (found.code, report["outcome"]) == (0, "accepted"), report
    assert report["reduced"] > 0
    assert report["not_shown"] == []


def test_the_same_run_writes_the_same_bytes(secateur: Runner, model: str, tmp_path: Path) -> None:
    files = [tmp_path / "one.cert.gz", tmp_path / "two.cert.gz", tmp_path / "plain.cert"]
    for file in files:
        secateur("check", model, "--certificate", str(file), "--quiet")
    one, two, plain = (f.read_bytes() for f in files)
    assert one == two
    assert gzip.decompress(one) == plain
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("name", TAMPERINGS)
@pytest.mark.parametrize("por", ["stubborn", "process-ample"])
def test_tampering_is_noticed(
    secateur: Runner, model: str, tmp_path: Path, name: str, por: str
) -> None:
    file, wrong = tmp_path / "run.cert", tmp_path / "wrong.cert"
    secateur("check", model, "--por", por, "--certificate", str(file), "--quiet")
    system = run_deep(lambda _: unfolded_for(read_certificate(file), Path(model)))
    changed = TAMPERINGS[name](lines_of(file.read_text()), system)
    assert changed is not None
    wrong.write_text(text_of(changed))
    found = secateur("audit", str(wrong), model)
    assert found.code == 1, found.out
    assert found.out.startswith("rejected: ")


def test_a_model_that_was_changed(secateur: Runner, model: str, tmp_path: Path) -> None:
    file = str(tmp_path / "run.cert")
    secateur("check", model, "--certificate", file, "--quiet")
    Path(model).write_text("/* a comment */" + THREADS)
    assert secateur("audit", file, model).code == 0
    Path(model).write_text(THREADS.replace("log < 3", "log < 2"))
    found = secateur("audit", file, model)
    assert (found.code, found.out) == (1, "rejected: the model is not the one that was checked\n")


def test_how_the_model_was_loaded_is_remembered(
    secateur: Runner, tmp_path: Path, model: str
) -> None:
    text = THREADS.replace("SETS ID = {p1, p2, p3}", "SETS ID").replace(
        "p1 : seen => pc(p1) >= 1", "TRUE = TRUE"
    )
    Path(model).write_text(text.replace("pc(p1)", "card(seen)"))
    file = str(tmp_path / "run.cert")
    words = ("--set-size", "ID=2", "--goal", "log = 7", "--no-deadlock", "--quiet")
    assert secateur("check", model, *words, "--certificate", file).code == 0
    report = secateur("audit", file, model, "--json").json()
    assert report["outcome"] == "accepted"
    head = json.loads(Path(file).read_text().splitlines()[0])
    assert (head["goal"], head["load"]["set_sizes"]) == ("log = 7", {"ID": 2})


def test_a_violation_is_seen_again(secateur: Runner, tmp_path: Path) -> None:
    path = tmp_path / "Round.mch"
    path.write_text(ROUND)
    file = str(tmp_path / "run.cert")
    assert secateur("check", str(path), "--certificate", file, "--quiet").code == 1
    found = secateur("audit", file, str(path))
    assert found.code == 0
    assert found.out.startswith("accepted: violated (invariant: b /= 1)")
    lines = lines_of(Path(file).read_text())
    lines[-1][1]["violations"] = [["invariant", "p : 0..1"]]
    Path(file).write_text(text_of(lines))
    found = secateur("audit", file, str(path))
    assert (found.code, found.out) == (
        1,
        "rejected: no state that was reached shows that invariant: p : 0..1\n",
    )


def test_what_is_put_off_for_ever(secateur: Runner, tmp_path: Path) -> None:
    """Two states that leave beta to each other, as if there were no proviso."""
    path = tmp_path / "Round.mch"
    path.write_text(ROUND)
    file = tmp_path / "run.cert"
    secateur(
        *("check", str(path), "--all", "--por", "ample", "--no-deadlock", "--quiet"),
        *("--certificate", str(file)),
    )
    lines = lines_of(file.read_text())
    actions = [operation for operation, _, _ in lines[0]["actions"]]
    start = next(line[1] for line in lines[1:] if line[0] == "state")
    moved = f"{int(start, 16) ^ int(lines[0]['slots'][0][1], 16):x}"
    kept = [line for line in lines if not isinstance(line, list) or line[0] == "fact"]
    states: list[Any] = [
        ["state", start, [actions.index("there")]],
        ["state", moved, [actions.index("back")]],
    ]
    said = {"verdict": "holds", "exhaustive": True, "violations": [], "reasons": []}
    end = ["end", {**said, "states": 2, "transitions": 3}]
    file.write_text(text_of([*kept, *states, end]))
    found = secateur("audit", str(file), str(path))
    assert found.code == 1
    assert found.out.startswith("rejected: what is left out here may be put off for ever\n    p = ")


def test_a_limit_is_told(secateur: Runner, model: str, tmp_path: Path) -> None:
    file = str(tmp_path / "run.cert")
    words = ("--por", "stubborn", "--max-states", "12", "--quiet")
    assert secateur("check", model, *words, "--certificate", file).code == 3
    found = secateur("audit", file, model)
    assert found.code == 3
    assert found.out.startswith("accepted as far as checked: incomplete\n  not shown: the run is")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--por", "none"), "SEC319"),
        (("--symmetry", "canonical"), "SEC319"),
        (("--engine", "symbolic"), "SEC319"),
        (("--threads", "2"), "SEC319"),
        (("--fingerprint",), "SEC319"),
        (("--proviso", "none", "--experiment"), "SEC319"),
    ],
)
def test_what_cannot_be_certified_is_refused(
    secateur: Runner, model: str, tmp_path: Path, options: tuple[str, ...], code: str
) -> None:
    run = secateur("check", model, *options, "--certificate", str(tmp_path / "run.cert"))
    assert run.code == 2
    assert code in run.err
    assert not (tmp_path / "run.cert").exists()


def test_a_file_that_cannot_be_written(secateur: Runner, model: str, tmp_path: Path) -> None:
    run = secateur("check", model, "--quiet", "--certificate", str(tmp_path / "no" / "run.cert"))
    assert run.code == 2
    assert "SEC448" in run.err
    assert "Traceback" not in run.err


def _cut(text: str) -> str:
    return "\n".join(text.splitlines()[:-1])


def _no_such_action(text: str) -> str:
    lines = lines_of(text)
    lines.insert(1, ["state", "0", [99]])
    return text_of(lines)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: "MACHINE m END",
        lambda text: "{}\n[]",
        lambda text: text.replace('"certificate":1', '"certificate":2'),
        lambda text: text.replace('"actions"', '"acts"'),
        lambda text: text.replace('"state"', '"place"'),
        _cut,
        _no_such_action,
    ],
)
def test_what_is_no_certificate(
    secateur: Runner, model: str, tmp_path: Path, spoil: Callable[[str], str]
) -> None:
    file = tmp_path / "run.cert"
    secateur("check", model, "--certificate", str(file), "--quiet")
    file.write_text(spoil(file.read_text()))
    run = secateur("audit", str(file), model)
    assert run.code == 2
    assert "SEC447" in run.err
    assert "Traceback" not in run.err


def test_no_file_and_broken_compression(secateur: Runner, model: str, tmp_path: Path) -> None:
    assert "SEC447" in secateur("audit", str(tmp_path / "none"), model).err
    file = tmp_path / "run.cert.gz"
    secateur("check", model, "--certificate", str(file), "--quiet")
    file.write_bytes(file.read_bytes()[:-20])
    assert "SEC447" in secateur("audit", str(file), model).err


# -- a full search beside ---------------------------------------------------------------------------


def test_an_audit_beside_a_check(secateur: Runner, model: str) -> None:
    run = secateur("check", model, "--por", "best", "--audit", "--quiet")
    assert run.code == 0
    assert "which are all; the verdicts agree" in run.out
    run = secateur("check", model, "--por", "best", "--audit", "10", "--json", "--quiet")
    assert run.code == 0
    assert any("10 states visited in full, nothing" in note for note in run.json()["notes"])


def test_an_audit_needs_something_to_compare(secateur: Runner, model: str) -> None:
    run = secateur("check", model, "--por", "none", "--audit")
    assert run.code == 2
    assert "SEC450" in run.err
    run = secateur("check", "--audit", model)
    assert run.code == 2
    assert "is not a number of states" in run.err


def test_a_contradiction_is_our_fault(
    secateur: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reduced search that overlooks what is wrong is given away by the full one."""
    path = tmp_path / "Round.mch"
    path.write_text(ROUND)
    honest = Model.check

    def blind(self: Model, **options: Any) -> Any:
        blindly = options["por"] != "none"
        return honest(self, **{**options, "invariant": not blindly, "deadlock": False})

    monkeypatch.setattr(Model, "check", blind)
    run = secateur("check", str(path), "--por", "best", "--audit", "--quiet")
    assert run.code == 4
    assert "SEC480" in run.err
    assert "invariant: b /= 1" in run.err
    assert "beta" in run.err
    assert run.out == ""


def test_both_ways(tmp_path: Path, model: str) -> None:
    """What the reduced search says to be wrong, the full one must find."""
    path = tmp_path / "Round.mch"
    path.write_text(ROUND)
    wrong = load(path).check(all=True)
    right = load(model).check(all=True)
    assert certificates.contradiction(wrong, right) is not None
    assert certificates.contradiction(right, wrong) is not None
    assert certificates.contradiction(wrong, wrong) is None
