"""The preferences that have a meaning here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from secateur.lang.b.codes import BAD_SPECIAL_DEFINITION
from secateur.maths.operators.protocol import Settings
from secateur.source import fail

_HONOURED: Final = frozenset({"MAXINT", "MININT", "DEFAULT_SETSIZE"})


def settings_of(wanted: Mapping[str, str]) -> Settings:
    """Return the settings of evaluation that the preferences `wanted` give."""
    default = Settings()
    return Settings(
        _number("MAXINT", wanted, default.maxint), _number("MININT", wanted, default.minint)
    )


def preference_notes(wanted: Mapping[str, str]) -> Sequence[str]:
    """Return a remark on each preference that is passed over."""
    return [f"preference {name} has no effect here" for name in wanted if name not in _HONOURED]


def _number(name: str, wanted: Mapping[str, str], default: int) -> int:
    text = wanted.get(name)
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        message = f"preference {name} must be a number, not {text}"
        raise fail(BAD_SPECIAL_DEFINITION, message) from None
