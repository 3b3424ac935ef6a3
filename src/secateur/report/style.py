"""Colours for terminals."""

from __future__ import annotations

from typing import Final

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Marks up words, or leaves them as they are."""

    colour: bool = False

    def good(self, text: str) -> str:
        """Mark a success."""
        return self._paint("1;32", text)

    def bad(self, text: str) -> str:
        """Mark an error or a violation."""
        return self._paint("1;31", text)

    def doubt(self, text: str) -> str:
        """Mark something incomplete."""
        return self._paint("1;33", text)

    def strong(self, text: str) -> str:
        """Mark something important."""
        return self._paint("1", text)

    def faint(self, text: str) -> str:
        """Mark something that matters less."""
        return self._paint("2", text)

    def place(self, text: str) -> str:
        """Mark a place in a file."""
        return self._paint("34", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


PLAIN: Final = Style()
