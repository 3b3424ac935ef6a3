"""Uses of the standard theories in components whose theories are not at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from secateur.lang.eventb.ast import Context, Event, Machine, Project, Substitution
from secateur.lang.eventb.standard import STANDARD
from secateur.maths.ast import Call, Expr, Name, rebuild
from secateur.maths.substitution import rebuild as rebuild_substitution

Rewrite = Callable[[Expr], Expr]


def expand(project: Project) -> Project:
    """Return `project` with the standard operators put in that it does not declare itself."""
    known = {n: d for n, d in STANDARD.items() if n not in _declared(project)}

    def rewrite(e: Expr, hidden: frozenset[str] = frozenset()) -> Expr:
        hidden = hidden | {b.name for b in getattr(e, "binders", ())}
        inner = rebuild(e, lambda child: rewrite(child, hidden))
        match inner:
            case Call(Name(text), args) if text in known and text not in hidden:
                fits = len(known[text].parameters) == len(args)
                return known[text].at(args) if fits else inner
            case Name(text) if text in known and text not in hidden:
                return inner if known[text].parameters else known[text].at(())
            case _:
                return inner

    return replace(
        project,
        contexts={n: context_with(c, rewrite) for n, c in project.contexts.items()},
        machines={n: machine_with(m, rewrite) for n, m in project.machines.items()},
    )


def _declared(project: Project) -> set[str]:
    found: set[str] = set()
    for context in project.contexts.values():
        found |= {n.text for n in (*context.sets, *context.constants)}
    for machine in project.machines.values():
        found |= {n.text for n in machine.variables}
        found |= {p.text for event in machine.events for p in event.parameters}
    return found


def context_with(context: Context, rewrite: Rewrite) -> Context:
    """Return `context` with every formula rewritten."""
    axioms = tuple(replace(a, predicate=rewrite(a.predicate)) for a in context.axioms)
    return replace(context, axioms=axioms)


def machine_with(machine: Machine, rewrite: Rewrite) -> Machine:
    """Return `machine` with every formula rewritten."""
    return replace(
        machine,
        invariants=tuple(replace(i, predicate=rewrite(i.predicate)) for i in machine.invariants),
        variants=tuple(replace(v, expression=rewrite(v.expression)) for v in machine.variants),
        events=tuple(_event(e, rewrite) for e in machine.events),
    )


def _event(event: Event, rewrite: Rewrite) -> Event:
    return replace(
        event,
        guards=tuple(replace(g, predicate=rewrite(g.predicate)) for g in event.guards),
        witnesses=tuple(replace(w, predicate=rewrite(w.predicate)) for w in event.witnesses),
        actions=tuple(
            replace(a, substitution=_action(a.substitution, rewrite)) for a in event.actions
        ),
    )


def _action(action: Substitution, rewrite: Rewrite) -> Substitution:
    changed = rebuild_substitution(action, rewrite, lambda part: part)
    assert isinstance(changed, type(action))
    return changed
