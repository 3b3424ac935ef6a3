"""When a state does not fit into the form in which it is to be stored."""

from __future__ import annotations

from typing import Any


class Misfit(Exception):
    """A value does not fit into the place provided for it; the packing must be changed."""

    def __init__(self, place: str, value: Any) -> None:
        super().__init__(f"{place} has a value that does not fit")
        self.place = place
        self.value = value
