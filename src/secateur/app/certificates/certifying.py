"""What is to be known for a certificate before a search begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Certifying:
    """Where a certificate goes, and what it must say about how the model was loaded."""

    file: Path
    load: Mapping[str, Any] = field(default_factory=dict)
    goal: str | None = None
