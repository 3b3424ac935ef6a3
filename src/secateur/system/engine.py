"""What explored the states."""

from __future__ import annotations

from typing import Final

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Engine:
    """What explored the states: `native` or `python`.

    `compiled` of the `operations` ran as machine code, the others were evaluated; `remark`
    says why the native engine was not used where it would have been.  The native engine
    also tells the `memory` that its states took, in bytes, the `compile_seconds`, and the
    seconds of the processor that its first thread took to explore them (`search_seconds`)
    and to count the values of variables in them (`statistics_seconds`).
    """

    name: str = "python"
    threads: int = 1
    compiled: int = 0
    operations: int = 0
    remark: str | None = None
    memory: int | None = None
    compile_seconds: float | None = None
    search_seconds: float | None = None
    statistics_seconds: float | None = None


PYTHON: Final = Engine()
