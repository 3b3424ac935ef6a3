"""Expressions and predicates in the kernel language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both, either, one_of
from secateur.kernel.language import Expr, Local, Truth
from secateur.lang.compile import comprehensions, operators
from secateur.lang.compile.choices import lazily
from secateur.lang.compile.generators import Unknowns, generate
from secateur.lang.compile.known import Known
from secateur.lang.compile.patterns import bare
from secateur.lang.compile.scope import BEFORE, Constants, Scope
from secateur.lang.compile.sequences import ListedSequence
from secateur.lang.compile.sets import EmptyView, ListedView, RecordsView
from secateur.lang.compile.values import (
    Duo,
    NotCompiled,
    Num,
    Rec,
    SetV,
    Tru,
    V,
    certain,
    joined,
    same,
    settled,
    space_of,
)
from secateur.lang.slots.spaces import Space
from secateur.maths import ast
from secateur.maths.ast import free_names
from secateur.maths.evaluate.binding import GUESSES
from secateur.maths.operators.comparison import EQUAL
from secateur.maths.types import INTEGER
from secateur.maths.values import IllDefined, Undecided


class Lowering:
    """Makes kernel code of formulas, in one program part."""

    def __init__(self, builder: Builder, known: Known, constants: Constants) -> None:
        self.b = builder
        self.known = known
        self.constants = constants
        self.trusting = False
        """Whether what is made now is part of a set that was gone through already."""
        self._unfolding: list[str] = []

    # -- what is known beforehand -------------------------------------------------------------

    def closed(self, e: ast.Expr, scope: Scope) -> bool:
        """Whether an expression is about constants alone."""
        return not any(scope.knows(name) for name in free_names(e))

    def _constant(self, e: ast.Expr) -> V:
        try:
            values = self.constants.evaluate(e)
        except (IllDefined, Undecided) as error:
            raise NotCompiled(f"a constant expression without a value: {error}") from error
        return self.known.lift(values, self.constants.number)

    def _unfolded(self, name: str) -> V:
        """Return what a constant is said to be; it is no value that could be listed."""
        with self._unfolded_once(name):
            return self._composed(bare(self.constants.definitions[name]), Scope({}))

    @contextmanager
    def _unfolded_once(self, name: str) -> Iterator[None]:
        if name in self._unfolding:
            raise NotCompiled(f"{name} is defined by itself")
        self._unfolding.append(name)
        try:
            yield
        finally:
            self._unfolding.pop()

    # -- values -------------------------------------------------------------------------------

    def value(self, e: ast.Expr, scope: Scope) -> V:
        """Return the value of an expression."""
        e = bare(e)
        if not isinstance(e, ast.Lambda) and self.closed(e, scope):
            try:
                return self._constant(e)
            except NotCompiled:
                if isinstance(e, ast.Name) and e.text in self.constants.definitions:
                    return self._unfolded(e.text)
                if not isinstance(e, ast.Apply | ast.Call | ast.Comprehension | ast.RecordSet):
                    raise
        return self._composed(e, scope)

    def _composed(self, e: ast.Expr, scope: Scope) -> V:
        """Return the value of an expression, made of the values of its parts."""
        match e:
            case ast.Name(text):
                return self._name(text, scope)
            case ast.Before(text):
                return self._name(text + BEFORE, scope)
            case ast.Apply(operator, args):
                return operators.value(self, operator, args, scope)
            case ast.Call(function, args):
                return self._call(function, args, scope)
            case ast.SetDisplay(items):
                return self._display([self.part(i, scope) for i in items])
            case ast.SequenceDisplay(items):
                listed = [self.part(i, scope) for i in items]
                return ListedSequence(listed, _joined_spaces(listed))
            case ast.Bool(predicate):
                return Tru(self.b.let(self.predicate(predicate, scope), "bool"))
            case ast.If(condition, then, otherwise):
                return self._if(condition, then, otherwise, scope)
            case _:
                return self._structured(e, scope)

    def _structured(self, e: ast.Expr, scope: Scope) -> V:
        match e:
            case ast.Comprehension() | ast.Lambda():
                return comprehensions.view(self, e, scope)
            case ast.Quantified():
                return comprehensions.quantified(self, e, scope)
            case ast.Let(binders, condition, body):
                return self.value(body, self.let(binders, condition, scope))
            case ast.Record(fields):
                ordered = sorted(fields)
                names = tuple(n for n, _ in ordered)
                return Rec(names, tuple(self.part(v, scope) for _, v in ordered))
            case ast.RecordSet(fields):
                ordered = sorted(fields)
                parts = [self.set(v, scope) for _, v in ordered]
                return RecordsView(tuple(n for n, _ in ordered), parts)
            case ast.Field(record, name):
                found = self.value(record, scope)
                if not isinstance(found, Rec):
                    raise NotCompiled("a record that is stored as a whole")
                return found.parts[found.names.index(name)]
        raise NotCompiled(f"{type(e).__name__} as a value")

    def _name(self, text: str, scope: Scope) -> V:
        found = scope.find(text)
        if found is None:
            raise NotCompiled(f"{text} is not known here")
        return found

    def set(self, e: ast.Expr, scope: Scope) -> SetV:
        """Return the value of an expression that is a set."""
        found = self.value(e, scope)
        if not isinstance(found, SetV):
            raise NotCompiled("a set that is stored as a whole")
        return found

    def number(self, e: ast.Expr, scope: Scope) -> Expr:
        """Return the value of an expression that is an integer."""
        found = self.value(e, scope)
        if not isinstance(found, Num):
            raise NotCompiled("an integer that is stored as a whole")
        return found.expr

    def _display(self, items: Sequence[V]) -> SetV:
        return ListedView(items, _joined_spaces(items)) if items else EmptyView()

    def part(self, e: ast.Expr, scope: Scope) -> V:
        """Return the value of an expression that becomes a part of another value."""
        return certain(self.b, self.value(e, scope))

    def _call(self, function: ast.Expr, args: Sequence[ast.Expr], scope: Scope) -> V:
        argument = self.part(args[0], scope)
        for each in args[1:]:
            argument = Duo(argument, self.part(each, scope))
        function = bare(function)
        try:
            with self.b.nested() as code:
                found = self.set(function, scope)
        except NotCompiled:
            rule = self._rule_of(function, scope)
            if rule is None:
                raise
            name, definition = rule
            with self._unfolded_once(name):
                return comprehensions.unlisted(self, definition, Scope({})).apply(self.b, argument)
        self.b.extend(tuple(code))
        return found.apply(self.b, argument)

    def _rule_of(
        self, function: ast.Expr, scope: Scope
    ) -> tuple[str, ast.Comprehension | ast.Lambda] | None:
        """Return the name and the rule of a constant.

        Where it is applied, one value is asked for, as it is of the rule that the evaluator keeps.
        """
        if isinstance(function, ast.Name) and self.closed(function, scope):
            definition = bare(self.constants.definitions.get(function.text, function))
            if isinstance(definition, ast.Comprehension | ast.Lambda):
                return function.text, definition
        return None

    def _if(self, condition: ast.Expr, then: ast.Expr, otherwise: ast.Expr, scope: Scope) -> V:
        test = self.b.brief(self.predicate(condition, scope), "test")
        if isinstance(test, Truth):
            return self.value(then if test.value else otherwise, scope)
        return lazily(
            self.b, test, lambda: self.value(then, scope), lambda: self.value(otherwise, scope)
        )

    def _lazily(
        self,
        test: Expr,
        then: ast.Expr,
        otherwise: ast.Expr,
        lower: Callable[[ast.Expr], Expr],
    ) -> Expr:
        return one_of(self.b, test, lambda: lower(then), lambda: lower(otherwise))

    def dry(self, make: Callable[[], V]) -> V:
        """Return what `make` would return; its code is not kept."""
        with self.b.nested():
            return make()

    def let(self, binders: Sequence[ast.Binder], condition: ast.Expr, scope: Scope) -> Scope:
        """Return the scope in which binders have the values that equations give them."""
        names = {b.name for b in binders}
        todo = list(ast.conjuncts(condition))
        while names:
            for conjunct in todo:
                match conjunct:
                    case ast.Apply(operator, (ast.Name(text), right)) if (
                        operator is EQUAL and text in names and not free_names(right) & names
                    ):
                        scope = scope.bind({text: settled(self.b, self.value(right, scope))})
                        names.remove(text)
                        todo.remove(conjunct)
                        break
            else:
                raise NotCompiled("LET without equations")
        if todo:
            raise NotCompiled("LET with more than equations")
        return scope

    # -- predicates -----------------------------------------------------------------------------

    def predicate(self, e: ast.Expr, scope: Scope) -> Expr:
        """Return whether a predicate holds."""
        e = bare(e)
        if self.closed(e, scope):
            return self._constant_predicate(e)
        match e:
            case ast.And(parts):
                return self.all_of(parts, scope)
            case ast.Or(parts):
                result: Expr = k.FALSE
                for part in parts:
                    result = either(self.b, result, lambda p=part: self.predicate(p, scope))  # type: ignore[misc]
                return result
            case ast.Not(body):
                return k.not_(self.predicate(body, scope))
            case ast.Implies(left, right):
                premise = self.predicate(left, scope)
                return either(self.b, k.not_(premise), lambda: self.predicate(right, scope))
            case ast.Equivalent(left, right):
                return k.equal(self.predicate(left, scope), self.predicate(right, scope))
            case ast.Forall() | ast.Exists():
                return self._quantifier(e, scope)
            case ast.Apply(operator, args):
                return operators.predicate(self, operator, args, scope)
            case ast.If(condition, then, otherwise):
                test = self.predicate(condition, scope)
                return self._lazily(test, then, otherwise, lambda p: self.predicate(p, scope))
            case ast.Let(binders, condition, body):
                return self.predicate(body, self.let(binders, condition, scope))
        raise NotCompiled(f"{type(e).__name__} as a predicate")

    def all_of(self, parts: Sequence[ast.Expr], scope: Scope) -> Expr:
        """Return whether all of some predicates hold; they are looked at from the left."""
        result: Expr = k.TRUE
        for part in parts:
            result = both(self.b, result, lambda p=part: self.predicate(p, scope))  # type: ignore[misc]
        return result

    def _constant_predicate(self, e: ast.Expr) -> Expr:
        try:
            values = self.constants.evaluate(e)
        except (IllDefined, Undecided):
            self.b.trap("a constant predicate without a value")
            return k.FALSE
        found = self.known.lift([bool(v) for v in values], self.constants.number)
        assert isinstance(found, Tru)
        return found.expr

    def _quantifier(self, e: ast.Forall | ast.Exists, scope: Scope) -> Expr:
        premises: tuple[ast.Expr, ...]
        conclusion: ast.Expr | None
        if isinstance(e, ast.Exists):
            premises, conclusion = ast.conjuncts(e.body), None
        elif isinstance(e.body, ast.Implies):
            premises, conclusion = ast.conjuncts(e.body.left), e.body.right
        else:
            premises, conclusion = (), e.body
        found = self.b.variable(k.FALSE, "found")

        def test(inner: Scope) -> None:
            if conclusion is None:
                self.b.assign(found, k.TRUE)
            else:
                failed = k.not_(self.predicate(conclusion, inner))
                self.b.assign(found, k.or_(found, failed))

        try:
            with self.b.nested() as code:
                generate(self, Unknowns(e.binders, premises), scope, test, until=found)
        except NotCompiled:
            if isinstance(e, ast.Forall) or any(b.type is not INTEGER for b in e.binders):
                raise
            self._guess(e, scope, found)
        else:
            self.b.extend(tuple(code))
        return found if isinstance(e, ast.Exists) else k.not_(found)

    def _guess(self, e: ast.Exists, scope: Scope, found: Local) -> None:
        """Emit the test whether `e` holds for the numbers that the evaluator tries first.

        One that it holds for settles it.  Where there is none nothing is known, and the evaluator
        takes over: it looks at all that `e` is about, of which the test may have needed less.
        """
        for guess in GUESSES:
            number = self.value(ast.Number(guess), scope)
            with self.b.if_(k.not_(found)):
                inner = scope.bind({b.name: number for b in e.binders})
                self.b.assign(found, self.predicate(e.body, inner))
        with self.b.if_(k.not_(found)):
            self.b.trap("integers without a bound", scope.bits(free_names(e)))

    def same(self, left: ast.Expr, right: ast.Expr, scope: Scope) -> Expr:
        """Return whether two expressions have the same value."""
        return same(self.b, self.value(left, scope), self.value(right, scope))


def _joined_spaces(values: Sequence[V]) -> Space | None:
    if not values:
        return None
    found = space_of(values[0])
    for value in values[1:]:
        found = joined(found, space_of(value))
    return found
