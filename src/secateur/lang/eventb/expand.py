"""Uses of the standard theories in components whose theories are not at hand."""

from __future__ import annotations

from dataclasses import replace

from secateur.lang.eventb.ast import Project
from secateur.lang.eventb.rewriting import context_with, machine_with
from secateur.lang.eventb.standard import STANDARD
from secateur.maths.ast import Call, Expr, Name, rebuild


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
