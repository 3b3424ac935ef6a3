"""External functions on strings (LibraryStrings.def)."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from secateur.maths.operators.build import A, external, partial, signature, telling_apart
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.sequences import items, join
from secateur.maths.print_value import show_value
from secateur.maths.symbolic import as_sequence
from secateur.maths.types import BOOL, INTEGER, PREDICATE, STRING, sequence
from secateur.maths.values import IllDefined, SetValue, Value

_STRINGS: Final = sequence(STRING)
_FORMAT: Final = re.compile("~([wpans~])")


def split(text: str, separator: str) -> SetValue:
    """Return the parts of `text` between the separators."""
    return as_sequence(text.split(separator) if separator else [text])


def join_with(parts: SetValue, separator: str) -> str:
    """Return the strings of a sequence with `separator` between them."""
    return separator.join(items(parts, "STRING_JOIN"))


def characters(text: str) -> SetValue:
    """Return the sequence of the characters."""
    return as_sequence(list(text))


def codes(text: str) -> SetValue:
    """Return the sequence of the character codes."""
    return as_sequence([ord(c) for c in text])


def from_codes(numbers: SetValue) -> str:
    """Return the string with these character codes."""
    try:
        return "".join(map(chr, items(numbers, "CODES_TO_STRING")))
    except (ValueError, OverflowError):
        raise IllDefined("CODES_TO_STRING of a number that is no character code") from None


def without_marks(text: str) -> str:
    """Return `text` without accents and other diacritical marks."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def to_upper(text: str) -> str:
    """Return `text` in capitals, without diacritical marks."""
    return without_marks(text).upper()


def to_lower(text: str) -> str:
    """Return `text` in small letters, without diacritical marks."""
    return without_marks(text).lower()


def substring(text: str, start: int, length: int) -> str:
    """Return up to `length` characters from the `start`-th on."""
    if start < 1 or length < 0:
        raise IllDefined(f"SUB_STRING from {start} with length {length}")
    return text[start - 1 : start - 1 + length]


def pad_left(text: str, length: int, character: str) -> str:
    """Return `text` with `character` before it until it is `length` long."""
    if len(character) != 1:
        raise IllDefined("STRING_PADLEFT expects one character to fill with")
    return text.rjust(length, character)


def to_string(value: Value) -> str:
    """Return `value` in B's notation; a string is itself."""
    return value if isinstance(value, str) else show_value(value)


def format_string(pattern: str, values: SetValue) -> str:
    """Return `pattern` with each `~w` replaced by the next value."""
    rest = iter(items(values, "FORMAT_TO_STRING"))

    def fill(found: re.Match[str]) -> str:
        if found[1] in "n~":
            return "\n" if found[1] == "n" else "~"
        value = next(rest, None)
        if value is None:
            raise IllDefined(f"FORMAT_TO_STRING has too few values for {show_value(pattern)}")
        return to_string(value)

    return _FORMAT.sub(fill, pattern)


_TEXT: Final = signature(STRING, STRING)
_TEST: Final = signature(STRING, PREDICATE)

OPERATORS: Final[tuple[Operator, ...]] = (
    external("STRING_LENGTH", signature(STRING, INTEGER), len),
    external("STRING_APPEND", signature(STRING, STRING, STRING), lambda a, b: a + b),
    partial(external("STRING_CONC", signature(_STRINGS, STRING), join)),
    external("STRING_SPLIT", signature(STRING, STRING, _STRINGS), split),
    partial(external("STRING_JOIN", signature(_STRINGS, STRING, STRING), join_with)),
    external("STRING_CHARS", signature(STRING, _STRINGS), characters),
    external("STRING_CODES", signature(STRING, sequence(INTEGER)), codes),
    partial(external("CODES_TO_STRING", signature(sequence(INTEGER), STRING), from_codes)),
    external("STRING_TO_UPPER", _TEXT, to_upper),
    external("STRING_TO_LOWER", _TEXT, to_lower),
    external("STRING_REV", _TEXT, lambda s: s[::-1]),
    partial(external("SUB_STRING", signature(STRING, INTEGER, INTEGER, STRING), substring)),
    external(
        "STRING_REPLACE", signature(STRING, STRING, STRING, STRING), lambda s, a, b: s.replace(a, b)
    ),
    partial(external("STRING_PADLEFT", signature(STRING, INTEGER, STRING, STRING), pad_left)),
    external("STRING_CONTAINS_STRING", signature(STRING, STRING, BOOL), lambda s, t: t in s),
    external(
        "STRING_EQUAL_CASE_INSENSITIVE",
        signature(STRING, STRING, BOOL),
        lambda s, t: to_lower(s) == to_lower(t),
    ),
    external("STRING_IS_ALPHANUMERIC", _TEST, lambda s: s.isalnum()),
    telling_apart(external("TO_STRING", signature(A, STRING), to_string)),
    partial(
        telling_apart(
            external("FORMAT_TO_STRING", signature(STRING, sequence(A), STRING), format_string)
        )
    ),
)
