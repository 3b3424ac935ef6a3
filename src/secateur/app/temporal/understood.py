"""The B in a temporal formula, understood as part of a model."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.engine.liveness.graph import Graph
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import Question, scope_of, understand
from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.codes import BAD_ATOM
from secateur.maths.ast import Binder, Expr, free_names
from secateur.maths.print_value import show_value
from secateur.maths.values import Value
from secateur.source import Diagnostic, InputError, Span, fail
from secateur.system.system import State

Given = tuple[str, Value, Binder]
"""A quantified name with one of its values, and its type."""


class Understanding:
    """A model, a graph of its states, and what names mean in its formulas."""

    def __init__(self, model: Model, system: MachineSystem, graph: Graph) -> None:
        self.model = model
        self.system = system
        self.graph = graph
        self._scope = scope_of(model, (*model.constants, *model.variables))
        self._known: dict[object, Question] = {}

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables."""
        return frozenset(b.name for b in self.model.variables)

    def understood(self, atom: Atom, bound: Sequence[Given], unknown: Sequence[str]) -> Question:
        """Return the B in an atom, typed; complaints are about places in the formula.

        With quantifiers there may be thousands of atoms that differ in values alone.
        """
        types = tuple((name, binder.type) for name, _, binder in bound)
        place = None if atom.span is None else atom.span.start
        key = atom.kind, atom.text, place, types, tuple(unknown)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._understood(atom, bound, unknown)
        return found

    def _understood(self, atom: Atom, bound: Sequence[Given], unknown: Sequence[str]) -> Question:
        span = atom.span
        before = "" if span is None else span.source.text[: span.start]
        padding = "".join("\n" if letter == "\n" else " " for letter in before)
        text = atom.text
        if not unknown and atom.kind is Kind.PREDICATE:
            # In parentheses, # stays what it is; alone, its names would be looked for.
            padding, text = f"{padding[:-1]}(", f"{text}) & 1 = 1"
        scope = {**self._scope}
        for name, _, binder in bound:
            assert binder.type is not None
            scope[name] = binder.type
        try:
            question = understand(padding + text, scope, self.model)
        except InputError as error:
            raise InputError(*(_moved(d, span) for d in error.diagnostics)) from None
        strangers = [b.name for b in question.unknowns if b.name not in unknown]
        if strangers:
            message = f"{', '.join(strangers)} is unknown in {self.model.name}"
            raise fail(BAD_ATOM, message, _moved_span(question.unknowns[0].span, span))
        return question

    def names_in(self, text: str, bound: Sequence[Given] = ()) -> frozenset[str]:
        """Return the names that an expression depends on."""
        return free_names(self.understood(Atom(Kind.UNCHANGED, text), bound, ()).formula)

    def concerned(self, atom: Atom, bound: Sequence[Given]) -> tuple[Given, ...]:
        """Return those of the quantified names that an atom depends on."""
        if atom.kind is Kind.BEFORE_AFTER:
            return tuple(bound)
        names: frozenset[str] = frozenset()
        if atom.text:
            names |= free_names(self.understood(atom, bound, ()).formula)
        for event in atom.events:
            for text in event.arguments:
                names |= frozenset() if text == "_" else self.names_in(text, bound)
        return tuple(given for given in bound if given[0] in names)

    def literal(self, value: Value) -> Expr | None:
        """Return an expression for a value; None if it cannot be written."""
        try:
            return understand(show_value(value), self._scope, self.model).formula
        except InputError:
            return None

    def one_for_each_solution(self) -> list[State]:
        """Return an initial state for each solution of the constants."""
        constants = len(self.model.constants)
        first: dict[object, State] = {}
        for state in self.graph.initial():
            values = tuple(value for _, value in self.system.values(state)[:constants])
            first.setdefault(values, state)
        return list(first.values())


def _moved(diagnostic: Diagnostic, span: Span | None) -> Diagnostic:
    found = None if diagnostic.span is None else _moved_span(diagnostic.span, span)
    return Diagnostic(diagnostic.code, diagnostic.message, found, diagnostic.help)


def _moved_span(found: Span, span: Span | None) -> Span:
    """Return a place in the padded text as one in the formula."""
    return found if span is None else Span(span.source, found.start, found.end)
