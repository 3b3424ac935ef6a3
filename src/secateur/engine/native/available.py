"""Whether the native engine can be used."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import Final

VARIABLE: Final = "SECATEUR_NATIVE"
"""Set to 0, it keeps the native engine from being used."""


@cache
def why_not_native() -> str | None:
    """Return why the native engine is not used, or None if it can be."""
    if os.environ.get(VARIABLE) == "0":
        return f"{VARIABLE}=0 is set"
    if find_spec("secateur._native") is None:
        return "this installation has no compiled module"
    if find_spec("llvmlite") is None:
        return "llvmlite is not installed"
    return None
