"""Error codes of classical B: 200 to 219 parsing, from 220 on names, definitions and files."""

from typing import Final

from secateur.source import Code

NOT_B: Final = Code(200, "no B component")
UNSUPPORTED_COMPONENT: Final = Code(201, "unsupported kind of component")
REPEATED_CLAUSE: Final = Code(203, "a clause is repeated")
NOT_ASSIGNABLE: Final = Code(204, "this cannot be assigned to")
WRONG_NUMBER_OF_VALUES: Final = Code(205, "as many values as variables are needed")
NOT_A_STATEMENT: Final = Code(206, "this is no statement")

# Definitions

CYCLIC_DEFINITION: Final = Code(220, "a definition uses itself")
WRONG_ARGUMENTS: Final = Code(221, "wrong number of arguments for a definition")
WRONG_KIND_OF_DEFINITION: Final = Code(222, "a definition of another kind is needed here")
UNSUPPORTED_EXTERNAL: Final = Code(223, "external function not supported")
MISSING_DEFINITION_FILE: Final = Code(224, "definition file not found")
NOT_A_LIST_OF_NAMES: Final = Code(225, "a list of identifiers is expected")

# Names, files and components

MISSING_COMPONENT: Final = Code(230, "component not found")
CYCLIC_REFERENCE: Final = Code(231, "components refer to each other in a circle")
DECLARED_TWICE: Final = Code(232, "declared twice")
NOT_PROMOTABLE: Final = Code(233, "operation to promote not found")
WRONG_INSTANTIATION: Final = Code(234, "wrong number of machine parameters")
BAD_SPECIAL_DEFINITION: Final = Code(235, "special definition with a bad value")
BAD_SET_SIZE: Final = Code(236, "bad size of a set")
UNKNOWN_COMPONENT: Final = Code(237, "no such component")
NAME_MISMATCH: Final = Code(238, "file and component have different names")
RECURSIVE_OPERATION: Final = Code(239, "an operation calls itself")
WRITTEN_TWICE: Final = Code(240, "a variable is written twice at once")
OWNED_TWICE: Final = Code(241, "a machine is included twice")
OTHER_SIGNATURE: Final = Code(242, "an operation with other parameters than the one it refines")
