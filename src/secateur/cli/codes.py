"""The error codes of the command line: SEC450 to SEC499."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

USAGE: Final = Code(450, "the command line is not understood")
CANNOT_WRITE: Final = Code(451, "the output cannot be written")
NO_FORMULA: Final = Code(453, "no temporal formula to check")
CONTRADICTED: Final = Code(480, "a full search contradicts a reduced one")
INTERNAL: Final = Code(499, "an error of ours")
