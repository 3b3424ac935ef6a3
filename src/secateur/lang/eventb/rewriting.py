"""Components with every formula in them rewritten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from secateur.lang.eventb.ast import Context, Event, Machine, Substitution
from secateur.lang.eventb.resolve import Chain
from secateur.maths.ast import Expr
from secateur.maths.substitution import rebuild as rebuild_substitution

Rewrite = Callable[[Expr], Expr]


def chain_with(chain: Chain, rewrite: Rewrite) -> Chain:
    """Return `chain` with every formula rewritten."""
    return replace(
        chain,
        machines=tuple(machine_with(m, rewrite) for m in chain.machines),
        contexts=tuple(context_with(c, rewrite) for c in chain.contexts),
    )


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
