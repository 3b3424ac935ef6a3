"""The words and symbols of Promela, and of the lines meant for the preprocessor.

A text is cut into tokens before the preprocessor sees it.  What no token begins with becomes
a token too: it may stand where the preprocessor leaves it out.
"""

from __future__ import annotations

import re
from typing import Final

from secateur.lang.promela.codes import UNCLOSED_COMMENT
from secateur.source import Source, Span, fail
from secateur.source.records import dataclass

IDENTIFIER: Final = "identifier"
NUMBER: Final = "number"
STRING: Final = "string"
CHARACTER: Final = "character"
STRAY: Final = "stray character"
NEWLINE: Final = "end of line"
END_OF_TEXT: Final = "end of text"

TYPES: Final = frozenset(
    {"bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"}
)

WORDS: Final = TYPES | frozenset(
    [
        "D_proctype",
        "active",
        "assert",
        "atomic",
        "break",
        "c_code",
        "c_decl",
        "c_expr",
        "c_state",
        "c_track",
        "d_step",
        "do",
        "else",
        "empty",
        "enabled",
        "eval",
        "false",
        "fi",
        "for",
        "full",
        "get_priority",
        "goto",
        "hidden",
        "if",
        "init",
        "inline",
        "len",
        "local",
        "ltl",
        "nempty",
        "never",
        "nfull",
        "notrace",
        "np_",
        "od",
        "of",
        "pc_value",
        "printf",
        "printm",
        "priority",
        "proctype",
        "provided",
        "return",
        "run",
        "select",
        "set_priority",
        "short",
        "show",
        "skip",
        "timeout",
        "trace",
        "true",
        "typedef",
        "unless",
        "xr",
        "xs",
    ]
)
"""The reserved words; `in` is one only in `for`, the words of temporal logic only in `ltl`."""

_SYMBOLS: Final = (
    "<->",
    *("::", "->", "++", "--", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "/\\", "\\/"),
    *("[]", "<>", "!!", "??", "##"),
    *"+-*/%&|^~!?<>=()[]{};:,.@#",
)

_PATTERN: Final = re.compile(
    "|".join(
        (
            r"(?P<skipped>[^\S\n]+|\\\n|//(?:\\\n|[^\n])*|/\*(?s:.*?)\*/)",
            r"(?P<newline>\n)",
            r"(?P<broken>/\*)",
            r"(?P<word>[^\W\d]\w*)",
            r"(?P<number>\d+)",
            r'(?P<string>"(?:[^"\\\n]|\\(?s:.))*")',
            r"(?P<character>'(?:[^'\\\n]|\\.)')",
            f"(?P<symbol>{'|'.join(map(re.escape, _SYMBOLS))})",
            r"(?P<stray>.)",
        )
    )
)


@dataclass(frozen=True, slots=True)
class Token:
    """What it is, how it is written, and where; the kind of a word or symbol is its spelling."""

    kind: str
    text: str
    span: Span
    first: bool = False
    """Whether a new line begins with it, which separates statements: the preprocessor says so."""
    origin: int = 0
    """Which call of an `inline` put it here, if one did."""
    passed: bool = False
    """Whether it is from an argument of an `inline`."""


def lex(source: Source) -> list[Token]:
    """Return the tokens of a text with the ends of its lines."""
    found = []
    for match in _PATTERN.finditer(source.text):
        group = match.lastgroup
        if group == "skipped":
            continue
        span = Span(source, match.start(), match.end())
        if group == "broken":
            raise fail(UNCLOSED_COMMENT, "this comment is not closed", span, "'*/' closes it")
        found.append(Token(_kind(group, match.group()), match.group(), span))
    end = Span(source, len(source.text), len(source.text))
    found.append(Token(NEWLINE, "\n", end))
    return found


def _kind(group: str | None, text: str) -> str:
    match group:
        case "word":
            return text if text in WORDS else IDENTIFIER
        case "symbol":
            return text
        case "number":
            return NUMBER
        case "string":
            return STRING
        case "character":
            return CHARACTER
        case "newline":
            return NEWLINE
        case _:
            return STRAY
