"""The report: one page that needs nothing else, and works in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from secateur.engine.reduce.registry import REDUCTIONS
from tests.cli.conftest import Runner

VOID = {"meta", "br", "link", "img", "input", "hr"}


class _Balanced(HTMLParser):
    """Notes tags that are not closed, and what would be fetched from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what is to be closed."""
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and value and not value.startswith(("#", "data:")):
                self.fetched.append(value)
            if name == "id" and value:
                self.ids.append(value)

    def handle_endtag(self, tag: str) -> None:
        """Close what may be left open with it: cells and rows."""
        while self.open and self.open[-1] != tag and self.open[-1] in ("tr", "td", "th", "li"):
            self.open.pop()
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()


def _page(secateur: Runner, folder: Path, *words: str) -> str:
    file = folder / "a page.html"
    secateur(*words, "--report", str(file), "--quiet")
    return file.read_text(encoding="utf-8")


def test_a_page_says_what_was_found(secateur: Runner, tmp_path: Path) -> None:
    # On a busy machine the default may try a reduction, and tell of it.
    asked = ("--por", "none", "--coverage", "--ltl", "G F [up]")
    page = _page(secateur, tmp_path, "check", "Lift.mch", *asked)
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert parser.fetched == []
    assert "@import" not in page
    assert len(parser.ids) == len(set(parser.ids))
    for text in (
        '<span class="verdict violated">violated</span>',
        "invariant violated: door = open =&gt; floor &lt; 3",
        "is false since step 5 (up)",
        "because after step",
        "makes no difference",
        "SHA-256 of the model",
        "Nothing: every state was visited on its own.",
        "--coverage --ltl &#x27;G F [up]&#x27;",
    ):
        assert text in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ET.fromstring(svg)
    assert page.count("<svg") >= 3


def test_what_was_left_out_is_told(secateur: Runner, tmp_path: Path) -> None:
    model = str(Path(__file__).resolve().parents[2] / "examples" / "Philosophers.mch")
    page = _page(secateur, tmp_path, "check", model, "--por", "stubborn", "--all")
    assert "reduction: stubborn" in page
    reference = next(row.reference for row in REDUCTIONS if row.name == "stubborn")
    assert escape(reference) in page


def test_names_cannot_break_the_page(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "Odd.mch"
    file.write_text(
        'MACHINE Odd VARIABLES s INVARIANT s /= "</script><b>&"\n'
        'INITIALISATION s := "<!--" OPERATIONS say = s := "</script><b>&" END\n'
    )
    page = _page(secateur, tmp_path, "check", str(file))
    parser = _Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "<b>&" not in page


def test_it_works_in_a_browser(secateur: Runner, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("NO CHROMIUM: the page was not opened in a browser")
    file = tmp_path / "report.html"
    secateur("check", "Lift.mch", "--report", str(file), "--quiet")
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr",
            "--window-size=400,800",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert "after step 6 of 6" in done.stdout
    assert '<td class="mono changed">open</td>' in done.stdout
    assert "CONSOLE" not in done.stderr
