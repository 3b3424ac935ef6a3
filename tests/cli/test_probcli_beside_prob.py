"""The same command line given to ProB: phrases, counts and traces that scripts look at agree.

Set SECATEUR_PROBCLI to the program, or have `probcli` on the path; else this is skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Runner
from tests.cli.probcli_machines import MACHINES

PROBCLI = os.environ.get("SECATEUR_PROBCLI") or shutil.which("probcli")

pytestmark = pytest.mark.skipif(PROBCLI is None, reason="no probcli here (SECATEUR_PROBCLI)")

LINES = [
    ("Holds", "-model_check", "-c"),
    ("Holds", "-mc", "100", "-cc", "5", "11"),
    ("Holds", "-mc", "100", "-cc", "5", "12"),
    ("Dead", "-model_check"),
    ("Dead", "-mc", "100", "-nodead", "-c"),
    ("Inv", "-mc", "100"),
    ("Goal", "-mc", "100"),
    ("Goal", "-mc", "100", "-noass"),
    ("Goal", "-mc", "100", "-noass", "-nogoal", "-c"),
    ("Goal", "-goal", "x=3", "-noass", "-mc", "1000"),
    ("Goal", "-ltlformula", "G {x < 4}"),
    ("Goal", "-ltlformula", "G {x < 3}"),
    ("Goal", "-ctlformula", "EF {x=3}"),
    ("Goal", "-ctlformula", "AG {x<3}"),
    ("Holds", "-ltlassertions"),
    ("NoInit", "-mc", "100"),
    ("Const", "-mc", "100", "-c"),
    ("Deferred", "-mc", "1000", "-card", "S", "3", "-c"),
    ("Two", "-noinv", "-nodead", "-mc", "100", "-c"),
    ("Two", "-init", "-c"),
    ("Two", "-init", "-eval", "x+1", "-eval", "x > 3"),
    ("Ass", "-assertions"),
    ("Ass", "-properties"),
    ("Unb", "-mc", "10"),
    ("Parse", "-mc", "10"),
    ("TypeErr", "-init"),
]


def _marks(text: str) -> dict[str, object]:
    """Return what scripts look for, in the words of whatever version."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    found = "*** COUNTER EXAMPLE FOUND ***" in text
    states = re.search(r"States analysed: (\d+)", text)
    fired = re.search(r"Transitions fired: (\d+)", text)
    census = re.search(r"\[STATES[^\]]*\]", text)
    complete = re.search(
        r"No Counter Example found\. ALL (nodes|states) visited", text, re.IGNORECASE
    )
    kind = re.search(r"FOUND \*\*\*\s+(\w+)", text)
    return {
        "counterexample": found,
        "kind": kind and kind[1],
        "complete": complete is not None,
        "states": complete and states and states[1],
        "transitions": complete and fired and fired[1],
        "covered": states and "ALL OPERATIONS COVERED" in text,
        "census": None if found or census is None else _census(census[0]),
        "truths": re.findall(r"Formula (TRUE|FALSE)", text),
        "values": re.findall(r"Expression Value = \n(.*)|Predicate is (\w+)", text),
        "predicates": re.findall(r"\d+ predicates: .* UNKNOWN", text),
        "red": re.search(r"Total Errors: [1-9]|Warnings:[1-9]|Abnormal termination", text)
        is not None,
    }


def _census(line: str) -> str:
    line = line.replace("TOTAL_OPERATIONS", "TOTAL_TRANSITIONS")
    return re.sub(r" \(\d+\)", "", line)


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_the_same_is_said(secateur: Runner, tmp_path: Path, line: tuple[str, ...]) -> None:
    assert PROBCLI is not None
    file = tmp_path / f"{line[0]}.mch"
    file.write_text(MACHINES[line[0]])
    done = subprocess.run(
        [PROBCLI, str(file), *line[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    ours = secateur("probcli", str(file), *line[1:])
    assert _marks(ours.out + ours.err) == _marks(done.stdout)
