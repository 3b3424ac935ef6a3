"""Reductions with one condition forgotten each.

A mutant changes a reduction that was built as planned.  Each names the witness that must
notice it, and the plan under which it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from secateur.engine.plan import Wish
from secateur.engine.provisos.none import careless
from secateur.engine.provisos.protocol import Move, Proviso, View
from secateur.engine.provisos.reliance import Reliance
from secateur.engine.provisos.static import Static
from secateur.engine.reduce.ample import Ample
from secateur.engine.reduce.closure import Closure
from secateur.engine.reduce.process_ample import ProcessAmple
from secateur.engine.reduce.protocol import Choice, Here, Scene
from secateur.engine.reduce.reduction import Expansion, Reduction
from secateur.engine.reduce.stubborn import Stubborn
from secateur.engine.reduce.upset import UpSet
from secateur.system.relations import Answer, Ground, Relations
from tests.agreement.exact_relations import ExactRelations
from tests.witnesses.tables import Tables


@dataclass(frozen=True)
class Mutant:
    """What is forgotten, who notices, under which plan; and how it is forgotten."""

    witness: str
    wish: Wish
    change: Callable[[Reduction], Reduction] = lambda reduction: reduction
    relations: Callable[[Tables], Relations] = ExactRelations


# -- ample sets ---------------------------------------------------------------------------------


class Empty(Ample):
    """A1 forgotten: where no proper subset will do, nothing is taken."""

    def choices(self, here: Here) -> Iterator[Choice]:
        found = list(super().choices(here))
        return iter(found or [Choice((), "", cyclic=False)])


class Alone(Ample):
    """A2.1 forgotten: what depends on the first event is left out."""

    def dependency_set(self, alpha: int, _t: tuple[int, ...]) -> tuple[int, ...]:
        return (alpha,)


class Unforeseen(Ample):
    """A2.2 forgotten: what others may enable is not thought of."""

    def enabling_path(self, _s: tuple[int, ...], _here: Here) -> bool:
        return False


class Visible(Ample):
    """A3 forgotten."""

    def stutters(self, _s: tuple[int, ...]) -> bool:
        return True


class Preserving(Ample):
    """A3 as section 6.1.1 of the paper has it: what preserves the invariant stutters."""

    def stutters(self, s: tuple[int, ...]) -> bool:
        lookup = self.scene.lookup
        return not any(a in lookup.violators(k) for a in s for k in self.scene.question.checks)


# -- processes ----------------------------------------------------------------------------------


class Interfering(ProcessAmple):
    """C1 forgotten."""

    def check_c1(self, _number: int, _t_i: tuple[int, ...], _here: Here) -> bool:
        return True


class Unwaiting(ProcessAmple):
    """C1 without its second half: nobody waits for others."""

    def pre(self, _action: int, _conjunct: int) -> Iterable[int]:
        return ()


class Unhindered(ProcessAmple):
    """C1 where nobody else is thought to happen as long as the process waits."""

    def stays(self, _a: int, _own: frozenset[int], _t_i: tuple[int, ...], _here: Here) -> bool:
        return True


class Displayed(ProcessAmple):
    """C2 forgotten."""

    def check_c2(self, _actions: tuple[int, ...]) -> bool:
        return True


# -- stubborn sets ------------------------------------------------------------------------------


class Discordant(Closure):
    """D1 forgotten: what does not accord with a member is left out."""

    def against(self, _a: int) -> Iterable[int]:
        return ()


class Hopeless(Closure):
    """Enabling sets forgotten."""

    def cheapest(self, _a: int, _here: Here, _members: set[int]) -> Iterable[int]:
        return ()


class WrongConjunct(Closure):
    """The enabling set of whatever conjunct is cheapest, also if it is true."""

    def enabling_sets(self, a: int, _here: Here) -> Iterator[Iterable[int]]:
        return (self.lookup.enablers(a, c) for c in range(self.lookup.conjuncts(a)))


class Feasible(Closure):
    """An action whose guard holds is thought to have a result, or never to get one."""

    def enabling_sets(self, a: int, here: Here) -> Iterator[Iterable[int]]:
        count = len(self.lookup.system.actions[a].guard)
        untrue = here.guards[a].false
        sets = [self.lookup.enablers(a, c) for c in range(count) if untrue >> c & 1]
        return iter(sets or [()])


class Repairing(Stubborn):
    """A3 forgotten."""

    def harmless(self, _actions: tuple[int, ...]) -> bool:
        return True


class Finished(UpSet):
    """Deadlocks forgotten: where nothing visible happens nothing is taken."""

    def ways_to_deadlocks(self, _here: Here) -> Iterable[tuple[int, ...]]:
        return [()]


class Lasting(UpSet):
    """An action is not counted among those that keep it from happening."""

    def ways_to_deadlocks(self, here: Here) -> Iterable[tuple[int, ...]]:
        disablers = self.scene.lookup.disablers
        return [tuple(a for a in disablers(b) if a != b) for b in here.enabled]


class Undisturbed(UpSet):
    """Only an action itself is thought to keep it from happening."""

    def ways_to_deadlocks(self, here: Here) -> Iterable[tuple[int, ...]]:
        disablers = self.scene.lookup.disablers
        return [tuple(a for a in disablers(b) if a == b) for b in here.enabled]


class Blind(UpSet):
    """What violates a property is not wanted."""

    def wanted(self, _here: Here) -> set[int] | None:
        faults = self.scene.question.faults
        return {a for b in faults for a in self.scene.lookup.provokers(b)}


class Faultless(UpSet):
    """What provokes a fault is not wanted."""

    def wanted(self, here: Here) -> set[int] | None:
        holding = [k for k in self.scene.question.checks if self.scene.system.holds(k, here.state)]
        return {a for k in holding for a in self.scene.lookup.violators(k)}


# -- provisos -----------------------------------------------------------------------------------


def some_result(moves: tuple[Move, ...], view: View) -> bool:
    """C2o as printed: one result of one action is enough."""
    return any(r not in view.closed for _, results in moves for r in results)


def some_new_result(moves: tuple[Move, ...], view: View) -> bool:
    """C2v as printed: one result of one action is enough."""
    return any(r not in view.visited for _, results in moves for r in results)


def below_the_top(moves: tuple[Move, ...], view: View) -> bool:
    """C3' without the present state."""
    assert isinstance(view.stack, dict)
    path = list(view.stack)[:-1]
    return not any(r in path for _, results in moves for r in results)


