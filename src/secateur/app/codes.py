"""The error codes of the application: SEC400 to SEC449."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

NO_INITIAL_STATE: Final = Code(410, "there is no initial state to evaluate in")
NOT_A_PREDICATE: Final = Code(411, "a goal is not a predicate over the model")
BAD_PREFERENCE: Final = Code(412, "a preference has a bad value")
NO_CONSTANTS: Final = Code(413, "the constants have no values to compile with")
NO_SUCH_EVENT: Final = Code(414, "there is no event of that name")
NOT_A_TRACE: Final = Code(420, "a file is not a trace")
NO_SUCH_TRACE: Final = Code(421, "a file has no such trace")
BAD_CRITERION: Final = Code(430, "states cannot be compared by that")
NO_PICTURE: Final = Code(431, "the model does not define this picture")
BAD_PICTURE: Final = Code(432, "a definition cannot be drawn")
NO_SUCH_STEP: Final = Code(433, "there is no such step to draw")
NO_CERTIFICATE: Final = Code(448, "no certificate can be written")
