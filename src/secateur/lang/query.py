"""Questions about a model: formulas typed by a user rather than written in the model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from secateur.lang.b.definitions import Definitions
from secateur.lang.model import Model
from secateur.maths.ast import And, Binder, Exists, Expr, Let, Name, free_names, walk
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS, Env
from secateur.maths.evaluate.plan import ASSUMED, plan_solutions
from secateur.maths.infer import Inference, Scope
from secateur.maths.infer_elaborate import elaborate, typed
from secateur.maths.operators.registry import EXTERNALS
from secateur.maths.parse import parse_formula
from secateur.maths.types import PREDICATE, Given, Power, Type, relation
from secateur.maths.values import IllDefined, Undecided
from secateur.source import Source, Span
from secateur.source.records import dataclass
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown

_ALL_EXTERNALS: Final = Definitions({}, frozenset(EXTERNALS))


@dataclass(frozen=True, slots=True)
class Question:
    """An elaborated formula; `unknowns` are the free identifiers of an open predicate."""

    formula: Expr
    is_predicate: bool
    unknowns: tuple[Binder, ...] = ()


def scope_of(model: Model, binders: Iterable[Binder]) -> dict[str, Type]:
    """Return the types of the sets, their elements and `binders` (constants and variables)."""
    scope: dict[str, Type] = {}
    for carrier in model.sets:
        scope[carrier.name] = Power(Given(carrier.name))
        scope.update((element, Given(carrier.name)) for element in carrier.elements)
    scope.update((f.name, Power(Given(f.name))) for f in model.freetypes)
    for freetype in model.freetypes:
        for name, argument in freetype.constructors:
            scope[name] = Given(freetype.name)
            if argument is not None:
                found = Inference().infer(argument, scope)
                assert isinstance(found, Power)
                scope[name] = relation(found.element, Given(freetype.name))
    scope.update((b.name, b.type) for b in binders if b.type is not None)
    return scope


def understand(text: str, scope: Scope, model: Model | None = None) -> Question:
    """Parse and type `text`; raise InputError if it is no formula over `scope`.

    Identifiers of a predicate that mean nothing in `scope` become its unknowns.
    """
    formula = _expanded(parse_formula(Source("<input>", text)), scope, model)
    strangers = _strangers(formula, scope)
    question = _typed(formula, scope, strangers)
    if strangers and not question.is_predicate:
        return _typed(formula, scope, ())  # complains about the unknown identifiers
    return question


def understand_value(text: str, type_: Type, scope: Scope, model: Model) -> Question:
    """Parse `text` as a value of this type; raise InputError if it is none over `scope`."""
    formula = _expanded(parse_formula(Source("<value>", text)), scope, model)
    inference = Inference()
    inference.expect(formula, type_, scope, "the value")
    inference.settle()
    inference.finish()
    found = elaborate(formula, inference)
    inference.finish()
    return Question(found, is_predicate=False)


def _typed(formula: Expr, scope: Scope, strangers: tuple[Binder, ...]) -> Question:
    inference = Inference()
    found = inference.infer(formula, inference.bind(strangers, scope))
    inference.settle()
    inference.finish()
    is_predicate = inference.types.resolve(found) is PREDICATE
    unknowns = typed(strangers, inference) if is_predicate else strangers
    found_formula = elaborate(formula, inference)
    inference.finish()
    question = Question(found_formula, is_predicate, unknowns)
    return _opened(question, scope) if is_predicate else question


def _opened(question: Question, scope: Scope) -> Question:
    """Return the question with the identifiers of an outermost `#` or LET among its unknowns.

    So what makes the predicate true can be shown, and equations of a LET help to find it.
    """
    match question.formula:
        case Exists(binders, body):
            inner = body
        case Let(binders, condition, body):
            inner = And((condition, body), question.formula.span)
        case _:
            return question
    taken = {*scope, *(b.name for b in question.unknowns)}
    if any(b.name in taken for b in binders):
        return question
    return _opened(Question(inner, True, (*question.unknowns, *binders)), scope)


def _strangers(formula: Expr, scope: Scope) -> tuple[Binder, ...]:
    """Return the identifiers that mean nothing in `scope`, in the order of their first use."""
    free = free_names(formula) - scope.keys()
    places: dict[str, Span] = {}
    for e in walk(formula):
        if isinstance(e, Name) and e.text in free:
            places.setdefault(e.text, e.span)
    return tuple(Binder(name, None, span) for name, span in places.items())


def _expanded(formula: Expr, scope: Scope, model: Model | None) -> Expr:
    """Return `formula` with definitions put in; without a model there are external functions."""
    expand = _ALL_EXTERNALS.expression if model is None else model.expand
    return expand(formula, frozenset(scope))


def answer(question: Question, compiler: Compiler, environment: Callable[[], Env]) -> Answer:
    """Evaluate a question; `environment` makes one that fits what `compiler` has compiled."""
    try:
        if question.unknowns:
            return _solve(question, compiler, environment)
        code = compiler.code(question.formula)
        env = environment()
        value = code(env)
    except IllDefined as error:
        return Undefined(error.message, error.span)
    except Undecided as error:
        return Unknown(error.what)
    if env[GAPS]:
        return _unbounded(env)
    return Decided(bool(value)) if question.is_predicate else Evaluated(value)


def _solve(question: Question, compiler: Compiler, environment: Callable[[], Env]) -> Answer:
    inner = compiler.bind(question.unknowns)
    plan = plan_solutions(inner, question.unknowns, [question.formula])
    env = environment()
    for _ in plan.run(env):
        return Decided(
            truth=True,
            solution=tuple((b.name, env[inner.place(b.name)]) for b in question.unknowns),
        )
    return _unbounded(env) if env[GAPS] else Decided(truth=False)


def _unbounded(env: Env) -> Unknown:
    assumed = [gap for gap in env[GAPS] if ASSUMED in gap]
    if assumed:
        return Unknown(assumed[0])
    names = ", ".join(sorted(set(env[GAPS])))
    return Unknown(f"{names} has no bound and was enumerated from MININT to MAXINT only")
