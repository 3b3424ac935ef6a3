"""Complaints as a compiler shows them: code, message, excerpt with caret, help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from secateur.report.style import PLAIN, Style
from secateur.source import NOWHERE, Diagnostic, Span

_WIDTH: Final = 100


def render_diagnostics(diagnostics: Iterable[Diagnostic], style: Style = PLAIN) -> str:
    """Return all complaints, each as its own paragraph."""
    return "\n\n".join(render_diagnostic(d, style) for d in diagnostics)


def render_diagnostic(diagnostic: Diagnostic, style: Style = PLAIN) -> str:
    """Return one complaint."""
    head = style.bad(f"error[{diagnostic.code}]") + style.strong(f": {diagnostic.message}")
    lines = [head, *render_excerpt(diagnostic.span, style)]
    if diagnostic.help:
        lines.append(f"{style.good('help')}: {diagnostic.help}")
    return "\n".join(lines)


def render_excerpt(span: Span | None, style: Style = PLAIN) -> list[str]:
    """Return the place, its line and a caret below what is meant; nothing for no place."""
    if span is None or span.source is NOWHERE.source:
        return []
    number, column = span.source.line_and_column(span.start)
    line = span.source.line(number)
    before, meant, after = _crop(line, column - 1, span.end - span.start)
    gutter = str(number)
    margin = " " * len(gutter)
    caret = style.bad("^" * max(len(meant), 1))
    return [
        f"{margin}{style.place('-->')} {span}",
        f"{style.place(gutter + ' |')} {before}{meant}{after}",
        f"{style.place(margin + ' |')} {' ' * len(before)}{caret}",
    ]


def _crop(line: str, start: int, length: int) -> tuple[str, str, str]:
    """Split `line` around what is meant, and shorten it to a readable width."""
    printable = "".join(c if c.isprintable() else " " for c in line)
    end = min(start + length, len(printable))
    before, meant, after = printable[:start], printable[start:end], printable[end:]
    if len(printable) <= _WIDTH:
        return before, meant, after
    if len(before) > _WIDTH // 2:
        before = "..." + before[-_WIDTH // 2 :]
    meant = meant[:_WIDTH]
    room = max(_WIDTH - len(before) - len(meant), 0)
    return before, meant, after if len(after) <= room else after[:room] + "..."
