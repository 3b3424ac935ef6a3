"""Consequences of a conjunct that are easier to generate from than the conjunct itself.

They need not be tested: `implied` ones hold wherever the conjunct does.  Those of
`presupposed` hold wherever it is well-defined: that a function is applied to x says that x
is in its domain.  To generate from the latter is to overlook what is ill-defined; it is a
last resort where x would have no bound at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Final

from secateur.maths.ast import (
    And,
    Apply,
    Call,
    Exists,
    Expr,
    Field,
    Forall,
    Implies,
    Labelled,
    Name,
    Or,
    SequenceDisplay,
    SetDisplay,
    children,
    conjunction,
    conjuncts,
    free_names,
)
from secateur.maths.evaluate.context import in_any_order, is_partial
from secateur.maths.operators import (
    comparison,
    function_spaces,
    integers,
    relations,
    sequences,
    sets,
)
from secateur.maths.operators.protocol import Operator


def implied(e: Expr) -> Iterator[Expr]:
    """Yield consequences of `e`, theirs included."""
    for consequence in _direct(e):
        yield consequence
        yield from implied(consequence)


def _direct(e: Expr) -> Iterator[Expr]:
    match e:
        case Apply(operator, (left, right)) if operator is comparison.EQUAL:
            # Equal sets include each other; of other values nothing follows here.
            yield from _inclusion(left, right)
            yield from _inclusion(right, left)
        case Apply(operator, (part, whole)) if operator is comparison.SUBSET:
            yield from _inclusion(part, whole)
        case Apply(operator, (element, set_)) if operator is comparison.MEMBER:
            yield from _membership(element, set_)
        case _:
            pass


def _inclusion(part: Expr, whole: Expr) -> Iterator[Expr]:
    match part:
        case Apply(operator, (one, other)) if operator is sets.UNION:
            yield Apply(comparison.SUBSET, (one, whole), one.span)
            yield Apply(comparison.SUBSET, (other, whole), other.span)
        case SetDisplay(items):
            yield from (_member(item, whole) for item in items)
        case _:
            pass


def _membership(element: Expr, set_: Expr) -> Iterator[Expr]:
    match set_:
        case Apply(operator, (one, other)) if operator is sets.INTERSECTION:
            yield _member(element, one)
            yield _member(element, other)
        case Apply(operator, (one, _)) if operator is sets.DIFFERENCE:
            yield _member(element, one)
        case Apply(operator, (one, other)) if operator is sets.PRODUCT:
            if isinstance(element, Apply) and element.operator is relations.PAIR:
                yield _member(element.args[0], one)
                yield _member(element.args[1], other)
        case Apply(operator, (relation,)) if operator is relations.INVERSE:
            if isinstance(element, Apply) and element.operator is relations.PAIR:
                yield _member(Apply(relations.PAIR, element.args[::-1], element.span), relation)
        case Apply(operator, (domain, relation)) if operator is relations.DOMAIN_RESTRICTION:
            yield _member(element, relation)
            if isinstance(element, Apply) and element.operator is relations.PAIR:
                yield _member(element.args[0], domain)
        case Apply(operator, (relation, range_)) if operator is relations.RANGE_RESTRICTION:
            yield _member(element, relation)
            if isinstance(element, Apply) and element.operator is relations.PAIR:
                yield _member(element.args[1], range_)
        case _:
            pass


def not_false(e: Expr) -> Expr | None:
    """Return what is never ill-defined, and holds wherever `e` is not false; None if it is not known."""
    if not is_partial(e):
        return e
    match e:
        case Exists(binders, body):
            parts = [p for p in map(not_false, conjuncts(body)) if p is not None]
            return Exists(binders, conjunction(tuple(parts)), e.span) if parts else None
        case And():
            first = conjuncts(e)[: in_any_order(conjuncts(e))]
            parts = [p for p in map(not_false, first) if p is not None]
            return conjunction(tuple(parts), e.span) if parts else None
        case Or(alternatives):
            parts = [p for p in map(not_false, alternatives) if p is not None]
            return Or(tuple(parts), e.span) if len(parts) == len(alternatives) else None
        case _:
            return None


def presupposed(e: Expr) -> Iterator[Expr]:
    """Yield what must hold for `e`, a comparison, to be well-defined and true."""
    match e:
        case Apply(operator, (left, right)) if operator is comparison.EQUAL:
            for call, value in ((left, right), (right, left)):
                if isinstance(call, Call):
                    yield _member(_pair((*call.args, value)), call.function)
            yield from _applications(e)
        case Apply():
            yield from _applications(e)
        case _:
            pass


def _applications(e: Expr) -> Iterator[Expr]:
    """Yield that arguments are in the domains of the functions applied in `e`."""
    if isinstance(e, Apply | Call | SetDisplay | SequenceDisplay | Field):
        if isinstance(e, Call):
            yield _member(_pair(e.args), _domain(e.function))
        for child in children(e):
            yield from _applications(child)


def _domain(function: Expr) -> Expr:
    match function:
        case Apply(operator, (_, _) as sides) if operator in _PROJECTIONS:
            return Apply(sets.PRODUCT, sides, function.span)
        case _:
            return Apply(relations.DOMAIN, (function,), function.span)


def presupposed_everywhere(e: Forall, partial: Collection[str]) -> Iterator[Expr]:
    """Yield that in `!x.(P => Q)` each function in `partial` is applied within its domain."""
    premises: tuple[Expr, ...] = ()
    conclusion = e.body
    while isinstance(conclusion, Implies | Labelled):
        if isinstance(conclusion, Implies):
            premises = (*premises, conclusion.left)
            conclusion = conclusion.right
        else:
            conclusion = conclusion.body
    hints = [
        hint
        for part in conjuncts(conclusion)
        for hint in presupposed(part)
        if _is_applied(hint, partial)
    ]
    if hints:
        body = conjunction(tuple(dict.fromkeys(hints)))
        for premise in reversed(premises):
            body = Implies(premise, body, e.span)
        yield Forall(e.binders, body, e.span)


def _is_applied(hint: Expr, names: Collection[str]) -> bool:
    """Whether `hint` is `x : dom(f)` for an f in `names`."""
    match hint:
        case Apply(operator, (_, Apply(inner, (Name(name),)))):
            return operator is comparison.MEMBER and inner is relations.DOMAIN and name in names
        case _:
            return False


def partial_functions(conditions: Sequence[Expr]) -> frozenset[str]:
    """Return the identifiers that are said to be functions, but not on all of a set."""
    return frozenset(
        e.args[0].text
        for e in conditions
        if isinstance(e, Apply)
        and e.operator is comparison.MEMBER
        and isinstance(e.args[0], Name)
        and isinstance(e.args[1], Apply)
        and e.args[1].operator in function_spaces.OF_PARTIAL_FUNCTIONS
    )


def presupposed_sequences(names: Collection[str], conditions: Sequence[Expr]) -> Iterator[Expr]:
    """Yield that identifiers are sequences: those of which nothing else says what they are.

    `front(s) = [1, 2]` is ill-defined for whatever is no sequence: as with other
    applications, that is overlooked where `s` would have no bound at all.
    """
    told = {
        e.args[0].text
        for e in conditions
        if isinstance(e, Apply) and e.operator in _TELLING and isinstance(e.args[0], Name)
    }
    found: dict[str, Operator] = {}
    for e in conditions:
        if isinstance(e, Apply):
            _note_sequences(e, found)
    for name, space in found.items():
        if name in names and name not in told:
            own = Apply(relations.RANGE, (Name(name),))
            yield _member(Name(name), Apply(space, (own,)))


def _note_sequences(e: Expr, found: dict[str, Operator]) -> None:
    """Note which identifiers in `e` are operands of operators on sequences."""
    if not isinstance(e, Apply | Call | SetDisplay | SequenceDisplay | Field):
        return
    if isinstance(e, Apply) and e.operator in sequences.ON_SEQUENCES:
        for operand in sequences.ON_SEQUENCES[e.operator]:
            each = e.args[operand]
            if isinstance(each, Name):
                nonempty = e.operator in sequences.ON_NONEMPTY
                space = sequences.SEQUENCES1 if nonempty else sequences.SEQUENCES
                if nonempty or each.text not in found:
                    found[each.text] = space
    for child in children(e):
        _note_sequences(child, found)


def _member(element: Expr, set_: Expr) -> Expr:
    return Apply(comparison.MEMBER, (element, set_), element.span)


def _pair(items: tuple[Expr, ...]) -> Expr:
    pair = items[0]
    for item in items[1:]:
        pair = Apply(relations.PAIR, (pair, item), item.span)
    return pair


def enclosed(conditions: Sequence[Expr]) -> Iterator[Expr]:
    """Yield `s <: a..b` for the sets of which least and greatest elements are spoken of."""
    least: dict[str, list[Expr]] = {}
    greatest: dict[str, list[Expr]] = {}
    for e in conditions:
        match e:
            case Apply(operator, (left, right)) if operator is comparison.EQUAL:
                for side, other in ((left, right), (right, left)):
                    _note(least, integers.MIN, side, other)
                    _note(greatest, integers.MAX, side, other)
            case Apply(operator, (left, right)) if operator is integers.LESS_EQUAL:
                _note(greatest, integers.MAX, left, right)
                _note(least, integers.MIN, right, left)
            case Apply(operator, (left, right)) if operator is integers.GREATER_EQUAL:
                _note(least, integers.MIN, left, right)
                _note(greatest, integers.MAX, right, left)
            case _:
                pass
    for name in (n for n in least if n in greatest):
        for low, high in product(least[name], greatest[name]):
            interval = Apply(sets.INTERVAL, (low, high), low.span)
            yield Apply(comparison.SUBSET, (Name(name, low.span), interval), low.span)


def _note(bounds: dict[str, list[Expr]], end: Operator, side: Expr, bound: Expr) -> None:
    """Note `bound` if `side` is the `end` (least or greatest element) of an identifier."""
    match side:
        case Apply(operator, (Name(name),)) if operator is end and name not in free_names(bound):
            bounds.setdefault(name, []).append(bound)
        case _:
            pass


def ranged(conditions: Sequence[Expr]) -> Iterator[Expr]:
    """Yield `s : iseq(E)` where `s : iseq(S)` and `ran(s) = E`, and the like."""
    ranges: dict[str, Expr] = {}
    for e in conditions:
        match e:
            case Apply(operator, (Apply(inner, (Name(name),)), whole)) if (
                operator in (comparison.EQUAL, comparison.SUBSET) and inner is relations.RANGE
            ):
                ranges[name] = whole
            case _:
                pass
    for e in conditions:
        match e:
            case Apply(operator, (Name(name), Apply(space, (_,)))) if (
                operator is comparison.MEMBER and space in _SEQUENCES and name in ranges
            ):
                narrow = Apply(space, (ranges[name],), e.span)
                yield Apply(comparison.MEMBER, (Name(name, e.span), narrow), e.span)
            case _:
                pass


_TELLING: Final = frozenset({comparison.MEMBER, comparison.SUBSET, comparison.EQUAL})
"""Comparisons that may say what their left side is."""
_SEQUENCES: Final = frozenset(
    {
        sequences.SEQUENCES,
        sequences.SEQUENCES1,
        sequences.INJECTIVE_SEQUENCES,
        sequences.INJECTIVE_SEQUENCES1,
    }
)

_PROJECTIONS: Final = frozenset({relations.FIRST_PROJECTION, relations.SECOND_PROJECTION})
