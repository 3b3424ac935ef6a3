"""What a user may say about how a model is to be loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from secateur.source.records import dataclass

Creation = tuple[int, str, int, int]
"""A process that somebody creates: its creator's number and kind, which statement, its number."""


@dataclass(frozen=True)
class LoadOptions:
    """Preferences (`-p NAME VALUE`), sizes of deferred sets (`--set-size S=N`), component (`-m`).

    `defines` are macros of a language that has a preprocessor (`-D NAME=VALUE`).
    Of the constants, only the first `max_setups` valuations are looked at, if that is given.
    `room` is what a model had to be made larger for (`Model.room`): that model is meant.
    """

    preferences: Mapping[str, str] = field(default_factory=dict)
    set_sizes: Mapping[str, int] = field(default_factory=dict)
    component: str | None = None
    max_setups: int | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    room: Sequence[Creation] = ()
