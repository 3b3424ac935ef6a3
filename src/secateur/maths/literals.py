"""The values of literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from secateur.source import Span

_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}
_DIGITS: Final = 4000


def text_value(literal: str) -> str:
    """Return what a string literal stands for; an unknown escape stands for itself."""
    quotes = 3 if literal.startswith("'''") else 1
    return _unescaped(literal[quotes:-quotes])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[0]), text)


def number_value(literal: str) -> int:
    """Return the number; of any length, although Python refuses to read long ones at once."""
    if literal.startswith("0x"):
        return int(literal, 16)
    value = 0
    for start in range(0, len(literal), _DIGITS):
        digits = literal[start : start + _DIGITS]
        value = value * 10 ** len(digits) + int(digits)
    return value


def template_parts(span: Span) -> Iterator[tuple[str, Span | None]]:
    """Yield the parts of a template string: text, or the place of an embedded formula."""
    position, end = span.start + 3, span.end - 3
    text = span.source.text
    while (opening := text.find("${", position, end)) >= 0:
        if opening > position:
            yield _unescaped(text[position:opening]), None
        closing = _closing_brace(text, opening + 2, end)
        yield "", Span(span.source, opening + 2, closing)
        position = closing + 1
    if position < end:
        yield _unescaped(text[position:end]), None


def _closing_brace(text: str, position: int, end: int) -> int:
    depth = 1
    while position < end:
        depth += (text[position] == "{") - (text[position] == "}")
        if not depth:
            break
        position += 1
    return position
