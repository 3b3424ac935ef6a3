"""What asks a channel or a process, where there is none that can answer.

B has no words for these, as for the integers of a machine.  The name is one that no program can
give to something else, and that nobody types by accident: it needs backquotes.
"""

from __future__ import annotations

from typing import Final, NoReturn

from secateur.maths.operators.build import call, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import INTEGER
from secateur.maths.values import IllDefined

NEVER_MADE: Final = "the channel was never made, or its process is over"
POLLED: Final = "a channel without a buffer is asked for its messages"
OUTSIDE: Final = "an index is outside of its array"
NO_FIELD: Final = "a message has no such field"
OWN: Final = "a process asks whether it can go on itself"
IN_CIRCLES: Final = "processes ask in circles whether they can go on"
OF_CHANNELS: Final = (NEVER_MADE, POLLED, OUTSIDE)
REASONS: Final = (*OF_CHANNELS, NO_FIELD, OWN, IN_CIRCLES)
NO_REASON: Final = "there is no answer"


def unanswered(reason: int) -> NoReturn:
    """Say why there is no answer."""
    raise IllDefined(REASONS[reason] if 0 <= reason < len(REASONS) else NO_REASON)


UNANSWERED: Final = partial(
    call("no answer", "`no-answer`", signature(INTEGER, INTEGER), unanswered)
)
"""Never has a value; the operand is the number of a reason."""

OPERATORS: Final[tuple[Operator, ...]] = (UNANSWERED,)
