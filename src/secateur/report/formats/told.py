"""What a violation is, in words, for formats that have a place for a message."""

from __future__ import annotations

from typing import Final

from secateur.report.explanation import render_explanation
from secateur.report.formats.protocol import Story
from secateur.report.temporal import show_why
from secateur.report.text import HEADINGS, render_trace, show_bindings
from secateur.system.system import PropertyKind

_TITLES: Final = {kind.value: title for kind, title in HEADINGS.items()}


def title_of(kind: str) -> str:
    """Return how reports call a violation of this kind."""
    return _TITLES.get(kind, f"formula of {kind.upper()} violated")


def headline(story: Story) -> str:
    """Return one line that says what is wrong."""
    often = f" (in {story.count} states)" if story.count > 1 else ""
    name = "" if story.kind == PropertyKind.DEADLOCK.value else f": {story.name}"
    return f"{story.title or title_of(story.kind)}{name}{often}"


def details(story: Story) -> list[str]:
    """Return what else there is to say, and the trace."""
    lines = [story.message] if story.message else []
    if story.witness and story.explanation is None:
        lines.append(f"for {show_bindings(story.witness)}")
    if story.span is not None:
        lines.append(f"at {story.span}")
    if not story.trace.transitions:
        return [*lines, "it happens before any state is reached"]
    lines += [f"trace of {len(story.trace)} steps:", *render_trace(story.trace)]
    if story.loop:
        lines.append(f"  and again from step {story.closes_at + 1}")
    return [*lines, *story.remarks, *why(story)]


def why(story: Story) -> list[str]:
    """Return the lines that say why it fails."""
    if story.explanation is not None:
        return render_explanation(story.explanation, story.trace)
    return show_why(story.why)
