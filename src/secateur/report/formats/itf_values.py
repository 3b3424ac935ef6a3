"""Values as the Informal Trace Format writes them (Apalache's ADR-015).

| B                    | ITF                                                          |
|----------------------|--------------------------------------------------------------|
| integer              | `{"#bigint": "1"}`                                           |
| boolean, string      | the same of JSON                                             |
| element of a set     | its name, a string                                           |
| pair                 | `{"#tup": [left, right]}`                                    |
| record               | an object                                                    |
| element of free type | `{"tag": constructor, "value": argument}`                    |
| function             | `{"#map": [[key, value], ...]}`; so are sequences            |
| any other set        | `{"#set": [...]}`; of pairs, if it is a relation             |
| whatever else        | `{"#unserializable": text}`: reals, sets that are not listed |
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final

from secateur.maths.print_value import show_value
from secateur.maths.types import Power, Product, Struct, Type
from secateur.maths.values import (
    Element,
    FreeValue,
    RecordValue,
    SymbolicSet,
    Undecided,
    Value,
    ordered,
)

MOST_ELEMENTS: Final = 10_000
"""A set that is known by a rule is listed in a file if it has no more elements."""

UNIT: Final = "U_OF_UNIT"
"""What stands for no argument of a constructor, as Apalache has it."""


def listed(value: SymbolicSet) -> frozenset[Value] | None:
    """Return the elements of a set, if that is not too much."""
    try:
        size = value.size()
        return value.expand() if size is not None and size <= MOST_ELEMENTS else None
    except Undecided:
        return None


def to_itf(value: Value, type_: Type | None = None) -> Any:
    """Return `value` in ITF; its type tells an empty function from another empty set."""
    match value:
        case bool() | str():
            return value
        case Element():
            return value.name
        case int():
            return {"#bigint": str(value)}
        case RecordValue():
            types = dict(type_.fields) if isinstance(type_, Struct) else {}
            fields = zip(value.names, value, strict=True)
            return {name: to_itf(each, types.get(name)) for name, each in fields}
        case FreeValue():
            argument = to_itf(value.argument) if len(value) > 1 else UNIT
            return {"tag": value.constructor, "value": argument}
        case tuple():
            left, right = _sides(type_)
            return {"#tup": [to_itf(value[0], left), to_itf(value[1], right)]}
        case frozenset():
            return _set(value, type_.element if isinstance(type_, Power) else None)
        case SymbolicSet():
            found = listed(value)
            return {"#unserializable": show_value(value)} if found is None else to_itf(found, type_)
        case _:
            return {"#unserializable": show_value(value)}


def _sides(type_: Type | None) -> tuple[Type | None, Type | None]:
    return (type_.left, type_.right) if isinstance(type_, Product) else (None, None)


def _set(value: frozenset[Value], type_: Type | None) -> Any:
    items = ordered(value)
    pairs = isinstance(type_, Product) or (bool(items) and type(items[0]) is tuple)
    if pairs and len({key(k) for k, _ in items}) == len(items):
        left, right = _sides(type_)
        return {"#map": [[to_itf(k, left), to_itf(v, right)] for k, v in items]}
    return {"#set": [to_itf(each, type_) for each in items]}


def key(value: Value) -> Hashable:
    """Return what a value has in common with all ways to write it, and with nothing else of its type."""
    match value:
        case bool():
            return ("bool", value)
        case Element():
            return ("text", value.name)
        case str():
            return ("text", value)
        case int():
            return ("int", int(value))
        case RecordValue():
            if value.names == ("tag", "value") and isinstance(value[0], Element | str):
                return ("free", str(value[0]), key(value[1]))  # nothing tells them apart in ITF
            fields = zip(value.names, value, strict=True)
            return ("record", frozenset((name, key(each)) for name, each in fields))
        case FreeValue():
            return ("free", value.constructor, *map(key, value[1:]))
        case tuple():
            return ("pair", key(value[0]), key(value[1]))
        case frozenset():
            return ("set", frozenset(map(key, value)))
        case SymbolicSet():
            found = listed(value)
            return ("other", show_value(value)) if found is None else key(found)
        case _:
            return ("other", show_value(value))


def key_of_itf(written: Any) -> Hashable:
    """Return the same of a value in ITF; raise ValueError if it is none."""
    match written:
        case bool():
            return ("bool", written)
        case str():
            return ("text", written)
        case int():
            return ("int", written)
        case list():
            return _pairs(enumerate(map(key_of_itf, written), 1))
        case {"#bigint": str(digits)}:
            return ("int", int(digits))
        case {"#tup": list(items)}:
            return _tuple([key_of_itf(each) for each in items])
        case {"#set": list(items)}:
            return ("set", frozenset(map(key_of_itf, items)))
        case {"#map": list(items)}:
            pairs = [(key_of_itf(k), key_of_itf(v)) for k, v in items]
            return ("set", frozenset(("pair", k, v) for k, v in pairs))
        case {"#unserializable": str(text)}:
            return ("other", text)
        case {"tag": str(tag), "value": argument, **rest} if not rest:
            return ("free", tag) if argument == UNIT else ("free", tag, key_of_itf(argument))
        case Mapping():
            return ("record", frozenset((str(n), key_of_itf(v)) for n, v in written.items()))
        case _:
            raise ValueError(f"{written!r} is no value of ITF")


def _pairs(items: Any) -> Hashable:
    return ("set", frozenset(("pair", ("int", number), each) for number, each in items))


def _tuple(items: list[Hashable]) -> Hashable:
    """Return a tuple as the pairs that B makes of it: (a, b, c) is ((a, b), c)."""
    if len(items) < 2:
        raise ValueError("a tuple has two components at least")
    paired = items[0]
    for each in items[1:]:
        paired = ("pair", paired, each)
    return paired
