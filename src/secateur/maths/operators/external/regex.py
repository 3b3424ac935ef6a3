"""External functions on regular expressions (LibraryRegex.def)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from secateur.maths.operators.build import external, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.print_value import show_value
from secateur.maths.symbolic import as_sequence
from secateur.maths.types import INTEGER, PREDICATE, STRING, Struct, sequence
from secateur.maths.values import IllDefined, RecordValue, SetValue, record

_CLASSES: Final = {
    "[:alpha:]": "a-zA-ZÀ-ÖØ-öø-ɏ",
    "[:digit:]": "0-9",
    "[:alnum:]": "0-9a-zA-ZÀ-ÖØ-öø-ɏ",
    "[:upper:]": "A-ZÀ-ÖØ-Þ",
    "[:lower:]": "a-zß-öø-ÿ",
    "[:space:]": r"\s",
    "[:blank:]": r" \t",
    "[:xdigit:]": "0-9a-fA-F",
    "[:punct:]": r"!-/:-@\[-`{-~",
}
_GROUP: Final = re.compile(r"\$(\d)")


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    for name, meaning in _CLASSES.items():
        pattern = pattern.replace(name, meaning)
    return re.compile(pattern)


def _regex(pattern: str) -> re.Pattern[str]:
    try:
        return _compiled(pattern)
    except re.error as error:
        raise IllDefined(f"{show_value(pattern)} is no regular expression: {error}") from None


def is_regex(pattern: str) -> bool:
    """Whether `pattern` is a regular expression."""
    try:
        _compiled(pattern)
    except re.error:
        return False
    return True


def matches(text: str, pattern: str) -> bool:
    """Whether `pattern` matches the whole of `text`."""
    return _regex(pattern).fullmatch(text) is not None


def replace(text: str, pattern: str, by: str) -> str:
    """Return `text` with every match replaced; `$1` stands for the first group."""
    regex = _regex(pattern)

    def fill(found: re.Match[str]) -> str:
        return _GROUP.sub(lambda group: found[int(group[1])] or "", by)

    return regex.sub(fill, text)


def search(text: str, start: int, pattern: str) -> RecordValue:
    """Return where `pattern` first matches from the `start`-th character on, and what."""
    found = _regex(pattern).search(text, max(start - 1, 0))
    if found is None:
        return record({"length": -1, "position": -1, "string": "", "submatches": frozenset()})
    return record(
        {
            "length": len(found[0]),
            "position": found.start() + 1,
            "string": found[0],
            "submatches": as_sequence([group or "" for group in found.groups()]),
        }
    )


def search_string(text: str, pattern: str) -> str:
    """Return the first match, the empty string if there is none."""
    found = _regex(pattern).search(text)
    return "" if found is None else found[0]


def search_all(text: str, pattern: str) -> SetValue:
    """Return the sequence of all matches."""
    return as_sequence([found[0] for found in _regex(pattern).finditer(text)])


_TWO: Final = (STRING, STRING)
_FOUND: Final = Struct(
    (
        ("length", INTEGER),
        ("position", INTEGER),
        ("string", STRING),
        ("submatches", sequence(STRING)),
    )
)

OPERATORS: Final[tuple[Operator, ...]] = (
    external("IS_REGEX", signature(STRING, PREDICATE), is_regex),
    partial(external("REGEX_MATCH", signature(*_TWO, PREDICATE), matches)),
    partial(external("REGEX_REPLACE", signature(*_TWO, STRING, STRING), replace)),
    partial(external("REGEX_SEARCH", signature(STRING, INTEGER, STRING, _FOUND), search)),
    partial(external("REGEX_SEARCH_STR", signature(*_TWO, STRING), search_string)),
    partial(external("REGEX_SEARCH_ALL", signature(*_TWO, sequence(STRING)), search_all)),
)
