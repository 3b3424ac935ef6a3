"""Values and types as ProB reads them."""

from __future__ import annotations

from secateur.maths.print_value import show_value
from secateur.maths.types import Base, DataType, Given, Power, Product, Struct, Type
from secateur.maths.values import Element, FreeValue, RecordValue, SymbolicSet, Value, ordered
from secateur.report.formats.itf_values import listed


def b_text(value: Value) -> str | None:
    """Return `value` in ASCII notation that is the same in B and Event-B; None if it has none there.

    A sequence is written as the function that it is: Event-B has no `[a,b]`.
    """
    match value:
        case frozenset():
            return _joined("{", [b_text(each) for each in ordered(value)], "}")
        case RecordValue():
            fields = zip(value.names, map(b_text, value), strict=True)
            inside = [None if v is None else f"{n}:{v}" for n, v in fields]
            return _joined("rec(", inside, ")")
        case FreeValue() if len(value) > 1:
            return _joined(f"{value.constructor}(", [b_text(value.argument)], ")")
        case FreeValue():
            return show_value(value)
        case tuple():
            left, right = b_text(value[0]), b_text(value[1])
            return None if left is None or right is None else f"({left}|->{right})"
        case SymbolicSet():
            found = listed(value)
            return None if found is None else b_text(found)
        case bool() | int() | float() | str() | Element():
            return show_value(value)
        case _:
            return None  # a rule within a state: names in it may mean nothing elsewhere


def _joined(before: str, parts: list[str | None], after: str) -> str | None:
    known = [part for part in parts if part is not None]
    return f"{before}{','.join(known)}{after}" if len(known) == len(parts) else None


def type_text(type_: Type) -> str:
    """Return a type in ProB's own notation, such as `set(couple(integer,global(S)))`."""
    match type_:
        case Base.INTEGER | Base.REAL | Base.STRING:
            return str(type_).lower()
        case Base.BOOL:
            return "boolean"
        case Given(name):
            return f"global({name})"
        case Power(element):
            return f"set({type_text(element)})"
        case Product(left, right):
            return f"couple({type_text(left)},{type_text(right)})"
        case Struct(fields):
            inside = ",".join(f"field({name},{type_text(each)})" for name, each in fields)
            return f"record([{inside}])"
        case DataType(declaration):
            return f"freetype({declaration.name})"
        case _:
            return "any"
