"""One step of a development, as front ends hand it over: a component and what it refines."""

from __future__ import annotations

from secateur.lang.model import Model
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Refinement:
    """A refinement that can be explored together with its abstractions."""

    concrete: str
    abstract: str
    model: Model
    """All levels at once: what the most refined one does, the others must be able to follow."""
    abstraction: Model
    """What the level above may do by itself, over the variables of `model`."""
    levels: tuple[tuple[str, tuple[str, ...]], ...]
    """The components, the most abstract one first, each with its variables."""
    native: bool
    """Whether the native engine knows all of what the model's companion does."""
