"""What each step of a trace has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from secateur.maths.difference import show_difference
from secateur.maths.print_value import show_value
from secateur.system.trace import Change

MOST_COLUMNS: Final = 96


def show_changes(changes: Sequence[Change]) -> list[str]:
    """Return a line for each change, several on a line where they are short."""
    return packed(text for change in changes for text in differences_of(change))


def differences_of(change: Change) -> list[str]:
    """Return what a change is: the value of a name that is new, else what is different."""
    if change.new:
        return [f"{change.name} = {show_value(change.value)}"]
    return show_difference(change.name, change.before, change.value)


def packed(items: Iterable[str]) -> list[str]:
    """Return lines of items, as many on each as fit."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= MOST_COLUMNS:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
    return lines
