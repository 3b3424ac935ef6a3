"""Whether the compiled module, secateur._native, can be used."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import Final

VARIABLE: Final = "SECATEUR_NATIVE"
"""Set to 0, it keeps the compiled module from being used."""


@cache
def why_not_compiled() -> str | None:
    """Return why the compiled module is not used, or None if it can be."""
    if os.environ.get(VARIABLE) == "0":
        return f"{VARIABLE}=0 is set"
    if find_spec("secateur._native") is None:
        return "this installation has no compiled module"
    return None
