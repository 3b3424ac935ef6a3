"""Which parts of a model make no difference, asked of every reachable state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from secateur.app.checking.check import check
from secateur.app.reached import units_of
from secateur.app.temporal.claims import Claim, claims_of
from secateur.engine.limits import Limits, Stop, Watcher
from secateur.engine.plan import Wish
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model, Property
from secateur.lang.query import scope_of, understand
from secateur.lang.vacuity import Question, never_true, questions_of
from secateur.ltl.atoms import Kind
from secateur.ltl.formula import Binary, Formula, Holds, One, Quantified, Two, Unary
from secateur.ltl.parse import parse_ltl
from secateur.maths.ast import And, Expr, Not, Or
from secateur.source import NOWHERE, InputError
from secateur.system.coverage import Coverage, Vacuity
from secateur.system.result import Result
from secateur.system.system import PropertyKind


def covered(
    model: Model,
    system: MachineSystem,
    result: Result,
    claims: Iterable[Claim],
    run: tuple[Limits, Stop, Watcher | None],
) -> Result:
    """Return a result with what makes no difference in the model: for that it is explored again.

    `claims` are looked at besides the formulas that the model itself has.
    """
    limits, stop, watcher = run
    formulas = [c for c in (*claims_of(model), *claims) if c.logic == "ltl"]
    questions = questions_of(model, system.scope) + list(_of_formulas(formulas, model))
    wish = Wish(
        collect=True,
        unchecked=frozenset(PropertyKind) - {PropertyKind.ASSERTION},
        limits=limits,
        por="none",
        symmetry="none",
        engine="explicit",
        shares=True,
    )
    asked = [Property(_name(i), q.predicate) for i, q in enumerate(questions)]
    asked += [
        Property(_premise(i), Not(q.premise, q.premise.span))
        for i, q in enumerate(questions)
        if q.premise is not None
    ]
    found = check(system.asking(asked), wish, stop, watcher)
    coverage = _coverage(questions, found, frozenset(b.name for b in model.variables))
    coverage = replace(coverage, units=tuple(units_of(model, found)))
    events = [e for claim in formulas for e in _events_in(claim, found)]
    return replace(result, coverage=replace(coverage, vacuities=(*coverage.vacuities, *events)))


def _name(number: int) -> str:
    return f"question {number}"


def _premise(number: int) -> str:
    return f"question {number} premise"


def _coverage(questions: list[Question], found: Result, variables: frozenset[str]) -> Coverage:
    differ = {v.name for v in found.violations}
    doubtful = [r.partition(":")[0] for r in found.reasons if r.startswith("question ")]
    general = [r for r in found.reasons if not r.startswith("question ")]
    same = [
        (number, question.vacuity)
        for number, question in enumerate(questions)
        if _name(number) not in differ and (question.premise is None or _premise(number) in differ)
    ]
    return Coverage(
        tuple(v for number, v in same if _name(number) not in doubtful),
        len(questions),
        tuple(v for number, v in same if _name(number) in doubtful),
        tuple(c.name for c in found.statistics.coverage if c.distinct == 1 and c.name in variables),
        exhaustive=not general,
        statistics=found.statistics,
        seconds=found.seconds,
    )


# -- formulas -------------------------------------------------------------------------------------


def _of_formulas(claims: Iterable[Claim], model: Model) -> Iterator[Question]:
    """Yield what is asked about the premises of temporal formulas."""
    for claim in claims:
        for premise in _premises_of(claim):
            predicate = _predicate(premise, model)
            if predicate is not None:
                yield never_true(f"formula {claim.name}", predicate, NOWHERE)


def _premises_of(claim: Claim) -> list[Formula]:
    try:
        return list(_premises(parse_ltl(claim.text, claim.name).formula))
    except InputError:  # told where the formula itself is checked
        return []


def _premises(f: Formula) -> Iterator[Formula]:
    match f:
        case One(_, argument):
            yield from _premises(argument)
        case Two(operator, left, right):
            if operator is Binary.IMPLIES:
                yield left
            yield from _premises(left)
            yield from _premises(right)
        case Quantified(_, _, _, body):
            yield from _premises(body)


def _predicate(f: Formula, model: Model) -> Expr | None:
    """Return a formula about single states as a predicate; None if it is about more."""
    match f:
        case Holds(atom) if atom.kind is Kind.PREDICATE and not atom.bound:
            scope = scope_of(model, (*model.constants, *model.variables))
            try:
                question = understand(atom.text, scope, model)
            except InputError:
                return None
            return question.formula if question.is_predicate and not question.unknowns else None
        case One(Unary.NOT, argument):
            inner = _predicate(argument, model)
            return None if inner is None else Not(inner)
        case Two(Binary.AND | Binary.OR as operator, left, right):
            parts = [_predicate(left, model), _predicate(right, model)]
            if None in parts:
                return None
            known = tuple(p for p in parts if p is not None)
            return And(known) if operator is Binary.AND else Or(known)
        case _:
            return None


def _events_in(claim: Claim, found: Result) -> Iterator[Vacuity]:
    """Yield the events in premises that never happen."""
    for premise in _premises_of(claim):
        match premise:
            case Holds(atom) if atom.kind is Kind.EVENT:
                name = atom.events[0].name
                if name in found.statistics.never_enabled:
                    yield Vacuity(f"formula {claim.name}", f"[{name}]", "never true")
