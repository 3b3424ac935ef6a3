"""Error codes about which language a file is written in."""

from typing import Final

from secateur.source import Code

UNKNOWN_LANGUAGE: Final = Code(290, "no language is known for this file")
