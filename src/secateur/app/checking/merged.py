"""A machine of which symmetric states are taken for the same.

Importing this loads the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from functools import cached_property
from typing import Final

from secateur.engine.native.protocol import Packed
from secateur.engine.native.symmetry import NativeMerging
from secateur.engine.symmetry.flood import FLOOD, refuse_many
from secateur.engine.symmetry.protocol import Merging, StrategyRow, told
from secateur.engine.symmetry.quotient import Quotient, QuotientEvents
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem, machine_state
from secateur.lang.symmetry.packed import PackedSymmetry
from secateur.lang.symmetry.solutions import Solutions
from secateur.lang.symmetry.states import MachineSymmetry
from secateur.lang.unfold.machine import UnfoldedMachine
from secateur.source.records import dataclass
from secateur.system.reduced import Merged
from secateur.system.result import Result, seen_at_end
from secateur.system.symmetry import Interchangeable
from secateur.system.system import State
from secateur.system.trace import Trace
from secateur.system.verdict import Holds, Incomplete, Verdict, Violated


@dataclass()
class Merge:
    """A strategy at work on one machine, whose constants are known."""

    system: MachineSystem
    strategy: StrategyRow
    free: tuple[Interchangeable, ...]
    native_merging: NativeMerging = field(init=False)

    def __post_init__(self) -> None:
        self.symmetry = MachineSymmetry(self.system, self.free)
        self.solutions = Solutions(self.symmetry)
        self.native_merging = NativeMerging(self.strategy, self._packed)

    def _packed(self, packed: Packed) -> PackedSymmetry:
        assert isinstance(packed, CompiledMachine)
        if self.strategy.name == FLOOD.name:
            orders = (self.solutions.stabiliser(n).order for n in set(self.solutions.first))
            refuse_many(max(orders))
        return PackedSymmetry(packed, self.solutions)

    # -- systems ----------------------------------------------------------------------------------

    @cached_property
    def quotient(self) -> Quotient:
        """The machine with states replaced by those that stand for them."""
        return Quotient(self.system, self.strategy.build(self.symmetry))

    @cached_property
    def started(self) -> Quotient:
        """The machine with one valuation of the constants for all that are the same but for names.

        That is where the native engine begins: it knows initialised states only.
        """
        return Quotient(self.system, _Valuations(self.solutions))

    def stands_for_itself(self, state: State) -> bool:
        """Whether a state has the first of the valuations that are the same but for names."""
        number, _ = machine_state(state)
        return self.solutions.first[number] == number

    def of_events(self, unfolded: UnfoldedMachine) -> QuotientEvents:
        """Return the quotient of a machine whose states are numbers."""
        return QuotientEvents(unfolded, _Packing(unfolded, self.quotient.merging))

    # -- results ----------------------------------------------------------------------------------

    def unfolded(
        self, result: Result, unpack: Callable[[State], State] = lambda state: state
    ) -> Result:
        """Return a result of the quotient with traces of the machine itself."""

        def real(trace: Trace) -> Trace | None:
            found = self.quotient.unfolded(map(unpack, trace.states))
            assert found is not None or not self.strategy.exact, (
                "a path of the quotient is not real"
            )
            return found

        return _with_traces(result, real)

    def executed(self, result: Result) -> Result:
        """Return a result of the native engine, whose traces are real, as one of the machine."""
        return _with_traces(result, lambda trace: Trace(self.system, trace.transitions))

    def report(self, result: Result) -> Result:
        """Return a result that says what was merged."""
        caveat = self.strategy.caveat
        verdict = result.verdict if caveat is None else _doubted(result.verdict, caveat)
        return replace(result, verdict=verdict, merged=self.told())

    def told(self) -> Merged:
        """Return what was merged."""
        return told(self.strategy, self.free, self.native_merging.orbits)


def _doubted(verdict: Verdict, caveat: str) -> Verdict:
    """Return a verdict that does not say that everything was looked at."""
    match verdict:
        case Holds():
            return Incomplete((caveat,))
        case Incomplete(reasons):
            return Incomplete((*reasons, caveat))
        case Violated(violations, _, reasons):
            return Violated(violations, exhaustive=False, reasons=(*reasons, caveat))


@dataclass(frozen=True, slots=True)
class _Valuations:
    """Merges states that are not initialised yet."""

    solutions: Solutions

    def representative(self, state: State) -> State:
        """Return the state with the first valuation that is the same but for names."""
        number, values = machine_state(state)
        return state if values is not None else (self.solutions.first[number], None)


@dataclass(frozen=True, slots=True)
class _Packing:
    """Merges states that are numbers."""

    unfolded: UnfoldedMachine
    merging: Merging

    def representative(self, state: State) -> State:
        """Return what stands for a state, as a number."""
        return self.unfolded.pack(self.merging.representative(self.unfolded.unpack(state)))


def _with_traces(result: Result, real: Callable[[Trace], Trace | None]) -> Result:
    """Return a result with other traces; what has none was found where nobody can come to."""
    if not isinstance(result.verdict, Violated):
        return result
    traces = [(v, real(v.trace)) for v in result.violations]
    violations = tuple(seen_at_end(v, trace) for v, trace in traces if trace is not None)
    if violations:
        return replace(result, verdict=replace(result.verdict, violations=violations))
    return replace(result, verdict=Incomplete(result.reasons or (_NO_WAY,)))


_NO_WAY: Final = "something was found, but no way to it"
