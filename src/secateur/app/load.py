"""From a path to a model that can be run."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.lang.lower import lower
from secateur.lang.options import LoadOptions
from secateur.lang.registry import load as load_typed


class Options(TypedDict, total=False):
    """What `secateur.load` may be told: preferences, sizes of deferred sets, the component."""

    preferences: dict[str, str]
    set_sizes: dict[str, int]
    component: str | None


def load(path: str | Path, **options: Unpack[Options]) -> Model:
    """Return the model in the file `path`; raise InputError if it is not fit for that."""

    def work(_: object) -> Model:
        typed = load_typed(Path(path), LoadOptions(**options))
        return Model(typed, lower(typed))

    return run_deep(work)
