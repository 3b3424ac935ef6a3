"""Large and deep input."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

from secateur.lang.b.parse import parse_component
from secateur.maths import ast
from secateur.maths.parse import parse_formula
from secateur.source import Source

DEPTH = 5_000


def in_deep_thread(work: Callable[[], object]) -> object:
    """Run `work` as the app does: with a large stack and a high recursion limit."""
    results: list[object] = []
    limit, size = sys.getrecursionlimit(), threading.stack_size(256 << 20)
    sys.setrecursionlimit(200_000)
    try:
        thread = threading.Thread(target=lambda: results.append(work()))
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return results[0]


def test_deep_parentheses() -> None:
    text = "(" * DEPTH + "x" + ")" * DEPTH
    assert in_deep_thread(lambda: parse_formula(text)) == ast.Name("x")


def test_deep_sets() -> None:
    text = "{" * DEPTH + "}" * DEPTH
    found = in_deep_thread(lambda: parse_formula(text))
    assert isinstance(found, ast.SetDisplay)
    assert sum(1 for _ in ast.walk(found)) == DEPTH


def test_long_chains_need_no_stack() -> None:
    count = 20_000
    conjunction = parse_formula(" & ".join(["x = 1"] * count))
    assert isinstance(conjunction, ast.And)
    assert len(conjunction.parts) == count
    total = parse_formula(" + ".join(["1"] * count))
    assert sum(isinstance(e, ast.Number) for e in ast.walk(total)) == count


def test_a_megabyte_takes_seconds() -> None:
    pairs = ",".join(f"({i} |-> {i * 7919 % 100_003})" for i in range(60_000))
    text = f"MACHINE Big CONSTANTS r PROPERTIES r = {{{pairs}}} END"
    assert len(text) > 1_000_000
    start = time.process_time()
    parse_component(Source("big.mch", text))
    assert time.process_time() - start < 20  # of the processor's time; 2 to 3 are usual
