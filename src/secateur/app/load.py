"""From a path to a model that can be run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.engine.limits import Limits, Meter, Stop, refuse_bad_limits
from secateur.lang.lower import lower
from secateur.lang.options import Creation, LoadOptions
from secateur.lang.registry import load as load_typed


class Options(TypedDict, total=False):
    """What `secateur.load` may be told: preferences, sizes of deferred sets, the component.

    `defines` are macros for Promela's preprocessor.  Unfinished is raised if reading takes more than `max_seconds`, or the process `max_memory` bytes.  With `max_setups`, only so many valuations of the constants are looked at; the verdict is
    incomplete if there are more.
    """

    preferences: dict[str, str]
    set_sizes: dict[str, int]
    component: str | None
    max_setups: int | None
    defines: dict[str, str]
    max_seconds: float | None
    max_memory: int | None


class Recorded(Options, total=False):
    """The same, with what a model was made larger for: its `typed.room`."""

    room: Sequence[Creation]


def load(path: str | Path, **options: Unpack[Recorded]) -> Model:
    """Return the model in the file `path`; raise InputError if it is not fit for that."""
    limits = Limits(seconds=options.get("max_seconds"), memory=options.get("max_memory"))
    refuse_bad_limits(limits)
    limiting = "max_seconds", "max_memory"
    told: dict[str, Any] = {k: v for k, v in options.items() if k not in limiting}

    def work(stop: Stop) -> Model:
        with Meter(limits, stop).preparing():
            asked = LoadOptions(**told)
            typed = replace(load_typed(Path(path), asked), max_setups=asked.max_setups)
            return Model(typed, lower(typed), told)

    return run_deep(work)
