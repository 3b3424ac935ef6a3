"""Conjuncts that are the same code: what is asked about one of them is asked about all.

Steps of a process ask for the same place again and again, and a loop that is unfolded repeats its
conditions, so that there are far fewer codes than conjuncts.
"""

from __future__ import annotations

from secateur.analysis.protocol import Coded
from secateur.system.events import EventSystem


class Alike:
    """Finds for each conjunct the first one with its code."""

    def __init__(self, system: EventSystem) -> None:
        self._actions = system.actions
        self._coded = system if isinstance(system, Coded) else None
        self._first: dict[tuple[int, int], tuple[int, int]] = {}
        self._by_code: dict[tuple[object, ...], tuple[int, int]] = {}

    def first(self, action: int, conjunct: int) -> tuple[int, int]:
        """Return it as an action and a number; itself if no code is known.

        "It has a result", the one after the last, is something else for each action.
        """
        key = action, conjunct
        found = self._first.get(key)
        if found is None:
            found = self._first[key] = self._find(action, conjunct)
        return found

    def _find(self, action: int, conjunct: int) -> tuple[int, int]:
        guard = self._actions[action].guard
        code = None if self._coded is None else self._coded.code(action)
        if code is None or conjunct >= len(guard):
            return action, conjunct
        part = code.guard[conjunct]
        reads = guard[conjunct].reads
        return self._by_code.setdefault((part.body, part.result, reads), (action, conjunct))
