"""The error codes of the command line: SEC450 to SEC499."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

USAGE: Final = Code(450, "the command line is not understood")
CANNOT_WRITE: Final = Code(451, "the output cannot be written")
NO_FORMULA: Final = Code(453, "no temporal formula to check")
UNKNOWN_FORMAT: Final = Code(460, "no format is known for a file to write")
CANNOT_WRITE_FILE: Final = Code(461, "a file cannot be written")
TOO_LARGE: Final = Code(466, "a graph that is too large to draw")
NOT_IN_THIS_FORMAT: Final = Code(467, "a picture that this format does not have")
UNKNOWN_FLAG: Final = Code(470, "there is no such flag of probcli")
REFUSED_FLAG: Final = Code(471, "a flag of probcli that is not done here")
BAD_FLAG_ARGUMENT: Final = Code(472, "a flag of probcli with a bad argument")
NO_BASELINE: Final = Code(473, "there is no baseline to compare with")
BAD_BASELINE: Final = Code(474, "a baseline that cannot be read")
CONTRADICTED: Final = Code(480, "a full search contradicts a reduced one")
INTERNAL: Final = Code(499, "an error of ours")
