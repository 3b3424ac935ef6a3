"""A place in a list of tokens, and complaints about what stands there."""

from __future__ import annotations

from typing import Final

from secateur.maths.codes import TEXT_ENDS, UNEXPECTED
from secateur.maths.lex import (
    BEFORE,
    END_OF_TEXT,
    IDENTIFIER,
    NUMBER,
    STRING,
    Tokens,
)
from secateur.source import InputError, Span, fail


class Cursor:
    """Walks over tokens; `at` is the index of the next one."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.kinds = tokens.kinds
        self.texts = tokens.texts
        self.at = 0

    def take(self) -> int:
        """Pass over a token and return its index."""
        self.at += 1
        return self.at - 1

    def expect(self, kind: str) -> int:
        """Pass over a token of this kind and return its index; complain about any other."""
        if self.kinds[self.at] != kind:
            raise self.expected(f"'{kind}'")
        self.at += 1
        return self.at - 1

    def close(self, kind: str, opened: int) -> None:
        """Pass over the token that closes what was opened at token `opened`."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return
        line, column = self.tokens.source.line_and_column(self.tokens.starts[opened])
        opener = self.texts[opened]
        raise self.expected(f"'{kind}' to close '{opener}' of line {line}, column {column}")

    def identifier(self, what: str) -> str:
        """Pass over an identifier and return it."""
        if self.kinds[self.at] != IDENTIFIER:
            raise self.expected(what, self._reserved())
        self.at += 1
        return self.texts[self.at - 1].replace("`", "")

    def span_from(self, start: int) -> Span:
        """Return the place of the tokens from `start` up to the one just passed."""
        tokens, last = self.tokens, self.at - 1
        return Span(
            tokens.source, tokens.starts[start], tokens.starts[last] + len(tokens.texts[last])
        )

    def _reserved(self) -> str | None:
        text = self.texts[self.at]
        return f"'{text}' is a reserved word" if text.isidentifier() else None

    def expected(self, what: str, help_: str | None = None) -> InputError:
        """Return the complaint that `what` is expected where something else stands."""
        kind, span = self.kinds[self.at], self.tokens.span(self.at)
        if kind == END_OF_TEXT and span.end >= len(span.source.text.rstrip()):
            help_ = "is the text cut off, or a bracket or END missing?"
            return fail(TEXT_ENDS, f"expected {what}, but the text ends here", span, help_)
        found = f"{kind} '{self.texts[self.at]}'" if kind in _SPOKEN else f"'{self.texts[self.at]}'"
        if kind == END_OF_TEXT:
            found = "the end of the definition"
        return fail(UNEXPECTED, f"expected {what}, found {found}", span, help_ or self._help())

    def _help(self) -> str | None:
        kind = self.kinds[self.at]
        before = self.kinds[self.at - 1] if self.at else END_OF_TEXT
        after = self.kinds[self.at + 1] if kind != END_OF_TEXT else END_OF_TEXT
        if (kind, after) in _MISTAKES:
            return _MISTAKES[kind, after]
        if (before, kind) in _MISTAKES:
            return _MISTAKES[before, kind]
        if (before, kind, after) == (IDENTIFIER, ".", NUMBER):
            name = "".join(self.texts[self.at - 1 : self.at + 2]).replace("`", "")
            return f"a name that goes on with a number is written in backquotes: `{name}`"
        if kind in _MISTAKES_ALONE:
            return _MISTAKES_ALONE[kind]
        if before in _ENDS_OPERAND and kind in _STARTS_OPERAND:
            return "is an operator missing between the two, such as '&' or ','?"
        return None


_SPOKEN: Final = frozenset({IDENTIFIER, NUMBER, STRING, BEFORE})
_ENDS_OPERAND: Final = frozenset({IDENTIFIER, NUMBER, STRING, BEFORE, ")", "}", "]"})
_STARTS_OPERAND: Final = frozenset(
    {IDENTIFIER, NUMBER, STRING, BEFORE, "(", "{", "[", "!", "#", "%", "not", "bool"}
)
_MISTAKES_ALONE: Final = {
    ":=": "':=' assigns; equality in a formula is written '='",
    "==": "'==' belongs into the DEFINITIONS clause; equality is written '='",
    "=": "'=' compares; an assignment is written ':='",
}
_MISTAKES: Final = {
    ("!", "="): "'is not equal' is written '/='",
    ("\\", "="): "'is not equal' is written '/='",
    ("=", "="): "equality is written with one '='",
    ("&", "&"): "conjunction is written with one '&'",
    ("<", "="): "'less or equal' is written '<=' without a blank",
}
