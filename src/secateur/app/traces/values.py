"""Values as files have them: texts in B's notation, or ITF."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from secateur.app.traces.understanding import NoValue, Understanding
from secateur.maths.print_value import show_value
from secateur.maths.types import BOOL, INTEGER, STRING, Given, Power, Product, Struct, Type
from secateur.maths.values import Element, FreeValue, IllDefined, Undecided, Value, record
from secateur.report.formats.b_text import b_text
from secateur.report.formats.itf_values import UNIT, key, key_of_itf

_BRIEF: Final = 80


class TextValue:
    """A value in B's notation, in ASCII or Unicode."""

    def __init__(self, text: str, understanding: Understanding) -> None:
        self.text = text
        self.understanding = understanding

    @property
    def shown(self) -> str:
        """The text."""
        return self.text

    def fits(self, value: Value, type_: Type) -> bool:
        """Whether the text has `value` for its value, or is its text where nobody can read it."""
        try:
            return bool(self.value(type_) == value)
        except (NoValue, Undecided, IllDefined) as error:
            _note(self, error)
            return self.text in (show_value(value), b_text(value))

    def value(self, type_: Type) -> Value:
        """Evaluate the text."""
        return self.understanding.value(self.text, type_)


class ItfValue:
    """A value in ITF."""

    def __init__(self, written: Any, understanding: Understanding) -> None:
        self.written = written
        self.understanding = understanding
        self._key = key_of_itf(written)
        self._known: dict[Type, Value] = {}

    @property
    def shown(self) -> str:
        """The value in B's notation, as far as that can be told without its type."""
        return _shown(self.written)

    def fits(self, value: Value, type_: Type) -> bool:
        """Whether `value` is meant, or is written like this where nobody can read it."""
        try:
            return bool(self.value(type_) == value)
        except (NoValue, Undecided, IllDefined) as error:
            _note(self, error)
            return key(value) == self._key

    def value(self, type_: Type) -> Value:
        """Return the value, of which strings are elements where the type says so."""
        if type_ not in self._known:
            self._known[type_] = _value(self.written, type_, self.understanding)
        return self._known[type_]


def _note(wanted: TextValue | ItfValue, error: Exception) -> None:
    """Say that a value is compared as it is written, which may be wrong either way."""
    shown = wanted.shown if len(wanted.shown) <= _BRIEF else wanted.shown[: _BRIEF - 3] + "..."
    wanted.understanding.notes[f"{shown} is compared as it is written: {error}"] = None


def _value(written: Any, type_: Type, understanding: Understanding) -> Value:
    def inner(part: Any, part_type: Type) -> Value:
        return _value(part, part_type, understanding)

    match type_, written:
        case _, {"#unserializable": str(text)}:
            return understanding.value(text, type_)
        case Power(Product(left, right)), {"#map": list(items)}:
            return frozenset((inner(k, left), inner(v, right)) for k, v in items)
        case Power(Product(_, right)), list():
            return frozenset((n, inner(v, right)) for n, v in enumerate(written, 1))
        case Power(element), {"#set": list(items)}:
            return frozenset(inner(each, element) for each in items)
        case Product(left, right), {"#tup": [*first, last]} if first:
            return inner(first[0] if len(first) == 1 else {"#tup": first}, left), inner(last, right)
        case Struct(fields), Mapping() if {name for name, _ in fields} == written.keys():
            return record({name: inner(written[name], each) for name, each in fields})
        case Given(), str():
            return _named(written, type_, understanding)
        case Given(), {"tag": str(tag), "value": argument} if argument == UNIT:
            return _named(tag, type_, understanding)
    return _plain(written, type_)


def _plain(written: Any, type_: Type) -> Value:
    match written:
        case bool() if type_ is BOOL:
            return written
        case int() if type_ is INTEGER and not isinstance(written, bool):
            return written
        case {"#bigint": str(digits)} if type_ is INTEGER:
            return int(digits)
        case str() if type_ is STRING:
            return written
    raise NoValue(f"{_shown(written)} is no value of the type {type_}")


def _named(name: str, type_: Given, understanding: Understanding) -> Value:
    found = understanding.system.universe.names.get(name)
    if isinstance(found, Element) and found.set_name == type_.name:
        return found
    if isinstance(found, FreeValue):
        return found
    raise NoValue(f"{name} is no element of {type_}")


def _shown(written: Any) -> str:
    match written:
        case bool():
            return "TRUE" if written else "FALSE"
        case str() | int():
            return str(written)
        case {"#bigint": digits}:
            return str(digits)
        case {"#unserializable": text}:
            return str(text)
        case {"#tup": list(items)}:
            return f"({'|->'.join(map(_shown, items))})"
        case {"#set": list(items)}:
            return _braced(map(_shown, items))
        case {"#map": list(items)}:
            return _braced(f"({_shown(k)}|->{_shown(v)})" for k, v in items)
        case list():
            return f"[{','.join(map(_shown, written))}]"
        case {"tag": str(tag), "value": argument}:
            return tag if argument == UNIT else f"{tag}({_shown(argument)})"
        case Mapping():
            return f"rec({','.join(f'{n}:{_shown(v)}' for n, v in written.items())})"
        case _:
            return json.dumps(written)


def _braced(items: Iterable[str]) -> str:
    return "{" + ",".join(items) + "}"
