"""Measuring Spin on the twin of a model: breadth-first, exhaustive, without reduction."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FLAGS: Final = ("-O2", "-w", "-DBFS", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000")
_OPTIONS: Final = ("-E", "-w25")
"""Deadlocks are no errors; 2^25 slots are enough for the largest of our models."""
_STORED: Final = re.compile(r"^\s*(\d+) states, stored", re.MULTILINE)
_TRANSITIONS: Final = re.compile(r"^\s*(\d+) transitions", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of the verifier that Spin generates; to generate and compile it is not counted."""

    states: int
    transitions: int
    cpu: float


def missing() -> str | None:
    """Return which program is missing, or None."""
    return next((name for name in ("spin", "gcc") if shutil.which(name) is None), None)


def measure(twin: Path) -> Measured:
    """Generate, compile and run."""
    with tempfile.TemporaryDirectory() as folder:
        _run(["spin", "-a", str(twin)], folder)
        _run(["gcc", *_FLAGS, "-o", "pan", "pan.c"], folder)
        return _measure([f"{folder}/pan", *_OPTIONS], folder)


def _run(command: list[str], folder: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stdout}{done.stderr}")


def _measure(command: list[str], folder: str) -> Measured:
    with Path(folder, "said").open("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, cwd=folder)
        _, _, usage = os.wait4(process.pid, 0)
        said.seek(0)
        text = said.read()
    stored, transitions = _STORED.search(text), _TRANSITIONS.search(text)
    if stored is None or transitions is None or "errors: 0" not in text:
        sys.exit(f"Spin has not finished:\n{text}")
    return Measured(int(stored[1]), int(transitions[1]), usage.ru_utime + usage.ru_stime)
