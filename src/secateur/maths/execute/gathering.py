"""Sets that a loop only adds elements to: they are gathered, and made a value at the end.

A set of n elements with one more is a new set, so that a loop that adds n elements would
copy about n * n / 2 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from secateur.maths.ast import Apply, Before, Expr, Name, SetDisplay, walk
from secateur.maths.evaluate.environment import Code, Env
from secateur.maths.execute.updates import Action, deterministic
from secateur.maths.operators.sets import UNION
from secateur.maths.substitution import Assign, IfThen, Sequential, Skip, Substitution, While
from secateur.maths.values import Value


def addition(targets: Sequence[Expr], values: Sequence[Expr]) -> tuple[str, SetDisplay] | None:
    """Return the variable and the elements of a union with listed ones; None for anything else."""
    match targets, values:
        case ((Name(text),), (Apply(operator, (Name(same), SetDisplay() as more)),)) if (
            operator is UNION and text == same
        ):
            return text, more
    return None


def gathered(loop: While) -> frozenset[str]:
    """Return the variables that a loop adds elements to and does not look at otherwise."""
    added: set[str] = set()
    seen: set[str] = set()
    if not _look(loop, added, seen):
        return frozenset()
    return frozenset(added - seen)


def _look(s: Substitution, added: set[str], seen: set[str]) -> bool:
    """Note what is added to and what is looked at; False if there is something else in it."""
    match s:
        case Skip():
            return True
        case Assign(targets, values):
            found = addition(targets, values)
            if found is None:
                _see((*targets, *values), seen)
            else:
                added.add(found[0])
                _see((found[1],), seen)
            return True
        case IfThen(branches, otherwise):
            _see((b.condition for b in branches), seen)
            bodies = [b.body for b in branches] + ([] if otherwise is None else [otherwise])
            return all(_look(body, added, seen) for body in bodies)
        case Sequential(parts):
            return all(_look(part, added, seen) for part in parts)
        case While(condition, body, invariant, variant):
            _see((condition, invariant, variant), seen)
            return _look(body, added, seen)
    return False


def _see(expressions: Iterable[Expr], seen: set[str]) -> None:
    for e in expressions:
        seen.update(n.text for n in walk(e) if isinstance(n, Name | Before))


def gathering(place: int, whole: Code, elements: Sequence[Code]) -> Action:
    """Return the union of a variable and elements; `whole` is the code of its right side."""

    def perform(env: Env, total: dict[int, Value]) -> bool:
        set_ = env[place]
        if isinstance(set_, set):
            set_.update([code(env) for code in elements])
            total[place] = set_
        else:
            env[place] = total[place] = whole(env)
        return True

    return deterministic(lambda env: {place: whole(_settled(env, place))}, perform)


def _settled(env: Env, place: int) -> Env:
    if not isinstance(env[place], set):
        return env
    copy = env.copy()
    copy[place] = frozenset(env[place])
    return copy


def thaw(env: Env, places: Sequence[int]) -> list[int]:
    """Let listed sets be added to; return the places of those."""
    found = [place for place in places if isinstance(env[place], frozenset)]
    for place in found:
        env[place] = set(env[place])
    return found


def freeze(env: Env, total: dict[int, Value], places: Sequence[int]) -> None:
    """Make values of the sets again."""
    for place in places:
        env[place] = frozenset(env[place])
        if place in total:
            total[place] = env[place]
