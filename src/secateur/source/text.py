"""Input text and places in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from functools import cached_property
from typing import Final

from secateur.source.records import dataclass

_NO_TEXT: Final = re.compile("[\ud800-\udfff]")


def readable(name: str) -> str:
    """Return text that any encoding has: the name of a file need not be any (PEP 383)."""
    return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", name)


@dataclass(frozen=True)
class Source:
    """A named text, usually a file's content with every line end made a line feed."""

    name: str
    text: str = field(repr=False)
    part: str = ""
    """Which part of the file it is, where that is not plain: the label of an element, for one."""

    @property
    def shown(self) -> str:
        """How messages call it."""
        return f"{self.name} ({self.part})" if self.part else self.name

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and column of `offset`, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return line `number` (from 1) without its line end."""
        start = self._line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` up to but not including `end` of a source."""

    source: Source
    start: int
    end: int

    def __add__(self, other: Span) -> Span:
        """Return the smallest span that covers both."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.line_and_column(self.start)
        return f"{self.source.shown}:{line}:{column}"


NOWHERE = Span(Source("<built in>", ""), 0, 0)
"""The place of what no user wrote."""
