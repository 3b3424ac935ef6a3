"""A reduced search whose time is over before its first state was expanded is incomplete.

The native engine had counted nothing yet, not even for each action that it was nothing, and the
run ended with an error of ours (NQueens_Completion of the corpus, on a busy machine).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import secateur
from secateur.engine.limits import Interrupted
from secateur.engine.native.available import why_not_native
from secateur.engine.native.pruning import NativePruning

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MODEL = """MACHINE Late
VARIABLES a, b
INVARIANT a : 0..3 & b : 0..3
INITIALISATION a := 0 || b := 0
OPERATIONS
  up = SELECT a < 3 THEN a := a + 1 END;
  on = SELECT b < 3 THEN b := b + 1 END
END
"""

WITHOUT_OPERATIONS = """MACHINE Late
VARIABLES a
INVARIANT a : 0..3
INITIALISATION a := 0
END
"""


@pytest.mark.parametrize("text", [MODEL, WITHOUT_OPERATIONS])
@pytest.mark.parametrize(
    ("raised", "reason"),
    [(Interrupted, "interrupted"), (MemoryError, "the machine ran out of memory")],
)
def test_nothing_was_counted(
    raised: type[BaseException],
    reason: str,
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: Any) -> None:
        raise raised

    monkeypatch.setattr(NativePruning, "install", interrupted)
    file = tmp_path / "Late.mch"
    file.write_text(text)
    result = secateur.load(file).check(por="best", native=True, deadlock=False)
    assert not result.violations
    assert result.reasons == (reason,)
    assert not result.exhaustive
