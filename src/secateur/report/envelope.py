"""The one JSON object that a command prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from secateur.version import __version__

SCHEMA: Final = 1
"""Grows when a key changes its meaning or goes; new keys may come at any time."""


def to_text(command: str, content: Mapping[str, Any]) -> str:
    """Return `content` as JSON, with the keys that every command's object has."""
    whole = {"schema": SCHEMA, "version": __version__, "command": command, **content}
    return json.dumps(whole, indent=2, ensure_ascii=False)
