"""Machine code that is garbage in a circle is disposed of in the order that LLVM wants."""

from __future__ import annotations

import gc

from secateur.kernel.jit import Compiled, compile_program
from secateur.kernel.language import Predicate, Program, Truth


class Circle:
    """Something that refers to itself, so that only the garbage collector frees it."""

    def __init__(self, code: Compiled) -> None:
        self.code = code
        self.itself = self


def test_garbage_collection() -> None:
    program = Program(1, predicates=(Predicate("p", (), Truth(True)),))
    for _ in range(20):
        Circle(compile_program(program))
        gc.collect()
