"""Code that is ready at once, and better code for those who run long.

To optimise takes several times as long as to explore most models: code that is not optimised
runs first, and a run that goes on gets the better code as soon as another thread has made it.
A run may go on for long and spend its time elsewhere, waiting for memory: better code would be of
no use there, so that what counts is how long the code itself has run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from secateur._native import Explorer, Product
from secateur.kernel.jit import Compiled, Later

_LEAST: Final = 0.1
_TIMES: Final = 5
"""Code has run for at least so many seconds, and so many times as long as it took to compile,
before optimising begins: that takes about as long, so that little is lost if it was in vain."""


class Tiers:
    """The code of a search that is running."""

    def __init__(
        self,
        search: Explorer | Product,
        code: Compiled,
        spent: Callable[[], float] | None = None,
    ) -> None:
        """`spent` says how many seconds the code has run; without it, all of the time counts."""
        began = time.monotonic()
        self._search = search
        self._code = code
        self._spent = spent or (lambda: time.monotonic() - began)
        self._due = max(_LEAST, _TIMES * code.effort)
        self._later: Later | None = None
        self._better: Compiled | None = None
        self._given_up = False

    def attend(self) -> None:
        """Begin to optimise if it is time to, or hand over what is ready; called now and then."""
        if self._better is not None or self._given_up:
            return
        if self._later is None:
            if self._spent() < self._due:
                return
            self._later = Later(self._code)
        try:
            self._better = self._later.result()
        except Exception:  # noqa: BLE001  (whatever it is: the code that runs is as right as before)
            self._given_up = True
        if self._better is not None:
            self._replace(self._better)

    def _replace(self, better: Compiled) -> None:
        groups = [group for group in better.actions if len(group.members)]
        for number, group in enumerate(groups):
            self._search.replace_group(number, group.address)
        for number, group in enumerate(better.predicates):
            self._search.replace_checks(number, group.address)

    def end(self) -> None:
        """Give up what is not ready yet."""
        if self._later is not None and self._better is None:
            self._later.cancel()
