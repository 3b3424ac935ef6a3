"""Values as B writes them."""

from __future__ import annotations

from typing import Final

from secateur.maths.values import Element, FreeValue, RecordValue, SymbolicSet, Value, ordered

_BRIEF: Final = 80

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def show(value: Value) -> str:
    """Return `value` in B's notation, the elements of sets in canonical order."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case Element():
            return value.name
        case str():
            return f'"{value.translate(_ESCAPES)}"'
        case frozenset():
            return "{" + ",".join(map(show, ordered(value))) + "}"
        case RecordValue():
            inside = ",".join(f"{n}:{show(v)}" for n, v in zip(value.names, value, strict=True))
            return f"rec({inside})"
        case FreeValue():
            return f"{value.constructor}({show(value[1])})" if len(value) > 1 else value.constructor
        case tuple():
            return f"({_pair(value)})"
        case SymbolicSet():
            return repr(value)
        case _:
            return str(value)


def _pair(value: tuple[Value, Value]) -> str:
    left, right = value
    plain = type(left) is tuple
    return f"{_pair(left) if plain else show(left)}|->{show(right)}"


def brief(value: Value) -> str:
    """Return `value` in B's notation, shortened to what fits into a message."""
    if isinstance(value, frozenset) and len(value) > _BRIEF:
        return f"a set of {len(value)} elements"
    text = show(value)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 3] + "..."
