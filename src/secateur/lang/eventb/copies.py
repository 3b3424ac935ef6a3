"""Carrier sets that axioms declare to be copies of another set.

`make : BOOL ** INTEGER >->> RECORD` says that RECORD has one element for each pair.  Whatever
satisfies the axioms is a renaming of a model in which RECORD is `BOOL ** INTEGER` itself and
`make` the identity; so that is what is put for them, and no size needs to be assumed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial

from secateur.lang.b.facts import all_conjuncts, known_numbers
from secateur.lang.b.small_sets import elements_of
from secateur.lang.b.specials import integer
from secateur.lang.eventb.ast import Context, Predicate, Substitution
from secateur.lang.eventb.resolve import Chain
from secateur.lang.eventb.rewriting import context_with, machine_with
from secateur.lang.eventb.typecheck import Typed, typecheck
from secateur.maths.ast import (
    Apply,
    Binder,
    Binding,
    Call,
    Expr,
    Lambda,
    Name,
    free_names,
    rebuild,
    walk,
)
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.eventb import WITH_OPERANDS
from secateur.maths.operators.function_spaces import TOTAL_BIJECTIONS
from secateur.maths.operators.protocol import Settings
from secateur.maths.operators.sets import PARTITION
from secateur.maths.print import show
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch, Skip
from secateur.maths.types import DataType, Given, Power, Product, Struct, Type
from secateur.source import NOWHERE
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Copy:
    """`function : original >->> name` or the other way round, where `name` is a carrier set."""

    name: str
    original: Expr
    function: str
    context: str
    type: Type
    """The type of the original's elements."""
    axiom: Expr
    """What says so; it is then true by choice."""
    whole: bool
    """Whether the original has all values of its type."""

    def put_into(self, chain: Chain, typed: Typed) -> Chain:
        """Return `chain` with the original in place of the copy."""
        contexts = (self._without(c, typed) for c in chain.contexts)
        note = (
            f"carrier set {self.name} is taken for {show(self.original)}: "
            f"{self.function} maps one to the other, element by element"
        )
        return Chain(
            chain.name,
            tuple(machine_with(m, self._rewritten) for m in chain.machines),
            tuple(context_with(c, self._rewritten) for c in contexts),
            (*chain.notes, note),
        )

    def _without(self, context: Context, typed: Typed) -> Context:
        sets = tuple(s for s in context.sets if s.text != self.name)
        more = self._axioms(typed) if context.name == self.context else ()
        axioms = (a for a in context.axioms if a.predicate is not self.axiom)
        return replace(context, sets=sets, axioms=(*more, *axioms))

    def _axioms(self, typed: Typed) -> tuple[Predicate, ...]:
        """Return what is known by the choice made."""
        x = Name("element")
        same = Lambda((Binder(x.text),), Apply(MEMBER, (x, self.original)), x)
        found = [Predicate(self.function, Apply(EQUAL, (Name(self.function), same)))]
        if not self.whole:  # what is of the type need not be in the set
            for constant in typed.declared.constants:
                type_ = typed.scope[constant]
                if self.name in _given(type_):
                    typing = Apply(MEMBER, (Name(constant), carrier(type_, NOWHERE)))
                    found.append(Predicate(constant, typing))
        return tuple(found)

    def _rewritten(self, e: Expr) -> Expr:
        inner = self._without_calls(e) if self.whole else e
        return Replacement({self.name: self.original}).in_expression(self._retyped(inner))

    def _retyped(self, e: Expr) -> Expr:
        """Return `e` with the types that its binders were given in terms of the original."""
        inner = rebuild(e, self._retyped)
        if not isinstance(inner, Binding):
            return inner
        given = {self.name: self.type}
        binders = (
            b if b.type is None else replace(b, type=_filled(b.type, given)) for b in inner.binders
        )
        return replace(inner, binders=tuple(binders))

    def _without_calls(self, e: Expr) -> Expr:
        if isinstance(e, Binding) and any(b.name == self.function for b in e.binders):
            return e
        match rebuild(e, self._without_calls):
            case Call(Name(text), (argument,)) if text == self.function:
                return argument
            case changed:
                return changed


def without_copies(chain: Chain, sized: Collection[str]) -> tuple[Chain, Typed]:
    """Return the chain with originals in place of copies, and typed.

    Those in `sized` are as large as the user says.
    """
    typed = typecheck(chain)
    while (found := _find_copy(chain, typed, sized)) is not None:
        chain = found.put_into(chain, typed)
        typed = typecheck(chain)
    return chain, typed


def _find_copy(chain: Chain, typed: Typed, sized: Collection[str]) -> Copy | None:
    """Return a carrier set that is a copy of another set, if there is one.

    Sets whose elements can be listed are left alone: their elements have names of their own.
    """
    axioms = [a.predicate for c in chain.contexts for a in c.axioms if not a.theorem]
    settings = Settings()
    numbers = known_numbers(axioms, settings)

    def number(e: Expr) -> int | None:
        return numbers.get(e.text) if isinstance(e, Name) else integer(e, settings)

    listed = _listed(axioms)
    for found in _bijections(chain, typed):
        if found.name in sized or found.name in listed or elements_of(found.original, number):
            continue
        if found.whole or not _ranges_over(typed, found.name):
            return found
    return None


