"""Error codes of reading files: 000 to 099."""

from typing import Final

from secateur.source.diagnostic import Code

NO_SUCH_FILE: Final = Code(1, "no such file")
IS_A_DIRECTORY: Final = Code(2, "a directory, not a file")
UNREADABLE: Final = Code(3, "the file cannot be read")
BINARY: Final = Code(4, "not a text file")
