"""The pairs of functions as dictionaries, remembered: a state's functions are applied over and over.

By identity: sets of different types can be equal in Python, as TRUE is to 1, and a record to a pair.
"""

from __future__ import annotations

from typing import Final

from secateur.maths.values import IllDefined, Value, exchanged

Table = dict[Value, Value]

indexed: Final[dict[int, tuple[frozenset[Value], Table]]] = {}
"""The functions that were applied last, by identity, with their tables."""
_INDEX_LIMIT: Final = 20_000
_INDEX_ROOM: Final = 1_000_000
"""So many functions, and so many pairs of all of them, are remembered; then that begins anew."""
_LARGE: Final = 256
"""From so many pairs on, one is found sooner in a table than by going through them."""
_room_taken = 0


def function_table(relation: frozenset[Value]) -> Table:
    """Return the pairs of a function as a dictionary; raise IllDefined if it is none."""
    known = indexed.get(id(relation))
    if known is not None:
        return known[1]
    table = dict(relation)
    if len(table) != len(relation):
        raise IllDefined("a relation that is not a function is applied")
    _remember(relation, table)
    return table


def _remember(relation: frozenset[Value], table: Table) -> None:
    global _room_taken  # noqa: PLW0603 - where threads count at once, there is a little more room
    if len(indexed) >= _INDEX_LIMIT or _room_taken > _INDEX_ROOM:
        indexed.clear()
        _room_taken = 0
    _room_taken += len(table)
    indexed[id(relation)] = (relation, table)


def overridden(relation: frozenset[Value], key: Value, value: Value) -> frozenset[Value]:
    """Return a relation in which `key` has just one value, this one."""
    table = _table_of_large(relation) if _is_plain(key) else None
    if table is None:
        gone = [(x, y) for x, y in relation if x == key]
        return exchanged(relation, gone, ((key, value),))
    gone = [(key, table[key])] if key in table else []
    result = exchanged(relation, gone, ((key, value),))
    _remember(result, {**table, key: value})  # it is likely to be changed again
    return result


def _table_of_large(relation: frozenset[Value]) -> Table | None:
    """Return the table of a large function; None for others, and for what is no function."""
    if len(relation) < _LARGE:
        return None
    try:
        return function_table(relation)
    except IllDefined:
        return None


def _is_plain(key: Value) -> bool:
    """Whether equality is a matter of Python: sets that are rules are compared with more effort."""
    return isinstance(key, int | str) or (type(key) is tuple and all(map(_is_plain, key)))
