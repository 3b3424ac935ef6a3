"""Machine code called from Python, one state at a time.

For analyses, which look at few states, and for searches in Python; the native explorer calls
the same functions itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final

from secateur.kernel.jit import Compiled, CompiledEvents
from secateur.kernel.to_llvm import FULL

_GUARD: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_PERFORM: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64
)
_CHECK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_TRAPPED: Final = 2
_BYTES: Final = 8
"""Of a word."""


class _Buffer:
    """Room for the words of states, as integers: a word at a time takes longer than a call."""

    def __init__(self, words: int, count: int = 1) -> None:
        self._size = words * _BYTES
        self.words = (ctypes.c_uint64 * max(1, words * count))()
        self._bytes = memoryview(self.words).cast("B")

    def put(self, state: int) -> None:
        """Have a state be the first one; what is beyond its words is no part of it."""
        size = self._size
        whole = state.to_bytes(max(size, -(-state.bit_length() // 8)), "little")
        self._bytes[:size] = whole[:size]

    def get(self, count: int) -> list[int]:
        """Return the first states."""
        size = self._size
        return [
            int.from_bytes(self._bytes[i * size : (i + 1) * size], "little") for i in range(count)
        ]


class CallableEvents:
    """The events of a program; states and results are integers.  Not for several threads."""

    def __init__(self, compiled: CompiledEvents) -> None:
        self._compiled = compiled  # keeps the code alive
        self._words = compiled.program.words
        self._guards = [_GUARD(address) for address in compiled.guards]
        self._performs = [_PERFORM(address) for address in compiled.performs]
        self._state = _Buffer(self._words)
        self._found = (ctypes.c_uint64 * 2)()
        self._capacity = 16
        self._records = _Buffer(self._words, self._capacity)

    def parameters(self, numbers: Sequence[int]) -> Any:
        """Return numbers in the form in which an instance is called with them."""
        return (ctypes.c_int64 * max(1, len(numbers)))(*numbers)

    def guard(self, event: int, parameters: Any, state: int) -> tuple[int, int]:
        """Return the conjuncts that are false and those that have trapped, bit by bit."""
        self._state.put(state)
        self._guards[event](self._state.words, parameters, self._found)
        return self._found[0], self._found[1]

    def perform(self, event: int, parameters: Any, state: int) -> list[int] | None:
        """Return the results, perhaps some of them several times; None if the event traps."""
        self._state.put(state)
        while True:
            count = self._performs[event](
                self._state.words, parameters, self._records.words, self._capacity
            )
            if count != FULL:
                break
            self._capacity *= 4
            self._records = _Buffer(self._words, self._capacity)
        return None if count < 0 else self._records.get(count)


class CallablePredicates:
    """The predicates of a program.  Not for several threads."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled  # keeps the code alive
        self._words = compiled.program.words
        self._state = _Buffer(self._words)
        self._groups: dict[int, tuple[Any, Any, int]] = {}
        for group in compiled.predicates:
            holds = (ctypes.c_uint8 * len(group.members))()
            function = _CHECK(group.address)
            for place, member in enumerate(group.members):
                self._groups[member] = function, holds, place

    def holds(self, predicate: int, state: int) -> bool | None:
        """Return whether a predicate holds; None if it traps."""
        function, holds, place = self._groups[predicate]
        self._state.put(state)
        function(self._state.words, holds)
        return None if holds[place] == _TRAPPED else bool(holds[place])
