"""The native twin of a search: the network is handed over, and goes through its solutions there.

What is narrowed and how is said by the propagators here; their twins are in native/solve.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from secateur.maths.solve.choice import (
    AllDifferent,
    Among,
    DifferentIfPresent,
    Extreme,
    Select,
    ValueTruths,
)
from secateur.maths.solve.later import Evaluate
from secateur.maths.solve.linear import Linear, Product, Relation
from secateur.maths.solve.logic import AllOf, Count, Same
from secateur.maths.solve.network import Bool, OutOfWork, Propagator, Scalar, Variable
from secateur.maths.solve.terms import Needed, value_of
from secateur.maths.values import IllDefined, Undecided

if TYPE_CHECKING:
    from secateur._native import Solver

FARTHEST: Final = 1 << 60
"""Sums and products may be no larger: the twin calculates with 64 bits."""
LISTED: Final = 1 << 16
"""Values that are listed may not lie farther apart: the twin keeps a bit for each number."""
KNOWN: Final = -1
RELATIONS: Final = (Relation.EQUAL, Relation.DIFFERENT, Relation.AT_MOST, Relation.POSITIVE)
"""As the twin numbers them."""
FASTER: Final = 20
"""It settles so many times while the network here settles once."""
PAUSE: Final = 100
"""It settles so often before others have a chance to stop it."""

Wanted = tuple[bool, int, list[int]]
"""Whether it is a truth, its number, and the truths under which it is needed."""

Named = dict[Scalar, dict[int, Any]]
"""The values of what is no plain number, by their numbers."""


class NoTwin(Exception):
    """There is something in the network that its twin does not know."""


class Twin:
    """A settled network, searched natively."""

    def __init__(self, cells: Sequence[Needed], told: Sequence[Variable]) -> None:
        """Hand over what `cells`, which are to be fixed, and `told` depend on; raise NoTwin."""
        self.solver: Solver = import_module("secateur._native").Solver()
        self.told = told
        self._truths: dict[Bool, int] = {}
        self._scalars: dict[Scalar, int] = {}
        self._named: Named = {}
        self._propagators: dict[Propagator, int] = {}
        self._unseen: list[Variable] = []
        wanted = [self._wanted(cell) for cell in cells]
        values = [self._wanted((variable, ())) for variable in told]
        while self._unseen:
            variable = self._unseen.pop()
            for propagator in (*variable.watchers, *_on_fix(variable)):
                if propagator not in self._propagators:
                    self._propagators[propagator] = self._handed_over(propagator)
        for truth, number in self._truths.items():
            self._let_watch(truth, number)
        for scalar, number in self._scalars.items():
            self._let_watch(scalar, number)
        self.solver.begin(wanted, values)

    def solutions(self, work: int | None) -> Iterator[None]:
        """Stop once per solution, with the values of what is told in place; raise OutOfWork.

        `work` is what the search here may take; its twin does more in the same time.
        """
        solver = self.solver
        if work is not None:
            work *= FASTER
        while True:
            values = solver.next(PAUSE if work is None else min(PAUSE, work - solver.settled))
            if values is not None:
                _put(self.told, values, self._named)
                yield
            elif not solver.paused:
                return
            elif work is not None and solver.settled >= work:
                raise OutOfWork

    # -- variables ------------------------------------------------------------------------------

    def _wanted(self, needed: Needed) -> Wanted:
        variable, guards = needed
        truth = isinstance(variable, Bool)
        number = self._truth(variable) if isinstance(variable, Bool) else self._scalar(variable)
        return truth, number, [self._truth(guard) for guard in guards]

    def _truth(self, truth: Bool) -> int:
        known = self._truths.get(truth)
        if known is None:
            known = self._truths[truth] = self.solver.truth(truth.value)
            self._unseen.append(truth)
            if truth.opposite is not None:
                self._truths[truth.opposite] = known + 1
                self._unseen.append(truth.opposite)
        return known

    def _scalar(self, scalar: Scalar) -> int:
        known = self._scalars.get(scalar)
        if known is None:
            _size(scalar)
            if scalar.values is not None and scalar.hi - scalar.lo >= LISTED:
                raise NoTwin
            values = [] if scalar.values is None else sorted(scalar.values)
            if type(scalar.lo) is not int:
                self._named[scalar] = {int(x): x for x in values or (scalar.lo, scalar.hi)}
            numbers = [int(x) for x in values]
            known = self.solver.scalar(int(scalar.lo), int(scalar.hi), numbers)
            self._scalars[scalar] = known
            self._unseen.append(scalar)
        return known

    def _let_watch(self, variable: Variable, number: int) -> None:
        for each in variable.watchers:
            if isinstance(variable, Bool):
                self.solver.watch_truth(number, self._propagators[each])
            else:
                self.solver.watch_scalar(number, self._propagators[each], on_fix=False)
        for each in _on_fix(variable):
            self.solver.watch_scalar(number, self._propagators[each], on_fix=True)

    # -- propagators ----------------------------------------------------------------------------

    def _handed_over(self, p: Propagator) -> int:
        solver, truth, scalar = self.solver, self._truth, self._scalar
        match p:
            case AllOf():
                return solver.all_of(truth(p.result), [truth(each) for each in p.parts])
            case Same():
                return solver.same(truth(p.result), truth(p.left), truth(p.right))
            case Count():
                return solver.count(scalar(p.total), [truth(b) for b in p.parts], p.certain)
            case ValueTruths():
                assert p.scalar.equals is not None
                pairs = [(_number(x), truth(b)) for x, b in p.scalar.equals.items()]
                return solver.value_truths(scalar(p.scalar), pairs)
            case Among():
                values = sorted(_number(x) for x in p.values)
                return solver.among(truth(p.truth), scalar(p.scalar), values)
            case Extreme():
                numbers = [scalar(v) for v in p.numbers]
                return solver.extreme(scalar(p.result), numbers, p.sign)
            case AllDifferent():
                return solver.different([(None, scalar(v)) for v in p.scalars], truth(p.truth))
            case DifferentIfPresent():
                parts = [(truth(b), scalar(v)) for b, v in p.parts]
                return solver.different(parts, truth(p.truth))
            case Select():
                return self._select(p)
            case Linear():
                return self._linear(p)
            case Product():
                _number(_size(p.left) * _size(p.right))
                return solver.product(scalar(p.result), scalar(p.left), scalar(p.right))
            case Evaluate():
                return self._ask(p)
        raise NoTwin

    def _select(self, p: Select) -> int:
        options = [
            (_number(index), self._scalar(option), 0)
            if isinstance(option, Scalar)
            else (_number(index), KNOWN, _number(option))
            for index, option in p.options.items()
        ]
        return self.solver.select(self._scalar(p.result), self._scalar(p.index), sorted(options))

    def _linear(self, p: Linear) -> int:
        _number(abs(p.constant) + sum(abs(c) * _size(v) for c, v in p.terms))
        terms = [(c, self._scalar(v)) for c, v in p.terms]
        told = None if p.truth is None else self._truth(p.truth)
        return self.solver.linear(terms, p.constant, RELATIONS.index(p.relation), told)

    def _ask(self, p: Evaluate) -> int:
        needed = p.needed
        variables = [variable for variable, _ in needed]
        named = self._named  # the solver keeps what answers: that must not keep the solver

        def answer(values: Sequence[int]) -> int | None:
            _put(variables, values, named)
            try:
                value = int(value_of(p.term, p.evaluator))
            except (IllDefined, Undecided):
                return None
            return min(value, FARTHEST) if value > 0 else max(value, -FARTHEST)  # out of range

        is_truth, number, _ = self._wanted((p.result, ()))
        return self.solver.ask(is_truth, number, [self._wanted(each) for each in needed], answer)


def _put(variables: Iterable[Variable], values: Iterable[int], named: Named) -> None:
    """Fix variables at values."""
    for variable, value in zip(variables, values, strict=True):
        if isinstance(variable, Bool):
            variable.value = bool(value)
        else:
            names = named.get(variable)
            variable.lo = variable.hi = value if names is None else names[value]


def _on_fix(variable: Variable) -> Sequence[Propagator]:
    return () if isinstance(variable, Bool) else variable.on_fix


def _number(x: int) -> int:
    """Return a number that the twin can calculate with."""
    if not -FARTHEST < x < FARTHEST:
        raise NoTwin
    return int(x)


def _size(scalar: Scalar) -> int:
    """Return the magnitude of a number, at least 1: coefficients count by themselves, too."""
    if not -FARTHEST < scalar.lo <= scalar.hi < FARTHEST:
        raise NoTwin
    return max(1, abs(int(scalar.lo)), abs(int(scalar.hi)))