class Circular(Reliance):
    """C2r without the circle: whoever was expanded is relied on."""

    def _end(self, _state: int) -> int:
        return -2


class Certain(Reliance):
    """C2r of the first result of each action."""

    def __call__(self, moves: tuple[Move, ...], view: View) -> bool:
        return super().__call__(tuple(Move(a, results[:1]) for a, results in moves), view)


class Numbered(Reduction):
    """Algorithm 5, line 7: refused if id(s) >= id(s') and s' is not in the queue."""

    def publish(self, state: int, view: View) -> None:
        super().publish(state, view)

        def earlier(moves: tuple[Move, ...], view: View) -> bool:
            assert isinstance(view.visited, dict)
            ids = {s: i for i, s in enumerate(view.visited)}
            results = [r for move in moves for r in move.results if r in view.closed]
            return not any(ids[state] >= ids[r] for r in results)

        self.proviso = earlier


# -- at work ------------------------------------------------------------------------------------


class Late(Reduction):
    """A state counts as expanded only when its successors have been looked at."""

    def publish(self, state: int, view: View) -> None:
        pass

    def expand(self, state: int, view: View) -> Expansion:
        expansion = super().expand(state, view)
        view.closed.add(state)
        return expansion


class Keeping(Reduction):
    """A state that is reopened keeps its set."""

    def __init__(self, of: Reduction) -> None:
        super().__init__(of.scene, of.reducer, of.proviso)
        self.kept: dict[int, Expansion] = {}

    def expand(self, state: int, view: View) -> Expansion:
        view.closed.add(state)
        if state not in self.kept:
            self.kept[state] = super().expand(state, view)
        return self.kept[state]


class Heedless(Reduction):
    """Faults of actions that are not chosen are not looked for."""

    def faulty(self, _state: int, _enabled: Iterable[int]) -> bool:
        return False


class Untrapped(Reduction):
    """A guard without value counts as false."""

    def look(self, state: int) -> Here | None:
        system = self.scene.system
        guards = tuple(system.guard(a, state) for a in range(len(system.actions)))
        return Here(state, guards, tuple(a for a, g in enumerate(guards) if g.holds))


# -- relations ----------------------------------------------------------------------------------


