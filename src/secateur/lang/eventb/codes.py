"""Error codes of Event-B: 250 to 279 reading, 280 to 299 what components say of each other."""

from typing import Final

from secateur.source import Code

# Components and events

MISSING_COMPONENT: Final = Code(280, "context or machine not found")
CYCLIC_REFERENCE: Final = Code(281, "components refer to each other in a circle")
SEVERAL_COMPONENTS: Final = Code(282, "several components could be meant")
UNKNOWN_COMPONENT: Final = Code(283, "no such component in the project")
MISSING_EVENT: Final = Code(284, "abstract event not found")
DECLARED_TWICE: Final = Code(285, "declared twice")
BAD_EXTENSION: Final = Code(286, "an extended event refines exactly one event")
NO_COMPONENT: Final = Code(287, "a project without components")
