"""The command as a good neighbour: signals, pipes, colours, exit codes for what goes wrong."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import COMMAND, MODELS, Runner


def interrupt_after(seconds: float, *words: str) -> tuple[int, str, str]:
    """Run the command, press Ctrl-C, and return exit code, stdout and stderr."""
    process = subprocess.Popen(
        [*COMMAND, *words],
        cwd=MODELS,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # In the background of a shell, the signal would be ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@pytest.mark.parametrize("model", ["Counter.mch", "Endless.mch"])
def test_ctrl_c_returns_the_partial_result(model: str) -> None:
    for seconds in (1, 2, 4, 8, 16):  # a busy machine may still be loading the model
        code, out, err = interrupt_after(seconds, "check", model, "--json")
        found = json.loads(out)
        assert code == 3
        assert found["verdict"] == "incomplete"
        assert found["reasons"] == ["interrupted by the user"]
        assert "Traceback" not in err
        if found.get("transitions", 0) >= 1:
            return
    pytest.fail("no search began")


@pytest.mark.parametrize("limit", ["--max-seconds=0.5", "--max-memory=200M"])
def test_a_limit_is_kept_while_a_model_is_read(
    secateur: Runner, tmp_path: Path, limit: str
) -> None:
    model = tmp_path / "large.pml"
    model.write_text("byte b[1000000]; init { b[5] = 1 }", encoding="utf-8")
    run = secateur("check", str(model), limit)
    assert run.code == 3
    assert run.out.startswith("incomplete: the limit of ")
    run = secateur("check", str(model), limit, "--json")
    assert run.code == 3
    assert run.json()["verdict"] == "incomplete"


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = shlex.join(COMMAND) + " check Lift.mch --all; echo code $? >&2"
    done = subprocess.run(
        ["bash", "-c", f"({command}) | head -1"],
        cwd=MODELS,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.startswith("invariant violated")
    assert done.stderr == "code 1\n"


def test_closed_and_full_streams_are_no_crash() -> None:
    command = shlex.join(COMMAND) + " check Lift.mch"
    for redirection, code in ((">&-", 1), (">&- 2>&-", 1), ("> /dev/full", 2)):
        done = subprocess.run(
            ["bash", "-c", f"{command} {redirection}"],
            cwd=MODELS,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check", "Nowhere.mch"), "error[SEC001]"),
        (("check", "."), "error[SEC255]"),
        (("check",), "error[SEC450]"),
        (("chekc", "Lift.mch"), "error[SEC450]"),
        (("check", "Lift.mch", "--search", "zigzag"), "error[SEC450]"),
        (("check", "Lift.mch", "--ratio", "0.5"), "error[SEC301]"),
        (("check", "Lift.mch", "--max-states", "0"), "error[SEC302]"),
        *(
            ((command, "Nowhere.mch", *limit), "error[SEC302]")
            for command in ("check", "ltl", "graph", "refine")
            for limit in (
                ("--max-states", "0"),
                ("--max-seconds", "-1"),
                ("--max-seconds", "nan"),
                ("--max-memory", "0"),
            )
        ),
        (("check", "Lift.mch", "--max-memory", "lots"), "error[SEC450]"),
        (("check", "Lift.mch", "--set-size", "PERSON"), "error[SEC450]"),
        (("check", "Lift.mch", "--goal", "flor = 1"), "error[SEC411]"),
        (("check", "Lift.mch", "--goal", "floor + 1"), "error[SEC411]"),
        (("eval", "1 +"), "error[SEC104]"),
        (("eval", "n", "Impossible.mch"), "error[SEC410]"),
        (("eval", "1", "-p", "MAXINT", "many"), "error[SEC412]"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_clear_message(
    secateur: Runner, words: tuple[str, ...], message: str
) -> None:
    run = secateur(*words)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith(message)
    assert "Traceback" not in run.err
    assert run.err.count("error[") == 1


def test_bad_input_as_json(secateur: Runner) -> None:
    run = secateur("check", "Nowhere.mch", "--json")
    assert run.code == 2
    assert run.err == ""
    assert run.json()["verdict"] == "error"
    assert run.json()["errors"][0]["code"] == "SEC001"


def test_binary_junk(secateur: Runner, tmp_path: Path) -> None:
    junk = tmp_path / "junk.mch"
    junk.write_bytes(bytes(range(256)) * 40)
    run = secateur("check", str(junk))
    assert run.code == 2
    assert "error[" in run.err
    assert "Traceback" not in run.err


def test_no_words_at_all_shows_the_commands(secateur: Runner) -> None:
    run = secateur()
    assert run.code == 2
    assert "check" in run.err
    assert secateur("--help").code == 0
    assert secateur("check", "--help").code == 0


def test_our_own_mistakes_are_exit_code_4(process: Runner, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import secateur.app.load\n"
        "def broken(*_, **__):\n"
        "    raise ZeroDivisionError('ours')\n"
        "secateur.app.load.load = broken\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    run = process("check", "Lift.mch", "--json", PYTHONPATH=path)
    assert run.code == 4
    assert "Traceback" in run.err
    assert "report" in run.err
    assert run.json()["errors"][0]["code"] == "SEC499"


def test_version(secateur: Runner) -> None:
    run = secateur("version")
    assert run.code == 0
    assert run.out.startswith("secateur ")
    assert secateur("version", "--json").json()["version"] in run.out
    assert secateur("--version").out.startswith("secateur ")


def on_a_terminal(*words: str, **environment: str) -> bytes:
    """Run the command with a terminal for stdout and stderr, and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words],
        cwd=MODELS,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other side is closed
        pass
    process.wait(timeout=30)
    os.close(ours)
    return shown


def test_colours_and_a_live_line_on_a_terminal_only(secateur: Runner) -> None:
    words = ("check", "Counter.mch", "--max-seconds", "1")
    assert "\x1b[" not in secateur(*words).out
    shown = on_a_terminal("check", "Counter.mch", "--max-seconds", "4")  # it compiles first
    assert b"\x1b[" in shown
    assert b"\r" in shown
    assert b"states/s" in shown
    assert b"\x1b[" not in on_a_terminal(*words, NO_COLOR="1")
    assert b"states/s" not in on_a_terminal(*words, "--quiet")
