"""Certificates whose last or first line says more, less or other than the run has shown."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Runner
from tools.audit.tamper import lines_of, text_of

COUNTERS = """MACHINE Counters
VARIABLES a, b
INVARIANT a : 0..3 & b : 0..3 & {more}
INITIALISATION a := 0 || b := 0
OPERATIONS
  ia = SELECT a < 3 THEN a := a + 1 END;
  ib = SELECT b < 3 THEN b := b + 1 END
END
"""

WRONG = "not(a = 3 & b = 3)"
OPEN = "!n.(n : NATURAL => n * n * n + a /= 30 * n + 1000003 + b)"

Change = Callable[[dict[str, Any], dict[str, Any]], None]
"""Makes something else of the first line and the end."""


class Certified:
    """A model with the certificate of a run."""

    def __init__(self, secateur: Runner, folder: Path) -> None:
        self.secateur = secateur
        self.model = folder / "Counters.mch"
        self.file = folder / "run.cert"

    def run(self, more: str, *words: str) -> int:
        """Check the counters with one condition more."""
        self.model.write_text(COUNTERS.format(more=more))
        words = (*words, "--quiet", "--certificate", str(self.file))
        return self.secateur("check", str(self.model), "--no-deadlock", *words).code

    def change(self, change: Change) -> None:
        """Change the lines of the certificate."""
        lines = lines_of(self.file.read_text())
        change(lines[0], lines[-1][1])
        self.file.write_text(text_of(lines))

    def audit(self, *words: str) -> tuple[int, str]:
        """Return exit code and what is said."""
        found = self.secateur("audit", str(self.file), str(self.model), *words)
        return found.code, found.out or found.err


@pytest.fixture
def certified(secateur: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Certified:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Certified(secateur, tmp_path)


def _holds(_: dict[str, Any], end: dict[str, Any]) -> None:
    end.update(verdict="holds", exhaustive=True, reasons=[], violations=[])


def test_what_cannot_be_decided_does_not_hold(certified: Certified) -> None:
    assert certified.run(OPEN, "--por", "stubborn") == 3
    code, said = certified.audit()
    assert code == 3
    assert said.startswith("accepted as far as checked: incomplete\n")
    assert "has no bound" in said
    certified.change(_holds)
    code, said = certified.audit()
    assert code == 1
    assert said.startswith("rejected: the run claims to be complete, and here is open: ")


def test_what_cannot_be_decided_is_said(certified: Certified) -> None:
    """The audit finds it by itself, whatever reason the run gave."""
    certified.run(OPEN, "--por", "stubborn")
    certified.change(lambda _, end: end.update(reasons=["no time"]))
    code, said = certified.audit()
    assert code == 3
    assert "not shown: !n." in said


def _one_more(_: dict[str, Any], end: dict[str, Any]) -> None:
    end["exhaustive"] = False
    end["violations"].append(["invariant", "a : 0..3"])


def test_every_violation_must_be_found_again(certified: Certified) -> None:
    assert certified.run(WRONG, "--por", "upset", "--all") == 1
    assert certified.audit()[0] == 0
    certified.change(_one_more)
    assert certified.audit() == (
        1,
        "rejected: no state that was reached shows that invariant: a : 0..3\n",
    )


def test_a_violation_in_a_state_that_is_not_reached(certified: Certified) -> None:
    """The layout of states has room for more than there is."""
    text = COUNTERS.format(more=WRONG).replace("SELECT a < 3", "SELECT a < 2")
    certified.model.write_text(text)
    words = ("--no-deadlock", "--por", "upset", "--quiet", "--certificate", str(certified.file))
    assert certified.secateur("check", str(certified.model), *words).code == 0
    lines = lines_of(certified.file.read_text())
    a, b = (int(bits, 16) for _, bits, _ in lines[0]["slots"])
    lines.insert(-1, ["state", f"{a | b:x}", "all"])
    end = lines[-1][1]
    end["violations"] = [["invariant", name] for _, name in lines[0]["checks"][2:]]
    end.update(verdict="violated", states=end["states"] + 1)
    certified.file.write_text(text_of(lines))
    code, said = certified.audit()
    assert code == 1
    assert said.startswith("rejected: no steps between recorded states lead here\n")


def _changed(**end_of: Any) -> Change:
    return lambda _, end: end.update(end_of)


def _counted(name: str, more: int) -> Change:
    return lambda _, end: end.update({name: end[name] + more})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_changed(verdict="holds"), "the verdict is 'holds', and a violation is named"),
        (_changed(violations=[]), "the verdict is 'violated', and no violation is named"),
        (_changed(reasons=["no time"]), "the run claims to be complete, and says why it is not"),
        (
            _changed(verdict="incomplete", violations=[]),
            "the verdict is 'incomplete', and the run claims to be complete",
        ),
        (
            _changed(verdict="holds", violations=[], exhaustive=False),
            "the verdict is 'holds', and the run does not claim to be complete",
        ),
        (_holds, f"invariant: {WRONG}, which the run did not say"),
        (_counted("states", 1), "the run says that there are 17 states, its records say 16"),
        (_counted("states", -1), "the run says that there are 15 states, its records say 16"),
        (_counted("transitions", 1), "the run says that there are 26 transitions, its records say"),
    ],
)
def test_an_end_that_does_not_fit(certified: Certified, change: Change, reason: str) -> None:
    assert certified.run(WRONG, "--por", "upset", "--all") == 1
    certified.change(change)
    code, said = certified.audit()
    assert code == 1
    assert said.startswith(f"rejected: {reason}")


@pytest.mark.parametrize("states", [1, 99])
def test_counts_of_a_run_that_was_stopped(certified: Certified, states: int) -> None:
    assert certified.run(WRONG, "--por", "upset", "--max-states", "9") == 3
    assert certified.audit()[0] == 3
    certified.change(_changed(states=states))
    code, said = certified.audit()
    assert code == 1
    assert said.startswith(f"rejected: the run says that there are {states} states")


def test_what_is_wrong_beside_a_run_that_was_stopped(certified: Certified) -> None:
    """A run that says that it did not come far must not hide what its states show."""
    assert certified.run(WRONG, "--por", "upset", "--all") == 1
    certified.change(
        _changed(verdict="incomplete", violations=[], exhaustive=False, reasons=["no time"])
    )
    code, said = certified.audit()
    assert code == 3
    assert f"not shown: invariant: {WRONG}, which the run did not come to say" in said


@pytest.mark.parametrize(
    "change",
    [
        _changed(exhaustive="false"),
        _changed(states="many"),
        _changed(transitions=-1),
        lambda _, end: end.pop("states"),
        lambda _, end: end.pop("reasons"),
    ],
)
def test_an_end_that_cannot_be_read(certified: Certified, change: Change) -> None:
    certified.run(WRONG, "--por", "upset", "--all")
    certified.change(change)
    code, said = certified.audit()
    assert code == 2
    assert "SEC447" in said


def test_nothing_asked_is_refused(certified: Certified) -> None:
    certified.run(WRONG, "--por", "upset", "--all")

    def change(head: dict[str, Any], end: dict[str, Any]) -> None:
        head["kinds"] = []
        _holds(head, end)

    certified.change(change)
    code, said = certified.audit()
    assert code == 2
    assert "SEC447" in said
    assert "it asks for nothing" in said


def test_what_was_asked_is_said(certified: Certified) -> None:
    text = COUNTERS.format(more="s : S").replace("VARIABLES a, b", "SETS S\nVARIABLES a, b, s")
    certified.model.write_text(text.replace("a := 0", "s :: S || a := 0"))
    words = ("--no-deadlock", "--no-assertions", "--goal", "a = 7", "--set-size", "S=2")
    more = ("-p", "MAXINT", "9", "--max-setups", "5", "--por", "stubborn", "--quiet")
    file = str(certified.file)
    checked = certified.secateur(
        "check", str(certified.model), *words, *more, "--certificate", file
    )
    assert checked.code == 0, checked.out
    code, said = certified.audit()
    assert code == 0
    assert (
        "  asked     goal, invariant, refinement, variant, welldefinedness; "
        "not asked: assertion, deadlock\n"
        "  goal      a = 7\n"
        "  loaded    set sizes S=2; preferences MAXINT=9; at most 5 valuations of the constants\n"
    ) in said
    report = certified.secateur("audit", file, str(certified.model), "--json").json()
    assert report["kinds"] == ["goal", "invariant", "refinement", "variant", "welldefinedness"]
    assert report["not_asked"] == ["assertion", "deadlock"]
    assert report["goal"] == "a = 7"
    assert report["load"]["set_sizes"] == {"S": 2}
    assert report["load"]["preferences"] == {"MAXINT": "9"}


@pytest.mark.parametrize(
    "load",
    [{"set_sizes": {"S": "two"}}, {"preferences": []}, {"component": 1}, {"max_setups": "x"}, []],
)
def test_how_it_was_loaded_must_make_sense(certified: Certified, load: Any) -> None:
    certified.run(WRONG, "--por", "upset", "--all")
    certified.change(lambda head, _: head.update(load=load))
    code, said = certified.audit()
    assert code == 2
    assert "SEC447" in said


def test_a_scope_cannot_be_certified(certified: Certified) -> None:
    text = COUNTERS.format(more="a < 5")
    certified.model.write_text(text.replace("VARIABLES", "DEFINITIONS SCOPE == a < 3\nVARIABLES"))
    words = ("check", str(certified.model), "--no-deadlock", "--por", "stubborn", "--quiet")
    file = ("--certificate", str(certified.file))
    for scope in ((), ("--scope", "b < 2")):
        run = certified.secateur(*words, *file, *scope)
        assert run.code == 2
        assert "SEC319" in run.err
        assert "--no-scope explores all states" in run.err
        assert not certified.file.exists()
    assert certified.secateur(*words, *file, "--no-scope").code == 0
    assert certified.audit()[0] == 0


def test_nothing_but_a_certificate_is_overwritten(certified: Certified, tmp_path: Path) -> None:
    text = COUNTERS.format(more="a < 5").replace("VARIABLES", 'DEFINITIONS "d.def"\nVARIABLES')
    certified.model.write_text(text)
    definitions = tmp_path / "d.def"
    definitions.write_text("DEFINITIONS most == 3")
    link = tmp_path / "link.cert"
    link.symlink_to(certified.model)
    packed = tmp_path / "packed.gz"
    packed.write_bytes(gzip.compress(b"something else"))
    folder = tmp_path / "folder"
    folder.mkdir()
    words = ("check", str(certified.model), "--no-deadlock", "--por", "stubborn", "--quiet")
    for file in (certified.model, definitions, link, packed, folder):
        run = certified.secateur(*words, "--certificate", str(file))
        assert run.code == 2
        # What is read is refused as every file to write is; other files, as no certificates.
        assert "SEC448" in run.err or "SEC461" in run.err
        assert f"'{file}'" in run.err
    assert certified.model.read_text() == text
    assert definitions.read_text() == "DEFINITIONS most == 3"
    assert gzip.decompress(packed.read_bytes()) == b"something else"
    empty = tmp_path / "empty.gz"
    empty.touch()
    for file in (empty, empty, certified.file, certified.file):
        assert certified.secateur(*words, "--certificate", str(file)).code == 0
    assert certified.audit()[0] == 0
