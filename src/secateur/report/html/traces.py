"""A trace that can be stepped through."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from secateur.maths.print_value import show_value
from secateur.report.changes import differences_of
from secateur.report.formats.protocol import Story
from secateur.report.formats.told import headline, why
from secateur.report.text import show_step
from secateur.system.trace import Change

MOST_STEPS: Final = 1_000
"""Of a longer trace the beginning and the end are shown."""
FIRST_STEPS: Final = 50
MOST_LETTERS: Final = 1_500
"""A value of more letters is cut short."""


def trace_section(story: Story, number: int) -> str:
    """Return what fails, why, and the steps that lead there."""
    parts = [
        f'<section id="trace-{number}" data-trace="{len(story.trace)}" tabindex="0">',
        f"<h2>{escape(headline(story))}</h2>",
    ]
    if story.message:
        parts.append(f"<p>{escape(story.message)}</p>")
    if story.span is not None:
        parts.append(f'<p class="faint">{escape(str(story.span))}</p>')
    parts += [f"<p>{escape(remark)}</p>" for remark in story.remarks]
    lines = why(story)
    if lines:
        parts.append(f'<div class="why mono">{escape(chr(10).join(lines))}</div>')
    if story.trace.transitions:
        parts += _steps(story)
    return "\n".join([*parts, "</section>"])


def _steps(story: Story) -> Iterator[str]:
    shown = _shown(len(story.trace))
    changes = story.trace.told()
    yield (
        '<div class="stepper" hidden><button name="first">&#x21e4;</button>'
        '<button name="back">&larr;</button><button name="on">&rarr;</button>'
        '<button name="last">&#x21e5;</button><span class="where faint"></span></div>'
    )
    yield '<div class="split"><ol class="trace">'
    previous = -1
    for i in shown:
        if i != previous + 1:
            yield f'<li class="faint">{i - previous - 1:,} steps are not shown here</li>'
        yield _step(story, i, changes[i])
        previous = i
    yield _ending(story)
    yield '</ol><table class="state" hidden><tbody></tbody></table></div>'
    data = json.dumps(list(_data(story, shown, changes)), ensure_ascii=True)
    data = data.replace("<", "\\u003c")
    yield f'<script type="application/json">{data}</script>'


def _shown(steps: int) -> list[int]:
    if steps <= MOST_STEPS:
        return list(range(steps))
    return [*range(FIRST_STEPS), *range(steps - (MOST_STEPS - FIRST_STEPS), steps)]


def _step(story: Story, i: int, changes: list[Change]) -> str:
    looping = story.loop and i >= len(story.trace) - story.loop
    told = [text for change in changes for text in differences_of(change)]
    inside = "".join(f"<li>{escape(_cut(text))}</li>" for text in told)
    return (
        f'<li data-step="{i + 1}"{" class=loop" if looping else ""}>'
        f'<span class="n">{i + 1}</span><b class="mono">{escape(_cut(show_step(story.trace.steps[i])))}</b>'
        f'<ul class="mono">{inside}</ul></li>'
    )


def _ending(story: Story) -> str:
    if story.loop:
        first = len(story.trace) - story.loop + 1
        return f'<li class="faint">and again from step {first}, for ever</li>'
    return ""


def _data(story: Story, shown: list[int], changes: list[list[Change]]) -> Iterator[dict[str, Any]]:
    """Yield what each step changes; after a gap, all values."""
    system = story.trace.system
    previous = -1
    for i in shown:
        whole = i != previous + 1
        values: list[tuple[str, Any]] = (
            list(system.values(story.trace.states[i]))
            if whole
            else [(c.name, c.value) for c in changes[i]]
        )
        changed = {name: _cut(show_value(value)) for name, value in values}
        yield {"number": i + 1, "changed": changed, "whole": whole}
        previous = i


def _cut(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ..."
