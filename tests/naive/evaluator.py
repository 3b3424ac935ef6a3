"""A naive oracle: formulas evaluated as set theory defines them, by brute force.

Slow and plain on purpose.  Types are small: given sets have a few elements and a bound
integer ranges over `WINDOW`.  Sets are listed; those that cannot be (`NATURAL`, `seq(S)`)
are `Rule`s, of which only membership is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import Any, Final, TypeVar, assert_never

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Quantifier
from secateur.maths.types import Base, DataType, Given, Power, Product, Struct, Type, Variable
from secateur.maths.values import IllDefined, RecordValue, Value
from tests.agreement.operator_oracles import CONSTANTS, SPACES, VALUES, functional, subsets, wd

T = TypeVar("T")

WINDOW: Final = range(-6, 13)
"""What a bound integer may be: formulas under test bound theirs within it."""
STRINGS: Final = ("", "a", "b", "ab", "ba")
LARGEST: Final = 4096
"""The most values that are listed."""


class TooLarge(Exception):
    """The oracle would have to list too much."""


@dataclass(frozen=True)
class Rule:
    """A set of which only membership is known."""

    test: Callable[[Any], bool]

    def __contains__(self, x: object) -> bool:
        return self.test(x)


@dataclass
class Naive:
    """Evaluates formulas over given sets; what is ill-defined, docs/semantics.md says.

    `among` says which values a bound identifier is tried with, where its type has too many.
    """

    sets: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    names: Mapping[str, Value] = field(default_factory=dict)
    minint: int = -1
    maxint: int = 3
    among: Mapping[str, Sequence[Value]] = field(default_factory=dict)

    def carrier(self, type_: Type) -> list[Value]:
        """Return all values of a type, the integers and strings among a few."""
        match type_:
            case Base.INTEGER | Variable():
                return list(WINDOW)
            case Base.BOOL:
                return [False, True]
            case Base.STRING:
                return list(STRINGS)
            case Given(name):
                return list(self.sets[name])
            case Power(element):
                base = self.carrier(element)
                self._limit(2 ** len(base))
                return list(subsets(frozenset(base)))
            case Product(left, right):
                return list(product(self.carrier(left), self.carrier(right)))
            case Struct(fields):
                names = tuple(name for name, _ in fields)
                return [
                    RecordValue(names, values)
                    for values in product(*(self.carrier(t) for _, t in fields))
                ]
            case Base.REAL | Base.PREDICATE | DataType():
                raise TooLarge
            case _:
                assert_never(type_)

    def _limit(self, size: int) -> None:
        if size > LARGEST:
            raise TooLarge

    def value(self, e: Expr, env: Mapping[str, Value]) -> Value:
        """Return the value of `e`; raise IllDefined where it has none."""
        match e:
            case ast.Name(text):
                return env[text] if text in env else self.names[text]
            case ast.Before(text):
                return env[f"{text}$0"]
            case ast.Number(value) | ast.RealNumber(value) | ast.Text(value):
                return value
            case ast.Apply():
                return self._apply(e, env)
            case ast.Call(function, args):
                return self._call(function, args, env)
            case ast.SetDisplay(items):
                return frozenset(self.value(x, env) for x in items)
            case ast.SequenceDisplay(items):
                return frozenset((i, self.value(x, env)) for i, x in enumerate(items, 1))
            case ast.Record() | ast.RecordSet() | ast.Field():
                return self._record(e, env)
            case ast.If(condition, then, otherwise):
                return self.value(then if self.value(condition, env) else otherwise, env)
            case ast.Labelled(_, body) | ast.Bool(body):
                return self.value(body, env)
            case ast.And() | ast.Or() | ast.Not() | ast.Implies() | ast.Equivalent():
                return self._connective(e, env)
            case ast.Forall() | ast.Exists() | ast.Comprehension() | ast.Lambda():
                return self._binding(e, env)
            case ast.Quantified() | ast.Let():
                return self._binding(e, env)
            case _:
                assert_never(e)

    def _connective(
        self,
        e: ast.And | ast.Or | ast.Not | ast.Implies | ast.Equivalent,
        env: Mapping[str, Value],
    ) -> bool:
        match e:
            case ast.And(parts):
                return all(self.value(p, env) for p in parts)
            case ast.Or(parts):
                return any(self.value(p, env) for p in parts)
            case ast.Not(body):
                return not self.value(body, env)
            case ast.Implies(left, right):
                return not self.value(left, env) or self.value(right, env)
            case ast.Equivalent(left, right):
                return bool(self.value(left, env) == self.value(right, env))
            case _:
                assert_never(e)

    def _apply(self, e: ast.Apply, env: Mapping[str, Value]) -> Value:
        name = e.operator.name
        args = [self.value(x, env) for x in e.args]
        if name in CONSTANTS:
            found = CONSTANTS[name](self.minint, self.maxint)
            return self._listed(name, found) if callable(found) else found
        if name in SPACES:
            return self._space(name, args)
        if name in ("member", "not member"):
            return (args[0] in args[1]) == (name == "member")
        if name in ("subset", "not subset") and isinstance(args[1], Rule):
            self._listed_only(args[0])
            return all(x in args[1] for x in args[0]) == (name == "subset")
        for each in args:
            self._listed_only(each)
        self._check_size(name, args)
        return VALUES[name](*args)

    def _listed(self, name: str, test: Callable[[Any], bool]) -> Any:
        match name:
            case "booleans":
                return frozenset({False, True})
            case "empty set":
                return frozenset()
            case "machine integers" | "machine naturals" | "positive machine naturals":
                return frozenset(n for n in range(self.minint, self.maxint + 1) if test(n))
            case _:
                return Rule(test)

    def _listed_only(self, x: Value) -> None:
        if isinstance(x, Rule):
            raise TooLarge

    def _check_size(self, name: str, args: Sequence[Value]) -> None:
        if "subsets" in name or name == "power set":
            self._limit(2 ** len(args[0]))
        elif "product" in name or "projection" in name:
            self._limit(prod(len(x) for x in args if isinstance(x, frozenset)))
        elif name == "integer power":
            self._limit(abs(args[1]) * 100)

    def _space(self, name: str, args: Sequence[Value]) -> Value:
        for each in args:
            self._listed_only(each)
        test = SPACES[name](*args)
        if len(args) == 2 and len(args[0]) * len(args[1]) <= 9:
            return frozenset(r for r in subsets(frozenset(product(*args))) if test(r))
        return Rule(test)

    def _call(self, function: Expr, args: Sequence[Expr], env: Mapping[str, Value]) -> Value:
        f = self.value(function, env)
        argument, *others = (self.value(x, env) for x in args)
        for other in others:
            argument = (argument, other)
        self._listed_only(f)
        images = {y for x, y in f if x == argument}
        wd(len(images) == 1)
        return next(iter(images))

    def _record(self, e: ast.Record | ast.RecordSet | ast.Field, env: Mapping[str, Value]) -> Value:
        if isinstance(e, ast.Field):
            return self.value(e.record, env).field(e.name)
        fields = sorted((name, self.value(x, env)) for name, x in e.fields)
        names = tuple(name for name, _ in fields)
        if isinstance(e, ast.Record):
            return RecordValue(names, [x for _, x in fields])
        return frozenset(RecordValue(names, values) for values in product(*(s for _, s in fields)))

    # -- what binds identifiers -----------------------------------------------------------

    def _instances(
        self, binders: Sequence[Binder], env: Mapping[str, Value]
    ) -> Iterator[dict[str, Value]]:
        lists = []
        for b in binders:
            assert b.type is not None
            lists.append(self.among[b.name] if b.name in self.among else self.carrier(b.type))
        self._limit(prod(map(len, lists)))
        for values in product(*lists):
            yield {**env, **{b.name: x for b, x in zip(binders, values, strict=True)}}

    def _holds(self, condition: Expr, env: Mapping[str, Value]) -> bool:
        """Whether all conjuncts hold; where one does not, what is ill-defined does not matter."""
        return not self._some(lambda part: not self.value(part, env), _parts(condition))

    def _some(self, test: Callable[[T], bool], items: Iterable[T]) -> bool:
        """Whether the test holds for one item; that settles it, whatever is ill-defined for others."""
        error: IllDefined | None = None
        for item in items:
            try:
                if test(item):
                    return True
            except IllDefined as each:
                error = each
        if error is not None:
            raise error
        return False

    def _fails(self, implication: Expr, env: Mapping[str, Value]) -> bool:
        """Whether the premises hold and the conclusion, looked at only there, does not."""
        premises: tuple[Expr, ...] = ()
        conclusion = _bare(implication)
        while isinstance(conclusion, ast.Implies):
            premises = (*premises, conclusion.left)
            conclusion = _bare(conclusion.right)
        holds = not premises or self._holds(ast.conjunction(premises), env)
        return holds and not self.value(conclusion, env)

    def _binding(self, e: ast.Binding, env: Mapping[str, Value]) -> Value:
        match e:
            case ast.Forall(binders, body):
                pairs = product(_parts(body), self._instances(binders, env))
                return not self._some(lambda pair: self._fails(*pair), pairs)
            case ast.Exists(binders, body):
                return self._some(
                    lambda inner: self._holds(body, inner), self._instances(binders, env)
                )
            case ast.Let(binders, condition, body):
                results = self._gather(binders, condition, body, env)
                assert len(results) == 1, "a LET binds each identifier by an equation"
                return results[0]
            case ast.Comprehension(binders, condition, value):
                element = _tuple_of(binders) if value is None else value
                return frozenset(self._gather(binders, condition, element, env))
            case ast.Lambda(binders, condition, result):
                return frozenset(
                    self._gather(
                        binders,
                        condition,
                        lambda inner: (_tuple(binders, inner), self.value(result, inner)),
                        env,
                    )
                )
            case ast.Quantified(quantifier, binders, condition, value):
                return _quantified(quantifier, self._gather(binders, condition, value, env))
            case _:
                assert_never(e)

    def _gather(
        self,
        binders: Sequence[Binder],
        condition: Expr,
        value: Expr | Callable[[Mapping[str, Value]], Value],
        env: Mapping[str, Value],
    ) -> list[Value]:
        return [
            value(inner) if callable(value) else self.value(value, inner)
            for inner in self._instances(binders, env)
            if self._holds(condition, inner)
        ]


def _bare(e: Expr) -> Expr:
    return _bare(e.body) if isinstance(e, ast.Labelled) else e


def _parts(e: Expr) -> list[Expr]:
    """Return the conjuncts of `e`."""
    e = _bare(e)
    return [p for part in e.parts for p in _parts(part)] if isinstance(e, ast.And) else [e]


def _tuple(binders: Sequence[Binder], env: Mapping[str, Value]) -> Value:
    first, *others = (env[b.name] for b in binders)
    for other in others:
        first = (first, other)
    return first


def _tuple_of(binders: Sequence[Binder]) -> Callable[[Mapping[str, Value]], Value]:
    return lambda env: _tuple(binders, env)


def _quantified(quantifier: Quantifier, values: Sequence[Value]) -> Value:
    match quantifier:
        case Quantifier.SIGMA:
            return sum(values)
        case Quantifier.PI:
            return prod(values)
        case Quantifier.UNION:
            return frozenset(x for s in values for x in s)
        case Quantifier.INTER:
            wd(bool(values))
            return frozenset(x for x in values[0] if all(x in s for s in values))
        case _:
            assert_never(quantifier)


def is_function(r: Value) -> bool:
    """Whether a relation is a function."""
    return functional(r, frozenset(), frozenset())
