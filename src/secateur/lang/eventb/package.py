"""ProB's packages: a Rodin project, statically checked, as one Prolog term."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from secateur.lang.eventb.ast import (
    Action,
    Context,
    Convergence,
    Event,
    Machine,
    Predicate,
    Project,
    Variant,
    Witness,
)
from secateur.lang.eventb.codes import BAD_PACKAGE, NO_PROJECT
from secateur.lang.eventb.package_formula import Formulas
from secateur.lang.eventb.package_theory import read_theories
from secateur.lang.eventb.prolog import Term, read_package
from secateur.lang.eventb.theory import Theory
from secateur.maths.ast import Name
from secateur.source import Source, Span, fail

_NOTHING: Final = Term(".", [], 0, 0, is_list=True)
_CONVERGENCES: Final = frozenset(c.value for c in Convergence)
_ORDINARY: Final = Term("ordinary", [], 0, 0)


def is_package(text: str) -> bool:
    """Whether a text is a package rather than Event-B in words."""
    return "load_event_b_project" in text


def read_project(source: Source) -> Project:
    """Return the project of a package."""
    term = read_package(source)
    if term is None:
        raise fail(NO_PROJECT, f"'{source.name}' holds no exported Event-B project")
    if len(term.args) < 2:
        raise fail(BAD_PACKAGE, "the project has no components", Span(source, term.start, term.end))
    theory = read_theories(source, term.args[2:])
    machines = [_Component(source, m, theory).machine() for m in term.args[0].args]
    contexts = [_Component(source, c, theory).context() for c in term.args[1].args]
    by_name = {m.name: m for m in machines}
    return Project(
        PurePath(source.name).stem,
        {c.name: c for c in contexts},
        {m.name: _own(m, by_name) for m in machines},
        machines[0].name if machines else contexts[0].name if contexts else None,
    )


def _own(machine: Machine, machines: Mapping[str, Machine]) -> Machine:
    """Return `machine` without the invariants that older exporters copy from its abstractions."""
    inherited: set[tuple[str, str]] = set()
    above, seen = machine.refines, {machine.name}
    while above is not None and above.text in machines and above.text not in seen:
        seen.add(above.text)
        abstract = machines[above.text]
        inherited.update((i.label, repr(i.predicate)) for i in abstract.invariants)
        above = abstract.refines
    own = tuple(i for i in machine.invariants if (i.label, repr(i.predicate)) not in inherited)
    return replace(machine, invariants=own)


class _Component:
    """Reads one context or machine."""

    def __init__(self, source: Source, term: Term, theory: Theory) -> None:
        self.source = source
        self.term = term
        self.theory = theory
        self.name = term.args[1].name if len(term.args) > 1 else "?"
        self.clauses = {c.name: c for c in term.args[2].args} if len(term.args) > 2 else {}
        self.where = Source(source.name, source.text, self.name)

    def context(self) -> Context:
        """Return the context."""
        constants = (*self._list("constants"), *self._list("abstract_constants"))
        return Context(
            self.name,
            self._references("extends"),
            tuple(self._plain(s.args[-1]) for s in self._list("sets")),
            tuple(map(self._formulas("").name, constants)),
            (*self._predicates("axioms"), *self._predicates("theorems", theorem=True)),
            self._span(self.term),
        )

    def machine(self) -> Machine:
        """Return the machine."""
        refined = self._references("refines")
        return Machine(
            self.name,
            refined[0] if refined else None,
            self._references("sees"),
            tuple(map(self._formulas("").name, self._list("variables"))),
            (*self._predicates("invariant"), *self._predicates("theorems", theorem=True)),
            self._variants(),
            tuple(map(self._event, self._list("events"))),
            self._span(self.term),
        )

    def _span(self, term: Term) -> Span:
        return Span(self.where, term.start, term.end)

    def _list(self, clause: str) -> list[Term]:
        found = self.clauses.get(clause)
        if found is None or len(found.args) < 2:
            return []
        value = found.args[1]
        return value.args if value.is_list else [value]

    def _plain(self, term: Term) -> Name:
        return Name(term.name, self._span(term))

    def _references(self, clause: str) -> tuple[Name, ...]:
        return tuple(map(self._plain, self._list(clause)))

    def _formulas(self, label: str) -> Formulas:
        """Return the reader of a formula; complaints about it name the component and label."""
        where = f"{self.name}, {label}" if label else self.name
        return Formulas(Source(self.source.name, self.source.text, where), self.theory)

    def _predicates(self, clause: str, *, theorem: bool = False) -> tuple[Predicate, ...]:
        return self._labelled(self._list(clause), clause, theorem=theorem)

    def _labelled(
        self, terms: Iterable[Term], kind: str, *, event: str = "", theorem: bool = False
    ) -> tuple[Predicate, ...]:
        found = []
        for number, term in enumerate(terms, start=1):
            label = _label(term) or f"{kind}{number}"
            formulas = self._formulas(f"{event}.{label}" if event else label)
            predicate = formulas.expression(term)
            found.append(Predicate(label, predicate, theorem, formulas.span(term)))
        return tuple(found)

    def _variants(self) -> tuple[Variant, ...]:
        found = []
        for term in self._list("variant"):
            label = _label(term) or "vrn"
            formulas = self._formulas(label)
            found.append(Variant(label, formulas.expression(term), formulas.span(term)))
        return tuple(found)

    def _event(self, term: Term) -> Event:
        """Read an event.

        Its parts are place, name, status, refined events, parameters, guards, theorems,
        actions, witnesses.  Older exporters leave out the theorems, the oldest the status, too.
        """
        args = [*term.args]
        if not 7 <= len(args) <= 9:
            raise fail(BAD_PACKAGE, "an event has the wrong parts here", self._span(term))
        if len(args) == 7:
            args.insert(2, _ORDINARY)
        if len(args) == 8:
            args.insert(6, _NOTHING)
        name = args[1].name
        refines = args[3].args if args[3].is_list else [args[3]] if args[3].name else []
        return Event(
            name,
            self._convergence(args[2]),
            False,
            tuple(r.name for r in refines),
            tuple(map(self._formulas(name).name, args[4].args)),
            (
                *self._labelled(args[5].args, "grd", event=name),
                *self._labelled(args[6].args, "thm", event=name, theorem=True),
            ),
            tuple(self._witness(w, name) for w in args[8].args),
            tuple(self._action(a, name, n) for n, a in enumerate(args[7].args, start=1)),
            self._span(term),
        )

    def _convergence(self, term: Term) -> Convergence:
        if term.name not in _CONVERGENCES:
            raise fail(BAD_PACKAGE, f"'{term.name}' is no status of an event", self._span(term))
        return Convergence(term.name)

    def _witness(self, term: Term, event: str) -> Witness:
        if len(term.args) != 3:
            raise fail(BAD_PACKAGE, "a witness has the wrong parts here", self._span(term))
        label = term.args[1].args[-1].name if term.args[1].args else term.args[1].name
        formulas = self._formulas(f"{event}.{label}")
        return Witness(label, formulas.expression(term.args[2]), formulas.span(term))

    def _action(self, term: Term, event: str, number: int) -> Action:
        label = _label(term) or f"act{number}"
        formulas = self._formulas(f"{event}.{label}")
        return Action(label, formulas.action(term), formulas.span(term))


def _label(term: Term) -> str | None:
    """Return the label in `rodinpos(Component, Label, Id)` or `rodinpos(Label, Id)`."""
    place = term.args[0] if term.args else None
    if place is None or place.name != "rodinpos" or len(place.args) < 2:
        return None
    label = place.args[-2]
    return None if label.is_list else label.name.strip()
