"""Shapes in words, for users who want to know how their variables are stored."""

from __future__ import annotations

from secateur.lang.slots import shapes
from secateur.lang.slots.shapes import Shape
from secateur.lang.slots.spaces import Carrier, Pairs, Range, Records, Space, Subsets, Truths


def in_words(shape: Shape) -> str:
    """Return what is stored for a variable of this shape."""
    match shape:
        case shapes.Dense(space):
            return f"one of {_space(space)}"
        case shapes.Wide():
            return "an integer of 64 bits"
        case shapes.Pair(left, right):
            return f"a pair: {in_words(left)}; {in_words(right)}"
        case shapes.Record(names, parts):
            fields = ", ".join(f"{n}: {in_words(p)}" for n, p in zip(names, parts, strict=True))
            return f"a record ({fields})"
        case shapes.Subset(space):
            return f"a set: a bit for each of {_space(space)}"
        case shapes.Function(domain, value, total):
            kind = "total" if total else "partial"
            return f"a {kind} function on {_space(domain)}: {in_words(value)}"
        case shapes.Sequence(limit, value):
            return f"a sequence of up to {limit}: {in_words(value)}"
        case shapes.Opaque():
            return "any value, by its number in a table"


def _space(space: Space) -> str:
    match space:
        case Truths():
            return "BOOL"
        case Carrier(name):
            return name
        case Range(low, high):
            return f"{low}..{high}"
        case Pairs(left, right):
            return f"{_space(left)} * {_space(right)}"
        case Records(names, parts):
            fields = ", ".join(f"{n}: {_space(p)}" for n, p in zip(names, parts, strict=True))
            return f"struct({fields})"
        case Subsets(of):
            return f"POW({_space(of)})"
