"""Which components a model consists of: what is refined, seen and extended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from secateur.lang.eventb.ast import Context, Machine, Project
from secateur.lang.eventb.codes import (
    CYCLIC_REFERENCE,
    MISSING_COMPONENT,
    NO_COMPONENT,
    SEVERAL_COMPONENTS,
    UNKNOWN_COMPONENT,
)
from secateur.maths.ast import Name
from secateur.maths.infer_findings import near_miss
from secateur.source import InputError, fail
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Chain:
    """A component with all that it builds on.

    `machines` run from the most abstract to the most refined; none for a context alone.
    `contexts` come after those that they extend.
    """

    name: str
    machines: tuple[Machine, ...]
    contexts: tuple[Context, ...]
    notes: tuple[str, ...] = ()


def resolve(project: Project, component: str | None = None) -> Chain:
    """Return the chain that ends in `component`, or else in what the project is about."""
    name, notes = _chosen(project, component)
    if name not in project.machines:
        return Chain(name, (), contexts_of(project, [(Name(name), "")]), notes)
    machines = machines_of(project, name)
    seen = [(reference, f"machine {m.name} sees") for m in machines for reference in m.sees]
    return Chain(name, machines, contexts_of(project, seen), notes)


def _chosen(project: Project, component: str | None) -> tuple[str, tuple[str, ...]]:
    """Return the name of the component to take, and what is to be said about the choice."""
    wanted = component if component is not None else project.main
    known: dict[str, object] = {**project.machines, **project.contexts}
    if wanted is None:
        return _default(project)
    if wanted not in known:
        message = f"project {project.name} has no component {wanted}"
        raise fail(UNKNOWN_COMPONENT, message, None, near_miss(wanted, known) or _listed(known))
    return wanted, ()


def _default(project: Project) -> tuple[str, tuple[str, ...]]:
    """Return the most refined machine; without machines, the context that extends most."""
    if project.machines:
        refined = {m.refines.text for m in project.machines.values() if m.refines is not None}
        leaves = [n for n in project.machines if n not in refined] or [*project.machines][:1]
        lengths = {n: len(machines_of(project, n)) for n in leaves}
        return _longest(project, lengths, "machines")
    extended = {e.text for c in project.contexts.values() for e in c.extends}
    ends = [n for n in project.contexts if n not in extended] or [*project.contexts][:1]
    sizes = {n: len(contexts_of(project, [(Name(n), "")])) for n in ends}
    return _longest(project, sizes, "contexts")


def _longest(
    project: Project, lengths: Mapping[str, int], what: str
) -> tuple[str, tuple[str, ...]]:
    if not lengths:
        raise fail(NO_COMPONENT, f"project {project.name} has neither machines nor contexts")
    longest = max(lengths.values())
    best = [name for name, length in lengths.items() if length == longest]
    if len(best) == 1:
        others = sorted(lengths.keys() - set(best))
        note = (
            f"of the {what} of project {project.name}, {best[0]} was taken: it builds on most "
            f"others; not checked with it: {', '.join(others)} (choose with -m)"
        )
        return best[0], (note,) if others else ()
    message = (
        f"project {project.name} has several most refined {what}: {', '.join(sorted(lengths))}"
    )
    raise fail(SEVERAL_COMPONENTS, message, None, f"choose one with -m, such as -m {best[0]}")


def _listed(known: Mapping[str, object]) -> str:
    return f"it has {', '.join(sorted(known))}" if known else "it is empty"


def machines_of(project: Project, name: str) -> tuple[Machine, ...]:
    """Return the machine `name` and those that it refines, the most abstract one first."""
    chain = [project.machines[name]]
    passed = {name}
    while (reference := chain[-1].refines) is not None:
        if reference.text in passed:
            raise _circle(reference, "refines")
        found = project.machines.get(reference.text)
        if found is None:
            others = {n: m for n, m in project.machines.items() if n not in passed}
            raise _missing(reference, f"machine {chain[-1].name} refines", others)
        chain.append(found)
        passed.add(reference.text)
    return tuple(reversed(chain))


def contexts_of(project: Project, references: Iterable[tuple[Name, str]]) -> tuple[Context, ...]:
    """Return the contexts referred to and those that they extend, extended ones first.

    With each reference comes who makes it, for a complaint that there is no such context.
    """
    found: dict[str, Context] = {}

    def visit(reference: Name, who: str, within: tuple[str, ...]) -> None:
        if reference.text in within:
            raise _circle(reference, "extends")
        if reference.text in found:
            return
        context = project.contexts.get(reference.text)
        if context is None:
            raise _missing(reference, who, project.contexts)
        for extended in context.extends:
            visit(extended, f"context {context.name} extends", (*within, reference.text))
        found[reference.text] = context

    for reference, who in references:
        visit(reference, who, ())
    return tuple(found.values())


def _circle(reference: Name, how: str) -> InputError:
    message = f"{reference.text} {how} itself, through others or directly"
    return fail(CYCLIC_REFERENCE, message, reference.span)


def _missing(reference: Name, who: str, known: Mapping[str, object]) -> InputError:
    message = f"{who} {reference.text}, which the project does not have"
    hint = near_miss(reference.text, known)
    return fail(MISSING_COMPONENT, message, reference.span, hint)
