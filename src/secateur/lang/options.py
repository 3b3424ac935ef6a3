"""What a user may say about how a model is to be loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class LoadOptions:
    """Preferences (`-p NAME VALUE`), sizes of deferred sets (`--set-size S=N`), component (`-m`).

    `defines` are macros of a language that has a preprocessor (`-D NAME=VALUE`).
    Of the constants, only the first `max_setups` valuations are looked at, if that is given.
    """

    preferences: Mapping[str, str] = field(default_factory=dict)
    set_sizes: Mapping[str, int] = field(default_factory=dict)
    component: str | None = None
    max_setups: int | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
