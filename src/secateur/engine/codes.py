"""The error codes of the engine: SEC300 to SEC399."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

UNKNOWN_SEARCH: Final = Code(300, "unknown search")
OPTION_WITHOUT_EFFECT: Final = Code(301, "an option that the chosen search cannot honour")
OPTION_OUT_OF_RANGE: Final = Code(302, "an option's value is out of range")
UNKNOWN_REDUCTION: Final = Code(303, "unknown reduction")
UNKNOWN_PROVISO: Final = Code(304, "unknown proviso")
UNKNOWN_HEURISTIC: Final = Code(305, "unknown heuristic")
UNSOUND_PLAN: Final = Code(306, "a combination that would miss errors")
UNKNOWN_APPROACH: Final = Code(307, "unknown approach to temporal formulas")
UNKNOWN_SYMMETRY: Final = Code(308, "unknown symmetry reduction")
TOO_MANY_PERMUTATIONS: Final = Code(309, "too many permutations to store")
UNKNOWN_ENGINE: Final = Code(310, "unknown engine, order of actions or package")
MISSING_PACKAGE: Final = Code(311, "a package is not installed")
NOT_CERTIFIED: Final = Code(319, "a run that cannot be certified")
