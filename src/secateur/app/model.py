"""A loaded model: the Python API."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from secateur.app.certificates.certifying import Certifying
from secateur.app.checking.check import check
from secateur.app.coverage import covered
from secateur.app.deep import run_deep
from secateur.app.evaluate import evaluate, goal_of, scope_of_check
from secateur.app.explain import explained
from secateur.app.info import overview
from secateur.app.readable import Clarity, readable
from secateur.app.room import as_asked, with_room
from secateur.app.temporal.check import check_claim
from secateur.app.temporal.claims import USUAL, Claim, Manner, claims_of, refuse_unlawful
from secateur.engine.certificates import scope_not_certified
from secateur.engine.limits import (
    INTERRUPTED_BY_USER,
    NO_LIMITS,
    Limits,
    Meter,
    Stop,
    Watcher,
    refuse_bad_limits,
)
from secateur.engine.liveness.lawful import usable
from secateur.engine.plan import DEFAULT_SEARCH, Wish
from secateur.engine.pruning import AUTO, SMALLEST
from secateur.engine.symmetry.markers import MARKERS
from secateur.lang.lower import MachineSystem, lower
from secateur.lang.model import Model as TypedModel
from secateur.lang.scoped import SCOPE, scoped, within, without_scope
from secateur.lang.truncation import truncations
from secateur.lang.wording import named
from secateur.maths.ast import Expr
from secateur.report.compiled import CompiledOverview
from secateur.report.overview import Overview
from secateur.source import InputError
from secateur.system.answer import Answer
from secateur.system.result import Result
from secateur.system.system import PropertyKind, State, Transition
from secateur.system.temporal import TemporalResult
from secateur.system.verdict import Holds, Incomplete


class CheckOptions(TypedDict, total=False):
    """What `Model.check` may be told.

    `deadlock`, `invariant`, `assertions`, `goal`, `refinement` and `variant` say what to check
    (all by default);
    `goal` may also be a predicate to look for.  `scope` is a predicate as well: only from states in
    which it holds is anything explored (the model's SCOPE by default, False for no limit).  `all` goes on after a violation; `stop_at`
    does so unless its kind is among those given (`["welldefinedness", "refinement"]`).
    Limits are off unless given; `max_memory` is in bytes.  `native` says whether the
    native engine is used: at once, never, or (None) if the model is not done with soon
    without it.  `compress` keeps less of each state, exactly; `fingerprint` only a hash, so
    that the verdict is never that the model holds.  `por`, `proviso` and `choice` say what
    a partial order reduction leaves out, `symmetry` how states are merged that differ by names
    of elements only, `heuristic` what guides a directed search; with
    `experiment`, what would miss errors may be tried.  `ltl` and `ctl` are temporal formulas
    to check beside; a reduction that may miss those is used for the rest only.  `shorten` takes
    what is not needed out of traces, `untangle` lets each process go in blocks.  `coverage` looks
    for what makes no difference in the model, which takes a second exploration.  `certificate`
    is a file to which a reduced search writes what it relied on and chose, for `audit`.
    """

    search: str
    seed: int
    ratio: float | None
    deadlock: bool
    invariant: bool
    assertions: bool
    goal: bool | str
    scope: bool | str
    all: bool
    stop_at: Collection[str] | None
    max_states: int | None
    max_seconds: float | None
    max_memory: int | None
    watcher: Watcher | None
    native: bool | None
    threads: int
    compress: bool
    fingerprint: bool
    refinement: bool
    variant: bool
    por: str
    proviso: str
    choice: str
    symmetry: str
    heuristic: str
    experiment: bool
    engine: str
    image: str
    diagrams: str
    reorder: bool
    coverage: bool
    shorten: bool
    untangle: bool
    ltl: Collection[str]
    ctl: Collection[str]
    certificate: str | Path | None


MOST_NAMED: Final = 5
"""So many formulas of a model are told by their names."""

_SWITCHES: Final = {
    "deadlock": PropertyKind.DEADLOCK,
    "invariant": PropertyKind.INVARIANT,
    "assertions": PropertyKind.ASSERTION,
    "goal": PropertyKind.GOAL,
    "refinement": PropertyKind.REFINEMENT,
    "variant": PropertyKind.VARIANT,
}


class Model:
    """A model that was read, typed and lowered; `secateur.load` returns one."""

    def __init__(
        self, typed: TypedModel, system: MachineSystem, loaded: Mapping[str, Any] | None = None
    ) -> None:
        self.typed = typed
        """The model as the front end understood it."""
        self.loaded = dict(loaded or {})
        """What it was told about how to read the model."""
        self.system = system
        """The same as states and transitions."""

    @property
    def name(self) -> str:
        """The name of the main component."""
        return self.typed.name

    def check(self, **options: Unpack[CheckOptions]) -> Result:
        """Look for errors in every reachable state."""
        goal = options.get("goal", True)

        def work(stop: Stop, options: CheckOptions) -> Result:
            system, limit = self._explored(goal, options.get("scope", True))
            file = options.get("certificate")
            if limit is not None and file is not None:
                raise scope_not_certified()
            asked = goal if isinstance(goal, str) else None
            certifying = None if file is None else Certifying(Path(file), self.loaded, asked)
            found = check(system, _wish(options), stop, options.get("watcher"), certifying)
            found = explained(readable(found, _clarity(options)))
            if options.get("coverage", False) and INTERRUPTED_BY_USER not in found.reasons:
                run = _limits(options), stop, options.get("watcher")
                found = covered(self.typed, system, found, claims, run)
            found = found if limit is None else without_scope(found, limit)
            told = (
                *_truncations(self.typed, found),
                *_inside(self.typed, found),
                *_left_to_others(self.typed),
            )
            notes = (*self.typed.notes, *found.notes, *told)
            found = _worded(self.typed, _by_statements(self.typed, found))
            return replace(found, assumptions=self.typed.assumptions, notes=notes)

        claims = [
            Claim(text, logic, text)
            for logic, texts in (("ltl", options.get("ltl", ())), ("ctl", options.get("ctl", ())))
            for text in texts
        ]
        seconds = options.get("max_seconds")

        def attempt(left: float | None) -> Result:
            hurried: CheckOptions = {**options, "max_seconds": left}
            found = run_deep(lambda stop: work(stop, hurried))
            return _because(found, as_asked(found.reasons, left, seconds))

        def again(found: Result) -> bool:
            return _worth_more_room(found, options)

        def because(found: Result, reason: str) -> Result:
            return _because(found, (*found.reasons, reason))

        result = with_room(
            attempt, self.grown, limits=_limits(options), again=again, because=because
        )
        if not claims:
            return result
        symmetry = options.get("symmetry", AUTO)
        manner = Manner(
            por=usable(options.get("por", AUTO)),
            symmetry=AUTO if symmetry == MARKERS.name else symmetry,
            engine=options.get("engine", AUTO),
            diagrams=options.get("diagrams", AUTO),
            reorder=options.get("reorder", False),
            clarity=_clarity(options),
        )
        formulas = self.temporal(claims, _limits(options), manner)
        return replace(result, temporal=tuple(formulas))

    def grown(self, limits: Limits = NO_LIMITS) -> bool:
        """Make room, if a run has shown that there is too little; say whether that was so.

        The states of before are none of the model any more.  If limits are reached, Unfinished is
        raised, and the model is as before.
        """

        def make(stop: Stop) -> bool:
            with Meter(limits, stop).preparing():
                larger = self.typed.larger()
                made = None if larger is None else (larger, lower(larger))
            if made is None:
                return False
            self.typed, self.system = made
            self.loaded["room"] = list(self.typed.room)
            return True

        return run_deep(make)

    def _explored(self, goal: bool | str, scope: bool | str) -> tuple[MachineSystem, Expr | None]:  # noqa: FBT001
        """Return what a check explores, and the scope that limits it, if one does."""
        model = self.typed
        wanted = goal_of(goal, model) if isinstance(goal, str) else None
        limit = model.definitions.get(SCOPE) if scope is True else None
        limit = scope_of_check(scope, model) if isinstance(scope, str) else limit
        if limit is None:
            return (self.system if wanted is None else lower(model, wanted)), None
        within_it = None if wanted is None else within(limit, wanted)
        return lower(scoped(model, limit), within_it), limit

    def temporal(
        self,
        claims: Iterable[Claim] | None = None,
        limits: Limits = NO_LIMITS,
        manner: Manner = USUAL,
    ) -> list[TemporalResult]:
        """Check temporal formulas: those given, or those that the model has as definitions.

        One that is no formula has `errors` in its result; the others are checked nevertheless.
        """
        given = None if claims is None else list(claims)
        refuse_unlawful(manner)
        refuse_bad_limits(limits)

        def judge(claim: Claim, stop: Stop) -> TemporalResult:
            product = self.typed.products.get(claim.name) if given is None else None
            typed = self.typed if product is None else product.model
            system = self.system if product is None else lower(typed)
            try:
                return check_claim(claim, typed, system, Meter(limits, stop), manner)
            except InputError as error:
                found = tuple(error.diagnostics)
                return TemporalResult(claim.name, claim.logic, claim.text, "", None, errors=found)

        def judge_all(stop: Stop) -> list[TemporalResult]:
            # with more processes, what a model says of itself is about these as well
            asked = claims_of(self.typed) if given is None else given
            return [judge(claim, stop) for claim in asked]

        def again(found: list[TemporalResult]) -> bool:
            interrupted = any(INTERRUPTED_BY_USER in each.reasons for each in found)
            return not interrupted and any(each.holds is not False for each in found)

        def because(found: list[TemporalResult], reason: str) -> list[TemporalResult]:
            return [
                each
                if each.holds is False
                else replace(each, holds=None, reasons=(*each.reasons, reason))
                for each in found
            ]

        return with_room(
            lambda _: run_deep(judge_all), self.grown, limits=limits, again=again, because=because
        )

    def initial_transitions(self) -> Iterator[Transition]:
        """Yield the transitions out of the root, as far as they can be found."""
        yield from self._transitions(None)

    def transitions(self, state: State) -> Iterator[Transition]:
        """Yield the transitions out of `state`, as far as they can be found."""
        yield from self._transitions(state)

    def states(self) -> Iterator[State]:
        """Yield every reachable state once, nearest first, and find them meanwhile."""
        seen: set[State] = set()
        level = [t.target for t in self.initial_transitions()]
        while level:
            following: list[State] = []
            for state in level:
                if state not in seen:
                    seen.add(state)
                    yield state
                    following += [t.target for t in self.transitions(state)]
            level = following

    def values(self, state: State) -> dict[str, Any]:
        """Return the constants and variables of `state` by name."""
        return dict(self.system.values(state))

    def evaluate(self, text: str, state: State | None = None) -> Answer:
        """Evaluate an expression or a predicate in `state`, or in the first initial state."""
        return run_deep(lambda _: evaluate(text, self.typed, self.system, state))

    def info(self) -> Overview:
        """Return what the model consists of."""
        return run_deep(lambda _: overview(self.typed))

    def compiled(self) -> CompiledOverview:
        """Return which operations and properties the native engine compiles, and why not others."""
        overview: Callable[[MachineSystem], CompiledOverview]
        overview = import_module("secateur.app.checking.compiled").compiled_overview
        return run_deep(lambda _: overview(self.system))

    def _transitions(self, state: State | None) -> list[Transition]:
        def work(_: Stop) -> list[Transition]:
            items = self.system.initial() if state is None else self.system.successors(state)
            return [item for item in items if isinstance(item, Transition)]

        return run_deep(work)


def _truncations(typed: TypedModel, found: Result) -> tuple[str, ...]:
    """Return notes on values that may have been cut, in languages that do so."""
    if not typed.processes:
        return ()
    seen = {
        each.name: (each.least, each.greatest)
        for each in found.statistics.coverage
        if isinstance(each.least, int) and isinstance(each.greatest, int)
    }
    return truncations(typed, seen, found.statistics.operations)


def _by_statements(typed: TypedModel, found: Result) -> Result:
    """Return a result that says so if its operations are ways to execute statements."""
    if not typed.statements:
        return found
    return replace(found, statistics=replace(found.statistics, ways=True))


def _worded(typed: TypedModel, found: Result) -> Result:
    """Return a result that tells values by their names, where numbers have some."""
    if not typed.wording:
        return found
    counted = found.statistics
    told = tuple(
        replace(v, least=named(v.least, names), greatest=named(v.greatest, names))
        if (names := typed.wording.get(v.name))
        else v
        for v in counted.coverage
    )
    return replace(found, statistics=replace(counted, coverage=told))


def _inside(typed: TypedModel, found: Result) -> Iterator[str]:
    """Yield how many states are there for us only, if some are."""
    states = sum(found.statistics.fresh.get(name, 0) for name in typed.inner)
    if states:
        yield f"{states:,} of the states are inside of sequences that are one step to others"


def _left_to_others(typed: TypedModel) -> Iterator[str]:
    """Yield what a model says of its runs: that is not looked at together with its states."""
    names = [claim.name for claim in claims_of(typed)]
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        listed = ", ".join(names[:MOST_NAMED])
        yield f"not part of this check, but of `secateur ltl`: {listed}{more}"


def _worth_more_room(result: Result, options: CheckOptions) -> bool:
    """Whether a run that had too little room could tell more with more of it."""
    if INTERRUPTED_BY_USER in result.reasons:
        return False
    return result.outcome is not False or options.get("all", False)


def _because(result: Result, reasons: tuple[str, ...]) -> Result:
    """Return a result with other reasons; nothing holds for which there are any."""
    verdict = result.verdict
    if isinstance(verdict, Holds):
        return result if not reasons else replace(result, verdict=Incomplete(reasons))
    return replace(result, verdict=replace(verdict, reasons=reasons))


def _limits(options: CheckOptions) -> Limits:
    return Limits(options.get("max_states"), options.get("max_seconds"), options.get("max_memory"))


def _clarity(options: CheckOptions) -> Clarity:
    return Clarity(options.get("shorten", False), options.get("untangle", False))


def _wish(options: CheckOptions) -> Wish:
    stop_at = options.get("stop_at")
    return Wish(
        search=options.get("search", DEFAULT_SEARCH),
        ratio=options.get("ratio"),
        seed=options.get("seed", 0),
        collect=options.get("all", False),
        stop_at=None if stop_at is None else frozenset(stop_at),
        unchecked=frozenset(k for name, k in _SWITCHES.items() if options.get(name, True) is False),
        limits=_limits(options),
        native=options.get("native"),
        threads=options.get("threads", 1),
        compress=options.get("compress", False),
        fingerprint=options.get("fingerprint", False),
        por=options.get("por", AUTO),
        proviso=options.get("proviso", AUTO),
        choice=options.get("choice", SMALLEST),
        symmetry=options.get("symmetry", AUTO),
        heuristic=options.get("heuristic", AUTO),
        experiment=options.get("experiment", False),
        engine=options.get("engine", AUTO),
        image=options.get("image", AUTO),
        diagrams=options.get("diagrams", AUTO),
        reorder=options.get("reorder", False),
        certified=options.get("certificate") is not None,
    )
