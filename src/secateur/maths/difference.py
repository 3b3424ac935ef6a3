"""What has changed between two values: `+x -y` of a set, `f(k): a -> b` of a function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.maths.print_value import show_value
from secateur.maths.values import RecordValue, Value, ordered

_SHORT: Final = 40
"""Values that take no more characters are shown whole, as they were and as they are."""
_MOST_PARTS: Final = 8
"""More changes than this are not told one by one."""


def show_difference(name: str, old: Value, new: Value) -> list[str]:
    """Return what is different in `new`, each as a short text; `old` is another value of its type."""
    parts = list(_parts(name, old, new))
    before, after = show_value(old), show_value(new)
    whole = f"{name}: {before} -> {after}"
    if _is_sequence(old) and _is_sequence(new) and len(whole) <= 2 * _SHORT:
        return [whole]  # what was put in front of others has moved them all
    if len(parts) > _MOST_PARTS:
        return [whole if len(before) + len(after) <= 2 * _SHORT else f"{name} = {after}"]
    if len(whole) <= min(_SHORT, sum(map(len, parts)) + len(parts)):
        return [whole]
    return parts


def _parts(name: str, old: Value, new: Value) -> Iterator[str]:
    if isinstance(old, RecordValue) and isinstance(new, RecordValue):
        for field, a, b in zip(new.names, old, new, strict=True):
            if a != b:
                yield from _parts(f"{name}'{field}", a, b)
    elif isinstance(old, frozenset) and isinstance(new, frozenset) and (old or new):
        yield from _of_sets(name, old, new)
    else:
        yield f"{name}: {show_value(old)} -> {show_value(new)}"


def _of_sets(name: str, old: frozenset[Value], new: frozenset[Value]) -> Iterator[str]:
    gone, come = old - new, new - old
    if _is_function(old) and _is_function(new) and old and new:
        before, after = dict(gone), dict(come)
        changed = [k for k in ordered(after) if k in before]
        for key in changed:
            yield from _parts(f"{name}({show_value(key)})", before[key], after[key])
        gone = frozenset(p for p in gone if p[0] not in after)
        come = frozenset(p for p in come if p[0] not in before)
    marks = [f"+{show_value(x)}" for x in ordered(come)] + [
        f"-{show_value(x)}" for x in ordered(gone)
    ]
    if len(marks) > _MOST_PARTS:
        yield f"{name} = {show_value(new)}"
    elif marks:
        yield f"{name}: {' '.join(marks)}"


def _is_sequence(value: Value) -> bool:
    return isinstance(value, frozenset) and show_value(value).startswith("[")


def _is_function(value: frozenset[Value]) -> bool:
    """Whether all elements are pairs, no two of which have the same first component."""
    return all(type(x) is tuple for x in value) and len({x[0] for x in value}) == len(value)
