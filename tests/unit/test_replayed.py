"""What is found once is kept, whoever asks and whatever comes between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from secateur.lang.replayed import Replayed


def test_items_are_found_once_and_in_turns() -> None:
    searches: list[int] = []

    def find() -> Iterator[int]:
        for n in range(3):
            searches.append(n)
            yield n

    replayed = Replayed(find)
    one, other = iter(replayed), iter(replayed)
    assert [next(one), next(other), next(other), next(one), *one] == [0, 0, 1, 1, 2]
    assert list(other) == [2]
    assert list(replayed) == [0, 1, 2]
    assert searches == [0, 1, 2]


def test_a_search_that_was_interrupted_is_begun_anew() -> None:
    attempts = 0

    def find() -> Iterator[int]:
        nonlocal attempts
        attempts += 1
        yield 0
        if attempts == 1:
            raise KeyboardInterrupt
        yield 1

    replayed = Replayed(find)
    with pytest.raises(KeyboardInterrupt):
        list(replayed)
    assert list(replayed) == [0, 1]
    assert list(replayed) == [0, 1]
    assert attempts == 2
