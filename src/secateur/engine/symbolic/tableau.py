"""The symbolic tableau of a formula: one variable for each thing that must be guessed or remembered.

E. M. Clarke, O. Grumberg, K. Hamaguchi: *Another look at LTL model checking*, Formal Methods in
System Design 10, 1997.  A state of the tableau tells which *elementary* formulas hold; everything
else follows from them and from the state of the model: f U g is g or (f and X(f U g)).

Deviations from the paper:

  D1  operators of the past, as in `ltl/tableau.py`: Y f is elementary, too, but remembered, not
      guessed, and f S g is g or (f and Y(f S g));
  D2  an atom about the step out of a state has a variable that predicts it; only actions for
      which the prediction is right lead on;
  D3  paths may end: in a deadlock, where every X and every prediction is false; or, where runs
      stutter, X f is what f is;
  D4  fairness to events: sets of states, made with predictions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.variables import Variables
from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import TRUE, Binary, Formula, Holds, One, Truth, Two, Unary, core, parts
from secateur.source.records import dataclass

Actions = frozenset[int]
"""Numbers of actions."""


@dataclass(frozen=True, slots=True)
class FairActions:
    """What is assumed of infinite paths: each set holds the actions of a fair event."""

    weak: Sequence[Actions] = ()
    strong: Sequence[Actions] = ()


ASSUMING_NOTHING: Final = FairActions()


class Elementary:
    """What of a formula has variables of its own.

    It can be known before there are any diagrams: `count` pairs of extra variables are needed.
    `steps` says which actions the atoms about steps look for; all other atoms are about states.
    """

    def __init__(
        self,
        formula: Formula,
        steps: Mapping[Atom, Actions],
        fairness: FairActions = ASSUMING_NOTHING,
        *,
        stutters: bool = False,
    ) -> None:
        self.formula = core(formula)
        self.stutters = stutters
        """Whether a path that ends stays in its last state for ever; then nothing is remembered."""
        self.fairness = fairness
        self.steps = steps
        # Strong fairness is GF(taken or G not enabled): whether it is enabled once more is guessed.
        self.again = [_again(i) for i in range(len(fairness.strong))]
        listed = dict.fromkeys(p for f in (self.formula, *self.again) for p in parts(f))
        self.parts: list[Formula] = list(listed)
        twos = [p for p in self.parts if isinstance(p, Two)]
        ones = [p for p in self.parts if isinstance(p, One)]
        self.untils = [p for p in twos if p.operator is Binary.UNTIL]
        sinces = [p for p in twos if p.operator is Binary.SINCE]
        nexts = [p.argument for p in ones if p.operator is Unary.NEXT]
        befores = [p.argument for p in ones if p.operator is Unary.YESTERDAY]
        self.promised: list[Formula] = list(dict.fromkeys([*self.untils, *nexts]))
        """The formulas f of which X f is elementary."""
        self.remembered: list[Formula] = list(dict.fromkeys([*sinces, *befores]))
        """The formulas f of which Y f is elementary."""
        looked_for = [steps[p.atom] for p in self.parts if isinstance(p, Holds) and p.atom in steps]
        self.predicted: list[Actions] = list(
            dict.fromkeys([*looked_for, *fairness.weak, *fairness.strong])
        )
        """The sets of actions of which it is predicted whether the next step is one."""

    @property
    def count(self) -> int:
        """How many pairs of extra variables there must be."""
        return len(self.promised) + len(self.remembered) + len(self.predicted)


def _enabled(number: int) -> Atom:
    """Return an atom that nobody writes: the strongly fair event with that number is enabled."""
    return Atom(Kind.STRONG_FAIR, str(number))


def _again(number: int) -> Formula:
    return Two(Binary.UNTIL, TRUE, Holds(_enabled(number)))


class SymbolicTableau:
    """The variables of the elementary formulas, and where each part of the formula holds.

    `atoms` says where each atom about states holds, and `enabled` where one of some actions can
    happen; it is asked about fair events only.
    """

    def __init__(
        self,
        variables: Variables,
        elementary: Elementary,
        atoms: Mapping[Atom, Diagram],
        enabled: Mapping[Actions, Diagram],
    ) -> None:
        assert elementary.count <= len(variables.extra), "too few extra variables"
        self.variables = variables
        self.elementary = elementary
        promised, remembered = len(elementary.promised), len(elementary.remembered)
        self.promises = range(promised)
        """The numbers of the extra pairs for each X f."""
        self.memories = range(promised, promised + remembered)
        """Those for each Y f."""
        self.predictions = range(promised + remembered, elementary.count)
        """Those for each set of actions."""
        diagrams = variables.diagrams
        pairs = range(elementary.count)
        self._now = [diagrams.variable(variables.extra_now(i)) for i in pairs]
        self._next = [diagrams.variable(variables.extra_next(i)) for i in pairs]
        self._atoms = atoms
        self._guarded = {
            _enabled(i): enabled[actions] for i, actions in enumerate(elementary.fairness.strong)
        }
        self._where: dict[Formula, Diagram] = {}
        for part in elementary.parts:
            self._where[part] = self._of(part)
        self.fair: list[Diagram] = [*self._kept(), *self._fair_to(enabled)]
        """What an infinite path must meet again and again."""

    def where(self, part: Formula) -> Diagram:
        """Return where a part of the formula holds."""
        return self._where[part]

    def _of(self, part: Formula) -> Diagram:
        diagrams, where = self.variables.diagrams, self._where
        match part:
            case Truth(value):
                return diagrams.true if value else diagrams.false
            case Holds(atom):
                return self._of_atom(atom)
            case One(Unary.NOT, f):
                return ~where[f]
            case One(Unary.NEXT, f):
                return self._promise(f)
            case One(Unary.YESTERDAY, f):
                return self._memory(f)
            case Two(Binary.AND, f, g):
                return where[f] & where[g]
            case Two(Binary.UNTIL, f, g):
                return where[g] | (where[f] & self._promise(part))
            case Two(Binary.SINCE, f, g):
                return where[g] | (where[f] & self._memory(part))
        raise AssertionError(f"{part} is not in the core")

    def _of_atom(self, atom: Atom) -> Diagram:
        steps = self.elementary.steps.get(atom)
        if steps is not None:
            return self._prediction(steps)
        return self._guarded[atom] if atom in self._guarded else self._atoms[atom]

    def _promise(self, f: Formula) -> Diagram:
        return self._now[self.promises[self.elementary.promised.index(f)]]

    def _memory(self, f: Formula) -> Diagram:
        return self._now[self.memories[self.elementary.remembered.index(f)]]

    def _prediction(self, actions: Actions) -> Diagram:
        return self._now[self.predictions[self.elementary.predicted.index(actions)]]

    # -- fairness ---------------------------------------------------------------------------------

    def _kept(self) -> Iterable[Diagram]:
        """Yield where each U is not still waiting for its right side."""
        for until in self.elementary.untils:
            yield ~self.where(until) | self.where(until.right)

    def _fair_to(self, enabled: Mapping[Actions, Diagram]) -> Iterable[Diagram]:
        """Yield where each fair event happens, or need not.

        FG not p, or GF q, is GF(q or G not p): for a strongly fair event one guess is enough.
        """
        fairness = self.elementary.fairness
        for actions in fairness.weak:
            yield ~enabled[actions] | self._prediction(actions)
        for again, actions in zip(self.elementary.again, fairness.strong, strict=True):
            yield ~self.where(again) | self._prediction(actions)

    # -- the steps of the tableau -----------------------------------------------------------------

    @property
    def begins(self) -> Diagram:
        """Where paths that satisfy the formula begin: nothing is remembered."""
        return self._none(self.memories) & self.where(self.elementary.formula)

    @property
    def ends(self) -> Diagram:
        """Where a path may end, in a deadlock."""
        if self.elementary.stutters:
            return self._stays & self._none(self.predictions)
        return self._none(self.promises) & self._none(self.predictions)

    @property
    def _stays(self) -> Diagram:
        """Where the same holds at the next position as at this one, and no U waits for ever."""
        assert not self.memories, "what is remembered changes"
        differ = self.variables.diagrams.differ
        promised = zip(self.promises, self.elementary.promised, strict=True)
        same = self._all(~differ(self._now[i], self.where(f)) for i, f in promised)
        return same & self._all(self._kept())

    def _none(self, pairs: Iterable[int]) -> Diagram:
        return self._all(~self._now[i] for i in pairs)

    def _all(self, sets: Iterable[Diagram]) -> Diagram:
        return reduce(and_, sets, self.variables.diagrams.true)

    def signature(self, action: int) -> tuple[bool, ...]:
        """Return what must have been predicted of a step by an action."""
        return tuple(action in actions for actions in self.elementary.predicted)

    def foretold(self, signature: Sequence[bool]) -> Diagram:
        """Return where such a step was predicted."""
        return self._all(
            self._now[i] if value else ~self._now[i]
            for i, value in zip(self.predictions, signature, strict=True)
        )

    def to_be_kept(self) -> dict[int, Diagram]:
        """Return for each variable of a promise what must hold at the next position."""
        return self._functions(self.promises, self.elementary.promised)

    def to_be_remembered(self) -> dict[int, Diagram]:
        """Return for each variable of a memory what must hold at the position before."""
        return self._functions(self.memories, self.elementary.remembered)

    def _functions(self, pairs: Iterable[int], formulas: Iterable[Formula]) -> dict[int, Diagram]:
        named = zip(pairs, formulas, strict=True)
        return {self.variables.extra_now(i): self.where(f) for i, f in named}

    def links(self, pairs: Iterable[int], functions: Mapping[int, Diagram]) -> list[Diagram]:
        """Return for each pair that its second variable is what the function of the first says.

        Outer formulas come first: what only they mention need not be kept for the others.
        """
        named = [(self._next[i], functions[self.variables.extra_now(i)]) for i in pairs]
        choice = self.variables.diagrams.choice
        return [choice(variable, f, ~f) for variable, f in reversed(named)]
