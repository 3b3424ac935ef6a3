"""From the words of a command line to what they ask for."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from secateur.cli.codes import BAD_FLAG_ARGUMENT, REFUSED_FLAG, UNKNOWN_FLAG
from secateur.cli.probcli.flags import FLAGS, Flag, plain
from secateur.source import Diagnostic, InputError, Source, Span
from secateur.source.records import dataclass

_NUMBERS: Final = frozenset({"N", "T", "MS"})
"""The arguments that are numbers."""

Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Request:
    """The files, and for each flag given (by its first name) its arguments, each time it was."""

    files: tuple[str, ...]
    given: Mapping[str, tuple[Arguments, ...]]

    def has(self, *names: str) -> bool:
        """Whether one of these flags was given."""
        return any(name in self.given for name in names)

    def all(self, name: str) -> tuple[Arguments, ...]:
        """Return the arguments of each use of a flag, in order."""
        return self.given.get(name, ())

    def last(self, name: str) -> str | None:
        """Return the first argument of the last use of a flag; None if there is none."""
        uses = self.all(name)
        return uses[-1][0] if uses else None

    def number(self, name: str) -> int | None:
        """Return the number that a flag was last given."""
        text = self.last(name)
        return None if text is None else int(text)


class _Line:
    """The command line as a text, so that complaints can point into it."""

    def __init__(self, words: Sequence[str]) -> None:
        text = "secateur probcli"
        self._places: list[tuple[int, int]] = []
        for word in words:
            shown = shlex.quote(word)
            self._places.append((len(text) + 1, len(text) + 1 + len(shown)))
            text = f"{text} {shown}"
        self._source = Source("command line", text)

    def place(self, index: int) -> Span:
        """Return where a word stands."""
        return Span(self._source, *self._places[index])


def understand(words: Sequence[str]) -> Request:
    """Return what `words` ask for; raise InputError with all that is wrong with them.

    A word that is no flag is the name of a file, as probcli has it.
    """
    line = _Line(words)
    files: list[str] = []
    given: dict[str, list[Arguments]] = {}
    wrong: list[Diagnostic] = []
    index = 0
    while index < len(words):
        name = plain(words[index])
        flag = FLAGS.get(name) if name is not None else None
        place = line.place(index)
        if flag is None and name is not None:
            wrong.append(_unknown(words[index], name, place))
        elif flag is None:
            files.append(words[index])
        else:
            arguments = tuple(words[index + 1 : index + 1 + len(flag.arguments)])
            index += len(flag.arguments)
            complaint = _complaint(flag, arguments, place)
            if complaint is not None:
                wrong.append(complaint)
            given.setdefault(flag.name, []).append(arguments)
        index += 1
    if wrong:
        raise InputError(*wrong)
    return Request(tuple(files), {name: tuple(uses) for name, uses in given.items()})


def _unknown(word: str, name: str, place: Span) -> Diagnostic:
    close = get_close_matches(name, FLAGS, n=1, cutoff=0.7)
    hint = f"did you mean -{close[0]}?" if close else "`secateur probcli -help` lists the flags"
    return Diagnostic(UNKNOWN_FLAG, f"there is no flag {word}", place, hint)


def _complaint(flag: Flag, arguments: Arguments, place: Span) -> Diagnostic | None:
    if flag.instead is not None:
        return Diagnostic(REFUSED_FLAG, f"-{flag.name} is not done here", place, flag.instead)
    usage = " ".join((f"-{flag.name}", *flag.arguments))
    if len(arguments) < len(flag.arguments):
        wanted = len(flag.arguments)
        message = f"-{flag.name} takes {wanted} argument{'s' if wanted > 1 else ''}: {usage}"
        return Diagnostic(BAD_FLAG_ARGUMENT, message, place)
    for name, text in zip(flag.arguments, arguments, strict=True):
        if name in _NUMBERS and not text.isdigit():
            message = f"-{flag.name} takes a number as {name}, not '{text}'"
            return Diagnostic(BAD_FLAG_ARGUMENT, message, place, f"write {usage}")
    return None
