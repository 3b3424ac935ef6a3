"""An invariant and an assertion with the same text at fault in a state: it counts once, as sets too."""

from __future__ import annotations

from pathlib import Path

import secateur

MODEL = """
MACHINE Twice DEFINITIONS p(x) == 10 / x > 1
VARIABLES n INVARIANT n : 0..2 & p(n) ASSERTIONS p(n)
INITIALISATION n := 0
OPERATIONS up = SELECT n < 2 THEN n := n + 1 END
END
"""


def test_a_state_counts_once(tmp_path: Path) -> None:
    file = tmp_path / "Twice.mch"
    file.write_text(MODEL)
    counts = [
        sorted(
            (v.kind.value, v.name, v.count)
            for v in secateur.load(file).check(all=True, deadlock=False, engine=engine).violations
        )
        for engine in ("explicit", "symbolic")
    ]
    assert counts[0] == counts[1]
    assert counts[0] == [("welldefinedness", "10 / x > 1", 1)]
