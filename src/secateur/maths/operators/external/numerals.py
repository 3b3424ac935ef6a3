"""External functions between numbers and their numerals (LibraryStrings.def)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from secateur.maths.operators.build import external, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.print_value import show_value
from secateur.maths.types import INTEGER, PREDICATE, STRING
from secateur.maths.values import IllDefined

_INTEGER: Final = re.compile(r"\s*(-?)\s*(\d+)\s*")
_DECIMAL: Final = re.compile(r"\s*(-?)\s*(\d*)(?:\.(\d*))?\s*")


def is_integer(text: str) -> bool:
    """Whether `text` is the numeral of an integer."""
    return _INTEGER.fullmatch(text) is not None


def is_decimal(text: str) -> bool:
    """Whether `text` is a numeral, possibly with a decimal point."""
    found = _DECIMAL.fullmatch(text)
    return found is not None and bool(found[2] or found[3])


def to_integer(text: str) -> int:
    """Return the integer whose numeral `text` is."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        raise IllDefined(f"{show_value(text)} is not the numeral of an integer")
    return int(found[1] + found[2])


def rounded(number: Fraction) -> int:
    """Return the nearest integer; halves are rounded away from zero."""
    magnitude = int(abs(number) + Fraction(1, 2))
    return -magnitude if number < 0 else magnitude


def decimal_to_integer(text: str, places: int) -> int:
    """Return the decimal number `text` times 10 to the power `places`, rounded."""
    found = _DECIMAL.fullmatch(text)
    if found is None or not is_decimal(text):
        raise IllDefined(f"{show_value(text)} is not a decimal number")
    whole, fraction = found[2] or "", found[3] or ""
    number = Fraction(int(whole + fraction), 10 ** len(fraction)) * Fraction(10) ** places
    return rounded(-number if found[1] else number)


def integer_to_decimal(number: int, places: int) -> str:
    """Return the numeral of `number` divided by 10 to the power `places`."""
    if places <= 0:
        return str(number * 10**-places)
    digits = str(abs(number)).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


_TEST: Final = signature(STRING, PREDICATE)

OPERATORS: Final[tuple[Operator, ...]] = (
    external("STRING_IS_INT", _TEST, is_integer),
    external("STRING_IS_NUMBER", _TEST, is_decimal),
    external("STRING_IS_DECIMAL", _TEST, is_decimal),
    partial(external("STRING_TO_INT", signature(STRING, INTEGER), to_integer)),
    external("INT_TO_STRING", signature(INTEGER, STRING), str),
    partial(external("DEC_STRING_TO_INT", signature(STRING, INTEGER, INTEGER), decimal_to_integer)),
    external("INT_TO_DEC_STRING", signature(INTEGER, INTEGER, STRING), integer_to_decimal),
    external("INT_TO_HEX_STRING", signature(INTEGER, STRING), lambda n: f"{n:x}"),
)
