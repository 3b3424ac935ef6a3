"""`python -m tools.corpus.pictures`: draw every model of the corpus that defines a picture of itself.

Prints one line per model that gives none, with the reason, and how many give one.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from defusedxml.ElementTree import ParseError, fromstring

from tools.corpus.records import corpus_folder, records

KINDS = (
    ("animation", re.compile(r"^[^\n]*\bANIMATION_FUNCTION\w*\s*==", re.MULTILINE)),
    ("custom", re.compile(r"^[^\n]*\bCUSTOM_GRAPH\w*\s*==", re.MULTILINE)),
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def drawn(model: Path, kind: str, seconds: float) -> str:
    """Return `picture`, or why there is none."""
    options = ["--kind", kind, "--format", "svg", "--layout", "own", "--quiet"]
    command = [sys.executable, "-m", "secateur", "graph", str(model), *options]
    try:
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    if done.returncode != 0:
        return " ".join(done.stderr.split())[:200] or f"exit code {done.returncode}"
    try:
        fromstring(done.stdout)
    except ParseError as error:
        return f"no XML: {error}"
    return "picture"


def main() -> None:
    """Draw, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tier", action="append", help="core and tiny, unless given")
    parser.add_argument("--seconds", type=float, default=30.0)
    args = parser.parse_args()
    folder = corpus_folder()
    tiers = args.tier or ["core", "tiny"]
    counted: Counter[tuple[str, str]] = Counter()
    for record in records(folder):
        path = folder / "prob-examples" / record.path
        path = path if path.is_file() else folder / record.path
        if record.tier not in tiers or record.formalism != "b" or not path.is_file():
            continue
        text = _COMMENT.sub("", path.read_text(encoding="utf-8", errors="replace"))
        for kind, pattern in KINDS:
            if pattern.search(text):
                outcome = drawn(path, kind, args.seconds)
                counted[kind, "picture" if outcome == "picture" else "none"] += 1
                if outcome != "picture":
                    print(f"{kind}: {record.path}: {outcome}", flush=True)
    for (kind, what), number in sorted(counted.items()):
        print(f"{kind}: {number} {what}")


if __name__ == "__main__":
    main()
