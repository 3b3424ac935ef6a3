"""The one JSON object that a command prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from secateur.version import __version__

SCHEMA: Final = 1
"""Grows when a key changes its meaning or goes; new keys may come at any time."""


def enveloped(command: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return `content` with the keys that every command's object has."""
    return {"schema": SCHEMA, "version": __version__, "command": command, **content}


def to_text(command: str, content: Mapping[str, Any]) -> str:
    """Return the same as readable JSON; ASCII only, which survives every terminal and locale."""
    return json.dumps(enveloped(command, content), indent=2)
