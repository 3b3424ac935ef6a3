"""Error codes about files and models of whatever language."""

from typing import Final

from secateur.source import Code

UNKNOWN_LANGUAGE: Final = Code(290, "no language is known for this file")
NO_ESTIMATE: Final = Code(291, "a heuristic that is no number")
NOTHING_REFINED: Final = Code(292, "a component that refines nothing")
NO_MACROS: Final = Code(293, "macros for a language without a preprocessor")
