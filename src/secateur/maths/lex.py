"""Text to tokens: one regular expression, built from a table of spellings.

Tokens are kept as parallel lists rather than as objects: a megabyte of text has a
quarter of a million of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from secateur.maths.codes import UNCLOSED_COMMENT, UNCLOSED_STRING, UNKNOWN_CHARACTER
from secateur.source import InputError, Source, Span, fail
from secateur.source.records import dataclass

IDENTIFIER: Final = "identifier"
BEFORE: Final = "identifier$0"
NUMBER: Final = "number"
REAL: Final = "real number"
STRING: Final = "string"
TEMPLATE: Final = "template string"
LABEL: Final = "label"
PRAGMA: Final = "pragma"
END_OF_TEXT: Final = "end of text"


@dataclass(slots=True)
class Tokens:
    """The tokens of a text: what each is, how it is written, and where.

    The kind of an operator, a keyword or a bracket is its ASCII spelling.  The last
    token is `END_OF_TEXT`.
    """

    source: Source
    kinds: list[str]
    texts: list[str]
    starts: list[int]

    def end(self, index: int) -> int:
        """Return where token `index` ends in the source."""
        return self.starts[index] + len(self.texts[index])

    def span(self, index: int) -> Span:
        """Return the place of token `index`."""
        return Span(self.source, self.starts[index], self.end(index))

    def part(self, start: int, end: int) -> Tokens:
        """Return the tokens `start` up to but not including `end`, as a text of their own."""
        kinds = [*self.kinds[start:end], END_OF_TEXT]
        texts = [*self.texts[start:end], ""]
        position = self.end(end - 1) if end > start else self.starts[start]
        return Tokens(self.source, kinds, texts, [*self.starts[start:end], position])


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the words and symbols of a language are.

    `words` and `symbols` give the kind of each spelling; a word not listed is an
    identifier.  A `soft` word is reserved only in texts that never use it as a name.
    """

    pattern: re.Pattern[str]
    words: Mapping[str, str]
    symbols: Mapping[str, str]
    pragmas: frozenset[str]
    soft: frozenset[str]


_WORD: Final = r"(?:[^\W\d]\w*|`[^`\n]+`)"
_SKIPPED: Final = r"\s+|\A#![^\n]*|//[^\n]*|/\*(?!@)(?s:.*?)\*/"
_PRAGMA: Final = r"/\*@(?s:.*?)\*/"
_TEXTS: Final = r"'''(?s:\\.|.)*?'''|\"(?:[^\"\\\n]|\\.)*\""
_BROKEN: Final = r"/\*|\"|'''|```"


def lexicon(
    words: Mapping[str, str],
    symbols: Mapping[str, str],
    pragmas: Iterable[str] = (),
    soft: Iterable[str] = (),
) -> Lexicon:
    """Return the lexicon with these words and symbols.

    A symbol may be a letter to Unicode (`λ`, `ℕ`): no identifier starts with it.
    Comments whose first word after `/*@` is in `pragmas` become tokens.
    """
    longest_first = sorted(symbols, key=lambda s: (-len(s), s))
    letters = "".join(sorted({s[0] for s in symbols if s[0].isalpha()}))
    unlike_symbol = f"(?![{letters}])" if letters else ""
    rows = (
        ("skipped", _SKIPPED),
        ("word", rf"{unlike_symbol}{_WORD}(?:\.{_WORD})*(?:\$0)?"),
        ("real", r"\d+\.\d+(?:[eE][+-]?\d+)?"),
        ("number", r"0x[0-9a-fA-F]+|\d+"),
        ("pragma", _PRAGMA),
        ("string", _TEXTS),
        ("template", r"```(?s:.*?)```"),
        ("broken", _BROKEN),
        ("symbol", "|".join(map(re.escape, longest_first))),
        ("unknown", r"(?s:.)"),
    )
    pattern = "|".join(f"(?P<{name}>{rule})" for name, rule in rows)
    compiled = re.compile(pattern)
    return Lexicon(compiled, dict(words), dict(symbols), frozenset(pragmas), frozenset(soft))


_KINDS: Final = {
    "real": REAL,
    "number": NUMBER,
    "string": STRING,
    "template": TEMPLATE,
    "label": LABEL,
}


def tokenise(source: Source, lexicon: Lexicon) -> Tokens:
    """Return the tokens of `source`; raise InputError at what is none."""
    return tokenise_part(Span(source, 0, len(source.text)), lexicon)


def tokenise_part(span: Span, lexicon: Lexicon) -> Tokens:
    """Return the tokens of a part of a text; raise InputError at what is none."""
    source = span.source
    kinds: list[str] = []
    texts: list[str] = []
    starts: list[int] = []
    words, symbols = lexicon.words, lexicon.symbols
    for match in lexicon.pattern.finditer(source.text, span.start, span.end):
        group = match.lastgroup
        if group == "skipped":
            continue
        text = match[0]
        if group == "symbol":
            kind = symbols[text]
        elif group == "word":
            kind = words.get(text) or (BEFORE if text.endswith("$0") else IDENTIFIER)
        elif group == "pragma":
            kind = _pragma_kind(text, lexicon)
            if not kind:
                continue
        elif group in _KINDS:
            kind = _KINDS[group]
        else:
            raise _broken(source, match)
        kinds.append(kind)
        texts.append(text)
        starts.append(match.start())
    kinds.append(END_OF_TEXT)
    texts.append("")
    starts.append(span.start + len(span.text.rstrip()))
    for word in sorted(lexicon.soft.intersection(kinds)):
        _settle(word, kinds)
    return Tokens(source, kinds, texts, starts)


def _settle(word: str, kinds: list[str]) -> None:
    """Make identifiers of a soft word's tokens if one of them is not applied or is defined."""
    places = [at for at, kind in enumerate(kinds) if kind == word]
    if any(kinds[at + 1] != "(" or _is_defined(kinds, at + 1) for at in places):
        for at in places:
            kinds[at] = IDENTIFIER


def _is_defined(kinds: list[str], at: int) -> bool:
    while kinds[at] in {"(", IDENTIFIER, ","}:
        at += 1
    return kinds[at] == ")" and kinds[at + 1] == "=="


def pragma_parts(text: str) -> tuple[str, str]:
    """Return the name and the argument of a pragma `/*@name argument */`."""
    name, _, argument = text[3:-2].strip().partition(" ")
    return name, argument.strip().strip('"')


def _pragma_kind(text: str, lexicon: Lexicon) -> str:
    name, _ = pragma_parts(text)
    if name not in lexicon.pragmas:
        return ""
    return LABEL if name == "label" else PRAGMA


def _broken(source: Source, match: re.Match[str]) -> InputError:
    text = match[0]
    span = Span(source, match.start(), match.end())
    if text == "/*":
        return fail(UNCLOSED_COMMENT, "this comment is never closed", span, "close it with '*/'")
    if text in {'"', "'''", "```"}:
        help_ = "a string ends on its line; write '''...''' for more" if text == '"' else None
        return fail(UNCLOSED_STRING, "this string is never closed", span, help_)
    shown = text if text.isprintable() else f"U+{ord(text):04X}"
    help_ = "only x$0, the value before a substitution, has a dollar sign" if text == "$" else None
    return fail(UNKNOWN_CHARACTER, f"'{shown}' means nothing here", span, help_)
