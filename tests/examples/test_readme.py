"""The README's transcripts are what the program prints.

`python tests/examples/test_readme.py` writes the present output into the README.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

_BLOCK = re.compile(r"```console\n\$ secateur (?P<command>[^\n]*)\n(?P<output>.*?)```", re.DOTALL)
_SECONDS = re.compile(r"\b\d+\.\d+ s\b")


def printed(command: str) -> str:
    """Return what `secateur command` prints, with times made equal."""
    done = subprocess.run(
        [sys.executable, "-m", "secateur", *shlex.split(command)],
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"NO_COLOR": "1"},
    )
    # Progress, which depends on the machine, is the only other thing on stderr.
    errors = done.stderr if done.returncode == 2 else ""
    return _SECONDS.sub("0.01 s", done.stdout + errors).rstrip() + "\n"


def transcripts() -> list[tuple[str, str]]:
    """Return the commands of the README with the output given there."""
    found = _BLOCK.finditer(README.read_text(encoding="utf-8"))
    return [(m["command"], m["output"]) for m in found]


@pytest.mark.parametrize(("command", "output"), transcripts())
def test_transcript_is_real(command: str, output: str) -> None:
    assert printed(command) == output


def test_there_are_transcripts() -> None:
    assert len(transcripts()) >= 5


def rewrite() -> None:
    """Put the present output into the README."""

    def fresh(m: re.Match[str]) -> str:
        return f"```console\n$ secateur {m['command']}\n{printed(m['command'])}```"

    README.write_text(_BLOCK.sub(fresh, README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
