"""Error codes about temporal formulas."""

from typing import Final

from secateur.source import Code

BAD_FORMULA: Final = Code(320, "a temporal formula that cannot be read")
MISPLACED_FAIRNESS: Final = Code(321, "fairness can only be assumed before a formula")
UNKNOWN_EVENT: Final = Code(322, "a formula names an event that does not exist")
BAD_ATOM: Final = Code(323, "an atom of a formula does not fit the model")