class AsPrinted(ExactRelations):
    """Definition 3 of Bošnački, Leue, Lluch Lafuente 2009: nothing is enabled, and what is undefined is equal."""

    def dependent(self, a: int, b: int) -> Answer:
        def conflict(s: int) -> bool:
            of_a, of_b = self._after[a], self._after[b]
            if s not in of_a or s not in of_b:
                return False
            ab = [t for r in of_a[s] for t in of_b.get(r, ())]
            ba = [t for r in of_b[s] for t in of_a.get(r, ())]
            return ab != ba

        return Answer(any(map(conflict, self.universe)), Ground.ENUMERATED)


class Disabling(ExactRelations):
    """Algorithm 2 for what does not write alike: only that one disables the other matters."""

    def dependent(self, a: int, b: int) -> Answer:
        actions = self.system.actions
        if actions[a].may_write & actions[b].may_write:
            return super().dependent(a, b)
        disabling = any(
            any(r not in self._after[y] for r in results)
            for x, y in ((a, b), (b, a))
            for s, results in self._pairs(x)
            if s in self._after[y]
        )
        return Answer(disabling, Ground.ENUMERATED)


class Diamond(ExactRelations):
    """For all results there is a common one: "accords" as sometimes defined."""

    def _conflict(self, a: int, b: int, s: int) -> bool:
        of_a, of_b = self._after[a], self._after[b]
        if s not in of_b:
            return False
        if any(r not in of_b for r in of_a[s]) or any(r not in of_a for r in of_b[s]):
            return True
        return any(not set(of_b[x]) & set(of_a[y]) for x in of_a[s] for y in of_b[s])


class InvariantAssumed(ExactRelations):
    """Only states that satisfy the invariant are looked at."""

    def __init__(self, system: Tables) -> None:
        lawful = [s for s in system.states if all(h[s] for h in system.truths)]
        super().__init__(system, lawful)


class Dynamic(ExactRelations):
    """Whether two actions depend on each other is decided where the search begins."""

    def dependent(self, a: int, b: int) -> Answer:
        assert isinstance(self.system, Tables)
        start = self.system.pack(self.system.start[0])
        both = start in self._after[a] and start in self._after[b]
        return Answer(both and self._conflict(a, b, start), Ground.ENUMERATED)


# -- all ----------------------------------------------------------------------------------------


def reducer(build: Callable[[Scene], object]) -> Callable[[Reduction], Reduction]:
    """Return a change of the reduction proper."""

    def change(reduction: Reduction) -> Reduction:
        reduction.reducer = build(reduction.scene)  # type: ignore[assignment]
        return reduction

    return change


def closing(build: type[Closure]) -> Callable[[Reduction], Reduction]:
    """Return a change of how stubborn sets are closed."""

    def change(reduction: Reduction) -> Reduction:
        found = reduction.reducer
        assert isinstance(found, Stubborn | UpSet)
        found.closure = build(reduction.scene.lookup)
        return reduction

    return change


def proviso(holds: Proviso) -> Callable[[Reduction], Reduction]:
    """Return a change of the proviso."""

    def change(reduction: Reduction) -> Reduction:
        reduction.proviso = holds
        return reduction

    return change


def relying(build: type[Reliance]) -> Callable[[Reduction], Reduction]:
    """Return a change of who relies on whom."""
    return lambda r: proviso(build(r.scene.system))(r)


def work(build: type[Reduction]) -> Callable[[Reduction], Reduction]:
    """Return a change of how a reduction is applied."""
    return lambda r: build(r.scene, r.reducer, r.proviso)


def never_sticky(reduction: Reduction) -> Reduction:
    """C2s with a ranking that is none."""
    assert isinstance(reduction.proviso, Static)
    reduction.proviso.sticky = frozenset()
    return reduction


def no_faults(reduction: Reduction) -> Reduction:
    """A3 without faults."""
    question = replace(reduction.scene.question, faults=())
    build = type(reduction.reducer)
    reduction.reducer = build(replace(reduction.scene, question=question))  # type: ignore[call-arg]
    return reduction


AMPLE = Wish(por="ample")
STUBBORN = Wish(por="stubborn")
UPSET = Wish(por="upset")
PROCESS = Wish(por="process-ample")
BEST = Wish(por="best")

