"""Macros of the preprocessor: what they stand for, and how a text is expanded."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Tokens
from dataclasses import replace
from typing import Final

from secateur.lang.promela.codes import EXPANSION_TOO_LARGE, WRONG_MACRO_ARGUMENTS
from secateur.lang.promela.lex import IDENTIFIER, NEWLINE, NUMBER, STRING, WORDS, Token, lex
from secateur.source import Source, fail
from secateur.source.records import dataclass

_MOST_TOKENS: Final = 500_000
_DEEPEST: Final = 200


@dataclass(frozen=True, slots=True)
class Macro:
    """`#define name body`, or with parameters `#define name(a, b) body`."""

    name: str
    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]


def is_word(token: Token) -> bool:
    """Whether the token is a name to the preprocessor, to which no word is reserved."""
    return token.kind == IDENTIFIER or token.kind in WORDS


def named(name: str, value: str) -> Macro:
    """Return the macro that `-Dname=value` defines."""
    tokens = lex(Source(f"-D{name}", value))
    return Macro(name, None, tuple(t for t in tokens if t.kind != NEWLINE))


class Expander:
    """Expands tokens by macros; ends of lines in the arguments of a macro are no tokens."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros
        self._made = 0

    def expand(self, tokens: Tokens[Token]) -> list[Token]:
        """Return the tokens with all macros in them replaced."""
        return self._expand(tokens, frozenset(), 0)

    def _expand(self, tokens: Tokens[Token], within: frozenset[str], depth: int) -> list[Token]:
        """Expand tokens; a macro that is being expanded (`within`) stands for itself.

        What a macro gives is read again together with what follows, since a macro with
        parameters may find its arguments there: `pending` holds it, the next token last,
        each with the macros that it came from.
        """
        found: list[Token] = []
        pending = [(token, within) for token in reversed(tokens)]
        while pending:
            token, inside = pending.pop()
            macro = self.macros.get(token.text) if is_word(token) else None
            if macro is None or macro.name in inside:
                found.append(_of_place(token))
                continue
            arguments = None
            if macro.parameters is not None:
                arguments = _arguments(macro, token, pending)
                if arguments is None:
                    found.append(token)
                    continue
            self._count(token, depth)
            body = self._body(macro, token, arguments or [], (inside, depth))
            pending.extend((t, inside | {macro.name}) for t in reversed(body))
        return found

    def _count(self, token: Token, depth: int) -> None:
        self._made += 1
        if self._made > _MOST_TOKENS or depth > _DEEPEST:
            raise fail(EXPANSION_TOO_LARGE, f"{token.text} makes the text too large", token.span)

    def _body(
        self,
        macro: Macro,
        use: Token,
        arguments: list[list[Token]],
        inside: tuple[frozenset[str], int],
    ) -> list[Token]:
        within, depth = inside
        given = dict(zip(macro.parameters or (), arguments, strict=False))
        parts: list[Token] = []
        body = list(macro.body)
        at = 0
        while at < len(body):
            token = body[at]
            if token.kind == "##" and parts and at + 1 < len(body):
                at += 1
                parts[-1:] = _pasted(parts[-1], given.get(body[at].text, [body[at]]))
            elif token.kind == "#" and at + 1 < len(body) and body[at + 1].text in given:
                at += 1
                parts.append(_quoted(given[body[at].text], use))
            elif is_word(token) and token.text in given:
                raw = at + 1 < len(body) and body[at + 1].kind == "##"
                argument = given[token.text]
                parts.extend(argument if raw else self._expand(argument, within, depth + 1))
            else:
                parts.append(token)
            at += 1
            self._made += 1
        return [replace(part, span=use.span) for part in parts]


def _pasted(left: Token, right: list[Token]) -> list[Token]:
    if not right:
        return [left]
    joined = left.text + right[0].text
    tokens = [t for t in lex(Source("##", joined)) if t.kind != NEWLINE]
    return [*(replace(t, span=left.span) for t in tokens), *right[1:]]


def _quoted(argument: list[Token], use: Token) -> Token:
    text = " ".join(t.text for t in argument).replace("\\", "\\\\").replace('"', '\\"')
    return Token(STRING, f'"{text}"', use.span)


def _arguments(
    macro: Macro, use: Token, pending: list[tuple[Token, frozenset[str]]]
) -> list[list[Token]] | None:
    """Take the arguments in brackets off `pending`; None if none follow."""
    ahead = len(pending) - 1
    while ahead >= 0 and pending[ahead][0].kind == NEWLINE:
        ahead -= 1
    if ahead < 0 or pending[ahead][0].kind != "(":
        return None
    arguments: list[list[Token]] = [[]]
    level = 0
    while ahead >= 0:
        token = pending[ahead][0]
        ahead -= 1
        if token.kind == "(":
            level += 1
            if level == 1:
                continue
        elif token.kind == ")":
            level -= 1
            if level == 0:
                del pending[ahead + 1 :]
                return _counted(macro, use, arguments)
        if token.kind == "," and level == 1:
            arguments.append([])
        elif token.kind != NEWLINE:
            arguments[-1].append(token)
    message = f"the arguments of the macro {macro.name} are not closed"
    raise fail(WRONG_MACRO_ARGUMENTS, message, use.span, "')' closes them")


def _counted(macro: Macro, use: Token, arguments: list[list[Token]]) -> list[list[Token]]:
    needed = len(macro.parameters or ())
    if needed == 0 and arguments == [[]]:
        return []
    if needed != len(arguments):
        message = f"the macro {macro.name} has {needed} parameter(s), not {len(arguments)}"
        raise fail(WRONG_MACRO_ARGUMENTS, message, use.span)
    return arguments


def _of_place(token: Token) -> Token:
    """Return what `__LINE__` and `__FILE__` stand for; any other token as it is."""
    match token.text:
        case "__LINE__":
            line, _ = token.span.source.line_and_column(token.span.start)
            return number(line, token)
        case "__FILE__":
            return replace(token, kind=STRING, text=f'"{token.span.source.name}"')
        case _:
            return token


def number(value: int, use: Token) -> Token:
    """Return the token of a number at the place of another token."""
    return replace(use, kind=NUMBER, text=str(value))
