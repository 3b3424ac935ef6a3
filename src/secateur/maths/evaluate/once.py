"""What depends on constants alone is computed once for each value of these."""

from __future__ import annotations

from secateur.maths.evaluate.environment import EPOCH, Code, Env
from secateur.maths.values import Undecided, Value


class Memory:
    """The value of a formula about constants, or that it is undecided, for the latest of these."""

    __slots__ = ("known_for", "undecided", "value")

    def __init__(self) -> None:
        self.known_for: object = self  # no epoch, and not None
        self.value: Value = None
        self.undecided = ""


def once_per_epoch(code: Code, memory: Memory, *, forever: bool) -> Code:
    """Return code that computes its value once for each value of the constants."""

    def cached(env: Env) -> Value:
        epoch = None if forever else env[EPOCH]
        if memory.known_for is not epoch:
            undecided = ""
            value: Value = None
            try:
                value = code(env)
            except Undecided as error:
                undecided = error.what  # to find that out once more takes as long
            memory.value, memory.undecided = value, undecided
            memory.known_for = epoch
        if memory.undecided:
            raise Undecided(memory.undecided)
        return memory.value

    return cached
