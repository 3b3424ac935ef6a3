"""Running jobs over the corpus, writing down what is seen, and saying which models differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.corpus.records import Record
from tools.corpus.runner import Job, Limits, run_all


def run_and_tell(
    jobs: Sequence[Job[Record]],
    limits: Limits,
    output: Path,
    differences: Callable[[dict[str, Any]], Iterable[str]],
) -> tuple[list[dict[str, Any]], int]:
    """Return what was seen, and how many models differ or went wrong; print these."""
    output.parent.mkdir(parents=True, exist_ok=True)
    all_seen: list[dict[str, Any]] = []
    differing = 0
    with output.open("w", encoding="utf-8") as file:
        for record, seen in run_all(jobs, limits):
            seen["path"] = record.path
            all_seen.append(seen)
            file.write(json.dumps(seen) + "\n")
            file.flush()
            found = [*differences(seen), *([str(seen["error"])] if "error" in seen else [])]
            if found:
                differing += 1
                lines = (f"  {d[:600]}" for d in found)
                print(f"DIFFER {record.path}", *lines, sep="\n", flush=True)
    return all_seen, differing
