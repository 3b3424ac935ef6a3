"""Checking with sets of states as decision diagrams.

Importing this loads the compiler and a package of decision diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from secateur.engine.search.protocol import Task
from secateur.engine.symbolic.explore import Manner, explore
from secateur.engine.symbolic.protocol import CodedSystem
from secateur.engine.symbolic.wish import Symbolically
from secateur.kernel.places import join_words, split_words
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.system.packing import Misfit
from secateur.system.result import Result
from secateur.system.statistics import MOST_VALUES, VariableCoverage, coverage, summary
from secateur.system.system import PropertyKind, State


class SymbolicMachine:
    """A machine whose layout is changed where a value does not fit."""

    def __init__(self, system: MachineSystem, kinds: frozenset[PropertyKind]) -> None:
        self.system = system
        self.kinds = kinds
        self._machine: CompiledMachine | None = None
        self._unfolded: UnfoldedMachine | None = None

    @property
    def machine(self) -> CompiledMachine:
        """The compiled machine; the constants must have been set up before."""
        if self._machine is None:
            self._machine = CompiledMachine(self.system, self.system.solutions)
        return self._machine

    @property
    def unfolded(self) -> UnfoldedMachine:
        """The machine as slots and actions."""
        if self._unfolded is None:
            self._unfolded = UnfoldedMachine(self.machine, self.kinds)
        return self._unfolded

    def prepare(self) -> UnfoldedMachine:
        """Return the machine as slots and actions, in its present layout."""
        return self.unfolded

    def widen(self, misfit: Misfit) -> None:
        """Provide room for a value."""
        self.machine.widen(misfit)
        self._unfolded = None

    def pack(self, state: State) -> int:
        """Return an initialised state as an integer."""
        return join_words(self.machine.encode(state))

    def unpack(self, state: int) -> State:
        """Return the machine's own form of a state."""
        return self.unfolded.unpack(state)

    def coverage(
        self, codes: Callable[[int, int], list[int] | None], initial: Iterable[State]
    ) -> tuple[VariableCoverage, ...]:
        """Return what values constants and variables take."""
        machine = self.machine
        names = {name for name, _ in machine.variables}
        constants = [c for c in coverage(self.system, initial) if c.name not in names]
        words = machine.layout.words
        told: list[VariableCoverage] = []
        for name, mask in machine.variables:
            found = codes(join_words(mask), MOST_VALUES)
            if found is None:
                told.append(VariableCoverage(name, MOST_VALUES, more=True))
            else:
                values: set[Any] = {machine.value(name, split_words(c, words)) for c in found}
                told.append(summary(name, values))
        return (*constants, *told)


MOST_BITS: Final = 2000
MOST_TOUCHED: Final = 0.5
"""Sets are tried by themselves where actions touch no more than this part of the slots, on average."""


def fitness(system: CodedSystem) -> tuple[bool, str]:
    """Say whether diagrams are likely to be small, and why."""
    actions, slots = system.actions, system.slots
    learned = sum(system.code(a) is None for a in range(len(actions)))
    if learned:
        return False, f"{learned} of {len(actions)} actions are not compiled"
    bits = sum(slot.bits.bit_count() for slot in slots)
    if bits > MOST_BITS:
        return False, f"a state has {bits} bits"
    touched = [sum(bool(s.bits & (a.sees | a.may_write)) for s in slots) for a in actions]
    average = sum(touched) / max(len(touched), 1)
    share = f"an action touches {average:.3g} of {len(slots)} slots on average"
    return average <= MOST_TOUCHED * len(slots), share


def check_symbolic(
    task: Task,
    system: MachineSystem,
    kinds: frozenset[PropertyKind],
    how: Symbolically,
) -> Result:
    """Return what the symbolic engine finds; the steps of its traces have been executed."""
    return explored(task, SymbolicMachine(system, kinds), how)


def explored(task: Task, machine: SymbolicMachine, how: Symbolically) -> Result:
    """Return what the symbolic engine finds in a machine that may have been explored before."""
    return explore(task, machine, Manner(how.image, how.package, how.reorder))
