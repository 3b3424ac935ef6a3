"""The tables that drive the formula parser: which spelling is what, and how strongly it binds.

Built from the operator registry; what is no operator (connectives, quantifiers,
brackets) is listed here.  Priorities are those of the B language reference, which
ProB follows; comparisons are all on one level below every operator on values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from secateur.maths.lex import Lexicon, lexicon
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.types import PREDICATE
from secateur.source.records import dataclass

COMPARISON: Final = 100


class Connective(Enum):
    """The infix symbols that are no operators: they have nodes of their own."""

    AND = "&"
    OR = "or"
    IMPLIES = "=>"
    EQUIVALENT = "<=>"


@dataclass(frozen=True, slots=True)
class Infix:
    """An infix symbol: what it makes, and how strongly it holds its operands."""

    spelling: str
    means: Operator | Connective
    priority: int
    right_associative: bool = False
    comparison: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """Everything the formula parser has to know of a language's spelling.

    Three tables of infix symbols: `open` holds everywhere, `enclosed` inside any
    brackets (where `;` separates nothing), `parenthesised` inside round ones (where a
    comma makes a pair).
    """

    lexicon: Lexicon
    open: Mapping[str, Infix]
    enclosed: Mapping[str, Infix]
    parenthesised: Mapping[str, Infix]
    prefix: Mapping[str, Operator]
    postfix: Mapping[str, Operator]
    calls: Mapping[str, Operator]
    constants: Mapping[str, Operator]
    image: Operator
    pair: Operator
    member: Operator


CONNECTIVES: Final = (
    Infix("=>", Connective.IMPLIES, 30),
    Infix("&", Connective.AND, 40),
    Infix("or", Connective.OR, 40),
    Infix("<=>", Connective.EQUIVALENT, 60),
)

PAIR_PRIORITY: Final = 115


def _themselves(spellings: str) -> dict[str, str]:
    return {spelling: spelling for spelling in spellings.split()}


WORDS: Final = _themselves(
    "or not bool rec struct SIGMA PI UNION INTER IF THEN ELSIF ELSE END LET BE IN"
)

SYMBOLS: Final = {
    **_themselves("( ) [ ] { } , . | ! # % & => <=> '"),
    "∧": "&",
    "∨": "or",
    "¬": "not",
    "⇒": "=>",
    "⇔": "<=>",
    "∀": "!",
    "∃": "#",
    "λ": "%",
    "·": ".",
    "∣": "|",
    "∑": "SIGMA",
    "∏": "PI",
    "⋃": "UNION",
    "⋂": "INTER",
    "∅": "∅",
    "<>": "<>",
    "⋖": "<+",
    "⌒": "^",
    "⁻¹": "~",
}

PRAGMAS: Final = ("label",)

SOFT_WORDS: Final = ("floor", "ceiling", "real", "partition")
"""Younger operators, whose names machines have long used for their variables."""

AS_FUNCTIONS: Final = ("succ", "pred")
"""Operators that can also be written without operands, for the function itself."""


def grammar(
    words: Mapping[str, str], symbols: Mapping[str, str], pragmas: Iterable[str] = ()
) -> Grammar:
    """Return B's grammar of formulas with further reserved words, symbols and pragmas."""
    all_words, all_symbols = {**WORDS, **words}, {**SYMBOLS, **symbols}
    for operator in OPERATORS:
        _add_spellings(operator, all_words, all_symbols)
    for symbol in [s for s in all_symbols if "-" in s]:
        all_symbols.setdefault(symbol.replace("-", "−"), all_symbols[symbol])
    kinds = {**all_words, **all_symbols}
    table = _infix_table(kinds)
    pair = _named("pair")
    enclosing = {";", "||"}
    return Grammar(
        lexicon(all_words, all_symbols, (*PRAGMAS, *pragmas), SOFT_WORDS),
        {kind: infix for kind, infix in table.items() if kind not in enclosing},
        table,
        {**table, ",": Infix(",", pair, PAIR_PRIORITY)},
        _operators(Fixity.PREFIX, kinds),
        {k: o for k, o in _operators(Fixity.POSTFIX, kinds).items() if o is not _IMAGE},
        _operators(Fixity.CALL, kinds),
        {k: o for k, o in _operators(Fixity.CONSTANT, kinds).items() if k != "∅"},
        _IMAGE,
        pair,
        _named("member"),
    )


def _named(name: str) -> Operator:
    return next(o for o in OPERATORS if o.name == name)


_IMAGE: Final = _named("image")


def _add_spellings(operator: Operator, words: dict[str, str], symbols: dict[str, str]) -> None:
    kind = operator.spellings[0]
    if operator is _IMAGE:
        return  # its brackets are no single token
    for spelling in operator.spellings:
        is_word = spelling.isidentifier() and spelling.isascii()
        (words if is_word else symbols).setdefault(spelling, kind)


def _operators(fixity: Fixity, kinds: Mapping[str, str]) -> dict[str, Operator]:
    chosen = [o for o in OPERATORS if o.fixity is fixity]
    return {kinds.get(s, s): o for o in reversed(chosen) for s in o.spellings}


def _infix_table(kinds: Mapping[str, str]) -> dict[str, Infix]:
    table = {infix.spelling: infix for infix in CONNECTIVES}
    for kind, operator in _operators(Fixity.INFIX, kinds).items():
        meanings = operator.overloads or (operator,)
        comparison = any(m.signature and m.signature.result is PREDICATE for m in meanings)
        priority = COMPARISON if comparison else operator.priority
        table[kind] = Infix(kind, operator, priority, operator.right_associative, comparison)
    return table


FORMULAS: Final = grammar({}, {})
"""B's formulas on their own, without clauses and substitutions."""
