"""Tokens of temporal formulas.  What stands in braces or brackets is B, and kept as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from secateur.ltl.codes import BAD_FORMULA
from secateur.source import Source, Span, fail
from secateur.source.records import dataclass

END: Final = "end"
WORD: Final = "word"
BRACES: Final = "{}"
BRACKETS: Final = "[]"

_SIGNS: Final = {
    "<=>": "<=>",
    "<->": "<=>",
    "⇔": "<=>",
    "=>": "=>",
    "->": "=>",
    "⇒": "=>",
    "~>": "~>",
    "&&": "&",
    "&": "&",
    "∧": "&",
    "||": "or",
    "|": "or",
    "∨": "or",
    "<>": "F",
    "⋄": "F",
    "◇": "F",
    "□": "G",
    "¬": "not",
    "!": "!",
    "∀": "!",
    "#": "#",
    "∃": "#",
    "(": "(",
    ")": ")",
    ",": ",",
    ".": ".",
}
_SIGN: Final = re.compile("|".join(re.escape(s) for s in sorted(_SIGNS, key=len, reverse=True)))
_WORD: Final = re.compile(r"[^\W\d]\w*(?:[.\-]\w+)*|\d+")
_CLOSING: Final = {"{": "}", "[": "]", "(": ")"}


@dataclass(frozen=True, slots=True)
class Token:
    """A sign, a word, or a piece of B (`text` is what is between the braces or brackets)."""

    kind: str
    text: str
    span: Span


def tokens(source: Source) -> list[Token]:
    """Return the tokens of a formula, and one for its end."""
    return list(_tokens(source))


def _tokens(source: Source) -> Iterator[Token]:
    text, at = source.text, 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text.startswith("[]", at):
            yield Token("G", "[]", Span(source, at, at + 2))
            at += 2
            continue
        if text[at] in "{[":
            end = _closed(source, at)
            kind = BRACES if text[at] == "{" else BRACKETS
            yield Token(kind, text[at + 1 : end], Span(source, at, end + 1))
            at = end + 1
            continue
        token = _simple(source, at)
        yield token
        at = token.span.end
    yield Token(END, "", Span(source, at, at))


def _simple(source: Source, at: int) -> Token:
    sign = _SIGN.match(source.text, at)
    if sign is not None:
        return Token(_SIGNS[sign.group()], sign.group(), Span(source, at, sign.end()))
    word = _WORD.match(source.text, at)
    if word is None:
        raise fail(
            BAD_FORMULA,
            f"'{source.text[at]}' means nothing in a formula",
            Span(source, at, at + 1),
            help="B predicates stand in braces, events in brackets: G({x > 0} => F [done])",
        )
    return Token(WORD, word.group(), Span(source, at, word.end()))


def _closed(source: Source, start: int) -> int:
    """Return where the bracket at `start` is closed; strings are skipped."""
    text = source.text
    waiting: list[str] = []
    at = start
    while at < len(text):
        letter = text[at]
        if letter == '"':
            end = text.find('"', at + 1)
            at = len(text) if end < 0 else end
        elif letter in _CLOSING:
            waiting.append(_CLOSING[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
            if not waiting:
                return at
        at += 1
    raise fail(BAD_FORMULA, f"'{text[start]}' is not closed", Span(source, start, start + 1))
