"""Secateur checks B models.

    import secateur

    model = secateur.load("lift.mch")
    result = model.check()
    if not result:
        for step in result.trace.steps:
            print(step.operation)

The names below are loaded when they are first used, so that `import secateur` costs next
to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from secateur.version import __version__

if TYPE_CHECKING:
    from secateur.app.load import load
    from secateur.app.model import Model
    from secateur.app.refine import refine
    from secateur.engine.limits import Unfinished
    from secateur.source import InputError
    from secateur.system.result import Result
    from secateur.system.trace import Trace
    from secateur.system.verdict import Holds, Incomplete, Violated, Violation

__all__ = [
    "Holds",
    "Incomplete",
    "InputError",
    "Model",
    "Result",
    "Trace",
    "Unfinished",
    "Violated",
    "Violation",
    "__version__",
    "load",
    "refine",
]

_HOMES: Final = {
    "Holds": "secateur.system.verdict",
    "Incomplete": "secateur.system.verdict",
    "InputError": "secateur.source",
    "Model": "secateur.app.model",
    "Result": "secateur.system.result",
    "Trace": "secateur.system.trace",
    "Unfinished": "secateur.engine.limits",
    "Violated": "secateur.system.verdict",
    "Violation": "secateur.system.verdict",
    "load": "secateur.app.load",
    "refine": "secateur.app.refine",
}


def __getattr__(name: str) -> Any:
    """Import the home of `name` and return it."""
    if name not in _HOMES:
        raise AttributeError(f"module 'secateur' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
