"""Values as texts in a certificate, and back; and the layout of states that goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.app.codes import NO_CERTIFICATE
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import scope_of, understand
from secateur.maths.ast import Apply
from secateur.maths.print_value import show_value
from secateur.maths.types import STRING, Power, Product, Struct, Type
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import InputError, fail
from secateur.system.packing import Misfit

Text = tuple[str, str]
"""A type and a value of it."""


class Values:
    """Writes and reads values of a model."""

    def __init__(self, system: MachineSystem) -> None:
        self._system = system
        self._model: Model = system.model
        self._scope = scope_of(self._model, ())

    def text(self, type_: Type | None, value: Value) -> Text:
        """Return a value as it is written; raise InputError if it cannot be read again."""
        written = str(type_), show_value(value)
        try:
            same = self.value(written) == value
        except (InputError, IllDefined, Undecided, ValueError):
            same = False
        if not same:
            message = f"a state contains {written[1][:80]}, which cannot be written"
            raise fail(NO_CERTIFICATE, message, help="leave --certificate out")
        return written

    def value(self, written: Sequence[str]) -> Value:
        """Return a value that was written; raise an error of its own kind if it is none."""
        type_, text = written
        question = understand(f"({text}) : ({type_})", self._scope, self._model)
        if question.unknowns or not isinstance(question.formula, Apply):
            raise ValueError(f"'{text}' is no value of {type_}")
        operand = question.formula.args[0]
        code = self._system.scope.code(operand)
        found: Value = code(self._system.environment((0, None)))
        return found


def numbered(machine: CompiledMachine, values: Values) -> list[Text]:
    """Return the values that states contain by number alone, in the order of their numbers."""
    return [values.text(type_, value) for type_, value in machine.interned.items()]


def lay_out(
    machine: CompiledMachine,
    values: Values,
    known: Sequence[Sequence[str]],
    widened: Sequence[Sequence[str]],
) -> None:
    """Give the states of a machine the layout that they had; raise ValueError if that fails."""
    types = {str(t): t for b in machine.system.model.variables for t in _parts(b.type)}
    types[str(STRING)] = STRING
    expected: dict[str, int] = {}
    for type_, text in known:
        if type_ not in types:
            raise ValueError(f"there are no values of {type_}")
        number = machine.interned.number(types[type_], values.value((type_, text)))
        if number != expected.setdefault(type_, 0):
            raise ValueError(f"the values of {type_} have other numbers")
        expected[type_] += 1
    for place, type_, text in widened:
        if place not in machine.layout.cells:
            raise ValueError(f"there is no variable {place}")
        machine.widen(Misfit(place, values.value((type_, text))))


def _parts(type_: Type | None) -> Iterator[Type]:
    """Yield a type and all types within."""
    match type_:
        case None:
            return
        case Power(element):
            yield from _parts(element)
        case Product(left, right):
            yield from _parts(left)
            yield from _parts(right)
        case Struct(fields):
            for _, each in fields:
                yield from _parts(each)
    yield type_
