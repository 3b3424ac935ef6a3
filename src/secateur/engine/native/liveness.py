"""The driver of the native product, which looks for a path that violates a formula.

Importing this module loads the compiled one and LLVM; `available.py` says whether it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from secateur._native import Product
from secateur.engine.limits import Interrupted, Meter, states_reached
from secateur.engine.native.describe import describe
from secateur.engine.native.explore import NO_MEMORY
from secateur.engine.native.protocol import Packed
from secateur.engine.native.pruning import NativePruning
from secateur.engine.native.symmetry import NativeMerging
from secateur.engine.native.tiers import Tiers
from secateur.engine.native.watching import watching
from secateur.kernel.jit import Compiled, compile_program
from secateur.ltl.automaton import Automaton
from secateur.ltl.tableau import Tableau
from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, State

Telling = Callable[[Product], None]
"""Tells a product about the next atom of its letters."""


class Watchable(Packed, Protocol):
    """A packed system whose properties are atoms, and whose steps may be marked."""

    def events(self, action: int) -> tuple[int, int]:
        """Return which events the steps of an action are, and which their marks tell."""

    def judge(self, number: int, words: Sequence[int]) -> tuple[bool, bool]:
        """Let the evaluator look at a property: whether it holds, and whether that is in doubt."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: paths of an automaton that are fair to some events.

    `doubt` is told what keeps a state from being known, unless `passes_over` says that it does not.
    """

    tableau: Tableau | Automaton
    atoms: Sequence[Telling]
    weak: Sequence[int]
    strong: Sequence[int]
    doubt: Callable[[Breach | Fault | Gap], None]
    passes_over: Callable[[Breach | Fault | Gap], bool]


@dataclass(frozen=True, slots=True)
class Turn:
    """A step of a path: where it leads, which atoms hold before it, and what is fair about it."""

    target: State
    letter: int
    fair: int
    taken: int


@dataclass(frozen=True, slots=True)
class Route:
    """A path of which the last `loop` turns are repeated, or that goes on in any way."""

    start: State
    turns: tuple[Turn, ...]
    loop: int
    open: bool


@dataclass(slots=True)
class Searched:
    """What was found, and with what effort; `reason` says why it may not be everything."""

    route: Route | None = None
    states: int = 0
    transitions: int = 0
    nodes: int = 0
    reason: str | None = None
    engine: Engine = PYTHON
    canonical: Callable[[State], State] = lambda state: state
    """What stands for a state in the path."""


class Places:
    """An automaton whose places are numbers: what is promised, and what is remembered."""

    def __init__(self, tableau: Tableau | Automaton) -> None:
        self._tableau = tableau
        self._listed = [(tableau.start, 0)]
        self._numbers = {(tableau.start, 0): 0}

    def ways(self, place: int, letter: int) -> list[tuple[int, int]]:
        """Return the places that follow, with the marks on the way."""
        positions = self._tableau.positions(letter, *self._listed[place])
        return [(self._number(p.promise, p.memory), p.kept) for p in positions]

    def ends(self, place: int, letter: int) -> bool:
        """Return whether a path may end here."""
        return self._tableau.ends(letter, *self._listed[place])

    def done(self, place: int) -> bool:
        """Return whether nothing is promised any more."""
        return self._tableau.done(self._listed[place][0])

    def _number(self, promise: int, memory: int) -> int:
        key = promise, memory
        found = self._numbers.setdefault(key, len(self._listed))
        if found == len(self._listed):
            self._listed.append(key)
        return found


@dataclass(frozen=True, slots=True)
class Saving:
    """What need not be looked at: steps that a reduction leaves out; symmetric states.

    With `merge`, the states of a path are canonical forms.
    """

    prune: Callable[[], NativePruning] | None = None
    merge: NativeMerging | None = None


NOTHING_SAVED: Final = Saving()


def search(
    packed: Watchable,
    initial: Sequence[State],
    question: Question,
    meter: Meter,
    saving: Saving = NOTHING_SAVED,
) -> Searched:
    """Look for a path; begin anew where a value does not fit, and with a new reduction then."""
    merge = saving.merge
    while True:
        try:
            states = [packed.encode(state) for state in initial]
            run = _Run(packed, states, question, meter)
            if merge is not None:
                merge.install(packed, run.product)
            if saving.prune is not None:
                run.prune(saving.prune())
            found = run.go()
        except Misfit as misfit:
            packed.widen(misfit)
            continue
        if merge is not None:
            merge.require_no_rule()
            found.canonical = partial(_canonical, packed, run.product)
        return found


def _canonical(packed: Watchable, product: Product, state: State) -> State:
    return packed.decode(product.canonical(packed.encode(state)))


class _Run:
    """One search."""

    def __init__(
        self,
        packed: Watchable,
        initial: Sequence[Sequence[int]],
        question: Question,
        meter: Meter,
    ) -> None:
        self.packed = packed
        self.question = question
        self.meter = meter
        self.found = Searched()
        self.code = compile_program(packed.program, optimise=False)
        self.product = self._product(self.code)
        self.pruning: NativePruning | None = None
        for words in initial:
            self.product.add_initial(words)

    def _product(self, code: Compiled) -> Product:
        packed, question = self.packed, self.question
        actions, properties = len(packed.actions), len(packed.properties)
        product = Product(packed.bits, packed.program.label_words, actions, properties)
        describe(product, packed, code)
        for number in range(actions):
            product.set_events(number, *packed.events(number))
        for tell in question.atoms:
            tell(product)
        product.assume(len(question.tableau.untils), question.weak, question.strong)
        product.max_states = self.meter.limits.states
        self.note = product.add_note(stops=False)
        return product

    def prune(self, pruning: NativePruning) -> None:
        """Leave out what need not be followed."""
        self.pruning = pruning
        pruning.install(self.product)
        self.product.patience = pruning.reduction.patience

    def go(self) -> Searched:
        """Search, and say what was found."""
        product, found = self.product, self.found
        ending = self._run()
        if self.pruning is not None:
            self.pruning.tell(product)
        found.states, found.transitions = product.states, product.transitions
        found.nodes = product.nodes
        compiled = sum(part.reason is None for part in self.packed.actions)
        found.engine = Engine(
            "native",
            compiled=compiled,
            operations=len(self.packed.actions),
            memory=product.memory,
            compile_seconds=self.code.seconds,
        )
        limit = self.meter.limits.states
        if ending == "states" and limit is not None:
            found.reason = states_reached(limit)
        elif ending == "memory":
            found.reason = NO_MEMORY
        elif ending == "interrupted":
            found.reason = found.reason or self.meter.why_interrupted()
        elif ending == "violation":
            found.reason = None  # a path that was found is there, whatever the limits
            found.route = self._route()
        elif ending != "complete":
            raise AssertionError(f"the native engine ended in an unknown way: {ending}")
        return found

    def _run(self) -> str:
        tiers = Tiers(self.product, self.code)
        with watching(self._look, tiers):
            try:
                places = Places(self.question.tableau)
                row = None if self.pruning is None else self.pruning.row
                return self.product.run(self._step, self._check, places, row)
            except Interrupted:  # while the evaluator was at work
                return "interrupted"
            except MemoryError:
                return "memory"

    def _look(self) -> bool:
        product = self.product
        reason = self.meter.reason_to_stop(product.states, product.transitions, 0)
        if reason is not None:
            self.found.reason = reason
            product.interrupt()
        return reason is not None

    def _step(self, action: int, words: tuple[int, ...]) -> tuple[list[Sequence[int]], list[int]]:
        targets, items = self.packed.step(action, words)
        for item in items:
            self.question.doubt(item)
        doubtful = any(not self.question.passes_over(item) for item in items)
        return targets, [self.note] if doubtful else []

    def _check(self, number: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        holds, doubtful = self.packed.judge(number, words)
        return holds, [self.note] if doubtful else []

    def _route(self) -> Route:
        said = self.product.lasso
        assert said is not None
        start, steps, loop, open_ = said
        turns = (Turn(self._state(t), letter, fair, taken) for t, letter, fair, taken in steps)
        return Route(self._state(start), tuple(turns), loop, open_)

    def _state(self, index: int) -> State:
        return self.packed.decode(self.product.state(index))
