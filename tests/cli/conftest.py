"""Running the command as a user does: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

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
def secateur() -> Runner:
    """Return a function that runs the command among the models."""

    def run(*words: str, stdin: str = "", **environment: str) -> Run:
        done = subprocess.run(
            [*COMMAND, *words],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=MODELS,
            env=os.environ | environment,
            timeout=60,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    return run
