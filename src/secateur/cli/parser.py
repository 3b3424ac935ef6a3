"""The parser of command lines: argparse, with complaints that look like all others."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NoReturn

from secateur.cli.codes import USAGE
from secateur.source import Diagnostic, InputError, fail

_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*(=.*)?|--", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser that takes options in full only, so that new ones never break a script."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**{"allow_abbrev": False, **settings})  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise fail(USAGE, message, help=f"try `{self.prog} --help`")

    def options(self) -> list[str]:
        """Return the options that this parser knows."""
        return list(self._option_string_actions)

    def understands(self, words: Sequence[str]) -> bool:
        """Whether an option with its values is one of this parser's."""
        if words[0].partition("=")[0] not in self.options():
            return False
        try:
            self.parse_known_args(["-", *map(_shielded, words)])
        except InputError:
            return False
        return True


def by_option(words: Sequence[str]) -> list[list[str]]:
    """Return words in groups, each an option with its values."""
    groups: list[list[str]] = []
    for word in words:
        if groups and not _OPTION.fullmatch(word):
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def parse(parser: Parser, chosen: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Return what `words` say; `chosen` is the part of `parser` that knows their options."""
    args, unknown = parser.parse_known_args(list(map(_shielded, words)))
    if unknown:
        # What follows an unknown option may be its value.
        options = [word for word in unknown if word.startswith("-")]
        raise InputError(*(_unknown(word, chosen) for word in options or unknown))
    return args


def misspelt(word: str, known: Iterable[str], otherwise: str) -> str:
    """Return a hint at what `word` may be a misspelling of, or `otherwise`."""
    bare = {name.lstrip("-"): name for name in known}  # dashes are alike in all options
    close = get_close_matches(word.lstrip("-"), bare, n=1, cutoff=0.6)
    return f"did you mean {bare[close[0]]}?" if close else otherwise


def _unknown(word: str, chosen: Parser) -> Diagnostic:
    otherwise = f"try `{chosen.prog} --help`"
    if not word.startswith("-"):
        return Diagnostic(USAGE, f"there is a word too many: {word.strip()}", None, otherwise)
    option = word.partition("=")[0]
    hint = misspelt(option, chosen.options(), otherwise)
    return Diagnostic(USAGE, f"there is no option {option}", None, hint)


def _shielded(word: str) -> str:
    """Return a word such as `-(1 + 2)` so that argparse does not take it for an option."""
    return f" {word}" if word.startswith("-") and not _OPTION.fullmatch(word) else word
