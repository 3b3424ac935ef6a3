"""Values as B writes them."""

from __future__ import annotations

from typing import Final

from secateur.maths.values import Element, FreeValue, RecordValue, SymbolicSet, Value, ordered

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def quoted(text: str) -> str:
    """Return a string as a literal."""
    return f'"{text.translate(_ESCAPES)}"'


def show_value(value: Value) -> str:
    """Return `value` in B's notation: sets in canonical order, sequences in square brackets."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case Element():
            return value.name
        case str():
            return quoted(value)
        case frozenset():
            return _show_set(value)
        case RecordValue():
            inside = (f"{n}:{show_value(v)}" for n, v in zip(value.names, value, strict=True))
            return f"rec({','.join(inside)})"
        case FreeValue():
            constructor = value.constructor
            return f"{constructor}({show_value(value[1])})" if len(value) > 1 else constructor
        case tuple():
            return f"({_show_pair(value)})"
        case SymbolicSet():
            return repr(value)
        case float():
            return _show_real(value)
        case _:
            return str(value)


def _show_pair(value: tuple[Value, Value]) -> str:
    """Return a pair without its parentheses; those of a pair on the left are not needed."""
    left, right = value
    first = _show_pair(left) if type(left) is tuple else show_value(left)
    return f"{first}|->{show_value(right)}"


def _show_set(value: frozenset[Value]) -> str:
    items = ordered(value)
    if _is_sequence(items):
        return "[" + ",".join(show_value(item[1]) for item in items) + "]"
    return "{" + ",".join(map(show_value, items)) + "}"


def _is_sequence(items: list[Value]) -> bool:
    """Whether the ordered elements are the pairs of a non-empty sequence."""
    return bool(items) and all(
        type(item) is tuple and type(item[0]) is int and item[0] == position
        for position, item in enumerate(items, 1)
    )


def _show_real(value: float) -> str:
    text = repr(value)
    mantissa, exponent, rest = text.partition("e")
    return text if "." in mantissa or not exponent else f"{mantissa}.0e{rest}"
