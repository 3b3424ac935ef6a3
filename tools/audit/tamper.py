"""Certificates made wrong, each in one way; None where a certificate offers no occasion."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from secateur.audit.facts import Verb
from secateur.audit.states import look_at
from secateur.system.events import EventSystem

Lines = list[Any]
"""The lines of a certificate, as JSON."""


def lines_of(data: str) -> Lines:
    """Return the lines of a certificate that is not compressed."""
    return [json.loads(line) for line in data.splitlines()]


def text_of(lines: Lines) -> str:
    """Return the text of lines."""
    return "".join(json.dumps(line) + "\n" for line in lines)


def _states(lines: Lines) -> list[int]:
    return [n for n, line in enumerate(lines) if isinstance(line, list) and line[0] == "state"]


def dropped_action(lines: Lines, _: EventSystem) -> Lines | None:
    """Leave out all that was chosen in the first reduced state that has something chosen."""
    for n in _states(lines):
        if isinstance(lines[n][2], list) and lines[n][2]:
            return [*lines[:n], ["state", lines[n][1], []], *lines[n + 1 :]]
    return None


def dropped_state(lines: Lines, _: EventSystem) -> Lines | None:
    """Leave out the last state."""
    states = _states(lines)
    return lines[: states[-1]] + lines[states[-1] + 1 :] if len(states) > 1 else None


def removed_initial_state(lines: Lines, _: EventSystem) -> Lines | None:
    """Leave out the first state."""
    states = _states(lines)
    return lines[: states[0]] + lines[states[0] + 1 :] if states else None


def changed_digest(lines: Lines, _: EventSystem) -> Lines | None:
    """Let it be of another model."""
    head = dict(lines[0])
    head["digest"] = head["digest"][::-1]
    return [head, *lines[1:]]


def wrong_fact(lines: Lines, system: EventSystem) -> Lines | None:
    """Take one of two actions that clash, and claim that it has nothing to do with any other."""
    for n in _states(lines):
        state = int(lines[n][1], 16)
        pair = None if lines[n][2] == "trapped" else _clashing(system, state)
        if pair is not None:
            facts = _nothing_to_do(pair, system)
            chosen = ["state", lines[n][1], [pair]]
            return [lines[0], *facts, *lines[1:n], chosen, *lines[n + 1 :]]
    return None


def _clashing(system: EventSystem, state: int) -> int | None:
    """Return an action that ends another one that happens, in a state that it leaves."""
    look = look_at(system, state)
    for a, results in look.results.items():
        after = [look_at(system, r) for r in results if r != state]
        if any(b not in other.results for other in after for b in look.results if b != a):
            return a
    return None


def _nothing_to_do(a: int, system: EventSystem) -> Lines:
    others = [b for b in range(len(system.actions)) if b != a]
    facts: Lines = [
        ["fact", Verb.INDEPENDENT.value, min(a, b), max(a, b), "enumerated"] for b in others
    ]
    facts += [["fact", Verb.NO_REPAIR.value, a, k, "enumerated"] for k in range(len(system.checks))]
    facts += [["fact", Verb.NO_FAULT.value, b, "enumerated"] for b in (a, *others)]
    return facts


TAMPERINGS: Final[dict[str, Callable[[Lines, EventSystem], Lines | None]]] = {
    "a dropped action": dropped_action,
    "a dropped state": dropped_state,
    "a removed initial state": removed_initial_state,
    "a changed digest": changed_digest,
    "a wrong fact": wrong_fact,
}
