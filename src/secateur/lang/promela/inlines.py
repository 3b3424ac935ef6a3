"""Inlines: their bodies are put in place of their calls, with the arguments as written.

As in Spin, the body is a block with a scope of its own; names in it are those known at the
call.  A label inside of a body belongs to the one call: another call has another label of that
name, and `goto` finds the label of the innermost call around it that has one.
"""

from __future__ import annotations

from collections.abc import Sequence as Tokens
from dataclasses import field, replace
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from secateur.lang.promela.ast import Expr
from secateur.lang.promela.codes import (
    EXPANSION_TOO_LARGE,
    RECURSIVE_INLINE,
    UNKNOWN_INLINE,
    WRONG_INLINE_ARGUMENTS,
)
from secateur.lang.promela.lex import END_OF_TEXT, IDENTIFIER, Token
from secateur.lang.promela.parse_declaration import DeclarationParser
from secateur.lang.promela.parse_expression import names_after
from secateur.source import fail
from secateur.source.records import dataclass

_MOST_TOKENS: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Inline:
    """`inline name(parameters) { body }`, the body with its braces."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]


@dataclass(slots=True)
class _Call:
    """A body that is being parsed."""

    inline: Inline
    rest: int
    """How many tokens there are after the body."""
    number: int
    target: Expr | None
    labels: dict[str, str] = field(default_factory=dict)
    """The names that the labels of this call have in the process."""


class InlineParser(DeclarationParser):
    """Parses definitions of inlines, and puts their bodies in place of calls."""

    def __init__(self, tokens: Tokens[Token]) -> None:
        super().__init__(tokens)
        self.inlines: dict[str, Inline] = {}
        self._calls: list[_Call] = []
        self._number = 0
        self._labels: set[str] = set()
        """The labels of the process that is being parsed."""

    def begin_process(self) -> None:
        """Gather the labels that stand in the body ahead itself; those of inlines come later."""
        start = self.at
        self._labels = _labels(self._braces())
        self.at = start

    def _new_label(self, name: str) -> str:
        """Return a name for a label of an inline that no other label of the process has."""
        count, found = 1, name
        while found in self._labels:
            count += 1
            found = f"{name}_{count}"
        self._labels.add(found)
        return found

    def inline(self) -> None:
        """Parse the definition of an inline."""
        self.expect("inline")
        name = self.identifier("the name of an inline").text
        opened = self.open()
        parameters = []
        if self.kind != ")":
            parameters.append(self.identifier("a parameter").text)
            while self.accept(","):
                parameters.append(self.identifier("a parameter").text)
        self.close(")", opened)
        self.inlines[name] = Inline(name, tuple(parameters), self._braces())

    def _braces(self) -> tuple[Token, ...]:
        """Pass over what stands in braces, and return it with them."""
        start = self.at
        opened = self.expect("{")
        level = 1
        while level:
            if self.kind == END_OF_TEXT:
                self.close("}", opened)
            kind = self.take().kind
            level += {"{": 1, "}": -1}.get(kind, 0)
        return tuple(self.tokens[start : self.at])

    def at_call(self) -> bool:
        """Whether an inline is called here."""
        known = self.kind == IDENTIFIER and self.token.text in self.inlines
        return known and self.ahead(1) == "("

    def refuse_unknown_call(self) -> None:
        """Complain if what stands here looks like the call of an inline that there is not."""
        if self.kind != IDENTIFIER or self.ahead(1) != "(" or self.tokens[self.at + 1].first:
            return
        name = self.token.text
        if name in self.proctypes:
            message = f"{name} is a proctype, not an inline"
            raise fail(UNKNOWN_INLINE, message, self.token.span, "'run' creates a process of it")
        hint = None
        if name in names_after(self.tokens[self.at :], {"inline"}):
            hint = "it is defined below: it can be called from there on"
        elif near := get_close_matches(name, self.inlines, n=1):
            hint = f"is {near[0]} meant?"
        raise fail(UNKNOWN_INLINE, f"there is no inline {name}", self.token.span, hint)

    def splice(self, target: Expr | None) -> None:
        """Replace the call ahead by the body of its inline, and begin to read it."""
        name = self.take()
        inline = self.inlines[name.text]
        calls = self._open_calls()
        if any(call.inline.name == inline.name for call in calls):
            raise fail(RECURSIVE_INLINE, f"the inline {inline.name} calls itself", name.span)
        arguments = self._arguments(name, inline)
        self._number += 1
        body = _with_arguments(inline, arguments, self._number)
        if self._number > _MOST_TOKENS // max(1, len(body)):
            raise fail(EXPANSION_TOO_LARGE, f"{inline.name} is called too often", name.span)
        call = _Call(inline, len(self.tokens) - self.at, self._number, target)
        call.labels.update((label, self._new_label(label)) for label in sorted(_labels(body)))
        self._calls = [*calls, call]
        self.tokens[: self.at] = self.tokens[self.at - 1 : self.at]
        self.tokens[1:1] = body
        self.at = 1

    def _open_calls(self) -> list[_Call]:
        """Return the calls whose bodies we are in."""
        rest = len(self.tokens) - self.at
        return [call for call in self._calls if call.rest < rest]

    def _arguments(self, name: Token, inline: Inline) -> list[tuple[Token, ...]]:
        opened = self.expect("(")
        found: list[list[Token]] = [[]]
        level = 1
        while level:
            if self.kind == END_OF_TEXT:
                self.close(")", opened)
            token = self.take()
            level += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.kind, 0)
            if token.kind == "," and level == 1:
                found.append([])
            elif level:
                found[-1].append(token)
        given = [] if found == [[]] else found
        if len(given) != len(inline.parameters):
            wanted = len(inline.parameters)
            message = f"the inline {inline.name} has {wanted} parameter(s), not {len(given)}"
            raise fail(WRONG_INLINE_ARGUMENTS, message, self.span_from(name))
        return [tuple(replace(token, first=False, passed=True) for token in part) for part in given]

    def label(self, name: Token) -> str:
        """Return the name in the process of the label that is called `name` here."""
        for call in reversed(self._open_calls()):
            if name.text in call.labels:
                return call.labels[name.text]
        return name.text

    def returned(self) -> Expr | None:
        """Return the variable that takes the value of the innermost call."""
        calls = self._open_calls()
        return calls[-1].target if calls else None


def _with_arguments(inline: Inline, arguments: list[tuple[Token, ...]], number: int) -> list[Token]:
    """Return the body of an inline with its parameters replaced, fields of such a name too."""
    given = dict(zip(inline.parameters, arguments, strict=True))
    found: list[Token] = []
    for token in inline.body:
        part = given.get(token.text) if token.kind == IDENTIFIER else None
        if part is None:
            found.append(replace(token, origin=number))
        elif part:
            found.append(replace(part[0], first=token.first))
            found.extend(part[1:])
    return found


def _labels(body: Tokens[Token]) -> set[str]:
    """Return the labels that stand in a body; a few names more do no harm."""
    pairs = pairwise(body)
    return {name.text for name, colon in pairs if name.kind == IDENTIFIER and colon.kind == ":"}
