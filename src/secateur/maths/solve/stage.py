"""One stage of solving: the unknowns whose structure is known, in one network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from secateur.compiled_module import why_not_compiled
from secateur.maths.ast import Apply, Binder, Expr, Name
from secateur.maths.operators import comparison, sequences
from secateur.maths.solve.arithmetic import bounds
from secateur.maths.solve.cliques import keep_apart
from secateur.maths.solve.differences import refute_cycles
from secateur.maths.solve.equality import bits
from secateur.maths.solve.hints import bounded_shape
from secateur.maths.solve.network import INFINITY, Conflict, Network
from secateur.maths.solve.notes import Notes
from secateur.maths.solve.parts import Error, Goal
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.search import Cell, Search
from secateur.maths.solve.shape import Shaper
from secateur.maths.solve.spaces import SPACES
from secateur.maths.solve.terms import Known, Needed, Sum, Term, is_open, needs, value_of
from secateur.maths.solve.translate import Translation
from secateur.maths.solve.twin import NoTwin, Twin
from secateur.maths.types import has_text
from secateur.maths.values import IllDefined, Undecided, Value

WORTHWHILE: Final = 8
"""With fewer choices to make, the search is over before it is handed over to its twin."""


class Stage:
    """Gives unknowns a structure, translates the constraints on them, and searches."""

    def __init__(
        self,
        goal: Goal,
        evaluator: Evaluator,
        notes: Notes,
        work: int | None = None,
        *,
        opaque: frozenset[int] = frozenset(),
    ) -> None:
        self.unknowns = goal.unknowns
        self.constraints = goal.constraints
        self.evaluator = evaluator
        self.notes = notes
        self.net = Network(work)
        self.translation = Translation(self.net, evaluator, notes)
        self.opaque = opaque
        """Constraints, by id, that are asked when all that they are about is known."""
        self._passed_over = opaque
        """Constraints that tell nothing about structure, as long as others do."""
        self.env: dict[str, Term] = {name: Known(value) for name, value in goal.known.items()}
        self.open: dict[str, Binder] = {b.name: b for b in goal.unknowns}
        self.defined: set[str] = set()
        self.failure: Error | None = None
        """Why the last candidate lacks values: an equation whose right side has none."""
        self._demanded: set[int] = set()
        self._about: dict[str, list[Expr]] = {}
        for e in goal.constraints:
            for name in notes.names(e):
                self._about.setdefault(name, []).append(e)
        self.shaper = Shaper(evaluator, self._ground, self._possible, self._greatest)

    # -- structure ----------------------------------------------------------------------

    def _reachable(self, e: Expr) -> bool:
        return not (self.notes.names(e) & self.open.keys())

    def _ground(self, e: Expr) -> Value | None:
        return self.translation.known(e, self.env) if self._reachable(e) else None

    def _possible(self, e: Expr) -> frozenset[Value] | None:
        if not self._reachable(e):
            return None
        found = bits(self.translation, self.translation.term(e, self.env))
        return None if found is None else frozenset(found.members)

    def _greatest(self, e: Expr) -> int | None:
        if not self._reachable(e):
            return None
        term = self.translation.term(e, self.env)
        if isinstance(term, Known):
            return int(term.value)
        hi = bounds(term)[1] if isinstance(term, Sum) else INFINITY
        return None if hi == INFINITY else int(hi)

    def give_structure(self) -> None:
        """Shape as many unknowns as possible; `open` keeps the others.

        What an equation defines is computed rather than searched for, unless that is
        circular; what has neither equation nor bound comes last, by its type.  Raises
        Conflict if there is no solution.
        """
        self._give_structure()
        if self.open and self._passed_over:
            self._passed_over = frozenset()
            self._give_structure()

    def _give_structure(self) -> None:
        equations = self._equations()
        progress = True
        while self.open and progress:
            progress = self._shape(lambda name: name not in equations, self._from_sets)
            progress = self._define(equations) or progress
            progress = progress or self._shape(lambda name: name in equations, self._from_sets)
            progress = progress or self._shape(
                lambda name: name not in equations, self._from_type, one=True
            )
        if self.open and equations.keys() >= self.open.keys():
            self._shape(lambda name: True, self._from_type, one=True)

    def give_structure_without_bound(self, on_unbounded: Callable[[str], None]) -> None:
        """Shape one unknown with integers from MININT to MAXINT only: a last resort."""
        self._shape(lambda name: True, lambda b: self._without_bound(b, on_unbounded), one=True)

    def _shape(
        self,
        wanted: Callable[[str], bool],
        make: Callable[[Binder], Term | None],
        *,
        one: bool = False,
    ) -> bool:
        progress = False
        for name, binder in list(self.open.items()):
            if wanted(name):
                term = make(binder)
                if term is not None:
                    self._settle(name, term)
                    progress = True
                    if one:
                        return True
        return progress

    def _settle(self, name: str, term: Term) -> None:
        self.env[name] = term
        del self.open[name]
        self._post_ready(name)

    def _post_ready(self, name: str) -> None:
        """Demand the simple constraints at once: they narrow what later structures are made of."""
        ready = [e for e in self._about.get(name, ()) if self._reachable(e)]
        ready = [e for e in ready if self.notes.is_simple(e)]
        if any(_gives_sequence(e, name) for e in ready):
            # How long it can be matters to the translation of the others.
            for e in ready:
                if _gives_sequence(e, name):
                    self._demand(e)
            self.net.propagate()
        for e in ready:
            self._demand(e)
        self.net.propagate()
        touched = dict.fromkeys(other for e in ready for other in sorted(self.notes.names(e)))
        for other in touched:
            term = self.env.get(other, _KNOWN)
            if not isinstance(term, Known) and not any(map(is_open, needs(term))):
                self._learn(other, term)

    def _learn(self, name: str, term: Term) -> None:
        """Take an unknown that is settled already as known from now on."""
        try:
            self.env[name] = Known(value_of(term, self.evaluator))
        except (IllDefined, Undecided):
            return  # the check of the solutions will say so

    def _demand(self, e: Expr) -> None:
        if id(e) not in self._demanded:
            self._demanded.add(id(e))
            if id(e) in self.opaque:
                self.translation.require_later(e, self.env)
            else:
                self.translation.require(e, self.env)

    def _equations(self) -> dict[str, list[Expr]]:
        found: dict[str, list[Expr]] = {}
        for e in self.constraints:
            match e:
                case Apply(operator, (left, right)) if operator is comparison.EQUAL:
                    if id(e) in self._passed_over:
                        continue
                    for side, other in ((left, right), (right, left)):
                        if not isinstance(side, Name) or side.text not in self.open:
                            continue
                        if side.text not in self.notes.names(other):
                            found.setdefault(side.text, []).append(other)
                case _:
                    pass
        return found

    def _define(self, equations: Mapping[str, Sequence[Expr]]) -> bool:
        progress = False
        for name in list(self.open):
            for e in equations.get(name, ()):
                if self._reachable(e):
                    self.defined.add(name)
                    make = self.translation.later if self.opaque else self.translation.definition
                    self._settle(name, make(e, self.env))
                    progress = True
                    break
        return progress

    def _from_sets(self, binder: Binder) -> Term | None:
        assert binder.type is not None
        told = [e for e in self._about.get(binder.name, ()) if id(e) not in self._passed_over]
        about = sorted(told, key=_tells_no_function)
        for e in about:
            match e:
                case Apply(operator, (Name(text), s)) if text == binder.name:
                    term = None
                    if operator is comparison.MEMBER and self._reachable(s):
                        term = self.shaper.in_set(s, binder.type)
                    elif operator is comparison.SUBSET and self._reachable(s):
                        term = self.shaper.subset_of(s)
                    if term is not None:
                        return term
                case _:
                    pass
        return bounded_shape(binder, told, self.shaper)

    def _from_type(self, binder: Binder) -> Term | None:
        assert binder.type is not None
        return self.shaper.of_type(binder.type)

    def _without_bound(self, binder: Binder, on_unbounded: Callable[[str], None]) -> Term:
        assert binder.type is not None
        self.shaper.windowed = True
        term = self._from_sets(binder)
        self.shaper.windowed = False
        if term is None:
            term = self.shaper.of_type_within_settings(binder.type)
        if term is None:
            raise Undecided(f"{binder.name} has no bound")
        on_unbounded(
            f"{binder.name} among a few strings is assumed: it has no bound"
            if has_text(binder.type)
            else binder.name
        )
        return term

    # -- solutions ----------------------------------------------------------------------

    def solutions(self, on_unbounded: Callable[[str], None]) -> Iterator[dict[str, Value]]:
        """Yield the values of the unknowns that have a structure; candidates, not yet checked."""
        try:
            for e in self.constraints:
                if self._reachable(e):
                    self._demand(e)
            self.net.propagate()
            refute_cycles(self.net)
            keep_apart(self.net)
            self.net.settle()
        except Conflict:
            return
        cells = self._cells()
        twin = self._twin([needed for _, needed in cells])
        if twin is not None:
            for _ in twin.solutions(self.net.work):
                yield self._values()
            return
        settings = self.evaluator.settings
        window = (settings.minint, settings.maxint)
        search = Search(self.net, cells, window, on_unbounded)
        seen: set[tuple[Value, ...]] = set()
        for _ in search.run():
            values = self._values()
            if search.branched:
                key = tuple(values.values())
                if key in seen:
                    continue
                seen.add(key)
            yield values

    def _twin(self, cells: list[Needed]) -> Twin | None:
        """Return the native twin of the search if it is there, and if it is worth while."""
        choices = [needed for needed in cells if is_open(needed)]
        if len(choices) < WORTHWHILE or why_not_compiled() is not None:
            return None
        told = [
            v for b in self.unknowns if b.name not in self.open for v, _ in needs(self.env[b.name])
        ]
        try:
            return Twin(cells, list(dict.fromkeys(told)))
        except NoTwin:
            return None

    def _cells(self) -> list[Cell]:
        cells: list[Cell] = []
        for b in self.unknowns:
            if b.name not in self.open and b.name not in self.defined:
                cells.extend((b.name, needed) for needed in needs(self.env[b.name]))
        return list(dict.fromkeys(cells))

    def _values(self) -> dict[str, Value]:
        values: dict[str, Value] = {}
        self.failure = None
        for b in self.unknowns:
            if b.name not in self.open:
                try:
                    values[b.name] = value_of(self.env[b.name], self.evaluator)
                except (IllDefined, Undecided) as error:
                    self.failure = self.failure or error
        return values


def _tells_no_function(e: Expr) -> bool:
    """Whether `e` is no membership in a space of functions: these tell most of an unknown."""
    match e:
        case Apply(operator, (_, Apply(space, _))) if operator is comparison.MEMBER:
            return "function" not in SPACES.get(space, ())
        case _:
            return True


def _gives_sequence(e: Expr, name: str) -> bool:
    """Whether `e` says that `name` is a sequence."""
    match e:
        case Apply(operator, (Name(text), Apply(space, (_,)))):
            return operator is comparison.MEMBER and text == name and space in _SEQUENCES
        case _:
            return False


_SEQUENCES: Final = frozenset({sequences.SEQUENCES, sequences.SEQUENCES1})
_KNOWN: Final = Known(None)
