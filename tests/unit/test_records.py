"""Data classes of our own are what the standard library would have made."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field, fields, replace
from typing import Any, ClassVar

import pytest

from secateur.source.records import dataclass

Decorator = Callable[..., Callable[[type], type]]
MANNERS = [
    {"frozen": True, "slots": True},
    {"frozen": True},
    {"slots": True},
    {},
    {"frozen": True, "slots": True, "eq": False},
]


def _point(decorator: Decorator, **manner: bool) -> Any:
    @decorator(**manner)
    class Point:
        """A place."""

        x: int
        y: int = 2
        notes: list[str] = field(default_factory=list, compare=False)
        hidden: int = field(default=0, repr=False, hash=False)
        made: int = field(init=False, default=7)
        several: ClassVar[int] = 3

        def __post_init__(self) -> None:
            object.__setattr__(self, "hidden", self.hidden + 1)

    return Point


@pytest.mark.parametrize("manner", MANNERS, ids=str)
def test_it_does_what_the_library_does(manner: dict[str, bool]) -> None:
    ours, theirs = _point(dataclass, **manner), _point(dataclasses.dataclass, **manner)
    for made in (ours, theirs):
        assert made(1) != made(2)
        assert made(1) != 1
        assert made(1).notes is not made(1).notes
        assert made.__match_args__ == ("x", "y", "notes", "hidden")
    assert repr(ours(1, notes=["a"])) == repr(theirs(1, notes=["a"]))
    assert [f.name for f in fields(ours)] == [f.name for f in fields(theirs)]
    assert (ours(1, 2, ["b"]) == ours(1)) is (theirs(1, 2, ["b"]) == theirs(1))
    assert replace(ours(1), x=5).x == 5
    assert ours(1).hidden == theirs(1).hidden == 1
    assert ours(1).made == theirs(1).made == 7
    assert (ours.__hash__ is None) is (theirs.__hash__ is None)
    if manner.get("frozen") and manner.get("eq", True):
        assert hash(ours(1, 2, ["c"], 9)) == hash(theirs(1)) == hash(ours(1))


def test_what_a_class_says_itself_is_kept() -> None:
    @dataclass(frozen=True)
    class Odd:
        x: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Odd) and other.x % 2 == self.x % 2

        def __hash__(self) -> int:
            return self.x % 2

        def __repr__(self) -> str:
            return f"<{self.x}>"

    assert Odd(1) == Odd(3)
    assert hash(Odd(3)) == 1
    assert repr(Odd(3)) == "<3>"


def test_subclasses_have_the_fields_of_both() -> None:
    @dataclass(slots=True)
    class Base:
        x: int

    @dataclass(slots=True)
    class More(Base):
        y: int = 1

    assert repr(More(4)).endswith("More(x=4, y=1)")
    assert More(1) != Base(1)


@dataclass(frozen=True, slots=True)
class _Sent:
    x: int
    y: tuple[int, ...] = ()


def test_objects_can_be_copied_and_sent() -> None:
    sent = _Sent(1, (2,))
    assert pickle.loads(pickle.dumps(sent)) == sent == copy.deepcopy(sent)
