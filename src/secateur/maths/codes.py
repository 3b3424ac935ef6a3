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

# Typing, 130-159

UNKNOWN_NAME: Final = Code(130, "unknown identifier")
TYPE_MISMATCH: Final = Code(131, "type error")
UNTYPED: Final = Code(132, "type cannot be inferred")
NO_OVERLOAD: Final = Code(133, "operator does not fit its operands")
NOT_A_FUNCTION: Final = Code(134, "application of something that is not a function")
NO_FIELD: Final = Code(135, "record without this field")
BOUND_TWICE: Final = Code(136, "identifier bound twice")
WRONG_ARITY: Final = Code(137, "wrong number of operands")
NOT_ASSIGNABLE: Final = Code(138, "target that cannot be assigned")
UNKNOWN_OPERATION: Final = Code(139, "unknown operation")
NO_OLD_VALUE: Final = Code(140, "no earlier value here")
NOT_A_LET: Final = Code(141, "LET without a definition of each identifier")
REPEATED_CASE: Final = Code(142, "a case is listed twice")
