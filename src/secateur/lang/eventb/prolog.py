"""Prolog terms: as much of their syntax as exported packages use."""

from __future__ import annotations

import re
from typing import Final

from secateur.lang.eventb.codes import BAD_PACKAGE
from secateur.source import InputError, Source, Span, fail
from secateur.source.records import dataclass


@dataclass(slots=True)
class Term:
    """An atom (no arguments), a compound, a list (named `.`), a number or a string.

    A variable is an atom named `_`.  A number's name is its digits.
    """

    name: str
    args: list[Term]
    start: int
    end: int
    is_list: bool = False


_BACKSLASH: Final = r"\\(?:[0-7]+\\|x[0-9a-fA-F]+\\|(?s:.))"
_TOKEN: Final = re.compile(
    r"(?P<skipped>(?:\s+|%[^\n]*|/\*(?s:.*?)\*/)+)"
    r"|(?P<word>[a-zA-Z_]\w*)"
    r"|(?P<number>-?\d+(?:\.\d+)?)"
    rf"|(?P<quoted>'(?:[^'\\]|{_BACKSLASH}|'')*')"
    rf"|(?P<string>\"(?:[^\"\\]|{_BACKSLASH}|\"\")*\")"
    r"|(?P<mark>[()\[\],|.])"
    r"|(?P<symbol>[-+*/\\^<>=~:?@#&$!;{}]+)"
)
_ESCAPE: Final = re.compile(r"\\x([0-9a-fA-F]+)\\|\\([0-7]+)\\|\\\n|\\(.)|''")
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def _unescaped(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        if match[2]:
            return chr(int(match[2], 8))
        if match[3]:
            return _ESCAPED.get(match[3], match[3])
        return "'" if match[0] == "''" else ""

    return _ESCAPE.sub(character, text[1:-1])


class Reader:
    """Reads terms one after another from a text."""

    def __init__(self, source: Source, at: int = 0) -> None:
        self.source = source
        self.end = at
        self.kind = ""
        self.text = ""
        self.start = at
        self.advance()

    def advance(self) -> None:
        """Go to the next token."""
        while True:
            match = _TOKEN.match(self.source.text, self.end)
            if match is None:
                self._at_end_or_fault()
                return
            self.start, self.end = match.span()
            if match.lastgroup != "skipped":
                self.kind, self.text = match.lastgroup or "", match[0]
                return

    def _at_end_or_fault(self) -> None:
        self.start = self.end
        self.kind, self.text = "end", ""
        if self.end < len(self.source.text):
            self.end += 1
            raise self.fault(f"'{self.source.text[self.start]}' starts no Prolog term")

    def fault(self, message: str) -> InputError:
        """Return the complaint about the token that stands here."""
        help_ = "is the file cut off, or edited by hand?"
        return fail(BAD_PACKAGE, message, Span(self.source, self.start, self.end), help_)

    def expect(self, mark: str) -> None:
        """Pass over a punctuation mark."""
        if self.text != mark or self.kind != "mark":
            found = f"'{self.text}'" if self.text else "the end of the text"
            raise self.fault(f"expected '{mark}' in a Prolog term, found {found}")
        self.advance()

    def term(self) -> Term:
        """Read one term."""
        start, kind, text = self.start, self.kind, self.text
        if kind in {"word", "quoted"}:
            name = _unescaped(text) if kind == "quoted" else text
            if kind == "word" and (text[0] == "_" or text[0].isupper()):
                name = "_"
            end = self.end
            self.advance()
            if self.kind == "mark" and self.text == "(" and self.start == end:
                args, end = self._sequence(")")
                return Term(name, args, start, end)
            return Term(name, [], start, end)
        if kind in {"number", "string"}:
            end = self.end
            self.advance()
            return Term(text if kind == "number" else _unescaped(text), [], start, end)
        if kind == "mark" and text == "[":
            items, end = self._sequence("]")
            return Term(".", items, start, end, is_list=True)
        raise self.fault(f"expected a Prolog term, found '{text or 'the end of the text'}'")

    def _sequence(self, closing: str) -> tuple[list[Term], int]:
        self.advance()
        items: list[Term] = []
        while self.text != closing or self.kind != "mark":
            items.append(self.term())
            if self.text == closing and self.kind == "mark":
                break
            self.expect(",")
        end = self.end
        self.advance()
        return items, end


_PACKAGE: Final = re.compile(r"^\s*(?:package\s*\(?\s*)?(load_event_b_project\s*\()", re.MULTILINE)


def read_package(source: Source) -> Term | None:
    """Return the term `load_event_b_project(...)` of a package; None where there is none."""
    found = _PACKAGE.search(source.text)
    return None if found is None else Reader(source, found.start(1)).term()
