"""The native product on systems of tables, in full and reduced: the twin of `Case.search`.

Guards are callbacks in the place of code; everything else is asked of the tables.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from secateur.engine.liveness.lasso import Lasso
from secateur.engine.native.available import why_not_native
from secateur.engine.native.pruning import NativePruning
from secateur.engine.reduce.reduction import Reduction
from secateur.kernel.events import InstanceCode
from secateur.ltl.atoms import Atom, Kind
from secateur.system.events import Action
from secateur.system.system import Transition
from tests.witnesses.tables import Tables

if TYPE_CHECKING:
    from tests.agreement.temporal import Case

AVAILABLE: Final = why_not_native() is None

_WORDS = ctypes.POINTER(ctypes.c_uint64)
_GUARD = ctypes.CFUNCTYPE(None, _WORDS, ctypes.POINTER(ctypes.c_int64), _WORDS)
_OF_STEPS = (Kind.CHANGED, Kind.UNCHANGED)


@dataclass
class Coded:
    """The actions of a system as code, which is as long there as this is."""

    system: Tables

    def __post_init__(self) -> None:
        self.words = 1
        self.actions: Sequence[Action] = self.system.actions
        self._guards = [_GUARD(self._guard(a)) for a in range(len(self.actions))]

    def _guard(self, action: int) -> Any:
        table = self.system.guards[action]

        def guard(state: Any, _: Any, found: Any) -> None:
            found[0], found[1] = table[state[0]].false, table[state[0]].undefined

        return guard

    def machine_code(self, action: int) -> InstanceCode:
        """Return the code of an action; its results are asked for."""
        address = ctypes.cast(self._guards[action], ctypes.c_void_p).value
        return InstanceCode(address or 0, 0, (), action)


class NativeProduct:
    """A case and an automaton, as the native engine sees them."""

    def __init__(self, case: Case, automaton: Any, reduction: Reduction | None) -> None:
        self.case = case
        self.automaton = automaton
        self.reduction = reduction
        self.operations = list(case.system.operations)
        changing = [a for a in automaton.atoms if a.kind in _OF_STEPS]
        self.marks = {atom: len(self.operations) + i for i, atom in enumerate(changing)}

    def search(self) -> Lasso | None:
        """Return a path that the automaton accepts."""
        system, fair = self.case.system, self.case.fair
        width = max(1, max(system.states).bit_length())
        # Loaded here: the tables are used where there is no native module, too.
        make = import_module("secateur._native").Product
        product = make([width], 1, len(system.actions), len(system.checks))
        marked = sum(1 << bit for bit in self.marks.values())
        for number, action in enumerate(system.actions):
            product.set_events(number, 1 << self.operations.index(action.operation), marked)
        for atom in self.automaton.atoms:
            self._tell(product, atom)
        weak, strong = ([self.operations.index(e) for e in f] for f in (fair.weak, fair.strong))
        product.assume(len(self.automaton.untils), weak, strong)
        for values in system.start:
            product.add_initial([system.pack(values)])
        row = None
        if self.reduction is not None:
            coded: Any = Coded(self.case.system)
            pruning = NativePruning(coded, self.reduction)
            pruning.install(product)
            row = pruning.row
        places = import_module("secateur.engine.native.liveness").Places(self.automaton)
        product.run(self._step, self._check, places, row)
        if self.reduction is not None:
            pruning.tell(product)
        return None if product.lasso is None else self._lasso(product)

    def _tell(self, product: Any, atom: Atom) -> None:
        match atom.kind:
            case Kind.PREDICATE:
                product.add_property([c.name for c in self.case.system.checks].index(atom.text))
            case Kind.EVENT:
                product.add_event(self.operations.index(atom.events[0].name))
            case Kind.ENABLED:
                product.add_count(1 << self.operations.index(atom.events[0].name), 1, 64)
            case Kind.DEADLOCK:
                product.add_deadlock()
            case _:
                product.add_event(self.marks[atom])

    def _step(self, action: int, words: tuple[int, ...]) -> tuple[list[list[int]], list[int]]:
        system, state = self.case.system, words[0]
        results = system.outcomes[action][state] if system.guards[action][state].holds else ()
        assert results is not None
        return [[r, self._mark(state, r)][: 2 if self.marks else 1] for r in results], []

    def _mark(self, state: int, target: int) -> int:
        mark = 0
        for atom, bit in self.marks.items():
            differs = bool((state ^ target) & self.case.system.mask([atom.text]))
            mark |= (differs == (atom.kind is Kind.CHANGED)) << bit
        return mark

    def _check(self, number: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        return bool(self.case.system.truths[number][words[0]]), []

    # -- the path ---------------------------------------------------------------------------------

    def _lasso(self, product: Any) -> Lasso:
        start, steps, loop, open_ = product.lasso
        here = first = product.state(start)[0]
        found = []
        for index, *said in steps:
            target = product.state(index)[0]
            found.append(self._transition(here, target, said))
            here = target
        return Lasso(first, tuple(found), loop, open_)

    def _transition(self, state: int, target: int, said: list[int]) -> Transition:
        """Return the step of which this was said: its letter, its marks, what happens."""
        fair, offered = self.case.fair, self.case.edges[state]
        enabled = {t.step.operation for t in offered}
        for each in offered:
            name = each.step.operation
            truths = {a: self.case.truth(a, state, each) for a in self.automaton.atoms}
            marks = _bits(e == name or e not in enabled for e in fair.weak)
            taken = _bits(e == name for e in fair.strong)
            if each.target == target and [self.automaton.letter(truths), marks, taken] == said:
                return each
        raise AssertionError("no such transition")


def _bits(truths: Iterable[bool]) -> int:
    return sum(1 << i for i, truth in enumerate(truths) if truth)
