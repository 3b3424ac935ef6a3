"""Looking into JSON that may be anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from secateur.app.codes import NOT_A_TRACE
from secateur.app.traces.protocol import Reading
from secateur.source import InputError, Span, fail


def not_a_trace(reading: Reading, message: str) -> InputError:
    """Return the error to raise about a file."""
    return fail(NOT_A_TRACE, message, Span(reading.source, 0, 0))


def mapping(reading: Reading, value: Any, what: str) -> Mapping[str, Any]:
    """Return an object; what is absent or null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise not_a_trace(reading, f"{what} is not an object")
    return value


def sequence(reading: Reading, value: Any, what: str) -> list[Any]:
    """Return a list; what is absent or null is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise not_a_trace(reading, f"{what} is not a list")
    return value


def string(reading: Reading, value: Any, what: str) -> str:
    """Return a string."""
    if not isinstance(value, str):
        raise not_a_trace(reading, f"{what} is not a string")
    return value
