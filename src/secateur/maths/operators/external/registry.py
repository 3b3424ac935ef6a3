"""All external functions.  Adding one: its value in a topic file, its name in that file's tuple."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.maths.operators.external import (
    choose,
    mathematics,
    numerals,
    output,
    reals,
    regex,
    strings,
)
from secateur.maths.operators.protocol import Operator

EXTERNALS: Final[Mapping[str, Operator]] = {
    operator.spellings[0]: operator
    for topic in (strings, numerals, regex, choose, mathematics, reals, output)
    for operator in topic.OPERATORS
}


def _names(*topics: tuple[Operator, ...]) -> tuple[str, ...]:
    return tuple(operator.spellings[0] for topic in topics for operator in topic)


LIBRARIES: Final[Mapping[str, tuple[str, ...]]] = {
    "LibraryStrings.def": _names(strings.OPERATORS, numerals.OPERATORS),
    "LibraryRegex.def": _names(regex.OPERATORS),
    "LibraryReals.def": _names(reals.OPERATORS),
    "LibraryBits.def": ("BNOT", "BAND", "BOR", "BXOR", "BLSHIFT", "BRSHIFT"),
    "LibraryMath.def": _names(mathematics.OPERATORS),
    "LibraryIO.def": _names(output.OPERATORS),
    "LibraryProB.def": _names(output.OPERATORS, choose.OPERATORS),
    "LibraryMeta.def": (),
    "CHOOSE.def": ("CHOOSE", "MU"),
    "SORT.def": ("SORT", "SQUASH"),
    "SCCS.def": ("SCCS", "CLOSURE1"),
}
"""What the files of ProB's standard library declare, for models that include them but do not
bring them along."""
