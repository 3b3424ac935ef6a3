"""What values in a file mean in a model."""

from __future__ import annotations

from functools import cached_property

from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import answer, scope_of, understand, understand_value
from secateur.maths.ast import Binder
from secateur.maths.evaluate.environment import Env
from secateur.maths.types import Type
from secateur.maths.values import Value
from secateur.source import InputError
from secateur.system.answer import Decided, Evaluated, Undefined, Unknown
from secateur.system.system import State, Step


class NoValue(Exception):
    """What a trace has for a value is none of the type in question; the text says why."""


class Understanding:
    """Evaluates texts in the scope of a model: its sets, their elements, its definitions."""

    def __init__(self, model: Model, system: MachineSystem) -> None:
        self.model = model
        self.system = system
        self._known: dict[tuple[str, Type], Value | NoValue] = {}
        self.notes: dict[str, None] = {}
        """What was not looked at, or not as one would expect: whoever compares has to say so."""

    @cached_property
    def scope(self) -> dict[str, Type]:
        """The types of all names that have the same meaning in every state."""
        return scope_of(self.model, ())

    def value(self, text: str, type_: Type) -> Value:
        """Return the value of a text; raise NoValue if it has none of this type."""
        at = text, type_
        if at not in self._known:
            try:
                self._known[at] = self._value(text, type_)
            except NoValue as error:
                self._known[at] = error
        found = self._known[at]
        if isinstance(found, NoValue):
            raise found
        return found

    def holds(self, text: str, state: State, step: Step | None = None) -> bool | None:
        """Whether a predicate holds in a state, of a step's arguments, too; None if nobody can tell."""
        binders: tuple[Binder, ...] = ()
        arguments = {} if step is None else dict(step.arguments)
        if step is not None:
            every = (op for op in self.model.operations if op.name == step.operation)
            binders = tuple(b for op in every for b in op.parameters)
        variables = self.model.variables if self.system.is_initialised(state) else ()
        compiler = self.system.scope.bind(binders)

        def environment() -> Env:
            env = self.system.environment(state)
            for name, value in arguments.items():
                env[compiler.place(name)] = value
            return env

        try:
            scope = scope_of(self.model, (*self.model.constants, *variables, *binders))
            question = understand(text, scope, self.model)
        except InputError as error:
            why = error.diagnostics[0].message
            self.notes[f"'{text}' is not understood, and not looked at: {why}"] = None
            return None
        if question.unknowns:
            names = ", ".join(binder.name for binder in question.unknowns)
            self.notes[f"'{text}' is not looked at: unknown in the model: {names}"] = None
            return None
        found = answer(question, compiler, environment)
        if not isinstance(found, Decided):
            self.notes[f"whether '{text}' holds is not known: it may"] = None
            return None
        return found.truth

    def _value(self, text: str, type_: Type) -> Value:
        try:
            question = understand_value(text, type_, self.scope, self.model)
        except InputError as error:
            raise NoValue(error.diagnostics[0].message) from None
        scope = self.system.scope
        match answer(question, scope, lambda: scope.environment(object())):
            case Evaluated(value):
                return value
            case Undefined(message):
                raise NoValue(message)
            case Unknown(reason):
                raise NoValue(reason)
            case other:
                raise NoValue(f"it is a predicate, not a value: {other}")
