"""What is to be said of the end of a trace that was executed again."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.app.model import Model
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Linear
from secateur.engine.limits import NO_LIMITS, Meter
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.search.findings import NO_INITIALISATION, NO_OPERATION_ENABLED
from secateur.ltl.parse import parse_ltl
from secateur.source import InputError
from secateur.system.replay import Claim, Replay
from secateur.system.system import Breach, Fault, Gap, PropertyKind, Transition
from secateur.system.trace import Trace

_OF_STEPS = (
    PropertyKind.DEADLOCK,
    PropertyKind.WELL_DEFINEDNESS,
    PropertyKind.REFINEMENT,
    PropertyKind.VARIANT,
)
"""The kinds of which no property has a name of its own."""


def closes(path: Sequence[Transition], loop: int) -> bool:
    """Whether the last `loop` steps lead back to where they begin."""
    return loop < len(path) and path[-loop - 1].target == path[-1].target


def trouble_at(trace: Trace) -> tuple[Breach | Fault | Gap, ...]:
    """Return what is wrong with the last state of a trace, or on the way out of it."""
    system, state = trace.system, trace.states[-1]
    outgoing = list(system.successors(state))
    found = [item for item in outgoing if not isinstance(item, Transition)]
    initialised = system.is_initialised(state)
    if not outgoing and not (initialised and system.may_end(state)):
        name = NO_OPERATION_ENABLED if initialised else NO_INITIALISATION
        found.append(Breach(PropertyKind.DEADLOCK, name))
    if initialised:
        found += system.breaches(state, frozenset(PropertyKind))
    return tuple(found)


def whether_still(told: Replay, model: Model) -> bool | None:
    """Return whether a trace shows what it is said to show; None if nobody can tell."""
    claim = told.claim
    if claim is None or not told:
        return None
    if claim.formula is not None:
        return _violates(claim, told, model) if claim.kind == "ltl" else None
    kinds = {each.value: each for each in PropertyKind}
    kind = kinds.get(claim.kind)
    if kind is None:
        return None
    if kind not in _OF_STEPS:
        names = {each.name for each in model.system.properties if each.kind is kind}
        if claim.name not in names:
            return None
    return any(_is(item, kind, claim.name) for item in told.trouble)


def _is(item: Breach | Fault | Gap, kind: PropertyKind, name: str) -> bool:
    match item:
        case Breach(found):
            return found is kind and (kind is PropertyKind.DEADLOCK or item.name == name)
        case Fault(where):
            return kind is PropertyKind.WELL_DEFINEDNESS and where == name
        case Gap():
            return False


def _violates(claim: Claim, told: Replay, model: Model) -> bool | None:
    """Whether the path violates a formula, by definition."""
    system = model.system
    reached = [t for t in told.trace.transitions if system.is_initialised(t.target)]
    if not reached or claim.formula is None:
        return None
    if not (told.loop or claim.open) and any(
        isinstance(item, Transition) for item in system.successors(reached[-1].target)
    ):
        return False  # the path was to end there
    graph = Graph(system, Meter(NO_LIMITS))
    try:
        binding = Binding(model.typed, system, graph)
        linear = Linear(binding, parse_ltl(claim.formula, claim.name))
        lasso = Lasso(reached[0].target, tuple(reached[1:]), told.loop, claim.open)
        violated = linear.violates(lasso)
    except InputError:
        return None  # the formula speaks of what the model has no more
    return None if graph.doubtful else violated
