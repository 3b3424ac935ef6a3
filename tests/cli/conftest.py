"""Running the command as a user does."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from secateur.cli.main import main

MODELS = Path(__file__).parent / "models"
COMMAND = [sys.executable, "-m", "secateur"]


@dataclass(frozen=True)
class Run:
    """What a process said."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return stdout as the JSON object that it must be."""
        return json.loads(self.out)


Runner = Callable[..., Run]


@pytest.fixture
def secateur(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    """Return a function that runs the command among the models, within this process."""
    monkeypatch.chdir(MODELS)

    def run(*words: str, stdin: str = "") -> Run:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main(words)
        except SystemExit as leaving:  # how argparse ends after --help
            code = int(leaving.code or 0)
        said = capsys.readouterr()
        return Run(code, said.out, said.err)

    return run


@pytest.fixture
def process() -> Runner:
    """Return a function that runs the command among the models, in a process of its own."""

    def run(*words: str, **environment: str) -> Run:
        done = subprocess.run(
            [*COMMAND, *words],
            capture_output=True,
            encoding="utf-8",
            cwd=MODELS,
            env=os.environ | environment,
            timeout=60,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run
