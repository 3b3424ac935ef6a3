"""Error codes of formulas: 100 to 129 parsing, 130 to 159 typing, 160 to 199 evaluation."""

from typing import Final

from secateur.source import Code

UNEXPECTED: Final = Code(100, "something else is expected here")
UNKNOWN_CHARACTER: Final = Code(101, "unknown character")
UNCLOSED_COMMENT: Final = Code(102, "a comment is not closed")
UNCLOSED_STRING: Final = Code(103, "a string is not closed")
TEXT_ENDS: Final = Code(104, "the text ends too early")
WRONG_OPERANDS: Final = Code(105, "wrong number of operands")
CHAINED_COMPARISON: Final = Code(106, "comparisons do not chain")
NOT_AN_IDENTIFIER: Final = Code(107, "an identifier is expected")
