"""Error codes of Event-B: 250 to 279 reading, 280 to 299 what components say of each other."""

from typing import Final

from secateur.source import Code

# Files and formulas

BAD_PACKAGE: Final = Code(250, "a broken ProB package")
BAD_XML: Final = Code(251, "a broken Rodin file")
UNSAFE_XML: Final = Code(252, "XML that declares entities")
BAD_ARCHIVE: Final = Code(253, "an archive that cannot be read")
ARCHIVE_TOO_LARGE: Final = Code(254, "an archive that unpacks to too much")
NO_PROJECT: Final = Code(255, "no Event-B component")
UNKNOWN_OPERATOR: Final = Code(256, "unknown operator")
UNSUPPORTED_THEORY: Final = Code(257, "operator of a theory that is not supported")
BAD_ASSIGNMENT: Final = Code(258, "this is no Event-B action")
NOT_A_PATTERN: Final = Code(259, "only identifiers and pairs of them can be bound")
BAD_TEXT: Final = Code(260, "a clause of Event-B is expected here")
COMPONENT_TWICE: Final = Code(261, "a component is in the project twice")

# Components and events

MISSING_COMPONENT: Final = Code(280, "context or machine not found")
CYCLIC_REFERENCE: Final = Code(281, "components refer to each other in a circle")
SEVERAL_COMPONENTS: Final = Code(282, "several components could be meant")
UNKNOWN_COMPONENT: Final = Code(283, "no such component in the project")
MISSING_EVENT: Final = Code(284, "abstract event not found")
DECLARED_TWICE: Final = Code(285, "declared twice")
BAD_EXTENSION: Final = Code(286, "an extended event refines exactly one event")
NO_COMPONENT: Final = Code(287, "a project without components")
