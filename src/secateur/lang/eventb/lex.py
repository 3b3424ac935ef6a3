"""The words, symbols and priorities of Event-B's mathematical language.

They are Rodin's: `^` is the power, `**` the cartesian product, NAT has no greatest
element, `;` and `||` are always operators, and a bound formula ends where its bracket does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from secateur.maths.grammar import COMPARISON, Connective, Grammar, Infix
from secateur.maths.lex import Lexicon, Tokens, tokenise_part
from secateur.maths.operators import (
    comparison,
    constants,
    eventb,
    function_spaces,
    integers,
    relations,
    sets,
)
from secateur.maths.operators.protocol import Operator
from secateur.source import Source, Span

PAIR: Final = 110
TYPED: Final = 115
ARROW: Final = 120
SET: Final = 130
SUM: Final = 150
TERM: Final = 160
POWER: Final = 170

_CONNECTIVES: Final = (
    Infix("<=>", Connective.EQUIVALENT, 30),
    Infix("=>", Connective.IMPLIES, 30),
    Infix("&", Connective.AND, 40),
    Infix("or", Connective.OR, 40),
)

_COMPARISONS: Final = {
    "=": comparison.EQUAL,
    "/=": comparison.NOT_EQUAL,
    ":": comparison.MEMBER,
    "/:": comparison.NOT_MEMBER,
    "<:": comparison.SUBSET,
    "/<:": comparison.NOT_SUBSET,
    "<<:": comparison.STRICT_SUBSET,
    "/<<:": comparison.NOT_STRICT_SUBSET,
    "<": integers.LESS,
    "<=": integers.LESS_EQUAL,
    ">": integers.GREATER,
    ">=": integers.GREATER_EQUAL,
}

_OPERATORS: Final[Mapping[int, Mapping[str, Operator]]] = {
    PAIR: {"|->": relations.PAIR},
    TYPED: {"oftype": eventb.OF_TYPE},
    ARROW: {
        o.spellings[0]: o
        for o in function_spaces.OPERATORS
        if o is not function_spaces.PARTIAL_BIJECTIONS
    },
    SET: {
        "\\/": sets.UNION,
        "/\\": sets.INTERSECTION,
        "\\": sets.SET_MINUS,
        "**": sets.PRODUCT,
        "<+": relations.OVERWRITE,
        "<|": relations.DOMAIN_RESTRICTION,
        "<<|": relations.DOMAIN_SUBTRACTION,
        "|>": relations.RANGE_RESTRICTION,
        "|>>": relations.RANGE_SUBTRACTION,
        ";": relations.COMPOSITION,
        "circ": relations.COMPOSITION,
        "><": relations.DIRECT_PRODUCT,
        "||": relations.PARALLEL_PRODUCT,
    },
    140: {"..": sets.INTERVAL},
    SUM: {"+": integers.ADD, "-": integers.SUBTRACT},
    TERM: {"*": integers.MULTIPLY, "/": integers.DIVIDE, "mod": integers.MODULO},
    POWER: {"^": integers.POWER},
}

_CALLS: Final = {
    "POW": sets.POWER_SET,
    "POW1": sets.POWER_SET1,
    "card": sets.CARD,
    "finite": eventb.FINITE,
    "partition": sets.PARTITION,
    "union": sets.GENERALIZED_UNION,
    "inter": sets.GENERALIZED_INTERSECTION,
    "min": integers.MIN,
    "max": integers.MAX,
    "dom": relations.DOMAIN,
    "ran": relations.RANGE,
}

_BASIC: Final = {o.name: o for o in constants.OPERATORS}

_CONSTANTS: Final = {
    "TRUE": _BASIC["true"],
    "FALSE": _BASIC["false"],
    "true": _BASIC["true predicate"],
    "false": _BASIC["false predicate"],
    "BOOL": _BASIC["booleans"],
    "INT": _BASIC["integers"],
    "NAT": _BASIC["naturals"],
    "NAT1": _BASIC["positive naturals"],
    "id": eventb.IDENTITY,
    "prj1": eventb.FIRST_PROJECTION,
    "prj2": eventb.SECOND_PROJECTION,
}

STEPS: Final = {"succ": integers.SUCCESSOR, "pred": integers.PREDECESSOR}
"""Functions on the integers that have no other operand."""

_UNICODE: Final = """
∧ &  ∨ or  ¬ not  ⇒ =>  ⇔ <=>  ∀ !  ∃ #  λ %  · .  • .  ∣ |  ⊤ true  ⊥ false
≠ /=  ∈ :  ∉ /:  ⊆ <:  ⊈ /<:  ⊂ <<:  ⊄ /<<:  ≤ <=  ≥ >=  ↦ |->  ⦂ oftype
↔ <->  \ue100 <<->  \ue101 <->>  \ue102 <<->>  ⇸ +->  → -->  ⤔ >+>  ↣ >->  ⤀ +->>  ↠ -->>
⤖ >->>  ∪ \\/  ∩ /\\  ∖ \\  × **  \ue103 <+  ⊕ <+  ⋖ <+  ◁ <|  ⩤ <<|  ▷ |>  ⩥ |>>  ⊲ <|  ⊳ |>
∘ circ  ⊗ ><  ∥ ||  ‥ ..  − -  ∗ *  ÷ /  ∼ ~  ℙ POW  ℙ1 POW1  ℕ NAT  ℕ1 NAT1  ℕ₁ NAT1  ℙ₁ POW1
ℤ INT  ⋃ UNION  ⋂ INTER  ≔ :=  :∈ ::  :∣ :|
"""

_OTHER_WORDS: Final = ("or", "not", "bool", "UNION", "INTER", *STEPS)
_OTHER_SYMBOLS: Final = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "|",
    "!",
    "#",
    "%",
    "&",
    "=>",
    "<=>",
    "~",
    "∅",
    ":=",
    "::",
    ":|",
]


def _infix_table() -> dict[str, Infix]:
    table = {infix.spelling: infix for infix in _CONNECTIVES}
    for kind, operator in _COMPARISONS.items():
        table[kind] = Infix(kind, operator, COMPARISON, comparison=True)
    for priority, row in _OPERATORS.items():
        table.update({kind: Infix(kind, operator, priority) for kind, operator in row.items()})
    return table


_INFIX: Final = _infix_table()


def _lexicon() -> Lexicon:
    kinds = {*_INFIX, *_CALLS, *_CONSTANTS, *_OTHER_WORDS, *_OTHER_SYMBOLS}
    words = {kind: kind for kind in kinds if kind.isidentifier()}
    words.pop("∅", None)
    symbols = {kind: kind for kind in kinds if kind not in words}
    unicode = _UNICODE.split()
    symbols.update(zip(unicode[::2], unicode[1::2], strict=True))
    letters = "".join(sorted({s[0] for s in symbols if s[0].isalpha()}))
    longest_first = sorted(symbols, key=lambda s: (-len(s), s))
    rows = (
        ("skipped", r"\s+|//[^\n]*|/\*(?s:.*?)\*/"),
        ("word", rf"(?![{letters}])[^\W\d]\w*'?"),
        ("number", r"\d+"),
        ("label", r"@[^\s:]+'?:?"),
        ("broken", r"/\*"),
        ("symbol", "|".join(map(re.escape, longest_first))),
        ("unknown", r"(?s:.)"),
    )
    pattern = re.compile("|".join(f"(?P<{name}>{rule})" for name, rule in rows))
    return Lexicon(pattern, words, symbols, frozenset(), frozenset())


GRAMMAR: Final = Grammar(
    _lexicon(),
    _INFIX,
    _INFIX,
    _INFIX,
    {"-": integers.NEGATE},
    {"~": relations.INVERSE},
    _CALLS,
    _CONSTANTS,
    relations.IMAGE,
    relations.PAIR,
    comparison.MEMBER,
)


def lex(source: Source) -> Tokens:
    """Return the tokens of a formula or of a component in words."""
    return tokenise_part(Span(source, 0, len(source.text)), GRAMMAR.lexicon)
