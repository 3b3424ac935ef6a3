"""What conditions say of the values of identifiers, as they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.maths.ast import Apply, Expr, If, Implies, Labelled, Name, Not, conjuncts, free_names
from secateur.maths.evaluate.context import is_partial
from secateur.maths.operators import comparison
from secateur.maths.operators.relations import PAIR
from secateur.maths.operators.sequences import CONCATENATION


def by_cases(conditions: Sequence[Expr], names: frozenset[str]) -> Iterator[tuple[Name, Expr]]:
    """Yield what identifiers are equal to: `(P => x = a) & (not(P) => x = b)` says it by cases.

    The conditions may say more than that; none of what is yielded speaks of `names`.  What else
    they say must always be defined: the evaluator asks it of other values, too.
    """
    for case, other in _opposite(conditions, names):
        beside = [c for c in conditions if c is not case and c is not other]
        here, there = _equations(case.right, names), _equations(other.right, names)
        for text, (name, value, more) in here.items():
            if text in there and not any(map(is_partial, (*beside, *more, *there[text][2]))):
                yield name, If(case.left, value, there[text][1], case.span)


def _opposite(
    conditions: Sequence[Expr], names: frozenset[str]
) -> Iterator[tuple[Implies, Implies]]:
    """Yield implications with a premise and its negation, neither of which speaks of `names`."""
    cases = [c for c in conditions if isinstance(c, Implies) and not free_names(c.left) & names]
    for case in cases:
        for other in cases:
            if isinstance(other.left, Not) and bare(other.left.body) == bare(case.left):
                yield case, other


def _equations(e: Expr, names: frozenset[str]) -> dict[str, tuple[Name, Expr, list[Expr]]]:
    """Return the identifiers that a conclusion gives the values of, with these and what else it says."""
    found: dict[str, tuple[Name, Expr, list[Expr]]] = {}
    parts = conjuncts(e)
    for part in parts:
        match bare(part):
            case Apply(comparison.EQUAL, (left, right)):
                for name, side in ((left, right), (right, left)):
                    known = not free_names(side) & names
                    if isinstance(name, Name) and name.text in names and known:
                        more = [each for each in parts if each is not part]
                        found.setdefault(name.text, (name, side, more))
            case _:
                pass
    return found


def bare(e: Expr) -> Expr:
    """Return a formula without its labels."""
    return bare(e.body) if isinstance(e, Labelled) else e


def beside_equation(conditions: Sequence[Expr], name: str) -> list[Expr] | None:
    """Return what conditions say beside the only value that `name` can have; None without such.

    `x = a`, or by cases `(P => x = a) & (not(P) => x = b)`, with nothing else in the conclusions.
    """
    names = frozenset({name})
    for condition in conditions:
        if _is_equation(condition, names):
            return [c for c in conditions if c is not condition]
    for case, other in _opposite(conditions, names):
        if _is_equation(case.right, names) and _is_equation(other.right, names):
            return [c for c in conditions if c is not case and c is not other]
    return None


def _is_equation(e: Expr, names: frozenset[str]) -> bool:
    return len(conjuncts(e)) == 1 and bool(_equations(e, names))


def tuple_names(e: Expr) -> list[str]:
    """Return the names of `x |-> y |-> z`; nothing for what is no such tuple."""
    match e:
        case Name(text):
            return [text]
        case Apply(operator, (left, Name(text))) if operator is PAIR:
            first = tuple_names(left)
            return [*first, text] if first else []
    return []


def is_pattern(e: Expr, names: frozenset[str]) -> bool:
    """Whether all of a pattern's parts are unbound identifiers."""
    match e:
        case Name(text):
            return text in names
        case Apply(operator, (left, right)) if operator is PAIR:
            return is_pattern(left, names) and is_pattern(right, names)
        case _:
            return False


def concatenated(e: Expr) -> list[str]:
    """Return the names of `x ^ y ^ z`; nothing for anything else."""
    match e:
        case Name(text):
            return [text]
        case Apply(operator, (left, right)) if operator is CONCATENATION.overloads[0]:
            first, second = concatenated(left), concatenated(right)
            return [*first, *second] if first and second else []
    return []


def is_split(wanted: list[str], names: frozenset[str]) -> bool:
    """Whether these are the parts of a sequence that can be found by dividing it."""
    return len(wanted) > 1 and len(set(wanted)) == len(wanted) and names.issuperset(wanted)
