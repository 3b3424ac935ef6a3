"""Whether the native engine can be used."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from secateur.compiled_module import why_not_compiled


@cache
def why_not_native() -> str | None:
    """Return why the native engine is not used, or None if it can be."""
    why = why_not_compiled()
    if why is None and find_spec("llvmlite") is None:
        return "llvmlite is not installed"
    return why
