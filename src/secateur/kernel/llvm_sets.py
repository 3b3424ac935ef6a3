"""Sets in machine code: lists of words, in which the bits from the width on are 0.

Whatever has a computed position in a set of several words goes through memory, word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from secateur.kernel.language import WORD
from secateur.kernel.llvm_function import FALSE, TRUE, Flag, Function, Operand, signed
from secateur.kernel.places import split_words, words_needed

Set = list[Operand]
Reader = Callable[[Operand], Operand]
"""What reads a word of a set, given its index."""

FEW = 4
"""Up to so many words, choosing among all of them is cheaper than going through memory."""


def known_set(mask: int, width: int) -> Set:
    """Return a known set."""
    return [signed(word) for word in split_words(mask, words_needed(width))]


def signed_words(words: Iterable[int]) -> tuple[int, ...]:
    """Return words as the numbers that LLVM writes."""
    return tuple(map(signed, words))


def full_mask(width: int) -> Set:
    """Return 0..width-1."""
    return known_set((1 << width) - 1, width)


def is_empty(fn: Function, words: Set) -> Flag:
    """Return whether there is no element."""
    together: Operand = 0
    for word in words:
        together = fn.or_(together, word)
    return fn.compare("eq", together, 0)


def count(fn: Function, words: Set) -> Operand:
    """Return the number of elements."""
    total: Operand = 0
    for word in words:
        if isinstance(word, int):
            total = fn.add(total, (word % (1 << WORD)).bit_count())
        else:
            total = fn.add(total, fn.pure(f"call i64 @llvm.ctpop.i64(i64 {word})"))
    return total


def least(fn: Function, words: Set) -> Operand:
    """Return the least element of a set that is not empty."""
    result: Operand = 0
    for i, word in reversed(list(enumerate(words))):
        here = fn.add(fn.pure(f"call i64 @llvm.cttz.i64(i64 {word}, i1 false)"), i * WORD)
        result = here if i == len(words) - 1 else fn.select(fn.compare("ne", word, 0), here, result)
    return result


def greatest(fn: Function, words: Set) -> Operand:
    """Return the greatest element of a set that is not empty."""
    result: Operand = 0
    for i, word in enumerate(words):
        zeros = fn.pure(f"call i64 @llvm.ctlz.i64(i64 {word}, i1 false)")
        here = fn.xor(zeros, WORD - 1) if i == 0 else fn.sub(i * WORD + WORD - 1, zeros)
        result = here if i == 0 else fn.select(fn.compare("ne", word, 0), here, result)
    return result


def equal(fn: Function, left: Set, right: Set) -> Flag:
    """Return whether two sets are the same."""
    if len(left) == 1:
        return fn.compare("eq", left[0], right[0])
    return is_empty(fn, [fn.xor(a, b) for a, b in zip(left, right, strict=True)])


def in_memory(fn: Function, words: Set, size: int | None = None) -> str:
    """Write a set to memory, to be read at once; `size` words are reserved, the rest is 0."""
    size = size or len(words)
    address = fn.slot(f"[{size} x i64]", "set")
    for i in range(size):
        at = element(fn, address, i)
        fn.line(f"store i64 {words[i] if i < len(words) else 0}, ptr {at}, align 8")
    return address


def reader(fn: Function, address: str) -> Reader:
    """Return what reads the words at an address."""
    return lambda index: fn.new(f"load i64, ptr {element(fn, address, index)}, align 8")


def element(fn: Function, address: str, index: Operand) -> str:
    """Return the address of a word."""
    return fn.pure(f"getelementptr i64, ptr {address}, i64 {index}") if index != 0 else address


def word_at(fn: Function, words: Set, index: Operand) -> Operand:
    """Return one of the words."""
    if isinstance(index, int):
        return words[index]
    if len(words) > FEW:
        return reader(fn, in_memory(fn, words))(index)
    result = words[0]
    for i, word in enumerate(words[1:], 1):
        result = fn.select(fn.compare("eq", index, i), word, result)
    return result


def split_index(fn: Function, bit: Operand) -> tuple[Operand, Operand]:
    """Return the word of a bit, and its place in it."""
    return fn.lshr(bit, 6), fn.and_(bit, WORD - 1)


def bit_of(fn: Function, word: Operand, place: Operand) -> Flag:
    """Return whether a bit of a word is set."""
    return fn.compare("ne", fn.and_(fn.lshr(word, place), 1), 0)


def with_element(fn: Function, words: Set, bit: Operand) -> Set:
    """Return a set with one more element, which is in its range."""
    if len(words) == 1:
        return [fn.or_(words[0], fn.shl(1, bit))]
    index, place = split_index(fn, bit)
    one = fn.shl(1, place)
    if isinstance(index, int):
        return [fn.or_(w, one) if i == index else w for i, w in enumerate(words)]
    if len(words) > FEW:
        address = in_memory(fn, words)
        set_bit(fn, address, bit)
        return load(fn, address, len(words))
    return [fn.or_(w, fn.select(fn.compare("eq", index, i), one, 0)) for i, w in enumerate(words)]


def set_bit(fn: Function, address: str, bit: Operand) -> None:
    """Add an element to a set in memory."""
    index, place = split_index(fn, bit)
    at = element(fn, address, index)
    old = fn.new(f"load i64, ptr {at}, align 8")
    fn.line(f"store i64 {fn.or_(old, fn.shl(1, place))}, ptr {at}, align 8")


def load(fn: Function, address: str, count: int) -> Set:
    """Read words from memory."""
    return [fn.new(f"load i64, ptr {element(fn, address, i)}, align 8") for i in range(count)]


def cut(fn: Function, words: Set, width: int) -> Set:
    """Return the elements below `width`, as a set of that width."""
    result = words[: words_needed(width)]
    result[-1] = fn.low_bits(result[-1], width - (len(result) - 1) * WORD)
    return result


def slice_at(fn: Function, words: Set, start: Operand, width: int) -> Set:
    """Return `width` bits from `start` on, all within the set."""
    if len(words) == 1:
        return [fn.low_bits(fn.lshr(words[0], start), width)]
    if isinstance(start, int):
        return slice_from(fn, lambda i: word_at(fn, words, i), len(words), start, width)
    return slice_from(fn, reader(fn, in_memory(fn, words)), len(words), start, width)


def slice_from(fn: Function, read: Reader, count: int, start: Operand, width: int) -> Set:
    """Return `width` bits from `start` on, all within a set of `count` words."""
    first, place = split_index(fn, start)
    needed = words_needed(width)
    parts = [read(fn.add(first, i)) for i in range(needed)]
    if place != 0:
        # if the slice ends within the last word, it does not matter what is read here
        parts.append(read(_clamped(fn, fn.add(first, needed), 0, count - 1)))
        parts = [_funnel(fn, parts[i + 1], parts[i], place) for i in range(needed)]
    return cut(fn, parts, width)


def _funnel(fn: Function, high: Operand, low: Operand, by: Operand) -> Operand:
    """Return the lower word of `high:low` moved down by less than 64 bits."""
    if by == 0:
        return low
    if isinstance(by, int):
        return fn.or_(fn.lshr(low, by), fn.shl(high, WORD - by))
    return fn.pure(f"call i64 @llvm.fshr.i64(i64 {high}, i64 {low}, i64 {by})")


def place_at(fn: Function, words: Set, start: Operand, width: int) -> Set:
    """Return a set moved up by `start`, as one of `width` bits; no bit is lost."""
    needed = words_needed(width)
    if needed == 1:
        return [fn.shl(words[0], start)]
    first, place = split_index(fn, start)
    # word i of these belongs to word first + i of the result
    moved = [_up(fn, high, low, place) for high, low in zip([*words, 0], [0, *words], strict=True)]
    if isinstance(first, int):
        return [moved[i - first] if 0 <= i - first < len(moved) else 0 for i in range(needed)]
    size = needed + len(moved)
    address = in_memory(fn, [], size)
    for i, word in enumerate(moved):
        at = element(fn, address, fn.add(first, i))
        fn.line(f"store i64 {word}, ptr {at}, align 8")
    return load(fn, address, needed)


def _up(fn: Function, high: Operand, low: Operand, by: Operand) -> Operand:
    """Return the upper word of `high:low` moved up by less than 64 bits."""
    if by == 0:
        return high
    if isinstance(by, int):
        return fn.or_(fn.shl(high, by), fn.lshr(low, WORD - by))
    return fn.pure(f"call i64 @llvm.fshl.i64(i64 {high}, i64 {low}, i64 {by})")


def between(fn: Function, width: int, low: Operand, high: Operand) -> Set:
    """Return the numbers of 0..width-1 from `low` to `high`."""
    above = _clamped(fn, high, -1, width - 1)
    upper = fn.add(above, 1)
    lower = _clamped(fn, low, 0, width)
    result: Set = []
    for i in range(words_needed(width)):
        below_high = _below(fn, fn.sub(upper, i * WORD), width)
        below_low = _below(fn, fn.sub(lower, i * WORD), width)
        result.append(fn.and_(below_high, fn.xor(below_low, -1)))
    return result


def _clamped(fn: Function, value: Operand, least_: int, most: int) -> Operand:
    if isinstance(value, int):
        return max(least_, min(value, most))
    raised = fn.pure(f"call i64 @llvm.smax.i64(i64 {value}, i64 {least_})")
    return fn.pure(f"call i64 @llvm.smin.i64(i64 {raised}, i64 {most})")


def _below(fn: Function, value: Operand, width: int) -> Operand:
    """Return the bits of a word that are below a number, which may lie outside of the word."""
    if width < WORD and not isinstance(value, int):
        return fn.sub(fn.shl(1, value), 1)
    inside = _clamped(fn, value, 0, WORD)
    if isinstance(inside, int):
        return signed((1 << inside) - 1)
    # moving by 64 bits is not defined
    some = fn.sub(fn.shl(1, fn.and_(inside, WORD - 1)), 1)
    return fn.select(fn.compare("eq", inside, WORD), -1, some)


def element_in(fn: Function, read: Reader, width: int, element_: Operand, *, inside: bool) -> Flag:
    """Return whether a number is in a set; `inside` if it is known to be in 0..width-1."""
    if isinstance(element_, int) and not 0 <= element_ < width:
        return FALSE
    within = TRUE if inside else fn.compare("ult", element_, width)
    bit = element_ if inside else fn.select(within, element_, 0)
    index, place = split_index(fn, bit) if width > WORD else (0, bit)
    return fn.both(within, bit_of(fn, read(index), place))
