"""Paths that go on for ever, made shorter and untangled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from secateur.app.readable import EFFORT, Clarity, clarified, suffices
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.traces.paths import Path, Paths


def clearer(
    lasso: Lasso, graph: Graph, violates: Callable[[Lasso], bool], clarity: Clarity
) -> tuple[Lasso, tuple[str, ...]]:
    """Return a clearer path that still violates the formula, and what was done to it.

    The way to the loop and the loop itself each keep their ends.
    """
    if lasso.open:  # how it goes on cannot be asked of another path
        return lasso, ()
    paths = Paths(graph.system, EFFORT)
    steps = len(lasso.transitions)
    if clarity.shorten:
        lasso = _with_less_before(lasso, paths, violates)
    stem, loop = _parts(lasso)
    entry = stem[-1].target if stem else lasso.start

    def good_stem(path: Path) -> bool:
        ends = path[-1].target if path else lasso.start
        return ends == entry and violates(replace(lasso, transitions=(*path, *loop)))

    stem, remarks = clarified(stem, paths, good_stem, clarity, lasso.start)
    told = _told(remarks, "way to the loop" if loop else "way to the end")

    def good_loop(path: Path) -> bool:
        closed = bool(path) and path[-1].target == entry
        return closed and violates(replace(lasso, transitions=(*stem, *path), loop=len(path)))

    if loop:
        loop, remarks = clarified(loop, paths, good_loop, clarity, entry)
        told += _told(remarks, "loop")
    found = replace(lasso, transitions=(*stem, *loop), loop=len(loop))
    if clarity.shorten:
        before = len(graph.before[lasso.start])
        told.insert(0, suffices(before + len(found.transitions), before + steps))
    return found, tuple(told)


def _told(remarks: Sequence[str], where: str) -> list[str]:
    """Return what was done to a part of the path; how many steps it takes is told of the whole."""
    return [f"{where} {remark}" for remark in remarks if remark.startswith("untangled")]


def _with_less_before(lasso: Lasso, paths: Paths, violates: Callable[[Lasso], bool]) -> Lasso:
    """Leave out steps on the way to the loop, which then goes round elsewhere."""
    for i in reversed(range(len(lasso.transitions) - lasso.loop)):
        stem, loop = _parts(lasso)
        start = stem[i - 1].target if i else lasso.start
        rest = paths.along(start, [t.step for t in stem[i + 1 :]])
        if rest is None:
            continue
        entry = rest[-1].target if rest else start
        again = paths.along(entry, [t.step for t in loop], entry)
        ended = bool(loop) or entry == lasso.transitions[-1].target
        if again is None or not ended or paths.exhausted:
            continue
        shorter = replace(lasso, transitions=(*stem[:i], *rest, *again))
        if violates(shorter):
            lasso = shorter
    return lasso


def _parts(lasso: Lasso) -> tuple[Path, Path]:
    first = len(lasso.transitions) - lasso.loop
    return lasso.transitions[:first], lasso.transitions[first:]
