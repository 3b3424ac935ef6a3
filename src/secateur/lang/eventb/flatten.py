"""From typed machines to operations: an event with all that it refines.

An event of the most refined machine is executed together with an abstract event of each
level above.  Of those only what the refinement does not repeat remains to be tested or
found: guards, what the actions must agree on, and values for parameters and variables
that the refinement has given up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from secateur.lang.eventb.actions import before_after, equal, written
from secateur.lang.eventb.ast import INITIALISATION, Action, Predicate
from secateur.lang.eventb.typecheck import Typed, TypedEvent
from secateur.lang.eventb.variants import variant_obligations
from secateur.lang.model import Level, Obligation, Operation, Property
from secateur.lang.simulation import PRIME
from secateur.maths.ast import Binder, Expr, Labelled, Name, conjunction, free_names
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Branch, Parallel, Select, Skip, Substitution
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind


@dataclass(frozen=True)
class _Above:
    """What is known when an abstract event is to follow: all that refines it.

    `names` says what the refining event's parameters are called in the operation;
    `changed` are the variables that have a new value.
    """

    depth: int
    event: TypedEvent
    names: Mapping[str, Expr]
    guards: frozenset[Expr]
    actions: frozenset[Substitution]
    changed: frozenset[str]


class Flattening:
    """Makes operations of the events of a typed chain."""

    def __init__(self, typed: Typed) -> None:
        self.typed = typed
        self.machines = typed.machines

    def operation(self, event: TypedEvent) -> Operation:
        """Return the operation that an event of the most refined machine is."""
        names = self._visible_names(event)
        put = Replacement(names)
        guards = [_renamed(g, put) for g in event.guards]
        actions = [_put(a, put) for a in event.actions]
        above = self._above(len(self.machines) - 1, event, names, None)
        body = _parallel(actions, event)
        conditions = tuple(Labelled(g.label, g.predicate, g.span) for g in guards if not g.theorem)
        if conditions:
            whole = conjunction(conditions, event.event.span)
            body = Select((Branch(whole, body, event.event.span),), None, event.event.span)
        return Operation(
            event.event.name,
            _binders(event.parameters, names),
            (),
            body,
            event.event.span,
            tuple(self._obligations(above)),
            self.levels(above),
            feasible=True,
        )

    def _visible_names(self, event: TypedEvent) -> dict[str, Expr]:
        """Return new names for parameters that would hide a variable of another level."""
        taken = self.typed.scope
        clashes = (b.name for b in event.parameters if b.name in taken)
        return {name: Name(f"{event.event.name}.{name}") for name in clashes}

    def _above(
        self, depth: int, event: TypedEvent, names: Mapping[str, Expr], above: _Above | None
    ) -> _Above:
        put = Replacement(names)
        guards = frozenset(put.in_expression(g.predicate) for g in event.guards if not g.theorem)
        actions = frozenset(put.in_substitution(a.substitution) for a in event.actions)
        changed = frozenset(written(event.actions))
        if event.event.name == INITIALISATION:
            changed |= {v.text for v in self.machines[depth].machine.variables}
        if above is not None:
            guards |= above.guards
            actions |= above.actions
            changed = above.changed | frozenset(self._given_up(depth, changed))
        return _Above(depth, event, names, guards, actions, changed)

    def _given_up(self, depth: int, names: frozenset[str]) -> list[str]:
        """Return those of `names` that the next refinement does not have."""
        kept = {v.text for v in self.machines[depth + 1].machine.variables}
        return sorted(names - kept)

    def levels(self, above: _Above) -> tuple[Level, ...]:
        """Return the abstract events one of which must follow."""
        if above.depth == 0:
            return ()
        if not above.event.refines:
            return self._skip(above)
        found = tuple(self._level(above, event) for event in above.event.refines)
        return found[0].refines if len(found) == 1 and _is_trivial(found[0]) else found

    def _skip(self, above: _Above) -> tuple[Level, ...]:
        """A new event must leave the variables of the abstraction alone."""
        machine = self.machines[above.depth - 1].machine
        old = [v.text for v in machine.variables if v.text in above.changed]
        if not old:
            return ()
        name = f"{machine.name}.skip"
        return (Level(name, (), tuple(_unchanged(name, old, above.event))),)

    def _level(self, above: _Above, event: TypedEvent) -> Level:
        depth = above.depth - 1
        names = _abstract_names(above, event)
        put = Replacement(names)
        here = self._above(depth, event, names, above)
        new = [b for b in event.parameters if b.name not in _own(above.event)]
        gone = sorted(here.changed - above.changed)
        unknowns = (
            *_binders(new, names),
            *(Binder(f"{v}{PRIME}", self.typed.scope[v]) for v in gone),
        )
        conditions = (
            *_witnesses(above, names, here.changed),
            *(
                Property(_label(event, g.label), put.in_expression(g.predicate))
                for g in event.guards
                if not g.theorem and put.in_expression(g.predicate) not in above.guards
            ),
            *self._agreement(here, above, put),
        )
        name = _label(event)
        return Level(name, unknowns, conditions, tuple(self._obligations(here)), self.levels(here))

    def _agreement(self, here: _Above, above: _Above, put: Replacement) -> Iterator[Property]:
        """Yield what the abstract actions demand of the new values."""
        for action in here.event.actions:
            substitution = put.in_substitution(action.substitution)
            if substitution in above.actions:
                continue
            predicate = before_after(_put(action, put).substitution, here.changed)
            if predicate is not None:
                yield Property(_label(here.event, action.label), predicate)
        if here.event.event.name == INITIALISATION:
            return
        machine = self.machines[here.depth].machine
        mine = written(here.event.actions)
        others = [v.text for v in machine.variables if v.text in above.changed - mine.keys()]
        yield from _unchanged(_label(here.event), others, above.event)

    def _obligations(self, here: _Above) -> Iterator[Obligation]:
        put = Replacement(here.names)
        event = here.event
        for guard in event.guards[len(event.guards) - len(event.event.guards) :]:
            if guard.theorem:
                predicate = put.in_expression(guard.predicate)
                yield Obligation(PropertyKind.ASSERTION, _label(event, guard.label), predicate)
        yield from variant_obligations(self.machines[here.depth], event, here.changed)

    def initial_levels(self, event: TypedEvent) -> tuple[Level, ...]:
        """Return the abstract initialisations."""
        return self.levels(self._above(len(self.machines) - 1, event, {}, None))


def initialisation(event: TypedEvent) -> Substitution:
    """Return what an INITIALISATION does."""
    return _parallel(event.actions, event)


def _is_trivial(level: Level) -> bool:
    """Whether an abstract event demands and changes nothing that its refinement does not."""
    return not (level.unknowns or level.conditions or level.obligations)


def _own(event: TypedEvent) -> frozenset[str]:
    return frozenset(b.name for b in event.parameters)


def _abstract_names(above: _Above, event: TypedEvent) -> dict[str, Expr]:
    """Return what the parameters of an abstract event are called in the operation."""
    shared = _own(above.event)
    return {
        b.name: above.names.get(b.name, Name(b.name))
        if b.name in shared
        else Name(f"{event.machine}.{b.name}")
        for b in event.parameters
    }


def _witnesses(
    above: _Above, names: Mapping[str, Expr], changed: frozenset[str]
) -> Iterator[Property]:
    """Yield what the refining event says of the abstract one whose parameters have `names`."""
    put = Replacement({**names, **above.names})
    for witness in above.event.witnesses:
        if not (witness.label.endswith(PRIME) or witness.label in names):
            continue  # it is about another one of the events merged
        predicate = put.in_expression(witness.predicate)
        same = {
            n: Name(n.removesuffix(PRIME))
            for n in free_names(predicate)
            if n.endswith(PRIME) and n.removesuffix(PRIME) not in changed
        }
        settled = Replacement(same).in_expression(predicate)
        yield Property(_label(above.event, f"witness {witness.label}"), settled)


def _unchanged(name: str, variables: Sequence[str], event: TypedEvent) -> Iterator[Property]:
    """Yield that `variables` keep their values; it is `event` that must see to that."""
    for variable in variables:
        predicate = equal(Name(f"{variable}{PRIME}"), Name(variable), event.event.span)
        yield Property(f"{name} leaves {variable} unchanged", predicate)


def _label(event: TypedEvent, label: str | None = None) -> str:
    whole = f"{event.machine}.{event.event.name}"
    return whole if label is None else f"{whole}.{label}"


def _renamed(guard: Predicate, put: Replacement) -> Predicate:
    return Predicate(guard.label, put.in_expression(guard.predicate), guard.theorem, guard.span)


def _put(action: Action, put: Replacement) -> Action:
    return Action(action.label, put.in_substitution(action.substitution), action.span)  # type: ignore[arg-type]


def _parallel(actions: Sequence[Action], event: TypedEvent) -> Substitution:
    if not actions:
        return Skip(event.event.span)
    if len(actions) == 1:
        return actions[0].substitution
    return Parallel(tuple(a.substitution for a in actions), event.event.span)


def _binders(binders: Sequence[Binder], names: Mapping[str, Expr]) -> tuple[Binder, ...]:
    return tuple(Binder(_text(names.get(b.name), b.name), b.type, b.span) for b in binders)


def _text(e: Expr | None, otherwise: str) -> str:
    return e.text if isinstance(e, Name) else otherwise
