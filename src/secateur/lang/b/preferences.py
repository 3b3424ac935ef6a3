"""The preferences that have a meaning here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from secateur.lang.b.codes import BAD_SPECIAL_DEFINITION
from secateur.maths.operators.protocol import Settings
from secateur.source import fail

_HONOURED: Final = frozenset(
    {"MAXINT", "MININT", "DEFAULT_SETSIZE", "USE_STATIC_SYMMETRY_DETECTION"}
)


def settings_of(wanted: Mapping[str, str]) -> Settings:
    """Return the settings of evaluation that the preferences `wanted` give."""
    default = Settings()
    return Settings(
        _number("MAXINT", wanted, default.maxint), _number("MININT", wanted, default.minint)
    )


def preference_notes(wanted: Mapping[str, str]) -> Sequence[str]:
    """Return a remark on each preference that is passed over."""
    return [_passed_over(name) for name in wanted if name not in _HONOURED]


def _passed_over(name: str) -> str:
    close = get_close_matches(name.upper(), sorted(_HONOURED), n=1, cutoff=0.8)
    hint = f": did you mean {close[0]}?" if close else ""
    return f"preference {name} has no effect here{hint}"


def _number(name: str, wanted: Mapping[str, str], default: int) -> int:
    text = wanted.get(name)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        message = f"preference {name} must be a number, not {text}"
        raise fail(BAD_SPECIAL_DEFINITION, message) from None
