"""States as people read them: channels as sequences of messages, elements of `mtype` by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from secateur.lang.model import Named
from secateur.lang.promela.ast import Basic
from secateur.lang.promela.world import Queue, World
from secateur.lang.wording import Names, Wording, named
from secateur.maths.values import Element, Value


def shown(world: World) -> Callable[[Named], Named]:
    """Return what makes the values of a state readable, name by name."""
    kinds = _kinds(world)
    names = dict(_variables(world, kinds))
    queues = {queue.length: queue for queue in world.queues}
    parts = {q.field(j) for q in world.queues for j in range(len(q.channel.fields))}

    def readable(values: Named) -> Named:
        known = dict(values)
        return [
            (queues[name].name, _messages(queues[name], known, kinds))
            if name in queues
            else (name, named(value, names.get(name, {})))
            for name, value in values
            if name not in parts
        ]

    return readable


def wording(world: World) -> Wording:
    """Return what holds elements of `mtype`, fields of messages included, with their names."""
    kinds = _kinds(world)
    fields = (
        (queue.field(j), kinds.get(field.subtype, {}))
        for queue in world.queues
        for j, field in enumerate(queue.channel.fields)
        if field.type is Basic.MTYPE
    )
    return dict([*_variables(world, kinds), *fields])


def _kinds(world: World) -> dict[str, Names]:
    """Return the elements of each kind of `mtype`."""
    return {
        subtype: {n: Element(n, name, "mtype") for n, name in enumerate(names, 1)}
        for subtype, names in world.program.mtypes
    }


def _variables(world: World, kinds: Mapping[str, Names]) -> Sequence[tuple[str, Names]]:
    """Return the variables that hold elements of `mtype`, each with the names of these."""
    everybody = [(v, v.name) for v in world.program.globals]
    everybody += [(v, i.local(v)) for i in world.instances for v in i.variables]
    return [(name, kinds.get(v.subtype, {})) for v, name in everybody if v.type is Basic.MTYPE]


def _messages(queue: Queue, known: Mapping[str, Value], kinds: Mapping[str, Names]) -> Value:
    """Return the messages in a channel, the oldest first."""
    fields = []
    for j, field in enumerate(queue.channel.fields):
        names = kinds.get(field.subtype, {}) if field.type is Basic.MTYPE else {}
        value = known[queue.field(j)]
        column = dict(value) if isinstance(value, frozenset) else {0: value}
        fields.append({place: names.get(each, each) for place, each in column.items()})
    return frozenset(
        (place + 1, reduce(lambda left, right: (left, right), (f[place] for f in fields)))
        for place in range(known[queue.length])
    )
