"""The values of string literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from secateur.source import Span

_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}
_EMBEDDED: Final = re.compile(r"\$\{(.*?)\}", re.DOTALL)


def text_value(literal: str) -> str:
    """Return what a string literal stands for; an unknown escape stands for itself."""
    quotes = 3 if literal.startswith("'''") else 1
    return _unescaped(literal[quotes:-quotes])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[0]), text)


def template_parts(span: Span) -> Iterator[tuple[str, Span | None]]:
    """Yield the parts of a template string: text, or the place of an embedded formula."""
    position, end = span.start + 3, span.end - 3
    text = span.source.text
    for match in _EMBEDDED.finditer(text, position, end):
        if match.start() > position:
            yield _unescaped(text[position : match.start()]), None
        yield "", Span(span.source, match.start(1), match.end(1))
        position = match.end()
    if position < end:
        yield _unescaped(text[position:end]), None
