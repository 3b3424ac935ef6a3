"""The preprocessor: macros, included files and conditions, as C has them.

What it returns are the tokens of the model.  Each keeps its place in the file where it stands;
what a macro stands for has the place where the macro is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as Tokens
from dataclasses import replace
from pathlib import Path
from typing import Final

from secateur.lang.promela.codes import (
    BAD_CONDITION,
    BAD_DIRECTIVE,
    CYCLIC_INCLUDE,
    UNBALANCED_CONDITION,
    USER_ERROR,
)
from secateur.lang.promela.constants import value_of
from secateur.lang.promela.lex import END_OF_TEXT, NEWLINE, STRING, Token, lex
from secateur.lang.promela.macros import Expander, Macro, is_word, named, number
from secateur.lang.promela.parse_expression import parse_condition
from secateur.source import Source, Span, fail
from secateur.source.codes import NO_SUCH_FILE
from secateur.source.read import read_source
from secateur.source.records import dataclass

_DEEPEST_INCLUDE: Final = 60


def preprocess(source: Source, defines: Mapping[str, str] | None = None) -> list[Token]:
    """Return the tokens of a model; `defines` are macros that hold from the beginning."""
    run = _Preprocessor(defines or {})
    run.file(source)
    end = Span(source, len(source.text), len(source.text))
    return [*_marked(run.found), Token(END_OF_TEXT, "", end)]


def _marked(tokens: Tokens[Token]) -> Iterator[Token]:
    """Leave out the ends of lines, and mark what follows them."""
    first = True
    for token in tokens:
        if token.kind != NEWLINE:
            yield replace(token, first=True) if first else token
        first = token.kind == NEWLINE


@dataclass(slots=True)
class _Choice:
    """An `#if` that is open."""

    opened: Token
    taken: bool
    """Whether one of its parts was read."""
    reading: bool
    """Whether the part that we are in is to be read."""
    otherwise: bool = False
    """Whether `#else` was seen."""


class _Preprocessor:
    """Walks over the lines of files; `found` are the tokens so far."""

    def __init__(self, defines: Mapping[str, str]) -> None:
        self.macros = {name: named(name, value) for name, value in defines.items()}
        self.expander = Expander(self.macros)
        self.found: list[Token] = []
        self.waiting: list[Token] = []
        """Tokens of the model that are not yet expanded: a macro's arguments may be on later lines."""
        self.choices: list[_Choice] = []
        self.depth = 0

    def file(self, source: Source) -> None:
        """Read a file."""
        outer, self.choices = self.choices, []
        for line in _lines(lex(source)):
            if line[0].kind == "#":
                self._directive(line)
            elif self._reading:
                self.waiting.extend(line)
        if self.choices:
            span = self.choices[-1].opened.span
            raise fail(UNBALANCED_CONDITION, "this condition is not closed", span, "add #endif")
        self.choices = outer
        self._expand_waiting()

    @property
    def _reading(self) -> bool:
        return all(choice.reading for choice in self.choices)

    def _expand_waiting(self) -> None:
        self.found.extend(self.expander.expand(self.waiting))
        self.waiting.clear()

    def _directive(self, line: Tokens[Token]) -> None:
        words = [token for token in line[1:] if token.kind != NEWLINE]
        if not words:
            return
        name, rest = words[0], words[1:]
        if name.text in _CONDITIONS:
            _CONDITIONS[name.text](self, name, rest)
        elif self._reading:
            self._expand_waiting()
            if name.text in _DIRECTIVES:
                _DIRECTIVES[name.text](self, name, rest)
            elif not name.text.isdigit() and name.text not in {
                "pragma",
                "line",
                "ident",
                "warning",
            }:
                message = f"the preprocessor does not know #{name.text}"
                raise fail(BAD_DIRECTIVE, message, name.span)

    # -- conditions

    def _if(self, name: Token, rest: Tokens[Token]) -> None:
        holds = self._reading and self._holds(name, rest)
        self.choices.append(_Choice(name, holds, holds))

    def _ifdef(self, name: Token, rest: Tokens[Token]) -> None:
        defined = _word(name, rest) in self.macros
        holds = defined == (name.text == "ifdef")
        self.choices.append(_Choice(name, holds, holds))

    def _elif(self, name: Token, rest: Tokens[Token]) -> None:
        choice = self._open(name)
        choice.reading = False
        outside = self._outside_is_read()
        choice.reading = outside and not choice.taken and self._holds(name, rest)
        choice.taken = choice.taken or choice.reading

    def _else(self, name: Token, _rest: Tokens[Token]) -> None:
        choice = self._open(name)
        choice.reading = not choice.taken
        choice.taken = choice.otherwise = True

    def _endif(self, name: Token, _rest: Tokens[Token]) -> None:
        if not self.choices:
            raise fail(UNBALANCED_CONDITION, "this #endif closes no #if", name.span)
        self.choices.pop()

    def _outside_is_read(self) -> bool:
        return all(choice.reading for choice in self.choices[:-1])

    def _open(self, name: Token) -> _Choice:
        if not self.choices:
            raise fail(UNBALANCED_CONDITION, f"there is no #if for this #{name.text}", name.span)
        if self.choices[-1].otherwise:
            message = f"#{name.text} cannot follow #else"
            raise fail(UNBALANCED_CONDITION, message, name.span)
        return self.choices[-1]

    def _holds(self, name: Token, rest: Tokens[Token]) -> bool:
        """Evaluate the condition of `#if`: names that are no macros count as 0."""
        tokens = self.expander.expand(self._without_defined(name, rest))
        if not tokens:
            raise fail(BAD_CONDITION, f"#{name.text} needs a condition", name.span)
        plain = [number(0, t) if is_word(t) else t for t in tokens]
        value = value_of(parse_condition([*plain, Token(END_OF_TEXT, "", tokens[-1].span)]))
        if value is None:
            raise fail(BAD_CONDITION, "this condition is no number", tokens[0].span)
        return value != 0

    def _without_defined(self, name: Token, rest: Tokens[Token]) -> list[Token]:
        found = []
        at = 0
        while at < len(rest):
            if rest[at].text == "defined":
                bracketed = at + 1 < len(rest) and rest[at + 1].kind == "("
                asked = at + (2 if bracketed else 1)
                known = _word(name, rest[asked:]) in self.macros
                found.append(number(int(known), rest[at]))
                at = asked + (2 if bracketed else 1)
            else:
                found.append(rest[at])
                at += 1
        return found

    # -- other lines

    def _define(self, name: Token, rest: Tokens[Token]) -> None:
        word = _word(name, rest)
        if len(rest) > 1 and rest[1].kind == "(" and rest[1].span.start == rest[0].span.end:
            parameters, body = _parameters(rest[2:], rest[0])
            self.macros[word] = Macro(word, parameters, tuple(body))
        else:
            self.macros[word] = Macro(word, None, tuple(rest[1:]))

    def _undef(self, name: Token, rest: Tokens[Token]) -> None:
        self.macros.pop(_word(name, rest), None)

    def _include(self, name: Token, rest: Tokens[Token]) -> None:
        tokens = self.expander.expand(rest)
        if not tokens or tokens[0].kind not in {STRING, "<"}:
            raise fail(BAD_DIRECTIVE, '#include needs a file: #include "file"', name.span)
        here = tokens[0].span
        wanted = tokens[0].text[1:-1]
        if tokens[0].kind == "<":
            wanted = Span(here.source, here.end, tokens[-1].span.start).text
        path = Path(name.span.source.name).parent / wanted
        if not path.is_file():
            raise fail(NO_SUCH_FILE, f"there is no file '{path}'", here)
        if self.depth >= _DEEPEST_INCLUDE:
            raise fail(CYCLIC_INCLUDE, f"'{wanted}' includes itself", here)
        self.depth += 1
        self.file(read_source(path))
        self.depth -= 1

    def _error(self, name: Token, rest: Tokens[Token]) -> None:
        text = " ".join(token.text for token in rest)
        raise fail(USER_ERROR, f"#error {text}".rstrip(), name.span)


