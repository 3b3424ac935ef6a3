"""A place in a list of tokens, and complaints about what stands there."""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from typing import Final

from secateur.lang.promela.codes import (
    EMBEDDED_C,
    NUMBER_TOO_LARGE,
    TEXT_ENDS,
    TOO_DEEP,
    UNEXPECTED,
)
from secateur.lang.promela.lex import (
    CHARACTER,
    END_OF_TEXT,
    IDENTIFIER,
    NUMBER,
    STRAY,
    STRING,
    WORDS,
    Token,
)
from secateur.source import InputError, Span, fail

_DEEPEST: Final = 100
_LARGEST: Final = 2**31
_ESCAPES: Final = {"n": 10, "t": 9, "r": 13, "0": 0, "f": 12}


class Cursor:
    """Walks over tokens; `at` is the index of the next one."""

    def __init__(self, tokens: Tokens[Token]) -> None:
        self.tokens = list(tokens)
        self.at = 0
        self._depth = 0

    @property
    def kind(self) -> str:
        """What the next token is."""
        return self.tokens[self.at].kind

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.at]

    def ahead(self, distance: int) -> str:
        """Return the kind of the token so many places ahead."""
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)].kind

    def take(self) -> Token:
        """Pass over a token and return it."""
        token = self.tokens[self.at]
        if token.kind != END_OF_TEXT:
            self.at += 1
        return token

    def accept(self, kind: str) -> bool:
        """Pass over a token of this kind, if it is the next; say whether it is."""
        if self.kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str) -> Token:
        """Pass over a token of this kind and return it; complain about any other."""
        if self.kind != kind:
            raise self.expected(f"'{kind}'")
        return self.take()

    def close(self, kind: str, opened: Token) -> None:
        """Pass over the token that closes what was opened with `opened`."""
        if self.kind != kind:
            line, column = opened.span.source.line_and_column(opened.span.start)
            where = f"line {line}, column {column}"
            raise self.expected(f"'{kind}' to close '{opened.text}' of {where}")
        self.take()

    def identifier(self, what: str) -> Token:
        """Pass over an identifier and return it."""
        if self.kind != IDENTIFIER:
            text = self.token.text
            raise self.expected(what, f"'{text}' is a reserved word" if text in WORDS else None)
        return self.take()

    def number(self) -> int:
        """Pass over a number or a character and return its value."""
        token = self.take()
        if token.kind == CHARACTER:
            inner = token.text[1:-1]
            return _ESCAPES.get(inner[1], ord(inner[1])) if inner[0] == "\\" else ord(inner)
        digits = token.text.lstrip("0")
        if not token.text.isascii() or len(digits) > 10 or int(digits or "0") >= _LARGEST:
            message = f"{token.text[:40]} does not fit into 32 bits"
            raise fail(NUMBER_TOO_LARGE, message, token.span)
        return int(digits or "0")

    def span_from(self, start: Token) -> Span:
        """Return the place of the tokens from `start` up to the one just passed.

        Where macros or inlines put them together from several places, it is that of the first.
        """
        last = self.tokens[self.at - 1]
        together = last.origin == start.origin and last.span.source is start.span.source
        if not together or last.span.end < start.span.start:
            return start.span
        return start.span + last.span

    def enter(self) -> None:
        """Count a level of nesting; complain where there are too many to go on."""
        self._depth += 1
        if self._depth > _DEEPEST:
            message = f"more than {_DEEPEST} levels of brackets or blocks"
            raise fail(TOO_DEEP, message, self.token.span)

    def leave(self) -> None:
        """Leave a level of nesting."""
        self._depth -= 1

    def expected(self, what: str, help_: str | None = None) -> InputError:
        """Return the complaint that `what` is expected where something else stands."""
        kind, text, span = self.token.kind, self.token.text, self.token.span
        if kind == END_OF_TEXT:
            hint = "is the text cut off, or a bracket, fi or od missing?"
            return fail(TEXT_ENDS, f"expected {what}, but the text ends here", span, hint)
        if kind.startswith("c_"):
            return embedded_c(self.token)
        found = f"{kind} {text}" if kind in _SPOKEN else f"'{text}'"
        return fail(UNEXPECTED, f"expected {what}, found {found}", span, help_)


_SPOKEN: Final = frozenset({IDENTIFIER, NUMBER, STRING, CHARACTER, STRAY})


def embedded_c(token: Token) -> InputError:
    """Return the complaint about a piece of C."""
    message = f"{token.text}: C inside of a model is not supported"
    hint = "it could do anything; write this part in Promela"
    return fail(EMBEDDED_C, message, token.span, hint)
