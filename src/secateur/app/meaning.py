"""A model's digest: the same for the same meaning, wherever its text stands and however it is laid out."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from secateur.lang.model import Model
from secateur.source import Source, Span


def meaning_digest(model: Model) -> str:
    """Return the SHA-256 of all that a model says; comments and places in the text do not count."""
    digest = hashlib.sha256()
    _feed(model, digest, set())
    return digest.hexdigest()


def _feed(part: Any, digest: Any, above: set[int]) -> None:
    """Add a part, with its kind and its end, so that different models are different texts."""
    if isinstance(part, Span | Source):
        return
    if is_dataclass(part) and not isinstance(part, type):
        if id(part) in above:  # a data type may mention itself
            return
        above.add(id(part))
        digest.update(f"<{type(part).__name__}".encode())
        for each in fields(part):
            if each.compare and each.repr:
                _feed(getattr(part, each.name), digest, above)
        above.discard(id(part))
        digest.update(b">")
        return
    match part:
        case Enum():
            digest.update(f"{type(part).__name__}.{part.name};".encode())
        case Mapping():
            digest.update(b"{")
            for key in sorted(part, key=str):
                _feed(key, digest, above)
                _feed(part[key], digest, above)
            digest.update(b"}")
        case str() | bytes() | int() | float() | None:
            text = repr(part)
            digest.update(f"{type(part).__name__}{len(text)}:{text}".encode())
        case tuple() | list():
            digest.update(b"(")
            for item in part:
                _feed(item, digest, above)
            digest.update(b")")
        case set() | frozenset():
            digest.update(f"set {sorted(map(str, part))}".encode())
        case _:
            # operators and the like are what they are called
            name = getattr(part, "__qualname__", None) or type(part).__qualname__
            digest.update(f"[{name}]".encode())