_Step = Callable[[_Preprocessor, Token, Tokens[Token]], None]

_CONDITIONS: Final[dict[str, _Step]] = {
    "if": _Preprocessor._if,
    "ifdef": _Preprocessor._ifdef,
    "ifndef": _Preprocessor._ifdef,
    "elif": _Preprocessor._elif,
    "else": _Preprocessor._else,
    "endif": _Preprocessor._endif,
}

_DIRECTIVES: Final[dict[str, _Step]] = {
    "define": _Preprocessor._define,
    "undef": _Preprocessor._undef,
    "include": _Preprocessor._include,
    "error": _Preprocessor._error,
}


def _lines(tokens: Tokens[Token]) -> Iterator[Tokens[Token]]:
    """Cut tokens into lines, each with the end of line that ends it."""
    start = 0
    for index, token in enumerate(tokens):
        if token.kind == NEWLINE:
            yield tokens[start : index + 1]
            start = index + 1


def _word(name: Token, rest: Tokens[Token]) -> str:
    if not rest or not is_word(rest[0]):
        raise fail(BAD_DIRECTIVE, f"#{name.text} needs a name", name.span)
    return rest[0].text


def _parameters(tokens: Tokens[Token], name: Token) -> tuple[tuple[str, ...], Tokens[Token]]:
    """Return the parameters of a macro and what follows them."""
    found: list[str] = []
    for index, token in enumerate(tokens):
        if token.kind == ")":
            return tuple(found), tokens[index + 1 :]
        if is_word(token):
            found.append(token.text)
        elif token.kind != ",":
            break
    message = f"the parameters of the macro {name.text} are not names between '(' and ')'"
    raise fail(BAD_DIRECTIVE, message, name.span)
