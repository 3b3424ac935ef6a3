"""Actions with too many combinations for a table, as far as a few slots tell.

Of what an action demands, the parts are kept that are about few slots; of what it writes,
the slots whose new code depends on few.  Nothing else is known, so that it may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod
from typing import Final, NamedTuple

import z3

from secateur.analysis.closing import Outcome, Sketch
from secateur.analysis.smt.lawful import Symbols
from secateur.analysis.smt.memory import Memory, as_term
from secateur.analysis.smt.steps import Performed
from secateur.analysis.smt.values import Term, Truth, both
from secateur.analysis.space import Space
from secateur.system.events import Action

MOST_ROWS: Final = 256
"""Combinations of codes of the slots that are known."""
MOST_SLOTS: Final = 4
"""A part that is about more is not looked at."""
MOST_PARTS: Final = 64
FEW_ROWS: Final = 1024
"""Where there are no more combinations at all, every part is looked at."""

Codes = tuple[int, ...]
_Target = Sequence[tuple[int, Term]]
"""Formulas, and where in a state they are."""


class _Part(NamedTuple):
    """A formula for each combination of the codes of the slots that it is about."""

    slots: tuple[int, ...]
    values: Mapping[Codes, int]


class _Result(NamedTuple):
    """What must hold for a result to be one, and the state that it is."""

    demands: Sequence[Term]
    state: Memory


class Sketching:
    """Makes sketches of actions over some slots, whose codes are listed.

    Those that guards are about matter more than others.
    """

    def __init__(self, symbols: Symbols, actions: Iterable[Action]) -> None:
        self._space: Space = symbols.space
        self._symbols = symbols
        self._slots = frozenset(n for n, slot in enumerate(self._space.slots) if slot.codes)
        self._slot_of = dict(symbols.names())
        guards = (self._space.touching(c.reads) for a in actions for c in a.guard)
        self._guarding = frozenset(n for g in guards if len(g) <= MOST_SLOTS for n in g)
        self._about: dict[int, frozenset[int] | None] = {}
        """For a formula by its identity, the slots that it is about, unless they are too many."""
        self._parts: dict[int, _Part | None] = {}
        """For such a formula, its values."""
        self._results: dict[int, tuple[Performed, Sequence[_Result]]] = {}
        """The results of actions by their identities, which are kept, too."""
        self._kept: list[Term] = []
        """Formulas whose identities must not be given to others."""

    def of(self, performed: Performed, written: tuple[int, ...], slots: frozenset[int]) -> Sketch:
        """Return the sketch of an action that writes some of the slots."""
        results = [
            (demands, [self._target(state, w) for w in written])
            for demands, state in self._results_of(performed)
        ]
        known = self._known(results, slots)
        evaluated = [self._evaluated(result, frozenset(known)) for result in results]
        rows: list[tuple[Codes, Sequence[Outcome]]] = []
        for codes in product(*(self._space.slots[n].codes or () for n in known)):
            here = dict(zip(known, codes, strict=True))
            outcomes = dict.fromkeys(
                outcome
                for demands, targets in evaluated
                for outcome in self._outcomes(demands, targets, written, here)
            )
            if outcomes:
                rows.append((codes, tuple(outcomes)))
        return Sketch(known, written, rows)

    def _results_of(self, performed: Performed) -> Sequence[_Result]:
        found = self._results.get(id(performed))
        if found is None:
            found = (
                performed,
                [
                    _Result(
                        list(islice(_demands(both(performed.happens, when)), MOST_PARTS)), state
                    )
                    for when, state in performed.results
                ],
            )
            self._results[id(performed)] = found
        return found[1]

    def _target(self, state: Memory, slot: int) -> _Target:
        """Return the formulas that a slot is made of in a state."""
        return [
            (at, as_term(state.load(at, variable.size()), variable.size()))
            for at, variable in self._symbols.variables(self._space.bits((slot,)))
        ]

    def _known(
        self,
        results: Iterable[tuple[Sequence[Term], Sequence[_Target]]],
        within: frozenset[int],
    ) -> tuple[int, ...]:
        """Return the slots that the smallest parts are about, those of guards first."""
        wanted: dict[frozenset[int], None] = {}
        for demands, targets in results:
            terms = (*demands, *(term for parts in targets for _, term in parts))
            about = map(self._slots_of, terms)
            wanted.update((s, None) for s in about if s is not None and s <= within)
        if self._count(within) <= FEW_ROWS:
            return tuple(sorted(frozenset().union(*wanted)))
        known: frozenset[int] = frozenset()
        for slots in sorted(wanted, key=self._rank):
            most = MOST_ROWS if slots <= self._guarding else MOST_ROWS // 4
            if self._count(known | slots) <= most:
                known |= slots
        return tuple(sorted(known))

    def _rank(self, slots: frozenset[int]) -> tuple[bool, int, list[int]]:
        return not slots <= self._guarding, self._count(slots), sorted(slots)

    def _count(self, slots: Iterable[int]) -> int:
        return prod(len(self._space.slots[n].codes or ()) for n in slots)

    def _evaluated(
        self, result: tuple[Sequence[Term], Sequence[_Target]], known: frozenset[int]
    ) -> tuple[list[_Part], list[list[tuple[int, _Part]] | None]]:
        """Return the parts of a result that are about known slots."""
        demands = [self._part(d, known) for d in result[0]]
        targets: list[list[tuple[int, _Part]] | None] = []
        for pieces in result[1]:
            parts = [(at, self._part(term, known)) for at, term in pieces]
            sure = [(at, part) for at, part in parts if part is not None]
            targets.append(sure if len(sure) == len(parts) else None)
        return [d for d in demands if d is not None], targets

    def _part(self, term: Term, known: frozenset[int]) -> _Part | None:
        about = self._slots_of(term)
        if about is None or not about <= known:
            return None
        if term.get_id() not in self._parts:
            self._parts[term.get_id()] = self._listed(term, tuple(sorted(about)))
        return self._parts[term.get_id()]

    def _listed(self, term: Term, slots: tuple[int, ...]) -> _Part | None:
        """Return the values of a formula, if they depend on nothing else."""
        values: dict[Codes, int] = {}
        for codes in product(*(self._space.slots[n].codes or () for n in slots)):
            value = z3.simplify(z3.substitute(term, *self._replaced(slots, codes)))
            if z3.is_bv_value(value):
                values[codes] = value.as_long()
            elif z3.is_true(value) or z3.is_false(value):
                values[codes] = int(z3.is_true(value))
            else:  # there is more to it than was seen
                return None
        return _Part(slots, values)

    def _replaced(self, slots: Iterable[int], codes: Codes) -> Iterator[tuple[Term, Term]]:
        for slot, code in zip(slots, codes, strict=True):
            for at, variable in self._symbols.variables(self._space.bits((slot,))):
                width = variable.size()
                yield variable, z3.BitVecVal(code >> at & ((1 << width) - 1), width)

    def _outcomes(
        self,
        demands: Sequence[_Part],
        targets: Sequence[Sequence[tuple[int, _Part]] | None],
        written: tuple[int, ...],
        here: Mapping[int, int],
    ) -> Iterator[Outcome]:
        """Yield what slots have after a result, if it is one here."""
        if not all(_value(demand, here) for demand in demands):
            return
        outcome: list[int | None] = []
        for slot, parts in zip(written, targets, strict=True):
            if parts is None:
                outcome.append(None)
                continue
            code = sum(_value(part, here) << at for at, part in parts)
            if code not in (self._space.slots[slot].codes or ()):
                return  # what has no code is at fault
            outcome.append(code)
        yield tuple(outcome)

    def _slots_of(self, term: Term) -> frozenset[int] | None:
        """Return the slots that a formula is about, if they are few and have listed codes."""
        waiting = [term]
        while waiting:
            here = waiting[-1]
            if here.get_id() in self._about:
                waiting.pop()
                continue
            children = here.children()
            fresh = [c for c in children if c.get_id() not in self._about]
            if fresh:
                waiting += fresh
                continue
            waiting.pop()
            self._kept.append(here)
            self._about[here.get_id()] = self._joined(here, children)
        return self._about[term.get_id()]

    def _joined(self, term: Term, children: Sequence[Term]) -> frozenset[int] | None:
        if not children:
            slot = self._slot_of.get(term.decl().name()) if z3.is_const(term) else None
            if slot is None:
                return frozenset()
            return frozenset({slot}) if slot in self._slots else None
        found: frozenset[int] = frozenset()
        for child in children:
            about = self._about[child.get_id()]
            if about is None:
                return None
            found |= about
        return found if len(found) <= MOST_SLOTS else None


def _value(part: _Part, here: Mapping[int, int]) -> int:
    return part.values[tuple(here[n] for n in part.slots)]


def _demands(formula: Truth) -> Iterator[Term]:
    """Yield parts that all must hold; without some of them, more does."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, bool):
            if not part:
                yield z3.BoolVal(False)
        elif z3.is_and(part):
            waiting += reversed(part.children())
        elif z3.is_not(part) and z3.is_not(part.arg(0)):
            waiting.append(part.arg(0).arg(0))
        elif z3.is_not(part) and z3.is_or(part.arg(0)):
            waiting += [z3.Not(child) for child in reversed(part.arg(0).children())]
        else:
            yield part
