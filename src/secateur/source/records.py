"""Data classes that cost little to define and to make.

A run defines hundreds of classes before it reads a model: where the standard library compiles
each method of each class by itself, that is half of the start.  And it makes hundreds of thousands
of small objects: the library's way to set a field of a frozen object takes three times as long.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

T = TypeVar("T")

_Fields = Sequence[Field[Any]]


def _made(
    *, frozen: bool = False, slots: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    """Return the decorator that makes a class as `dataclasses.dataclass` does.

    That nobody assigns to the fields of a `frozen` class is seen to by the type checker alone;
    to the program it says that objects have a hash.
    """

    def complete(cls: type[T]) -> type[T]:
        if cls.__doc__ is None:
            cls.__doc__ = cls.__name__  # the library would go to great lengths to invent one
        bare = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        explicit_hash = _has_hash(bare)
        for name, method in _methods(bare, eq=eq).items():
            if name not in bare.__dict__ and name != "__hash__":
                setattr(bare, name, method)
            elif name == "__hash__" and not explicit_hash:
                bare.__hash__ = method if frozen else None  # type: ignore[method-assign, assignment]
        return bare

    return complete


def _has_hash(cls: type) -> bool:
    """Whether a class says itself how it is hashed; Python says None where it defines equality."""
    own = cls.__dict__
    return "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)


def _methods(cls: type, *, eq: bool) -> dict[str, Any]:
    """Return the methods of a class, by name; all of them are compiled at once."""
    known = fields(cls)
    names: dict[str, Any] = {"_missing": MISSING}
    texts = [_initialiser(known, names, then=hasattr(cls, "__post_init__"))]
    if eq:
        texts.append(_equality([f.name for f in known if f.compare]))
        texts.append(_hash([f.name for f in known if (f.compare if f.hash is None else f.hash)]))
    methods: dict[str, Any] = {}
    exec("\n".join(texts), names, methods)  # noqa: S102 - made of the names of fields alone
    methods["__repr__"] = _shown([f.name for f in known if f.repr])
    for name, method in methods.items():
        method.__qualname__ = f"{cls.__qualname__}.{name}"
    return methods


def _initialiser(known: _Fields, names: dict[str, Any], *, then: bool) -> str:
    """Return the text of `__init__`; what it refers to is added to `names`."""
    parameters = ["self"]
    lines = []
    for number, f in enumerate(known):
        default, value = f"_{number}", f.name
        if f.default_factory is not MISSING:
            names[default] = f.default_factory
            parameters += [f"{f.name}=_missing"] if f.init else []
            value = (
                f"{default}() if {f.name} is _missing else {f.name}" if f.init else f"{default}()"
            )
        elif f.default is not MISSING:
            names[default] = f.default
            parameters += [f"{f.name}={default}"] if f.init else []
            value = f.name if f.init else default
        elif f.init:
            parameters.append(f.name)
        else:
            continue  # somebody else sets it
        lines.append(f" self.{f.name} = {value}")
    if then:
        lines.append(" self.__post_init__()")
    return "\n".join([f"def __init__({', '.join(parameters)}):", *(lines or [" pass"])])


def _equality(compared: Sequence[str]) -> str:
    return "\n".join(
        [
            "def __eq__(self, other):",
            " if other.__class__ is self.__class__:",
            f"  return {_tuple('self', compared)} == {_tuple('other', compared)}",
            " return NotImplemented",
        ]
    )


def _hash(hashed: Sequence[str]) -> str:
    return f"def __hash__(self):\n return hash({_tuple('self', hashed)})"


def _tuple(of: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


def _shown(names: Sequence[str]) -> Callable[[object], str]:
    def __repr__(self: object) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({inside})"

    return __repr__


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - to be imported from here
else:
    dataclass: Final = _made
