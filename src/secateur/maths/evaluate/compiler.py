"""Evaluation: an elaborated expression becomes a Python function of an environment.

This is the semantics of the project: exact, unbounded, left to right.  An environment
(`environment.py`) is a list; identifiers have fixed places in it, found when the
expression is compiled.  What depends on constants alone is computed once per epoch.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from operator import itemgetter
from typing import Final, assert_never

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.binding import comprehension, exists, forall, lambda_, let, quantified
from secateur.maths.evaluate.effort import Meter
from secateur.maths.evaluate.environment import (
    EPOCH,
    FAULTS,
    FIRST_PLACE,
    GAPS,
    METER,
    Code,
    Env,
)
from secateur.maths.evaluate.once import Memory, once_per_epoch
from secateur.maths.evaluate.operands import (
    Operand,
    application,
    at,
    computed,
    function_application,
    joined,
    known,
    partial_application,
)
from secateur.maths.evaluate.universal import is_universal
from secateur.maths.evaluate.universe import Universe
from secateur.maths.operators.comparison import MEMBER, SUBSET
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.relations import pair
from secateur.maths.symbolic import RecordSpace
from secateur.maths.values import IllDefined, RecordValue, Value
from secateur.source import Span


class Frame:
    """Hands out places in environments; shared by all scopes of a model."""

    def __init__(self) -> None:
        self.size = FIRST_PLACE
        self.meter = Meter()
        self.memories: dict[Hashable, Memory] = {}
        """What is said in several places of a model is found out once."""

    def allocate(self) -> int:
        """Return a place that no other identifier has."""
        self.size += 1
        return self.size - 1


class Compiler:
    """Compiles expressions in one scope; `bind` gives the compiler of an inner scope."""

    def __init__(
        self,
        universe: Universe,
        frame: Frame | None = None,
        constants: frozenset[str] = frozenset(),
    ) -> None:
        self.universe = universe
        self.frame = Frame() if frame is None else frame
        self.places: dict[str, int] = {}
        self._constants = constants
        self._free: dict[int, tuple[Expr, frozenset[str]]] = {}
        self._codes: dict[int, tuple[Expr, Code]] = {}
        self._caching = True
        self.patient = False
        self._checked: frozenset[str] = frozenset()

    # -- scopes -----------------------------------------------------------------------

    def bind(self, binders: Sequence[Binder]) -> Compiler:
        """Return a compiler that also knows `binders`, each at a new place."""
        inner = self._copy()
        inner.places = dict(self.places)
        for binder in binders:
            inner.places[binder.name] = self.frame.allocate()
        names = {b.name for b in binders}
        inner._constants = self._constants - names
        inner._checked = self._checked - names
        return inner

    def bind_constants(self, binders: Sequence[Binder]) -> Compiler:
        """Return a compiler that also knows these constants: they change only with the epoch."""
        inner = self.bind(binders)
        inner._constants = self._constants | {b.name for b in binders}
        return inner

    def searching(self) -> Compiler:
        """Return a compiler for formulas that are to find the constants: nothing is settled yet."""
        inner = self._copy()
        inner._constants = frozenset()
        inner.patient = True
        return inner

    def bind_alias(self, alias: str, name: str) -> Compiler:
        """Return a compiler that also knows the value of `name` as `alias` (`x$0`)."""
        inner = self._copy()
        inner.places = {**self.places, alias: self.places[name]}
        if name in self._checked:
            inner._checked = self._checked | {alias}
        return inner

    def checking(self, names: Iterable[str]) -> Compiler:
        """Return a compiler that takes care that `names` are assigned before they are read."""
        inner = self._copy()
        inner._checked = self._checked | frozenset(names)
        return inner

    def _copy(self) -> Compiler:
        copy = Compiler(self.universe, self.frame, self._constants)
        copy.places = self.places
        copy._free = self._free
        copy._caching = self._caching
        copy._checked = self._checked
        copy.patient = self.patient
        return copy

    def place(self, name: str) -> int:
        """Return where in an environment `name` has its value."""
        return self.places[name]

    def knows(self, name: str) -> bool:
        """Whether `name` has a meaning here."""
        return name in self.places or name in self.universe.names

    def varies(self, name: str) -> bool:
        """Whether `name` has a place in environments, rather than one meaning throughout."""
        return name in self.places

    def frame_size(self) -> int:
        """Return how long an environment must be at present."""
        return self.frame.size

    def environment(self, epoch: object, values: Iterable[tuple[str, Value]] = ()) -> Env:
        """Return a fresh environment in which the given names have values."""
        env: Env = [None] * self.frame.size
        env[EPOCH] = epoch
        env[GAPS] = []
        env[FAULTS] = []
        env[METER] = self.frame.meter
        for name, value in values:
            env[self.places[name]] = value
        return env

    def free(self, e: Expr) -> frozenset[str]:
        """Return the identifiers that `e` uses and does not bind."""
        found = self._free.get(id(e))
        if found is None:
            found = self._free[id(e)] = (e, self._free_names(e))
        return found[1]

    def _free_names(self, e: Expr) -> frozenset[str]:
        match e:
            case ast.Name(text):
                return frozenset({text})
            case ast.Before(text):
                return frozenset({f"{text}$0"})
            case ast.Forall() | ast.Exists() | ast.Comprehension() | ast.Lambda():
                bound = e.binders
            case ast.Quantified() | ast.Let():
                bound = e.binders
            case _:
                bound = ()
        inner = frozenset[str]().union(*map(self.free, ast.children(e)))
        return inner - {b.name for b in bound}

    # -- compilation ------------------------------------------------------------------

    def code(self, e: Expr) -> Code:
        """Return the function that evaluates `e`."""
        # Plans ask for the code of a conjunct again and again while they weigh their ways.
        known = self._codes.get(id(e))
        if known is None:
            known = self._codes[id(e)] = (e, self._new_code(e))
        return known[1]

    def _new_code(self, e: Expr) -> Code:
        if not self._is_settled(e):
            return self._plain(e)
        once = self._copy()
        once._caching = False
        varying = self._varying(e)
        return once_per_epoch(once._plain(e), self._memory(e, varying), forever=not varying)

    def _is_settled(self, e: Expr) -> bool:
        """Whether the value of `e` depends on constants alone, and is worth remembering."""
        return self._caching and not _is_cheap(e) and self._varying(e) <= self._constants

    def _varying(self, e: Expr) -> set[str]:
        return {name for name in self.free(e) if name in self.places}

    def _memory(self, e: Expr, varying: Iterable[str]) -> Memory:
        """Return what remembers a value: one for all formulas that bind identifiers and are alike."""
        if not isinstance(e, _BINDING):
            return Memory()
        places = frozenset((name, self.places[name]) for name in varying)
        return self.frame.memories.setdefault((e, places, self.patient), Memory())

    def _plain(self, e: Expr) -> Code:
        match e:
            case ast.Name(text):
                return self._name(text, e.span)
            case ast.Before(text):
                return self._name(f"{text}$0", e.span)
            case ast.Number(value) | ast.RealNumber(value) | ast.Text(value):
                return lambda env: value
            case ast.Apply(operator, (left, right)) if operator in _INSIDE:
                if is_universal(right, self):
                    return _typed(left, self.code(left))
                operands = [self._operand(left), self._operand(right)]
                return _application(operator, operands, e.span, self.universe)
            case ast.Apply(operator, args):
                operands = [self._operand(a) for a in args]
                return _application(operator, operands, e.span, self.universe)
            case ast.Call(function, args):
                return function_application(self._operand(function), self._argument(args), e.span)
            case ast.SetDisplay(items):
                return _set_display([self.code(i) for i in items])
            case ast.SequenceDisplay(items):
                return _sequence_display([self.code(i) for i in items])
            case ast.Record(fields):
                return _record([(name, self.code(v)) for name, v in fields])
            case ast.RecordSet(fields):
                return _record_set([(name, self.code(v)) for name, v in fields])
            case ast.Field(record, name):
                body = self.code(record)
                return lambda env: body(env).field(name)
            case ast.Labelled(_, body):
                return self.code(body)
            case ast.And() | ast.Or() | ast.Not() | ast.Implies() | ast.Equivalent() | ast.Bool():
                return self._connective(e)
            case ast.If(condition, then, otherwise):
                test, yes, no = self.code(condition), self.code(then), self.code(otherwise)
                return lambda env: yes(env) if test(env) else no(env)
            case ast.Forall():
                return forall(self, e)
            case ast.Exists():
                return exists(self, e)
            case ast.Comprehension():
                return comprehension(self, e)
            case ast.Lambda():
                return lambda_(self, e)
            case ast.Quantified():
                return quantified(self, e)
            case ast.Let():
                return let(self, e)
            case _:
                assert_never(e)

    def _name(self, text: str, span: Span) -> Code:
        place = self.places.get(text)
        if text in self._checked:
            return _checked_name(text, self.places[text], span)
        if place is not None:
            return itemgetter(place)
        value = self.universe.names[text]
        return lambda env: value

    def _operand(self, e: Expr) -> Operand:
        return self._at_hand(e) or self._joined(e) or computed(self.code(e))

    def _at_hand(self, e: Expr) -> Operand | None:
        """Return what need not be computed, None if `e` is something else."""
        match e:
            case ast.Name(text) if text in self.places and text not in self._checked:
                return at(self.places[text])
            case ast.Name(text) if text not in self.places:
                return known(self.universe.names[text])
            case ast.Number(value) | ast.RealNumber(value) | ast.Text(value):
                return known(value)
            case ast.Apply(operator, ()) if operator.constant is not None:
                return known(operator.constant(self.universe.settings))
            case _:
                return None

    def _joined(self, e: Expr) -> Operand | None:
        """Return an application to what is at hand as part of another one, None if it is none."""
        match e:
            case ast.Apply(operator, (left, right)) if operator.apply is not None:
                if operator.partial or operator in _INSIDE or self._is_settled(e):
                    return None
                one, other = self._at_hand(left), self._at_hand(right)
                if one is None or other is None:
                    return None
                return joined(operator.apply, [one, other])
            case _:
                return None

    def _argument(self, args: Sequence[Expr]) -> Operand:
        """Return what a function is applied to: several arguments are pairs."""
        argument = self._operand(args[0])
        for each in args[1:]:
            both = [argument, self._operand(each)]
            argument = joined(pair, both) or computed(application(pair, both))
        return argument

    def _connective(
        self, e: ast.And | ast.Or | ast.Not | ast.Implies | ast.Equivalent | ast.Bool
    ) -> Code:
        match e:
            case ast.And(parts):
                return _all([self.code(p) for p in parts])
            case ast.Or(parts):
                return _any([self.code(p) for p in parts])
            case ast.Not(body):
                negated = self.code(body)
                return lambda env: not negated(env)
            case ast.Implies(left, right):
                if_, then = self.code(left), self.code(right)
                return lambda env: not if_(env) or then(env)
            case ast.Equivalent(left, right):
                one, other = self.code(left), self.code(right)
                return lambda env: one(env) == other(env)
            case ast.Bool(predicate):
                return self.code(predicate)
            case _:
                assert_never(e)


def _checked_name(text: str, place: int, span: Span) -> Code:
    def read(env: Env) -> Value:
        value = env[place]
        if value is None:
            raise IllDefined(f"{text} is read before it is assigned", span)
        return value

    return read


_INSIDE: Final = frozenset({MEMBER, SUBSET})


def _typed(e: Expr, code: Code) -> Code:
    """Return the code of a membership that says nothing but the type of `e`."""
    if isinstance(e, ast.Name):
        return lambda env: True
    # What is ill-defined is so in a typing predicate, too.
    return lambda env: (code(env), True)[1]


def _is_cheap(e: Expr) -> bool:
    """Whether evaluating `e` costs no more than remembering its value."""
    atoms = ast.Name | ast.Before | ast.Number | ast.RealNumber | ast.Text
    return isinstance(e, atoms) or (isinstance(e, ast.Apply) and not e.args)


_BINDING: Final = (ast.Comprehension, ast.Exists, ast.Forall, ast.Lambda, ast.Quantified)


def _application(
    operator: Operator, args: Sequence[Operand], span: Span, universe: Universe
) -> Code:
    if operator.constant is not None:
        value = operator.constant(universe.settings)
        return lambda env: value
    apply = operator.apply
    assert apply is not None, f"{operator.name} was not resolved"
    if operator.partial:
        return partial_application(apply, args, span)
    return application(apply, args)


def _set_display(items: list[Code]) -> Code:
    if len(items) == 1:
        (only,) = items
        return lambda env: frozenset((only(env),))
    return lambda env: frozenset([item(env) for item in items])


def _sequence_display(items: list[Code]) -> Code:
    return lambda env: frozenset([(i, item(env)) for i, item in enumerate(items, 1)])


def _record(fields: list[tuple[str, Code]]) -> Code:
    fields = sorted(fields, key=itemgetter(0))
    names = tuple(name for name, _ in fields)
    codes = [code for _, code in fields]
    return lambda env: RecordValue(names, [code(env) for code in codes])


def _record_set(fields: list[tuple[str, Code]]) -> Code:
    fields = sorted(fields, key=itemgetter(0))
    names = tuple(name for name, _ in fields)
    codes = [code for _, code in fields]
    return lambda env: RecordSpace(names, tuple(code(env) for code in codes))


def _all(parts: list[Code]) -> Code:
    if len(parts) == 2:
        first, second = parts
        return lambda env: first(env) and second(env)

    def all_(env: Env) -> bool:
        for part in parts:
            if not part(env):
                return False
        return True

    return all_


def _any(parts: list[Code]) -> Code:
    if len(parts) == 2:
        first, second = parts
        return lambda env: first(env) or second(env)

    def any_(env: Env) -> bool:
        for part in parts:
            if part(env):
                return True
        return False

    return any_
