"""Whether GitHub's runner is to be told of findings; and of bad input, before there are any.

What annotations look like is imported when one is made: most runs make none.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Final

from secateur.cli.output import complain
from secateur.source import Diagnostic

GITHUB: Final = "github"
NONE: Final = "none"
VARIABLE: Final = "GITHUB_ACTIONS"


def is_annotated(wish: str | None, *, quiet: bool = False) -> bool:
    """Whether annotations are printed: if that is asked for, or if GitHub's runner listens."""
    if wish is None:
        return os.environ.get(VARIABLE) == "true" and not quiet
    return wish == GITHUB


def annotate_errors(words: Sequence[str], diagnostics: Iterable[Diagnostic]) -> None:
    """Tell GitHub's runner of bad input, if it listens or the command line asks for it."""
    index = words.index("--annotations") + 1 if "--annotations" in words else len(words)
    given = [word.partition("=")[2] for word in words if word.startswith("--annotations=")]
    wish = next(iter([*given, *words[index : index + 1]]), None)
    if is_annotated(wish, quiet="--quiet" in words):
        show: Callable[[Diagnostic], str]
        show = import_module("secateur.report.annotations").of_diagnostic
        complain("\n".join(map(show, diagnostics)))
