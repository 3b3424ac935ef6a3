"""All values of unknowns with which constraints hold.

Solving goes in steps.  Equations with known right sides bind at once.  What remains
falls into parts that share no unknown, and each part is solved by itself: its unknowns
get a structure of truths and numbers, its constraints become propagators between them,
and a search fixes what propagation leaves open.  Unknowns whose structure depends on
others are solved once those are known.  Every solution is checked by exact evaluation:
propagation may miss a contradiction, never invent a solution.

A constraint that is ill-defined does not matter where another one fails.  Where all
others hold, the error is raised, after the solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binder,
    Expr,
    Forall,
    Labelled,
    Name,
    Or,
    conjunction,
    conjuncts,
)
from secateur.maths.evaluate.context import is_partial
from secateur.maths.evaluate.implied import (
    partial_functions,
    presupposed,
    presupposed_everywhere,
    presupposed_sequences,
)
from secateur.maths.operators import comparison
from secateur.maths.print import show
from secateur.maths.solve.definedness import Clause, Definedness
from secateur.maths.solve.lift import without_existence
from secateur.maths.solve.network import Conflict, OutOfWork
from secateur.maths.solve.notes import Notes
from secateur.maths.solve.parts import Error, Goal, Part, Solution, independent_parts, product
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.stage import Stage
from secateur.maths.values import IllDefined, Undecided, Value

Unbounded = Callable[[str], None]

EFFORT: Final = 300
"""How often the search for ill-definedness may settle before the question is left open."""


def solve(
    unknowns: Sequence[Binder],
    constraints: Sequence[Expr],
    evaluator: Evaluator,
    on_unbounded: Unbounded,
) -> Iterator[Solution]:
    """Yield every assignment to `unknowns` with which all `constraints` hold, each once.

    `on_unbounded(name)` is called when integers in an unknown have no bound and only
    MININT..MAXINT is tried.  Raises IllDefined after the solutions if a constraint is
    ill-defined where all others hold, and Undecided if something cannot be enumerated.
    """
    return Problem(unknowns, constraints).solutions(evaluator, on_unbounded)


class Problem:
    """Unknowns and constraints, to be solved once or many times."""

    def __init__(
        self,
        unknowns: Sequence[Binder],
        constraints: Sequence[Expr],
        notes: Notes | None = None,
    ) -> None:
        self.unknowns = tuple(unknowns)
        parts = [part for each in constraints for part in map(_bare, conjuncts(_bare(each)))]
        # That something is a sequence comes first: what is said of it is then understood.
        first = presupposed_sequences({b.name for b in unknowns}, parts)
        self.constraints = (*first, *parts)
        self.notes = Notes() if notes is None else notes
        self.following: frozenset[int] = frozenset()
        """Which constraints follow from the others, where these hold (by id)."""
        self.opaque: frozenset[int] = frozenset()
        """Which constraints are to be evaluated only, since they may be ill-defined (by id)."""
        self.guide: Expr | None = None
        """A constraint that says where to look: that it has no value means nothing."""

    def solutions(
        self, evaluator: Evaluator, on_unbounded: Unbounded, work: int | None = None
    ) -> Iterator[Solution]:
        """Yield every solution once, in the same order every time.

        With `work`, a search that settles more often than that raises OutOfWork.
        """
        if not self._risks:
            yield from _Solving(self._defined, evaluator, on_unbounded, work).run()
            return
        # Solutions are found as if everything were well-defined; whether that was right
        # is a question of its own, with an effort of its own.
        error: IllDefined | None = None
        try:
            yield from _Solving(self._defined, evaluator, on_unbounded, work).run()
        except IllDefined as found:
            error = found
        self._look_for_errors(evaluator, error)

    @cached_property
    def _defined(self) -> Problem:
        if not self._presupposed:
            return self
        defined = Problem(self.unknowns, (*self.constraints, *self._presupposed))
        defined.notes = self.notes
        defined.following = frozenset(map(id, self._presupposed))
        return defined

    @cached_property
    def _presupposed(self) -> tuple[Expr, ...]:
        """What must hold for the constraints to be well-defined."""
        unknown = {b.name for b in self.unknowns}
        hints = [hint for e in self.constraints for hint in presupposed(e)]
        partial = partial_functions(self.constraints) & unknown
        for e in self.constraints:
            if partial and isinstance(e, Forall):
                hints.extend(presupposed_everywhere(e, partial))
        return tuple(
            hint
            for hint in hints
            if self.notes.names(hint) & unknown and hint not in self.constraints
        )

    @cached_property
    def _risks(self) -> dict[int, list[Clause]]:
        """What must hold for constraints, by id, to be well-defined."""
        unknown = frozenset(b.name for b in self.unknowns)
        partial = [e for e in self.constraints if is_partial(e)]
        if not any(self.notes.names(e) & unknown for e in partial):
            return {}  # what is about no unknown is evaluated as it is: nothing is lost
        known = Definedness(unknown, self.constraints)
        found = ((id(e), known.clauses(e)) for e in partial)
        return {number: clauses for number, clauses in found if clauses}

    @cached_property
    def _doubtful(self) -> Problem:
        """The same problem where a constraint is ill-defined."""
        violated = [clause.violated() for each in self._risks.values() for clause in each]
        somewhere = violated[0] if len(violated) == 1 else Or(tuple(violated))
        doubtful = Problem(self.unknowns, ())
        doubtful.constraints = (*self.constraints, somewhere)
        doubtful.notes = self.notes
        doubtful.opaque = frozenset(self._risks)
        doubtful.guide = somewhere
        return doubtful

    def _look_for_errors(self, evaluator: Evaluator, found: IllDefined | None) -> None:
        """Raise what is ill-defined although everything else holds."""
        try:
            for _ in _Solving(self._doubtful, evaluator, _ignore, EFFORT).run():
                pass
        except OutOfWork:
            if found is not None:
                raise found from None
            first = next(iter(self._risks.values()))[0]
            raise Undecided(f"whether {show(first.goal)} wherever that is presupposed") from None
        if found is not None:
            raise found


def _ignore(_: str) -> None:
    """Pass over what was said before."""


def _bare(e: Expr) -> Expr:
    return _bare(e.body) if isinstance(e, Labelled) else e


class _Solving:
    """One solving of a problem.

    `errors` lists, wherever it is passed along, are for what is ill-defined or undecided
    although everything else holds.
    """

    def __init__(
        self,
        problem: Problem,
        evaluator: Evaluator,
        on_unbounded: Unbounded,
        work: int | None,
    ) -> None:
        self.problem = problem
        self.work = work
        self.names = problem.notes.names
        self.evaluator = evaluator
        self.on_unbounded = on_unbounded

    def run(self) -> Iterator[Solution]:
        """Yield the solutions; then raise the first error that mattered."""
        order = [b.name for b in self.problem.unknowns]
        errors: list[Error] = []
        goal = Goal(self.problem.unknowns, self.problem.constraints, {})
        try:
            for solution in self._solve(goal, errors):
                yield {name: solution[name] for name in order}
        except OutOfWork:
            if not errors:
                raise
        if errors:
            raise errors[0]

    def _solve(self, goal: Goal, errors: list[Error]) -> Iterator[Solution]:
        """Bind what equations say, then solve the independent parts of the rest."""
        bound = dict(goal.known)
        binding = self._bind_equations(goal, bound)
        if binding is None:
            return
        todo, error = binding
        rest = [b for b in goal.unknowns if b.name not in bound]
        parts = [
            Part(partial(self._solve_part, Goal(us, cs, bound)))
            for us, cs in independent_parts(rest, todo, self.names)
        ]
        for solution in product(parts, bound, errors):
            if error is None:
                yield solution
            else:
                errors.append(error)
                return

    def _bind_equations(
        self, goal: Goal, bound: Solution
    ) -> tuple[list[Expr], Error | None] | None:
        """Bind what equations say and check what is known: None if that fails.

        Returns the constraints that are left, and the first error among the known ones.
        """
        missing = {b.name for b in goal.unknowns}
        todo = list(goal.constraints)
        error: Error | None = None
        before = -1
        while len(todo) != before:
            before = len(todo)
            left = []
            for e in todo:
                if not self.names(e) & missing:
                    holds, problem = self._check(e, bound)
                    if not holds:
                        return None
                    error = error or problem
                elif not self._bind(e, missing, bound):
                    left.append(e)
            todo = left
        return todo, error

    def _bind(self, e: Expr, missing: set[str], bound: Solution) -> bool:
        """Bind an unknown if `e` is an equation between it and something known."""
        match e:
            case Apply(operator, (left, right)) if operator is comparison.EQUAL:
                pass
            case _:
                return False
        for side, other in ((left, right), (right, left)):
            if isinstance(side, Name) and side.text in missing and not self.names(other) & missing:
                try:
                    bound[side.text] = self._value(other, bound)
                except (IllDefined, Undecided):
                    return False
                missing.discard(side.text)
                return True
        return False

    def _value(self, e: Expr, known: Mapping[str, Value]) -> Value:
        return self.evaluator.value(e, {n: known[n] for n in self.names(e) if n in known})

    def _check(self, e: Expr, known: Mapping[str, Value]) -> tuple[bool, Error | None]:
        """Return whether `e` holds; if that is ill-defined, true and the error."""
        try:
            return bool(self._value(e, known)), None
        except (IllDefined, Undecided) as error:
            return True, None if e is self.problem.guide else error

    def _solve_part(self, goal: Goal, errors: list[Error]) -> Iterator[Solution]:
        """Search among the unknowns with a structure, then solve for the others."""
        opaque = self.problem.opaque
        stage = Stage(goal, self.evaluator, self.problem.notes, self.work, opaque=opaque)
        try:
            stage.give_structure()
            if len(stage.open) == len(goal.unknowns):
                lifted = None if opaque else without_existence(goal, self.problem.notes)
                if lifted is not None:
                    yield from self._solve_lifted(goal, lifted, errors)
                    return
                stage.give_structure_without_bound(self.on_unbounded)
        except Conflict:
            return
        waiting = tuple(stage.open.values())
        missing: set[str] | None = None
        for candidate in stage.solutions(self.on_unbounded):
            known = {**goal.known, **candidate}
            still_missing = {b.name for b in goal.unknowns} - known.keys()
            if still_missing != missing:
                missing = still_missing
                ready = tuple(e for e in goal.constraints if not self.names(e) & missing)
                left = tuple(e for e in goal.constraints if self.names(e) & missing)
            holds, error = self._check_all(ready, known)
            if not holds:
                continue
            if stage.failure is not None:
                errors.append(stage.failure)
                if self._suffices(stage.failure):
                    return
                continue
            solutions = (
                self._solve(Goal(waiting, left, known), errors) if waiting else iter((known,))
            )
            for solution in solutions:
                if error is None:
                    yield solution
                else:
                    errors.append(error)
                    break
            if error is not None and self._suffices(error):
                return

    def _suffices(self, error: Error) -> bool:
        """Whether no other error is looked for where one was found."""
        return self.problem.guide is not None and isinstance(error, IllDefined)

    def _solve_lifted(self, goal: Goal, lifted: Goal, errors: list[Error]) -> Iterator[Solution]:
        """Solve for witnesses too, and forget them: another witness is no other solution."""
        names = [b.name for b in goal.unknowns]
        seen: set[tuple[Value, ...]] = set()
        for solution in self._solve(lifted, errors):
            values = tuple(solution[name] for name in names)
            if values not in seen:
                seen.add(values)
                yield {**goal.known, **dict(zip(names, values, strict=True))}

    def _check_all(
        self, constraints: tuple[Expr, ...], known: Mapping[str, Value]
    ) -> tuple[bool, Error | None]:
        """Return whether all hold; if that is ill-defined, true and the first error."""
        following = self.problem.following
        own = tuple(
            e for e in constraints if id(e) not in following and e is not self.problem.guide
        )
        if not own:
            return True, None
        # In most cases all is well, and one question is enough.
        key = ("all of", *map(id, own))
        holds, error = self._check(
            self.problem.notes.derived(own[0], key, lambda: conjunction(own)), known
        )
        if error is None:
            return holds, None
        first: Error | None = None
        for e in (*own, *(e for e in constraints if id(e) in following)):
            holds, error = self._check(e, known)
            if not holds:
                return False, None
            first = first or error
        return True, first
