"""Models with a mistake in them: exit code 2, the mistakes by name and place, no traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.cli.conftest import Runner

EXAMPLES = Path(__file__).parents[2] / "examples"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "prob-examples" / "B"

MACHINE = "MACHINE m VARIABLES counter INVARIANT counter : NAT INITIALISATION counter := 0\n"

MISTAKES = {
    "two operations of one name": (
        MACHINE + "OPERATIONS a = skip; b = skip; a = skip END",
        ["error[SEC232]: operation a is declared twice", "the other declaration is at m.mch:2:12"],
    ),
    "type errors, all of them": (
        MACHINE + "OPERATIONS a = counter := TRUE; b = counter := {1} END",
        ["'counter :=' expects INTEGER, but TRUE is BOOL", "but {1} is POW(INTEGER)"],
    ),
    "an unknown identifier": (
        MACHINE + "OPERATIONS a = counter := conter + 1 END",
        ["error[SEC130]: unknown identifier conter", "did you mean counter?"],
    ),
    "an undefined definition": (
        MACHINE + "DEFINITIONS is_ok(x) == x < 3 ASSERTIONS is_okk(counter) END",
        ["error[SEC130]: unknown identifier is_okk", "did you mean is_ok?"],
    ),
    "a missing END": (MACHINE + "OPERATIONS a = BEGIN skip", ["the text ends here"]),
    "nothing at all": ("", ["the file is empty"]),
    "no machine": ("hello", ["error[SEC2"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(
    mistake: str, secateur: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, messages = MISTAKES[mistake]
    (tmp_path / "m.mch").write_text(text)
    monkeypatch.chdir(tmp_path)
    for command in ("check", "info"):
        run = secateur(command, "m.mch")
        assert run.code == 2
        assert run.out == ""
        for message in messages:
            assert message in run.err
        assert "is ?" not in run.err
    assert secateur("check", "m.mch", "--json").json()["errors"]


def test_a_cycle_of_includes(secateur: Runner, tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        (tmp_path / f"{name}.mch").write_text(f"MACHINE {name} INCLUDES {other} END")
    run = secateur("check", str(tmp_path / "a.mch"))
    assert run.code == 2
    assert "a refers to itself: a -> b -> c -> a" in run.err


@pytest.mark.parametrize(
    "data",
    [
        (MACHINE + "OPERATIONS a = skip END").encode().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + MACHINE.encode() + b"OPERATIONS a = skip /* \xc3\xa9 */ END",
        b"\xef\xbb\xbf" + MACHINE.encode() + b"OPERATIONS a = skip /* \xe9 */ END",
        MACHINE.encode() + b"OPERATIONS a = skip /* \xe9t\xe9 */ END",
        MACHINE.encode() + b"OPERATIONS a = skip END // no line end",
    ],
    ids=["CRLF", "BOM", "BOM and Latin-1", "Latin-1", "no final line end"],
)
def test_files_as_they_come(secateur: Runner, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a b.mch"
    path.write_bytes(data)
    run = secateur("check", str(path))
    assert (run.code, run.err) == (0, "")


def _damaged(data: bytes, choose: random.Random) -> bytes:
    """Return `data` cut off, with a hole, or with a stray byte."""
    place = choose.randrange(1, len(data))
    match choose.randrange(3):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + data[place + choose.randrange(1, 40) :]
        case _:
            return data[:place] + bytes([choose.randrange(256)]) + data[place:]


def test_damaged_files_are_answered(secateur: Runner, tmp_path: Path) -> None:
    choose = random.Random(7)
    files = sorted(EXAMPLES.glob("*.mch"))
    if CORPUS.is_dir():
        found = sorted(p for p in CORPUS.rglob("*.mch") if p.stat().st_size < 10_000)
        files += choose.sample(found, 60)
    for file in files:
        path = tmp_path / file.name
        path.write_bytes(_damaged(file.read_bytes(), choose))
        run = secateur("info", str(path))
        assert run.code in (0, 2), file
        assert "Traceback" not in run.err
