"""When garbage must not be collected: while a solver is at work in another thread.

The solver lets other threads go on meanwhile.  Its expressions are freed by whoever finds them
to be garbage, and it does not bear that from two threads at once: the process would end there.
"""

from __future__ import annotations

from threading import RLock
from typing import Final

SOLVING: Final = RLock()
"""Held by who asks the solver, and by who collects garbage beside it."""
