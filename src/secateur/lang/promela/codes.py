"""Error codes of Promela: 330 to 339 preprocessing, 340 to 349 parsing, from 350 on names and types."""

from typing import Final

from secateur.source import Code

# Preprocessing

BAD_DIRECTIVE: Final = Code(330, "a line for the preprocessor that it does not understand")
UNBALANCED_CONDITION: Final = Code(331, "#if and #endif do not fit together")
BAD_CONDITION: Final = Code(332, "the condition of #if is no number")
WRONG_MACRO_ARGUMENTS: Final = Code(333, "wrong number of arguments for a macro")
CYCLIC_INCLUDE: Final = Code(334, "a file includes itself")
USER_ERROR: Final = Code(335, "the model stops with #error")
EXPANSION_TOO_LARGE: Final = Code(336, "macros or inlines make the text too large")
UNCLOSED_COMMENT: Final = Code(337, "a comment is not closed")

# Parsing

UNEXPECTED: Final = Code(340, "something else is expected here")
TEXT_ENDS: Final = Code(341, "the text ends too early")
EMBEDDED_C: Final = Code(342, "embedded C is not supported")
EVENT_TRACE: Final = Code(343, "this form of an event trace is not supported")
RECURSIVE_INLINE: Final = Code(344, "an inline calls itself")
WRONG_INLINE_ARGUMENTS: Final = Code(345, "wrong number of arguments for an inline")
TOO_DEEP: Final = Code(346, "nested too deeply")
NUMBER_TOO_LARGE: Final = Code(347, "a number too large for 32 bits")
MISPLACED_RETURN: Final = Code(348, "return outside of an inline whose value is used")

# Names and types

UNDECLARED: Final = Code(350, "an undeclared name")
DECLARED_TWICE: Final = Code(351, "a name is declared twice")
NOT_CONSTANT: Final = Code(352, "a constant is needed here")
BAD_SIZE: Final = Code(353, "a bad length, width, capacity, priority or number of processes")
NOT_AN_ARRAY: Final = Code(354, "an index on what is no array")
MISSING_INDEX: Final = Code(355, "an array without an index")
NOT_A_STRUCTURE: Final = Code(356, "a field of what is no structure, or not a field of it")
STRUCTURE_AS_VALUE: Final = Code(357, "a structure where a number is needed")
NOT_A_CHANNEL: Final = Code(358, "a channel is needed here")
WRONG_MESSAGE: Final = Code(359, "a message with the wrong number of fields")
UNKNOWN_PROCTYPE: Final = Code(360, "no such proctype")
WRONG_RUN_ARGUMENTS: Final = Code(361, "wrong number of arguments for a process")
UNKNOWN_LABEL: Final = Code(362, "no such label")
MISPLACED_BREAK: Final = Code(363, "break outside of a loop")
DOUBLE_ELSE: Final = Code(364, "two else in one choice")
NOT_ASSIGNABLE: Final = Code(365, "this cannot be changed")
BAD_INITIAL_VALUE: Final = Code(366, "an initial value that does not fit")
MISPLACED_TEMPORAL: Final = Code(367, "a temporal operator inside of an arithmetic expression")
WRONG_MTYPE: Final = Code(368, "a bad declaration of mtype")
RECURSIVE_TYPEDEF: Final = Code(369, "a structure that contains itself")
NO_PROCESS: Final = Code(370, "no process to begin with")
MISPLACED_RUN: Final = Code(371, "run where it cannot stand")
BAD_PARAMETER: Final = Code(372, "a parameter that cannot be one")
MISPLACED_SPECIAL: Final = Code(373, "a special name that has no meaning here")
JUMP_ACROSS_D_STEP: Final = Code(374, "a jump into a d_step, or out of one")
MIXED_MTYPES: Final = Code(375, "an element of another subtype of mtype")
UNKNOWN_INLINE: Final = Code(376, "no such inline")

# What cannot be made a model

NOT_A_VALUE: Final = Code(380, "this has no value here")
UNSUPPORTED: Final = Code(382, "a part of Promela that is not supported")
