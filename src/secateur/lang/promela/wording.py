"""What is said about messages."""

from __future__ import annotations


def fields_of(channel: str, fields: int, given: int) -> str:
    """Return what is wrong with a message that has more or fewer fields than it should."""
    plural = "" if fields == 1 else "s"
    return f"a message of {channel} has {fields} field{plural}, not {given}"
