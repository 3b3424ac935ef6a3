"""Where fields and regions are, as bits of a whole buffer.

Bit i of a buffer is bit `i % 64` of word `i // 64`, so that a buffer is one large integer.
"""

from __future__ import annotations

from collections.abc import Sequence

from secateur.kernel.language import WORD, Field, Region

WORD_MASK = (1 << WORD) - 1


def position(field: Field, index: int) -> int:
    """Return the bit at which a number of a field begins."""
    assert 0 <= index < field.count, f"index {index} of {field}"
    if field.in_one_word:
        return field.word * WORD + field.shift + index * field.width
    per_word = WORD // field.width
    return (field.word + index // per_word) * WORD + index % per_word * field.width


def bits_of_field(field: Field, indices: range | None = None) -> int:
    """Return the bits of some numbers of a field (of all, if not said), as a mask."""
    one = (1 << field.width) - 1
    mask = 0
    for index in range(field.count) if indices is None else indices:
        mask |= one << position(field, index)
    return mask


def bits_of_region(region: Region) -> int:
    """Return the bits of a region as a mask."""
    return ((1 << region.width) - 1) << (region.word * WORD + region.shift)


def join_words(words: Sequence[int]) -> int:
    """Return words as one integer."""
    return sum(word << (i * WORD) for i, word in enumerate(words))


def split_words(bits: int, count: int) -> tuple[int, ...]:
    """Return the lowest `count` words of an integer."""
    return tuple((bits >> (i * WORD)) & WORD_MASK for i in range(count))


def words_needed(width: int) -> int:
    """Return how many words a set of this width takes."""
    return -(-width // WORD)
