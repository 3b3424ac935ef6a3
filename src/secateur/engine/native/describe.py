"""Telling native code about a model: its compiled parts, and masks for all of them."""

from __future__ import annotations

from secateur._native import Explorer, Product
from secateur.engine.native.protocol import Packed
from secateur.kernel.jit import Compiled, compile_program


def describe(native: Explorer | Product, packed: Packed, code: Compiled) -> None:
    """Tell about actions and properties."""
    compiled = [i for i, part in enumerate(packed.actions) if part.coded]
    for group in code.actions:
        members = [compiled[i] for i in group.members]
        distinct = [packed.program.actions[i].distinct for i in group.members]
        native.add_group(group.address, members, distinct)
    for number, part in enumerate(packed.actions):
        native.set_masks(number, part.reads, part.writes)
        affected = [
            i
            for i, each in enumerate(packed.properties)
            if any(w & r for w, r in zip(part.writes, each.reads, strict=True))
        ]
        native.set_affected(number, affected)
    checked = [i for i, part in enumerate(packed.properties) if part.reason is None]
    for group in code.predicates:
        native.add_checks(group.address, [checked[i] for i in group.members])
    for number, part in enumerate(packed.properties):
        native.set_check_mask(number, part.reads)


def describe_end(native: Explorer, packed: Packed) -> Compiled | None:
    """Tell where a run may end; return the code, which must live as long as the explorer does.

    It has a number of its own, after those of the properties, and groups of it come last.
    """
    end, number = packed.end, len(packed.properties)
    if end is None:
        return None
    native.set_end(number)
    native.set_check_mask(number, end.reads)
    if end.program is None:
        return None
    code = compile_program(end.program)
    native.add_checks(code.predicates[0].address, [number])
    return code
