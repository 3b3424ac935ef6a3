"""The page: what was found, how, and why one may believe it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files

from secateur.report.coverage import render_coverage
from secateur.report.formats.protocol import Evidence, Gallery
from secateur.report.html.traces import trace_section
from secateur.report.json import verdict_word
from secateur.report.temporal import verdict_of
from secateur.report.text import show_engine, show_merged, show_reduction
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.version import __version__


def render_page(page: Evidence) -> str:
    """Return the HTML: one file, without anything from elsewhere."""
    gallery = page.gallery()
    parts = [*_head(page, gallery), *_stories(page), *_formulas(page.result)]
    parts += [*_coverage(page.result), *_reductions(page.result), *_pictures(gallery)]
    parts += [*_statistics(page.result.statistics), *_origin(page, gallery)]
    style, script = _asset("report.css"), _asset("report.js")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(page.model)}: {verdict_word(page.result)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f"\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _head(page: Evidence, gallery: Gallery) -> Iterator[str]:
    result, word = page.result, verdict_word(page.result)
    counted = result.statistics
    yield f'<h1>{escape(page.model)} <span class="verdict {word}">{word}</span></h1>'
    yield f"<p>{escape(_meaning(result))}</p>"
    facts = [
        ("states", f"{counted.states:,}"),
        ("transitions", f"{counted.transitions:,}"),
        ("violations", str(sum(story.violated for story in page.stories))),
        ("seconds", f"{result.seconds:.2f}"),
        ("engine", show_engine(result.engine)),
    ]
    cells = "".join(f"<div><b>{escape(v)}</b>{escape(n)}</div>" for n, v in facts)
    yield f'<div class="facts">{cells}</div>'
    for heading, items in (
        ("Not everything was explored", result.reasons),
        ("Assumed", result.assumptions),
        ("Notes", (*result.notes, *gallery.remarks)),
    ):
        if items:
            yield f"<h3>{heading}</h3><ul>{_items(items)}</ul>"


def _meaning(result: Result) -> str:
    match result.outcome:
        case True:
            return "Every reachable state was visited, or shown to be like one that was; nothing asked for fails."
        case False:
            return "Something that was asked for fails; the way there was executed a second time."
        case None:
            return "No violation was seen, but not everything was looked at: nothing is proved."


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)


def _stories(page: Evidence) -> Iterator[str]:
    for number, story in enumerate(page.stories):
        yield trace_section(story, number)


def _formulas(result: Result) -> Iterator[str]:
    if result.temporal:
        rows = [(f.name, verdict_of(f), f.formula) for f in result.temporal]
        yield "<h2>Temporal formulas</h2>" + _table(("name", "verdict", "formula"), rows)


def _coverage(result: Result) -> Iterator[str]:
    lines = render_coverage(result)
    if lines:
        yield f"<h2>Coverage</h2><pre>{escape(chr(10).join(lines))}</pre>"


def _reductions(result: Result) -> Iterator[str]:
    told = [*map(show_reduction, result.reductions)]
    sources = [r.reference for r in result.reductions]
    if result.merged is not None:
        told.append(show_merged(result.merged))
        sources.append(result.merged.reference)
    yield "<h2>What was left out, and why that is lawful</h2>"
    if not told:
        yield "<p>Nothing: every state was visited on its own.</p>"
    for text, source in zip(told, sources, strict=True):
        yield f'<p>{escape(text)}<br><span class="faint">{escape(source)}</span></p>'


def _pictures(gallery: Gallery) -> Iterator[str]:
    for number, picture in enumerate(gallery.pictures):
        # Each drawing has its own arrow heads; a page has each name once.
        svg = picture.svg.replace('id="', f'id="p{number}-').replace("url(#", f"url(#p{number}-")
        yield f"<h2>{escape(picture.heading)}</h2>"
        yield f'<div class="picture">{svg}</div>'
        if picture.caption:
            yield f'<p class="faint">{escape(picture.caption)}</p>'


def _statistics(statistics: Statistics) -> Iterator[str]:
    yield "<h2>Statistics</h2>"
    rows = [
        (name, f"{count:,}", f"{statistics.fresh[name]:,}" if name in statistics.fresh else "")
        for name, count in statistics.operations.items()
    ]
    yield _table(("operation", "transitions", "to new states"), rows)
    values = [
        (
            v.name,
            f"more than {v.distinct:,}" if v.more else f"{v.distinct:,}",
            "" if v.least is None else f"{v.least} .. {v.greatest}",
        )
        for v in statistics.coverage
    ]
    if values:
        yield _table(("name", "values", "range"), values)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        first, *others = cells
        return f"<tr><{tag}>{escape(first)}</{tag}>" + "".join(
            f'<{tag} class="number">{escape(cell)}</{tag}>' for cell in others
        )

    body = "".join(row(cells, "td") for cells in rows)
    return f'<div class="wide"><table><thead>{row(heads, "th")}</thead><tbody>{body}</tbody></table></div>'


def _origin(page: Evidence, gallery: Gallery) -> Iterator[str]:
    yield "<h2>Where this comes from</h2>"
    yield f"<p>Secateur {__version__}, on <code>{escape(page.path)}</code></p>"
    if page.digest is not None:
        yield f"<p>SHA-256 of the model: <code>{page.digest}</code></p>"
    yield f"<pre>{escape(shlex.join(page.words))}</pre>"
    if gallery.source is not None:
        yield f"<details><summary>The model</summary><pre>{escape(gallery.source)}</pre></details>"
