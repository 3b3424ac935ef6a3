"""The graphs of local control: how single slots with few values go from one to the next."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, Protocol, runtime_checkable

from secateur.kernel.events import Event
from secateur.kernel.language import Emit, Field, Number, Store, StoreBits
from secateur.kernel.walk import statements
from secateur.system.events import EventSystem

MOST_VALUES: Final = 4096
"""A slot with more is no program counter."""
_WORD: Final = 64


@runtime_checkable
class WithCode(Protocol):
    """A system whose actions have kernel code."""

    def code(self, action: int) -> Event | None:
        """Return the code of an action with no parameters left; None if there is none."""


class Move(NamedTuple):
    """What an action does to a slot: from some codes, wherever it happens, to just one."""

    sources: frozenset[int]
    target: int


class Control:
    """The control slots of a system, and the graph of each.

    Such a slot is like a program counter: all actions that write it store constants, and what
    belongs to its process looks at it in a conjunct of its own, so that it is known from where to
    where it goes.  What stores one without looking begins a process; that is no step of it.
    """

    def __init__(self, system: EventSystem) -> None:
        self.system = system
        self.moves: dict[int, dict[int, Move]] = {}
        """By slot and action."""
        for number in range(len(system.slots)):
            moves = self._moves(number)
            if moves:
                self.moves[number] = moves

    def places(self, action: int, slot: int) -> frozenset[int]:
        """Return the codes of a slot in which the conjuncts about it alone let an action happen."""
        of, bits = self.system.actions[action], self.system.slots[slot].bits
        about = [j for j, c in enumerate(of.guard) if c.reads and not c.reads & ~bits]
        codes = self.system.slots[slot].codes or ()
        if not about:
            return frozenset(codes)
        rest = sum(s.codes[0] for s in self.system.slots if s.codes and s.bits != bits)
        found: set[int] = set()
        for code in codes:
            guard = self.system.guard(action, rest | code)
            if not any((guard.false | guard.undefined) >> j & 1 for j in about):
                found.add(code)
        return frozenset(found)

    def distances(self, slot: int, targets: Collection[int]) -> dict[int, int]:
        """Return how many steps each code of a slot is from the nearest target at least."""
        back: dict[int, list[int]] = {}
        for move in self.moves[slot].values():
            for source in move.sources:
                back.setdefault(move.target, []).append(source)
        found = dict.fromkeys(sorted(targets), 0)
        waiting = deque(found)
        while waiting:
            code = waiting.popleft()
            for before in back.get(code, ()):
                if before not in found:
                    found[before] = found[code] + 1
                    waiting.append(before)
        return found

    def _moves(self, slot: int) -> dict[int, Move] | None:
        """Return what each action does to a slot; None if that is not known of all."""
        of = self.system.slots[slot]
        if of.codes is None or not 2 <= len(of.codes) <= MOST_VALUES:
            return None
        found: dict[int, Move] = {}
        for a, action in enumerate(self.system.actions):
            if not action.may_write & of.bits:
                continue
            target = self._constant(a, of.bits)
            if target is None:
                return None
            sources = self.places(a, slot)
            if len(sources) < len(of.codes):
                found[a] = Move(sources, target)
        return found

    def _constant(self, action: int, bits: int) -> int | None:
        """Return the code that an action gives to a slot, if it is always the same."""
        if not isinstance(self.system, WithCode):
            return None
        code = self.system.code(action)
        stores = None if code is None else _stores(code)
        return None if stores is None else stores.get(bits)


def _stores(event: Event) -> Mapping[int, int] | None:
    """Return the constants that a body always stores, by the bits; None if it has several ends."""
    everything = list(statements(event.body))
    if sum(isinstance(s, Emit) for s in everything) != 1:
        return None
    found: dict[int, int] = {}
    for statement in event.body:
        match statement:
            case Store(field, Number(value), Number(0)) if field.count == 1:
                found[_mask(field)] = (value - field.least) << _shift(field)
            case _:
                for inner in statements((statement,)):
                    if isinstance(inner, Store):
                        found.pop(_mask(inner.field), None)
                    elif isinstance(inner, StoreBits):
                        return None
    return found


def _shift(field: Field) -> int:
    return field.word * _WORD + field.shift


def _mask(field: Field) -> int:
    return ((1 << field.width) - 1) << _shift(field)