def _bijections(chain: Chain, typed: Typed) -> Iterator[Copy]:
    for context in chain.contexts:
        proper = [a.predicate for a in context.axioms if not a.theorem]
        for part in all_conjuncts(proper):
            match part:
                case Apply(op, (Name(function), Apply(space, sides))) if (
                    op is MEMBER
                    and space is TOTAL_BIJECTIONS
                    and function in typed.declared.constants
                ):
                    types = _sides(typed.scope[function])
                    for original, type_, copy in zip(sides, types, sides[::-1], strict=True):
                        if _is_fit(copy, original, typed):
                            assert isinstance(copy, Name)
                            whole = original == carrier(type_, NOWHERE)
                            where = context.name
                            yield Copy(copy.text, original, function, where, type_, part, whole)
                case _:
                    pass


def _sides(function: Type) -> tuple[Type, Type]:
    assert isinstance(function, Power)
    assert isinstance(function.element, Product)
    return function.element.left, function.element.right


def _is_fit(copy: Expr, original: Expr, typed: Typed) -> bool:
    """Whether `copy` is a carrier set that the other one has nothing to do with."""
    if not isinstance(copy, Name) or copy.text not in typed.declared.sets:
        return False
    return not isinstance(original, Name) and copy.text not in free_names(original)


def _listed(axioms: Collection[Expr]) -> frozenset[str]:
    """Return the sets whose elements are named or that equal something."""
    found: set[str] = set()
    for part in all_conjuncts(axioms):
        if isinstance(part, Apply) and part.operator in (PARTITION, EQUAL):
            found |= {a.text for a in part.args if isinstance(a, Name)}
    return frozenset(found)


def _ranges_over(typed: Typed, name: str) -> bool:
    """Whether something may range over all elements of the set without saying so."""
    if any(map(partial(_is_about, name), _binders(typed))):
        return True
    parts = (part for e in _formulas(typed) for part in walk(e) if isinstance(part, Apply))
    generic = (p for p in parts if p.operator.carriers or p.operator in WITH_OPERANDS.values())
    return any(name in free_names(part) for part in generic)


def _is_about(name: str, binder: Binder) -> bool:
    return binder.type is None or name in _given(binder.type)


def _binders(typed: Typed) -> Iterator[Binder]:
    """Yield all whose values are searched for, other than constants."""
    for e in _formulas(typed):
        for part in walk(e):
            if isinstance(part, Binding):
                yield from part.binders
    for machine in typed.machines:
        for event in machine.events.values():
            yield from event.parameters
            for action in event.actions:
                if isinstance(action.substitution, BecomesSuch):
                    names = (target.text for target in action.substitution.targets)
                    yield from (Binder(n, typed.scope[n]) for n in names)
    if len(typed.machines) > 1:  # what a refinement gives up must be found
        yield from (Binder(n, typed.scope[n]) for n in typed.declared.variables)


def _formulas(typed: Typed) -> Iterator[Expr]:
    yield from (axiom.predicate for _, axiom in typed.axioms)
    for machine in typed.machines:
        yield from (i.predicate for i in machine.invariants)
        yield from (v.expression for v in machine.variants)
        for event in machine.events.values():
            yield from (g.predicate for g in event.guards)
            yield from (w.predicate for w in event.witnesses)
            for action in event.actions:
                yield from _expressions(action.substitution)


def _expressions(action: Substitution) -> tuple[Expr, ...]:
    match action:
        case Assign(_, values):
            return values
        case BecomesElement(_, set_):
            return (set_,)
        case BecomesSuch(_, condition):
            return (condition,)
        case Skip():
            return ()


def _filled(type_: Type, given: Mapping[str, Type]) -> Type:
    """Return `type_` with other types for carrier sets."""
    match type_:
        case Given(name):
            return given.get(name, type_)
        case Power(element):
            return Power(_filled(element, given))
        case Product(left, right):
            return Product(_filled(left, given), _filled(right, given))
        case Struct(fields):
            return Struct(tuple((name, _filled(t, given)) for name, t in fields))
        case DataType(declaration, arguments):
            return DataType(declaration, tuple(_filled(t, given) for t in arguments))
        case _:
            return type_


def _given(type_: Type) -> frozenset[str]:
    """Return the carrier sets in a type."""
    match type_:
        case Given(name):
            return frozenset({name})
        case Power(element):
            return _given(element)
        case Product(left, right):
            return _given(left) | _given(right)
        case Struct(fields):
            return frozenset[str]().union(*(_given(t) for _, t in fields))
        case DataType(_, arguments):
            return frozenset[str]().union(*map(_given, arguments))
        case _:
            return frozenset()
