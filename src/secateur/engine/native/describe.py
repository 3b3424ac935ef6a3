"""Telling native code about a model: its compiled parts, and masks for all of them."""

from __future__ import annotations

from secateur._native import Explorer, Product
from secateur.engine.native.protocol import Packed
from secateur.kernel.jit import Compiled


def describe(native: Explorer | Product, packed: Packed, code: Compiled) -> None:
    """Tell about actions and properties."""
    compiled = [i for i, part in enumerate(packed.actions) if part.reason is None]
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
