"""The error codes of the command line: SEC450 to SEC499."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

USAGE: Final = Code(450, "the command line is not understood")
CANNOT_WRITE: Final = Code(451, "the output cannot be written")
NO_FORMULA: Final = Code(453, "no temporal formula to check")
UNKNOWN_FORMAT: Final = Code(460, "no format is known for a file to write")
CANNOT_WRITE_FILE: Final = Code(461, "a file cannot be written")
INTERNAL: Final = Code(499, "an error of ours")
