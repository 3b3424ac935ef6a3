"""The values of terms in one state of affairs, as far as those of variables tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.lang.promela.values import (
    COMPARISONS,
    Values,
    computed,
    listed,
    negative,
    opposite,
    supposed,
    wrapped,
)
from secateur.maths.ast import And, Apply, Call, Expr, If, Name, Not, Number, Or, children
from secateur.maths.operators import integers, machine_integers


def element(array: str, index: int) -> str:
    """Return the name of an element of an array, as no variable is called."""
    return f"{array}[{index}]"


def read_surely(e: Expr) -> Iterator[tuple[str, Expr]]:
    """Yield the elements of arrays without which an expression has no value: which array, and index.

    What stands behind a condition may not be looked at.
    """
    match e:
        case And(parts) | Or(parts):
            yield from read_surely(parts[0])
        case If(condition, _, _):
            yield from read_surely(condition)
        case Call(Name(array), (index,)):
            yield array, index
            yield from read_surely(index)
        case Apply() | Not():
            for part in children(e):
                yield from read_surely(part)
        case _:
            return


class Here:
    """The values in one state of affairs: those of a place first."""

    def __init__(self, known: Mapping[str, Values]) -> None:
        self.own: dict[str, Values] = {}
        self.terms: dict[Expr, Values] = {}
        """Elements of arrays whose index is not known, as conditions tell of them."""
        self._known = known

    def get(self, name: str) -> Values | None:
        """Return the values of a variable, or of an element that has a name."""
        found = self.own.get(name)
        return self._known.get(name) if found is None else found

    def learn(self, found: Mapping[str, Values]) -> bool:
        """Take down what is so at a place; return whether that can be."""
        for name, values in found.items():
            old = self.own.get(name)
            new = values if old is None else old.common(values)
            if new is None:
                return False
            self.own[name] = new
        return True


def values_of(e: Expr, here: Here) -> Values | None:
    """Return the values of a number; None if nothing is known of it."""
    match e:
        case Number(value):
            return listed((value,))
        case Name(text):
            return here.get(text)
        case Call(Name(text), (index,)):
            return _read(e, text, values_of(index, here), here)
        case If(condition, then, otherwise):
            decided = _decided(condition, here)
            if decided is not None:
                return values_of(then if decided else otherwise, here)
            first, second = values_of(then, here), values_of(otherwise, here)
            return None if first is None or second is None else first.joined(second)
        case Apply(integers.NEGATE, (operand,)):
            found = values_of(operand, here)
            return None if found is None else negative(found)
        case Apply(
            (machine_integers.WRAP_SIGNED | machine_integers.WRAP_UNSIGNED) as operator,
            (operand, Number(bits)),
        ):
            return wrapped(operator, values_of(operand, here), bits)
        case Apply(operator, (left, right)):
            first, second = values_of(left, here), values_of(right, here)
            return None if first is None or second is None else computed(operator, first, second)
        case _:
            return None


def _read(e: Expr, array: str, index: Values | None, here: Here) -> Values | None:
    """Return the values of an element of an array."""
    if here.terms and e in here.terms:
        return here.terms[e]
    if index is not None and index.low == index.high:
        found = here.get(element(array, index.low))
        if found is not None:
            return found
    return here.get(array)


def _decided(condition: Expr, here: Here) -> bool | None:
    """Return whether a condition holds, if the values of its terms leave no doubt."""
    match condition:
        case And(parts):
            found = [_decided(part, here) for part in parts]
            return False if False in found else (None if None in found else True)
        case Apply(operator, (left, right)) if operator in COMPARISONS:
            first, second = values_of(left, here), values_of(right, here)
            if first is None or second is None:
                return None
            if supposed(first, operator, second) is None:
                return False
            return True if supposed(first, opposite(operator), second) is None else None
        case _:
            return None