MUTANTS: dict[str, Mutant] = {
    "A1": Mutant("m, A2.2", AMPLE, reducer(Empty)),
    "A2.1": Mutant("n1, mutually disabling", AMPLE, reducer(Alone)),
    "A2.2": Mutant("m, A2.2", AMPLE, reducer(Unforeseen)),
    "A3": Mutant("b, S3 is not enough", AMPLE, reducer(Visible)),
    "A3 as S3": Mutant("b, S3 is not enough", AMPLE, reducer(Preserving)),
    "A3 for faults": Mutant("h, H6 ill-defined guard", AMPLE, no_faults),
    "C1": Mutant("n1, mutually disabling", PROCESS, reducer(Interfering)),
    "C1, waiting": Mutant("003, waiting for another process", PROCESS, reducer(Unwaiting)),
    "C1, hindered": Mutant("003, waiting for another process", PROCESS, reducer(Unhindered)),
    "C2": Mutant("b, S3 is not enough", PROCESS, reducer(Displayed)),
    "D1": Mutant("n1, mutually disabling", STUBBORN, closing(Discordant)),
    "D1 of up-sets": Mutant("3, D1 of up-sets", UPSET, closing(Discordant)),
    "NES": Mutant("m, A2.2", STUBBORN, closing(Hopeless)),
    "NES of a conjunct that is not true": Mutant(
        "m, two conjuncts", STUBBORN, closing(WrongConjunct)
    ),
    "NES of feasibility": Mutant("h, H4 infeasible", STUBBORN, closing(Feasible)),
    "never repairs": Mutant("b, S3 is not enough", STUBBORN, reducer(Repairing)),
    "never repairs, faults": Mutant("h, H6 ill-defined guard", STUBBORN, no_faults),
    "deadlocks beside up-sets": Mutant("3, deadlocks by up-sets", UPSET, reducer(Finished)),
    "an action ends itself": Mutant("3, deadlocks by up-sets", UPSET, reducer(Lasting)),
    "an action ends another": Mutant("3, deadlocks by disturbance", UPSET, reducer(Undisturbed)),
    "up-set of properties": Mutant("b, S4 is", UPSET, reducer(Blind)),
    "up-set of faults": Mutant("h, H6 ill-defined guard", UPSET, reducer(Faultless)),
    "C2r": Mutant("b, ignored for ever", AMPLE, relying(Circular)),
    "C2r in best": Mutant("b, ignored for ever, and best", BEST, proviso(careless)),
    "C2r, all results": Mutant("f, which result", AMPLE, relying(Certain)),
    "C2o": Mutant("b, ignored for ever", replace(AMPLE, proviso="open"), proviso(careless)),
    "C2o, all results": Mutant(
        "f, which result", replace(AMPLE, proviso="open"), proviso(some_result)
    ),
    "C2v": Mutant("b, ignored for ever", replace(AMPLE, proviso="visited"), proviso(careless)),
    "C2v, all results": Mutant(
        "f, which result", replace(AMPLE, proviso="visited"), proviso(some_new_result)
    ),
    "C2s": Mutant("b, ignored for ever", replace(AMPLE, proviso="static"), never_sticky),
    "C2ol": Mutant(
        "b, ignored for ever", replace(AMPLE, proviso="open-liveness"), proviso(careless)
    ),
    "C2ol as line 7 of Algorithm 5": Mutant(
        "a, a queue that is a stack",
        replace(AMPLE, search="df", proviso="open-liveness"),
        work(Numbered),
    ),
    "C3'": Mutant(
        "b, ignored for ever",
        replace(PROCESS, search="df", proviso="stack"),
        proviso(careless),
    ),
    "C3', the state itself": Mutant(
        "b, a step to itself", replace(AMPLE, search="df", proviso="stack"), proviso(below_the_top)
    ),
    "publish before test": Mutant(
        "b, a step to itself", replace(AMPLE, proviso="open"), work(Late)
    ),
    "a new set when reopened": Mutant(
        "k, reopened", replace(AMPLE, search="astar", proviso="open"), Keeping
    ),
    "faults of what is not chosen": Mutant("h, ill-defined body", UPSET, work(Heedless)),
    "faults of guards": Mutant("h, H6 ill-defined guard", UPSET, work(Untrapped)),
    "Definition 3 as printed": Mutant("n1, mutually disabling", STUBBORN, relations=AsPrinted),
    "Algorithm 2 with parameters": Mutant("f, a parameter", STUBBORN, relations=Disabling),
    "a diamond with parameters": Mutant("f, a parameter", STUBBORN, relations=Diamond),
    "an unchecked invariant assumed": Mutant(
        "g, an unchecked invariant", STUBBORN, relations=InvariantAssumed
    ),
    "independent here": Mutant("n2, commuting here", STUBBORN, relations=Dynamic),
}
