"""The words and symbols of classical B."""

from __future__ import annotations

from typing import Final

from secateur.maths.grammar import Grammar, grammar
from secateur.maths.lex import Tokens, tokenise
from secateur.source import Source


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


COMPONENTS: Final = _words("MACHINE ABSTRACT_MACHINE MODEL SYSTEM REFINEMENT IMPLEMENTATION")
UNSUPPORTED_COMPONENTS: Final = frozenset({"RULES_MACHINE"})

CLAUSES: Final = _words(
    """REFINES CONSTRAINTS SEES USES INCLUDES EXTENDS IMPORTS PROMOTES SETS FREETYPES
    CONSTANTS CONCRETE_CONSTANTS VISIBLE_CONSTANTS ABSTRACT_CONSTANTS HIDDEN_CONSTANTS
    PROPERTIES VALUES VARIABLES ABSTRACT_VARIABLES HIDDEN_VARIABLES CONCRETE_VARIABLES
    VISIBLE_VARIABLES INVARIANT ASSERTIONS DEFINITIONS INITIALISATION INITIALIZATION
    OPERATIONS EVENTS LOCAL_OPERATIONS EXPRESSIONS PREDICATES"""
)

STATEMENTS: Final = _words("BEGIN PRE ASSERT SELECT IF CASE CHOICE ANY LET VAR WHILE")
"""The words that open a bracketed substitution."""

_OTHER_WORDS: Final = _words("skip THEN WHEN OF EITHER OR WHERE BE IN DO VARIANT ELSIF ELSE END")

_WORDS: Final = {
    word: word
    for word in (*COMPONENTS, *UNSUPPORTED_COMPONENTS, *CLAUSES, *STATEMENTS, *_OTHER_WORDS)
}

_SYMBOLS: Final = {
    ":=": ":=",
    "≔": ":=",
    "::": "::",
    ":∈": "::",
    "<--": "<--",
    "←": "<--",
    "==": "==",
    "≙": "==",
}

GRAMMAR: Final[Grammar] = grammar(_WORDS, _SYMBOLS, ("file",))


def lex(source: Source) -> Tokens:
    """Return the tokens of a B component or of a file of definitions."""
    return tokenise(source, GRAMMAR.lexicon)
